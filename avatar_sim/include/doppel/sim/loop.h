/* SPDX-License-Identifier: Apache-2.0 */
/* The system controller of a world: it steps the world, runs events at the boundaries between
 * steps, and follows a clock that its owner passes. It runs, pauses, makes single steps, runs for a
 * time or until a condition, at a rate, and goes back to the start or to a snapshot: all while it
 * runs, and all of it between two steps (docs/loop.md, decision 0058).
 *
 * One thread owns a loop and its world, and calls everything here but dpl_sim_loop_check and the
 * calls of the queue that any thread may use. Without controls and events a loop steps its world
 * exactly as dpl_world_step does. */
#ifndef DOPPEL_SIM_LOOP_H
#define DOPPEL_SIM_LOOP_H

#include <doppel/diag.h>
#include <doppel/sim/channels.h>
#include <doppel/sim/events.h>
#include <doppel/sim/world.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_sim_loop;

#define DPL_SIM_RATE_MIN  0.01
#define DPL_SIM_RATE_MAX  1000.0
#define DPL_SIM_NAME_MAX  31 /* of a snapshot's name */
#define DPL_SIM_SNAPSHOTS 16 /* with names, in a loop */

/* Events that control a loop: their payload is a command, as text without an end. They are of class
 * every with this number, so that they come first. */
#define DPL_SIM_CONTROL_KIND   0
#define DPL_SIM_CONTROL_NUMBER 255

struct dpl_sim_loop_options {
    struct dpl_world *world;             /* borrowed */
    struct dpl_world_channels *channels; /* of conditions, borrowed; NULL: there are none */
    /* The clock that a running world follows from dpl_sim_loop_begin or dpl_sim_loop_due on; it
     * never goes back. Without it, or before that, time moves as far as dpl_sim_loop_run_until
     * says, and there are no late steps and no budgets. */
    dpl_ns (*now)(void *user);
    void *now_user;
    bool paused; /* it begins with time standing still */
    /* The queue; dpl_sim_events_options tells more. Numbers of kinds begin after
     * DPL_SIM_CONTROL_KIND: row 0 is kind 1. */
    const struct dpl_sim_event_kind *kinds;
    size_t n_kinds;
    void *context;
    size_t capacity, of_every;
    void (*log)(void *user, const struct dpl_sim_event_record *record);
    void *log_user;
    /* At the end of each boundary, also of those while time stands still. It may exchange values
     * with the world and may wait: then time waits. NULL: nothing. */
    void (*boundary)(void *user);
    void *boundary_user;
    /* Asked before each step: true while time has to wait at this boundary for somebody outside.
     * Then dpl_sim_loop_run_until returns, and the next call of it runs the boundary again; events
     * run meanwhile. NULL: it never waits. */
    bool (*holds)(void *user);
    void *holds_user;
    /* The world has gone back to the start or to a snapshot: what its users keep elsewhere is
     * theirs to put right. NULL: nothing. */
    void (*jumped)(void *user);
    void *jumped_user;
};

/* 0, -ENOMEM or -EINVAL. Allocates. */
int dpl_sim_loop_create(const struct dpl_sim_loop_options *options, struct dpl_sim_loop **ret_loop);
void dpl_sim_loop_destroy(struct dpl_sim_loop *loop); /* NULL: nothing */

/* The queue, for senders. Only the loop drains it. */
struct dpl_sim_events *dpl_sim_loop_events(struct dpl_sim_loop *loop);

/* Keeps the state of now as the start that a reset goes back to: before the first step. 0 or
 * -ENOMEM. Costs the memory of a snapshot. */
int dpl_sim_loop_keep_start(struct dpl_sim_loop *loop);

/* ---- time ---- */

/* The world's time of now stands for `now` of the clock. Without this call it does when
 * dpl_sim_loop_due is called first. */
void dpl_sim_loop_begin(struct dpl_sim_loop *loop, dpl_ns now);

/* How far the world may move now, in its own time: with a clock the end of the last step that is
 * over; now when time stands still. A world that is more than 0.5 s behind its clock does not hurry
 * to catch up: what it skips is counted. */
