/* SPDX-License-Identifier: Apache-2.0 */
/* Opens links to worlds in other processes. A list of remote worlds has one entry an
 * address; NULL is an empty list. */
#ifndef DOPPEL_SIM_LINK_REMOTE_H
#define DOPPEL_SIM_LINK_REMOTE_H

#include <stdint.h>

#include <doppel/device.h>
#include <doppel/host/runtime.h>
#include <doppel/link.h>

struct remote_world;

/* A link to config->part at config->world ("tcp://host:port"). Waits for an answer for at most 0.3
 * s, once for each world. Without an answer the link is open, too: `device` (NULL: none) is lost,
 * and found when the world answers. -EINVAL: not an address, -ENOSPC, -ENOMEM. Allocates. */
int link_remote_open(struct remote_world **list, const struct dpl_link_config *config,
                     struct dpl_device *device, struct dpl_link **ret_link,
                     struct dpl_diag *reterr);

/* For a link of link_remote_open: see dpl_sim_link_loss. */
int link_remote_loss(struct dpl_link *link, char *ret_why, size_t size);

/* From now on until remote_worlds_stop, waits end when the run is stopping, and the threads are
 * threads of the run. NULL: there is no run. */
void remote_worlds_attend(struct remote_world *list, const struct dpl_run_services *services);

/* `real_epoch`: CLOCK_MONOTONIC at time 0 of the run; 0: lock-step, then all worlds must answer
 * within 5 s (-ETIMEDOUT); -ECANCELED: the run is stopping. -EINVAL: a world is served in the other
 * mode. */
int remote_worlds_start(struct remote_world *list, dpl_ns real_epoch, struct dpl_diag *reterr);

/* Lock-step: grants `to` to all worlds and waits until they are there. -ETIMEDOUT after 5 s, or
 * -ECANCELED 0.2 s after the run was asked to stop; -ECONNRESET when one was lost or restarted;
 * reterr names the address. */
int remote_worlds_advance(struct remote_world *list, dpl_ns to, struct dpl_diag *reterr);

/* From now on a lost world is not reported. */
void remote_worlds_stop(struct remote_world *list);

/* Contacts of everything in all worlds. */
uint64_t remote_worlds_contacts(const struct remote_world *list);

/* Closes the connections. Also frees links that are still open. */
void remote_worlds_destroy(struct remote_world *list);

#endif
