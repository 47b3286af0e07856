/* SPDX-License-Identifier: Apache-2.0 */
/* The loop of a world: it steps the world, runs events at the boundaries between steps, and follows
 * a clock of its owner. It can run, pause, make single steps, run for a time or until a condition,
 * run at a rate, and go back to the start or to a snapshot. All of this is possible at run time,
 * and takes effect between two steps (docs/reference/loop.md, docs/design/worlds.md).
 *
 * One thread owns a loop and its world. It makes all calls, except dpl_sim_loop_check and the calls
 * of the queue that any thread may use. Without controls and events a loop steps its world exactly
 * as dpl_world_step does. */
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
#define DPL_SIM_SNAPSHOTS 16 /* snapshots with names, in a loop */

/* The kind of events that control a loop. The payload is a command, as text without a terminating
 * 0. They have class every and this number, so that they run first. */
#define DPL_SIM_CONTROL_KIND   0
#define DPL_SIM_CONTROL_NUMBER 255

struct dpl_sim_loop_options {
    struct dpl_world *world; /* borrowed */
    struct dpl_world_channels
        *channels; /* for conditions; borrowed; NULL: there are no conditions */
    /* The clock that a running world follows after the first dpl_sim_loop_begin or
     * dpl_sim_loop_due; it must not go back. Before that, or without a clock, time moves as far as
     * dpl_sim_loop_run_until is called for, and there are no late steps and no budgets. */
    dpl_ns (*now)(void *user);
    void *now_user;
    bool paused; /* the loop begins paused */
    /* The queue: see dpl_sim_events_options. Row 0 has the number 1, because DPL_SIM_CONTROL_KIND
     * is 0. */
    const struct dpl_sim_event_kind *kinds;
    size_t n_kinds;
    void *context;
    size_t capacity, of_every;
    void (*log)(void *user, const struct dpl_sim_event_record *record);
    void *log_user;
    /* Called at the end of each boundary, also while the loop is paused. It may exchange values
     * with the world. It may wait; time does not move then. NULL: not called. */
    void (*boundary)(void *user);
    void *boundary_user;
    /* Called before each step. True: time must wait at this boundary for another program. Then
     * dpl_sim_loop_run_until returns, and its next call runs the boundary again; events still run.
     * NULL: time never waits. */
    bool (*holds)(void *user);
    void *holds_user;
    /* Called after the world has gone back to the start or to a snapshot. Users must correct the
     * state that they keep outside of the world. NULL: not called. */
    void (*jumped)(void *user);
    void *jumped_user;
};

/* 0, -ENOMEM or -EINVAL. Allocates. */
int dpl_sim_loop_create(const struct dpl_sim_loop_options *options, struct dpl_sim_loop **ret_loop);
void dpl_sim_loop_destroy(struct dpl_sim_loop *loop); /* NULL: does nothing */

/* The queue, for senders. Only the loop may drain it. */
struct dpl_sim_events *dpl_sim_loop_events(struct dpl_sim_loop *loop);

/* Keeps the present state as the start, for resets. Call it before the first step. 0 or -ENOMEM.
 * Needs the memory of a snapshot. */
int dpl_sim_loop_keep_start(struct dpl_sim_loop *loop);

/* ---- time ---- */

/* From now on the present time of the world corresponds to `now` of the clock. Without this call
 * the first dpl_sim_loop_due does this. */
void dpl_sim_loop_begin(struct dpl_sim_loop *loop, dpl_ns now);

/* The time of the world until which it may move now. With a clock: the end of the last step that is
 * due; while paused: the present time. A world that is more than 0.5 s behind its clock does not
 * catch up: it skips this time and counts it. */
dpl_ns dpl_sim_loop_due(struct dpl_sim_loop *loop, dpl_ns now);

/* Steps while the world's time is before `until`, with the boundary after each step. True: the
 * world has reached it. False: the loop is paused or waits, a command has changed what is due (call
 * dpl_sim_loop_due again), or it has a fault. If no step is due, events that do not need a step
 * still run. */
bool dpl_sim_loop_run_until(struct dpl_sim_loop *loop, dpl_ns until);

