/* SPDX-License-Identifier: Apache-2.0 */
/* A loop: making it, steps and the boundaries between them. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "loop_parts.h"

/* Without a clock nobody can say that there is time to spare: then class idle runs this often. */
enum { STEPS_PER_IDLE = 100 };

/* Of a step's time on the clock: what events of classes n and idle may take at a boundary. */
#define BUDGET_SHARE 5

/* ---- making ---- */

static int make_queue(struct dpl_sim_loop *loop)
{
    const struct dpl_sim_loop_options *options = &loop->options;
    loop->kinds = calloc(options->n_kinds + 1, sizeof *loop->kinds);
    if (!loop->kinds) {
        return -ENOMEM;
    }
    loop->kinds[DPL_SIM_CONTROL_KIND] =
        (struct dpl_sim_event_kind){.name = "control", .run = loop_run_control, .context = loop};
    for (size_t i = 0; i < options->n_kinds; i++) {
        loop->kinds[i + 1] = options->kinds[i];
    }
    struct dpl_sim_events_options queue = {
        .kinds = loop->kinds,
        .n_kinds = options->n_kinds + 1,
        .context = options->context,
        .capacity = options->capacity,
        .of_every = options->of_every,
        .log = options->log,
        .log_user = options->log_user,
    };
    return dpl_sim_events_create(&queue, &loop->events);
}

int dpl_sim_loop_create(const struct dpl_sim_loop_options *options, struct dpl_sim_loop **ret_loop)
{
    struct dpl_sim_loop *loop = calloc(1, sizeof *loop);
    if (!loop) {
        return -ENOMEM;
    }
    loop->options = *options;
    loop->step = dpl_world_model(options->world)->step;
    loop->paused = options->paused;
    loop->boundary_is_open = true;
    loop->pace.rate = options->now ? 1.0 : (double)INFINITY;
    int err = make_queue(loop);
    if (err < 0) {
        dpl_sim_loop_destroy(loop);
        return err;
    }
    *ret_loop = loop;
    return 0;
}

void dpl_sim_loop_destroy(struct dpl_sim_loop *loop)
{
    if (loop) {
        dpl_sim_events_destroy(loop->events);
        loop_free_snapshots(loop);
        free(loop->kinds);
        free(loop);
    }
}

struct dpl_sim_events *dpl_sim_loop_events(struct dpl_sim_loop *loop)
{
    return loop->events;
}

/* ---- boundaries ---- */

static void drain(struct dpl_sim_loop *loop, bool time_stands, bool idle)
{
    struct dpl_sim_events_drain drain = {
        .step = loop_steps(loop),
        .paused = time_stands,
        .idle = idle,
        .budget = loop_real_step(loop) / BUDGET_SHARE,
        .now = loop_real_step(loop) > 0 ? loop->options.now : NULL,
        .now_user = loop->options.now_user,
    };
    loop->in_boundary = true;
    dpl_sim_events_drain(loop->events, &drain);
    loop->in_boundary = false;
    if (loop->n_tasks > 0) {
        loop_do_tasks(loop);
    }
    if (loop->options.boundary) {
        loop->options.boundary(loop->options.boundary_user);
    }
}

/* Class idle has time when the clock is ahead of nobody, and now and then when there is none. */
static bool is_idle_time(const struct dpl_sim_loop *loop, bool late)
{
    return loop_real_step(loop) > 0 ? !late : loop_steps(loop) % STEPS_PER_IDLE == 0;
}

static void make_step(struct dpl_sim_loop *loop)
{
    bool late = loop_note_lateness(loop);
    dpl_world_step(loop->options.world, 1);
    loop->fault = dpl_world_check_motion(loop->options.world, &loop->why);
    if (loop->goal.active) {
        loop_look_at_goal(loop);
    }
    drain(loop, false, is_idle_time(loop, late));
}

/* The boundary before the first step, and those while time stands still. */
static void wait_a_turn(struct dpl_sim_loop *loop, dpl_ns until, bool was_held)
{
    if (loop->boundary_is_open) {
        loop->boundary_is_open = false;
        drain(loop, loop->paused, true);
    } else if (loop->paused || was_held ||
               (loop->pace.set && dpl_world_now(loop->options.world) >= until)) {
        drain(loop, true, true);
    }
}

bool dpl_sim_loop_run_until(struct dpl_sim_loop *loop, dpl_ns until)
{
    bool was_held = loop->held;
    loop->interrupted = loop->held = false;
    wait_a_turn(loop, until, was_held);
    while (!loop->paused && !loop->interrupted && loop->fault == 0 &&
           dpl_world_now(loop->options.world) < until) {
        if (loop->options.holds && loop->options.holds(loop->options.holds_user)) {
            loop->held = true;
            return false;
        }
        make_step(loop);
    }
    return !loop->interrupted && !loop->paused && loop->fault == 0;
}

int dpl_sim_loop_fault(const struct dpl_sim_loop *loop, struct dpl_diag *reterr)
{
    if (loop->fault < 0 && reterr) {
        *reterr = loop->why;
    }
    return loop->fault;
}

bool dpl_sim_loop_is_held(const struct dpl_sim_loop *loop)
{
    return loop->held;
}

struct dpl_sim_loop_status dpl_sim_loop_status(const struct dpl_sim_loop *loop)
{
    struct dpl_sim_loop_status status = loop->status;
    status.step = loop_steps(loop);
    status.time = dpl_world_now(loop->options.world);
    status.paused = loop->paused;
    status.has_goal = loop->goal.active;
    status.rate = loop->pace.rate;
    for (size_t i = 0; i < DPL_SIM_SNAPSHOTS; i++) {
        status.snapshots += loop->snapshots[i].name[0] != '\0';
    }
    status.events = dpl_sim_events_stats(loop->events);
    return status;
}
