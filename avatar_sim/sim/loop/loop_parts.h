/* SPDX-License-Identifier: Apache-2.0 */
/* The insides of a loop.
 *
 * - loop.c             making, steps and boundaries
 * - loop_time.c        following a clock
 * - loop_command.c     what a command says
 * - loop_condition.c   a channel compared with a number
 * - loop_control.c     what a command does
 * - loop_snapshots.c   snapshots, with names and without */
#ifndef DOPPEL_SIM_LOOP_PARTS_H
#define DOPPEL_SIM_LOOP_PARTS_H

#include <doppel/sim/loop.h>

#include "channel_element.h"

enum loop_operator {
    LOOP_ABOVE,
    LOOP_AT_LEAST,
    LOOP_BELOW,
    LOOP_AT_MOST,
    LOOP_EQUAL,
    LOOP_DIFFERENT,
};

struct loop_condition {
    size_t channel;
    size_t element;
    enum loop_operator operator;
    double number;
};

enum loop_verb {
    LOOP_RUN,
    LOOP_PAUSE,
    LOOP_STEP,
    LOOP_FOR,
    LOOP_UNTIL,
    LOOP_RATE,
    LOOP_RESET,
    LOOP_SNAPSHOT,
    LOOP_RESTORE,
};

struct loop_command {
    enum loop_verb verb;
    dpl_ns time; /* step, for: how much of the world's time */
    double rate;
    struct loop_condition condition;
    char name[DPL_SIM_NAME_MAX + 1];
};

/* What runs until it is reached. */
struct loop_goal {
    bool active, has_condition;
    uint64_t id; /* of the event that wants to know; 0: none */
    dpl_ns end;  /* of the world's time */
    struct loop_condition condition;
};

/* What has to wait for the end of a boundary. */
struct loop_task {
    struct loop_command command;
    uint64_t id;
};
enum { LOOP_TASKS_MAX = 8 };

struct loop_snapshot {
    char name[DPL_SIM_NAME_MAX + 1]; /* "": free */
    void *bytes;
    size_t size, capacity;
};

/* How the world's time follows the clock: `world` stands for `real`, and goes on from there. */
struct loop_pace {
    bool set; /* else both are to be set when the clock is read next */
    dpl_ns world, real;
    double rate;
};

struct dpl_sim_loop {
    struct dpl_sim_loop_options options;
    struct dpl_sim_event_kind *kinds;
    struct dpl_sim_events *events;
    dpl_ns step; /* of the world */
    bool paused;
    bool boundary_is_open; /* the boundary of now has not been yet: before the first step */
    bool held;             /* the last run waits */
    bool interrupted;      /* a control has changed what is due */
    int fault;             /* of the motion in the last step */
    struct dpl_diag why;   /* of the fault */
    struct loop_pace pace;
    struct loop_goal goal;
    struct loop_task tasks[LOOP_TASKS_MAX];
    size_t n_tasks;
    bool in_boundary;
    struct loop_snapshot snapshots[DPL_SIM_SNAPSHOTS];
    struct loop_snapshot start;
    struct dpl_sim_loop_status status;
    _Alignas(16) unsigned char value[DPL__ELEMENT_BYTES_MAX]; /* of a channel */
};

static inline uint64_t loop_steps(const struct dpl_sim_loop *loop)
{
    return (uint64_t)(dpl_world_now(loop->options.world) / loop->step);
}

/* ---- loop_time.c ---- */

void loop_set_rate(struct dpl_sim_loop *loop, double rate);
/* From now on the world's time of now stands for the clock's. */
void loop_pace_again(struct dpl_sim_loop *loop);
/* Before a step: counts it if it is late; returns whether it is. */
bool loop_note_lateness(struct dpl_sim_loop *loop);
/* What a step takes on the clock; 0: there is no telling. */
dpl_ns loop_real_step(const struct dpl_sim_loop *loop);

/* ---- loop_command.c ---- */

int loop_command_parse(const struct dpl_sim_loop *loop, const char *text,
                       struct loop_command *ret_command, struct dpl_diag *reterr);

/* ---- loop_condition.c ---- */

int loop_condition_parse(const struct dpl_sim_loop *loop, const char *text,
                         struct loop_condition *ret_condition, struct dpl_diag *reterr);
bool loop_condition_holds(struct dpl_sim_loop *loop, const struct loop_condition *condition);

/* ---- loop_control.c ---- */

/* The handler of DPL_SIM_CONTROL_KIND. */
int loop_run_control(void *context, const struct dpl_sim_event_run *run);
/* After a step. */
void loop_look_at_goal(struct dpl_sim_loop *loop);
/* After a boundary: what had to wait for its end. */
void loop_do_tasks(struct dpl_sim_loop *loop);
/* The goal will not be reached. */
void loop_abandon_goal(struct dpl_sim_loop *loop);

/* ---- loop_snapshots.c ---- */

int loop_reset(struct dpl_sim_loop *loop);
int loop_snapshot(struct dpl_sim_loop *loop, const char *name);
int loop_restore(struct dpl_sim_loop *loop, const char *name);
void loop_free_snapshots(struct dpl_sim_loop *loop);

#endif