/* Whether the world does not move as it should since its last step (dpl_world_check_motion): then
 * it stands, until it goes back to its start or to a snapshot. 0, or -ERANGE with reterr. */
int dpl_sim_loop_fault(const struct dpl_sim_loop *loop, struct dpl_diag *reterr);

/* Whether dpl_sim_loop_run_until has returned because of `holds`. If so, call it again. */
bool dpl_sim_loop_is_held(const struct dpl_sim_loop *loop);

/* The time of the clock at which dpl_sim_loop_due should be called again; at most 20 ms from now.
 */
dpl_ns dpl_sim_loop_wake(const struct dpl_sim_loop *loop, dpl_ns now);

/* The time of the clock that corresponds to the present time of the world; not later than `now`. At
 * rate 1 both times advance equally. */
dpl_ns dpl_sim_loop_stamp(const struct dpl_sim_loop *loop, dpl_ns now);

/* ---- control ---- */

/* Commands:
 *   run                 time moves
 *   pause               time does not move
 *   step [N]            N steps (default 1), then pause
 *   for SECONDS         steps for this time of the world, then pause
 *   until CONDITION     steps until it holds, then pause: PATH[INDEX] OPERATOR NUMBER, where the
 *                       channel is read in its own unit, and [INDEX] is an element of it; operators
 *                       > >= < <= == !=
 *   rate R|max          R times as fast as the clock (0.01 to 1000), or as fast as possible
 *   reset               to the start; all events that wait are dropped
 *   snapshot NAME       keeps the state of the world and its events
 *   restore NAME        goes back to it
 *
 * A command that is sent as an event (DPL_SIM_CONTROL_KIND) gets its answer when it ends: step, for
 * and until when they have paused, or as cancelled when another command ends them. Codes: -EINVAL
 * not a command; -ENOENT no such snapshot; -ENOSPC too many snapshots; -ENOMEM; -ENOTSUP no clock,
 * or no start was kept; -EBUSY too many at one boundary; -EAGAIN see dpl_sim_events_restore. */

/* Checks whether this is a valid command for this loop: 0 or -EINVAL with reterr. Any thread. */
int dpl_sim_loop_check(const struct dpl_sim_loop *loop, const char *command,
                       struct dpl_diag *reterr);

/* Executes a command now, between two steps; step, for and until begin now. Must not be called in a
 * handler. 0 or -errno with reterr. */
int dpl_sim_loop_control(struct dpl_sim_loop *loop, const char *command, struct dpl_diag *reterr);

/* The meaning of such a code, as text for messages. */
const char *dpl_sim_loop_explain(int code);

/* Snapshots in the caller's memory, of the world and of the events that wait; see dpl_world_save
 * and dpl_sim_events_save. They do not contain the rate, whether the loop is paused, and a step,
 * for or until that is not finished; a restore ends these commands. */
size_t dpl_sim_loop_snapshot_size(struct dpl_sim_loop *loop);
int dpl_sim_loop_save(struct dpl_sim_loop *loop, void *ret_snapshot, size_t size);
int dpl_sim_loop_restore(struct dpl_sim_loop *loop, const void *snapshot, size_t size);

/* ---- what it does ---- */

struct dpl_sim_loop_status {
    uint64_t step; /* of the newest boundary */
    dpl_ns time;   /* of the world */
    bool paused;
    bool has_goal; /* a step, for or until is not finished */
    double rate;   /* INFINITY: as fast as possible */
    /* A step is late when it begins a whole step or more after it was due. */
    uint64_t late_steps;
    dpl_ns late_now, late_most; /* delay of the newest step, and the largest delay */
    uint64_t skips;             /* how often the world was too far behind and skipped time */
    dpl_ns skipped;             /* time of the clock that was skipped, in total */
    uint64_t jumps;             /* resets and restores */
    size_t snapshots;           /* with names */
    struct dpl_sim_events_stats events;
};
struct dpl_sim_loop_status dpl_sim_loop_status(const struct dpl_sim_loop *loop);

#ifdef __cplusplus
}
#endif

#endif