dpl_ns dpl_sim_loop_due(struct dpl_sim_loop *loop, dpl_ns now);

/* Steps while the world's time is before `until`, with the boundary after each step. True: it is
 * there. False: time stands still or waits, or a control has changed what is due: ask
 * dpl_sim_loop_due again. When there is nothing to step, events that do not need time run. */
bool dpl_sim_loop_run_until(struct dpl_sim_loop *loop, dpl_ns until);

/* Whether it has returned because `holds` said so: call it again. */
bool dpl_sim_loop_is_held(const struct dpl_sim_loop *loop);

/* When dpl_sim_loop_due has something to say again, on the clock; at most 20 ms from now. */
dpl_ns dpl_sim_loop_wake(const struct dpl_sim_loop *loop, dpl_ns now);

/* What time of the clock the world's time of now stands for; not after `now`. At rate 1 it moves as
 * the world's time does. */
dpl_ns dpl_sim_loop_stamp(const struct dpl_sim_loop *loop, dpl_ns now);

/* ---- control ---- */

/* Commands:
 *   run                 time moves
 *   pause               time stands still
 *   step [N]            N steps (1), then pause
 *   for SECONDS         as many steps as that takes of the world's time, then pause
 *   until CONDITION     steps until it holds, then pause: PATH[INDEX] OPERATOR NUMBER, where the
 *                       channel is read in its own unit, and [INDEX] is an element of it; operators
 *                       > >= < <= == !=
 *   rate R|max          R times as fast as the clock (0.01 to 1000), or as fast as possible
 *   reset               to the start; all events that wait are dropped
 *   snapshot NAME       keeps the state of the world and its events
 *   restore NAME        goes back to it
 *
 * As an event (DPL_SIM_CONTROL_KIND) a command has its answer when it is over: step, for and until
 * when they have paused, or as cancelled when another command ends them. Codes: -EINVAL not a
 * command; -ENOENT no such snapshot; -ENOSPC too many snapshots; -ENOMEM; -ENOTSUP no clock, or no
 * start was kept; -EBUSY too many at one boundary; -EAGAIN see dpl_sim_events_restore. */

/* Whether it is a command that this loop knows: 0 or -EINVAL with reterr. Any thread. */
int dpl_sim_loop_check(const struct dpl_sim_loop *loop, const char *command,
                       struct dpl_diag *reterr);

/* Does it now, between two steps; step, for and until begin now. Not from a handler. 0 or -errno
 * with reterr. */
int dpl_sim_loop_control(struct dpl_sim_loop *loop, const char *command, struct dpl_diag *reterr);

/* What such a code means, for people. */
const char *dpl_sim_loop_explain(int code);

/* Snapshots in the caller's memory: the world, and the events that wait. As dpl_world_save and
 * dpl_sim_events_save. Whether time moves, the rate, and a step, for or until that is under way are
 * not in it; a restore ends the latter. */
size_t dpl_sim_loop_snapshot_size(struct dpl_sim_loop *loop);
int dpl_sim_loop_save(struct dpl_sim_loop *loop, void *ret_snapshot, size_t size);
int dpl_sim_loop_restore(struct dpl_sim_loop *loop, const void *snapshot, size_t size);

/* ---- what it does ---- */

struct dpl_sim_loop_status {
    uint64_t step; /* of the newest boundary */
    dpl_ns time;   /* of the world */
    bool paused;
    bool has_goal; /* a step, for or until is under way */
    double rate;   /* INFINITY: as fast as possible */
    /* A step is late when it begins a whole step or more after it was due. */
    uint64_t late_steps;
    dpl_ns late_now, late_most; /* how much the newest step was late, and the worst one */
    uint64_t skips;             /* how often a world that was too far behind did not catch up */
    dpl_ns skipped;             /* of the clock's time, in all */
    uint64_t jumps;             /* resets and restores */
    size_t snapshots;           /* with names */
    struct dpl_sim_events_stats events;
};
struct dpl_sim_loop_status dpl_sim_loop_status(const struct dpl_sim_loop *loop);

#ifdef __cplusplus
}
#endif

#endif
