/* SPDX-License-Identifier: Apache-2.0 */
/* Looks ahead from a world that this process owns (requests and results: doppel/ahead.h). The
 * rollouts run in a worker, a process that is forked before the world moves: all memory of a world
 * is one mapping at a fixed address, so a copy of it is good there (decision 0039). The owner
 * copies the world between two steps, in the time that copying takes, and never waits.
 *
 * Lifetimes: create before, destroy after; the world and its list of channels are borrowed and
 * outlive it. Threads: dpl_sim_ahead_boundary is the world's owner's; ask and answer are the
 * user's, one thread at a time; any thread may ask for the state. */
#ifndef DOPPEL_SIM_AHEAD_H
#define DOPPEL_SIM_AHEAD_H

#include <doppel/ahead.h>
#include <doppel/sim/channels.h>
#include <doppel/sim/world.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_sim_ahead;

/* Prepares looks and the memory that the worker shares. 0, -ENOENT or -EINVAL with reterr (a
 * channel or the robot), -ENOMEM. Allocates. */
int dpl_sim_ahead_create(struct dpl_world *world, struct dpl_world_channels *channels,
                         const struct dpl_ahead_setup *setup, struct dpl_sim_ahead **ret_ahead,
                         struct dpl_diag *reterr);

/* Ends the worker. NULL: nothing. */
void dpl_sim_ahead_destroy(struct dpl_sim_ahead *ahead);

/* Forks the worker and starts a thread that watches it. Before the world moves; threads of other
 * things may run: the worker uses memory only that it got by the fork. It closes all files but
 * standard error, ignores requests to end and ends when the calling thread does. `simulated`: time
 * moves only as the owner says, and answers are waited for. 0 or -errno with reterr. */
int dpl_sim_ahead_start(struct dpl_sim_ahead *ahead, bool simulated, struct dpl_diag *reterr);

/* Between two steps: copies the world if a look was asked for. `offset`: the run's clock minus the
 * world's time. Neither blocks nor allocates. */
void dpl_sim_ahead_boundary(struct dpl_sim_ahead *ahead, dpl_ns offset);

/* For dpl_ahead_ask and its companions. */
struct dpl_ahead *dpl_sim_ahead_face(struct dpl_sim_ahead *ahead);

/* The process of the worker, for tests and messages; 0: it was not started. */
int dpl_sim_ahead_pid(const struct dpl_sim_ahead *ahead);

/* The same rollouts at once, in this process and on the calling thread, which owns the world: it is
 * copied, moved and put back, so it is afterwards as it was before, to the last bit. Needs no
 * start. The result stays until the next call. 0, -EINVAL: a number of the request makes no sense;
 * -ENOSPC as dpl_ahead_answer. Does not allocate. */
int dpl_sim_ahead_run(struct dpl_sim_ahead *ahead, const struct dpl_ahead_request *request,
                      const struct dpl_ahead_result **ret_result);

#ifdef __cplusplus
}
#endif

#endif
