/* SPDX-License-Identifier: Apache-2.0 */
/* A loop that follows a clock. */
#include <math.h>

#include "loop_parts.h"

/* After a stall (a suspended process) the world does not hurry to catch up. */
#define STALL_MAX (500 * DPL_MS)

#define TURN_MAX  (20 * DPL_MS) /* between two looks at the queue */
#define PAUSE_MAX (2 * DPL_MS)  /* the same, while time stands still */
#define SLICE     (10 * DPL_MS) /* of the world's time, as fast as possible: others get their turn */

static bool is_paced(const struct dpl_sim_loop *loop)
{
    return loop->options.now && loop->pace.set && isfinite(loop->pace.rate);
}

dpl_ns loop_real_step(const struct dpl_sim_loop *loop)
{
    if (!is_paced(loop)) {
        return 0;
    }
    return loop->pace.rate == 1.0 ? loop->step : (dpl_ns)((double)loop->step / loop->pace.rate);
}

/* When the world's time `at` is due on the clock. Exact at rate 1. */
static dpl_ns real_time(const struct dpl_sim_loop *loop, dpl_ns at)
{
    const struct loop_pace *pace = &loop->pace;
    dpl_ns since = at - pace->world;
    return pace->real + (pace->rate == 1.0 ? since : (dpl_ns)ceil((double)since / pace->rate));
}

void loop_pace_again(struct dpl_sim_loop *loop)
{
    loop->pace.set = false;
    loop->interrupted = true;
}

void loop_set_rate(struct dpl_sim_loop *loop, double rate)
{
    loop->pace.rate = rate;
    loop_pace_again(loop);
}

void dpl_sim_loop_begin(struct dpl_sim_loop *loop, dpl_ns now)
{
    loop->pace.set = true;
    loop->pace.world = dpl_world_now(loop->options.world);
    loop->pace.real = now;
}

/* The last boundary that is due at `now`. */
static dpl_ns paced(const struct dpl_sim_loop *loop, dpl_ns now)
{
    const struct loop_pace *pace = &loop->pace;
    dpl_ns since = now - pace->real;
    since = pace->rate == 1.0 ? since : (dpl_ns)((double)since * pace->rate);
    return pace->world + since / loop->step * loop->step;
}

static void skip_what_is_too_much(struct dpl_sim_loop *loop, dpl_ns now)
{
    dpl_ns behind = now - real_time(loop, dpl_world_now(loop->options.world));
    if (behind > STALL_MAX + loop_real_step(loop)) {
        loop->status.skips++;
        loop->status.skipped += behind;
        dpl_sim_loop_begin(loop, now);
    }
}

dpl_ns dpl_sim_loop_due(struct dpl_sim_loop *loop, dpl_ns now)
{
    dpl_ns world_now = dpl_world_now(loop->options.world);
    if (loop->paused) {
        return world_now;
    }
    if (!loop->pace.set) {
        dpl_sim_loop_begin(loop, now);
    }
    if (!is_paced(loop)) {
        return world_now + (SLICE > loop->step ? SLICE : loop->step);
    }
    skip_what_is_too_much(loop, now);
    dpl_ns due = paced(loop, now);
    return due > world_now ? due : world_now;
}

dpl_ns dpl_sim_loop_wake(const struct dpl_sim_loop *loop, dpl_ns now)
{
    if (loop->paused) {
        return now + PAUSE_MAX;
    }
    if (!is_paced(loop)) {
        return now;
    }
    dpl_ns next = real_time(loop, dpl_world_now(loop->options.world) + loop->step);
    return next - now < TURN_MAX ? next : now + TURN_MAX;
}

dpl_ns dpl_sim_loop_stamp(const struct dpl_sim_loop *loop, dpl_ns now)
{
    if (!is_paced(loop)) {
        return now;
    }
    dpl_ns due = real_time(loop, dpl_world_now(loop->options.world));
    return due < now ? due : now;
}

bool loop_note_lateness(struct dpl_sim_loop *loop)
{
    dpl_ns step = loop_real_step(loop);
    if (step == 0) {
        return false;
    }
    dpl_ns due = real_time(loop, dpl_world_now(loop->options.world) + loop->step);
    dpl_ns behind = loop->options.now(loop->options.now_user) - due;
    bool late = behind >= step;
    struct dpl_sim_loop_status *status = &loop->status;
    status->late_now = late ? behind : 0;
    status->late_steps += late;
    status->late_most = status->late_now > status->late_most ? status->late_now : status->late_most;
    return late;
}
