/* SPDX-License-Identifier: Apache-2.0 */
/* A world that its owner moves, as those see it who observe a run: the world host of a run whose
 * time the owner moves, too (`drive` of doppel/host/runtime.h). */
#ifndef DOPPEL_SIM_SHOWN_H
#define DOPPEL_SIM_SHOWN_H

#include <doppel/host/runtime.h>
#include <doppel/sim/channels.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_sim_shown;

/* Describes a world, which is borrowed with its channels. NULL: no memory. */
struct dpl_sim_shown *dpl_sim_shown_create(const struct dpl_world *world,
                                           const struct dpl_world_channels *channels);
/* After the run. NULL: does nothing. */
void dpl_sim_shown_destroy(struct dpl_sim_shown *shown);

struct dpl_world_host dpl_sim_shown_host(struct dpl_sim_shown *shown);

/* From now on another world of the same file and parameters is shown, which is borrowed, too; its
 * time 0 is `offset` of the run. On the thread that moves it. */
void dpl_sim_shown_follow(struct dpl_sim_shown *shown, const struct dpl_world *world,
                          const struct dpl_world_channels *channels, dpl_ns offset);

/* Hands of those who look reach this host (dpl_sim_hosted_hands) from now on; ops NULL: no world,
 * until the next call. Without any call before dpl_sim_shown_host they put nothing. Waits for a
 * hand that is putting. */
void dpl_sim_shown_hand_over(struct dpl_sim_shown *shown, struct dpl_world_host hands);
/* How often hands have put something. Any thread. */
unsigned dpl_sim_shown_touched(struct dpl_sim_shown *shown);

/* Before the first step, and after each one. Does not allocate, lock or call the system, but for a
 * simulated run whose observers have no room: it waits. */
void dpl_sim_shown_look(struct dpl_sim_shown *shown);

#ifdef __cplusplus
}
#endif

#endif
