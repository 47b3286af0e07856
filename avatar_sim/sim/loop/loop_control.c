/* SPDX-License-Identifier: Apache-2.0 */
/* What a command does. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "loop_parts.h"

static const struct dpl_place nowhere;

#define COMMAND_MAX 512 /* bytes, with the end */

static void set_paused(struct dpl_sim_loop *loop, bool paused)
{
    if (loop->paused == paused) {
        return;
    }
    loop->paused = paused;
    loop->interrupted = true;
    if (!paused) {
        loop_pace_again(loop);
    }
}

/* ---- goals ---- */

void loop_abandon_goal(struct dpl_sim_loop *loop)
{
    if (loop->goal.active) {
        loop->goal.active = false;
        dpl_sim_events_abandon(loop->events, loop->goal.id); /* of a call: there is none */
    }
}

static bool is_reached(struct dpl_sim_loop *loop, const struct loop_goal *goal)
{
    return goal->has_condition ? loop_condition_holds(loop, &goal->condition)
                               : dpl_world_now(loop->options.world) >= goal->end;
}

void loop_look_at_goal(struct dpl_sim_loop *loop)
{
    if (is_reached(loop, &loop->goal)) {
        loop->goal.active = false;
        set_paused(loop, true);
        dpl_sim_events_at(loop->events, loop_steps(loop));
        dpl_sim_events_finish(loop->events, loop->goal.id, 0);
    }
}

/* Begins to run until `command` says, in place of what was to be reached before. */
static int begin_goal(struct dpl_sim_loop *loop, const struct loop_command *command, uint64_t id)
{
    struct loop_goal goal = {
        .active = true,
        .id = id,
        .has_condition = command->verb == LOOP_UNTIL,
        .condition = command->condition,
        .end = dpl_world_now(loop->options.world) + command->time,
    };
    loop_abandon_goal(loop);
    if (is_reached(loop, &goal)) {
        set_paused(loop, true);
        return 0;
    }
    loop->goal = goal;
    set_paused(loop, false);
    return DPL_SIM_EVENT_LATER;
}

/* ---- commands ---- */

static int run_or_pause(struct dpl_sim_loop *loop, bool paused)
{
    loop_abandon_goal(loop);
    set_paused(loop, paused);
    return 0;
}

static int change_rate(struct dpl_sim_loop *loop, double rate)
{
    if (!loop->options.now) {
        return -ENOTSUP;
    }
    loop_set_rate(loop, rate);
    return 0;
}

/* What has to wait for the end of a boundary, done between two steps. */
static int jump_or_keep(struct dpl_sim_loop *loop, const struct loop_command *command)
{
    switch (command->verb) {
    case LOOP_RESET: return loop_reset(loop);
    case LOOP_SNAPSHOT: return loop_snapshot(loop, command->name);
    default: return loop_restore(loop, command->name);
    }
}

static int put_off(struct dpl_sim_loop *loop, const struct loop_command *command, uint64_t id)
{
    if (loop->n_tasks == LOOP_TASKS_MAX) {
        return -EBUSY;
    }
    loop->tasks[loop->n_tasks++] = (struct loop_task){*command, id};
    return DPL_SIM_EVENT_LATER;
}

static int act(struct dpl_sim_loop *loop, const struct loop_command *command, uint64_t id)
{
    switch (command->verb) {
    case LOOP_RUN: return run_or_pause(loop, false);
    case LOOP_PAUSE: return run_or_pause(loop, true);
    case LOOP_STEP:
    case LOOP_FOR:
    case LOOP_UNTIL: return begin_goal(loop, command, id);
    case LOOP_RATE: return change_rate(loop, command->rate);
    default: return loop->in_boundary ? put_off(loop, command, id) : jump_or_keep(loop, command);
    }
}

void loop_do_tasks(struct dpl_sim_loop *loop)
{
    for (size_t i = 0; i < loop->n_tasks; i++) {
        int err = jump_or_keep(loop, &loop->tasks[i].command);
        dpl_sim_events_finish(loop->events, loop->tasks[i].id, err);
    }
    loop->n_tasks = 0;
}

int loop_run_control(void *context, const struct dpl_sim_event_run *run)
{
    struct dpl_sim_loop *loop = context;
    char text[COMMAND_MAX];
    struct loop_command command;
    if (run->size >= sizeof text) {
        return -EINVAL;
    }
    memcpy(text, run->payload, run->size);
    text[run->size] = '\0';
    int err = loop_command_parse(loop, text, &command, NULL);
    return err < 0 ? err : act(loop, &command, run->id);
}

int dpl_sim_loop_control(struct dpl_sim_loop *loop, const char *text, struct dpl_diag *reterr)
{
    struct loop_command command;
    int err = loop_command_parse(loop, text, &command, reterr);
    if (err < 0) {
        return err;
    }
    err = act(loop, &command, 0);
    return err < 0 ? dpl_fail(reterr, err, nowhere, "%s", dpl_sim_loop_explain(err)) : 0;
}

const char *dpl_sim_loop_explain(int code)
{
    switch (code) {
    case -EINVAL: return "not a command";
    case -ENOENT: return "there is no snapshot of that name";
    case -ENOSPC: return "there are 16 snapshots already";
    case -ENOMEM: return "out of memory";
    case -ENOTSUP:
        return "this world cannot do that: it follows no clock, or its start was not kept";
    case -EBUSY: return "too many commands at once";
    case -EAGAIN: return "too many events are on their way: try again";
    default: return "failed";
    }
}
