/* SPDX-License-Identifier: Apache-2.0 */
/* Looks ahead from a world that this process owns (requests and results: doppel/ahead.h). The
 * rollouts run in a worker, a process that is forked before the world moves. All memory of a world
 * is one mapping at a fixed address, so a copy of it can be used in the worker
 * (docs/design/worlds.md). The owner copies the world between two steps. It never waits for the
 * worker.
 *
 * Lifetimes: the world and its list of channels are borrowed; both must outlive the look-ahead.
 * Threads: the owner of the world calls dpl_sim_ahead_boundary; the user calls ask and answer, from
 * one thread at a time; any thread may read the state. */
#ifndef DOPPEL_SIM_AHEAD_H
#define DOPPEL_SIM_AHEAD_H

#include <doppel/ahead.h>
#include <doppel/sim/channels.h>
#include <doppel/sim/world.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_sim_ahead;

/* Prepares rollouts and the memory that is shared with the worker. 0, -ENOENT or -EINVAL with
 * reterr (a channel or the robot), -ENOMEM. Allocates. */
int dpl_sim_ahead_create(struct dpl_world *world, struct dpl_world_channels *channels,
                         const struct dpl_ahead_setup *setup, struct dpl_sim_ahead **ret_ahead,
                         struct dpl_diag *reterr);

/* Ends the worker. NULL: does nothing. */
void dpl_sim_ahead_destroy(struct dpl_sim_ahead *ahead);

/* Forks the worker and starts a thread that monitors it. Call it before the world moves. Other
 * threads may run, because the worker uses only memory that it has from the fork. The worker closes
 * all files except standard error. It ignores the signals that end a process, and ends when the
 * calling thread ends. `simulated`: only the owner moves time, and dpl_ahead_answer waits. 0 or
 * -errno with reterr. */
int dpl_sim_ahead_start(struct dpl_sim_ahead *ahead, bool simulated, struct dpl_diag *reterr);

/* Call it between two steps. Copies the world if there is a request. `offset`: the run's clock
 * minus the world's time. Neither blocks nor allocates. */
void dpl_sim_ahead_boundary(struct dpl_sim_ahead *ahead, dpl_ns offset);

/* For dpl_ahead_ask, dpl_ahead_answer and dpl_ahead_state. */
struct dpl_ahead *dpl_sim_ahead_face(struct dpl_sim_ahead *ahead);

/* The process id of the worker, for tests and messages; 0: it was not started. */
int dpl_sim_ahead_pid(const struct dpl_sim_ahead *ahead);

/* Runs the rollouts now, in this process and on the calling thread, which owns the world. The world
 * is copied, moved and restored: afterwards its state is the same, to the last bit. It needs no
 * dpl_sim_ahead_start. The result is valid until the next call. 0; -EINVAL: a number of the request
 * is not valid; -ENOSPC as dpl_ahead_answer. Does not allocate. */
int dpl_sim_ahead_run(struct dpl_sim_ahead *ahead, const struct dpl_ahead_request *request,
                      const struct dpl_ahead_result **ret_result);

#ifdef __cplusplus
}
#endif

#endif
