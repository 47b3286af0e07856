/* SPDX-License-Identifier: Apache-2.0 */
/* The channels of a running world: all that can be put into it and read from it, by name. They are
 * numbered from 0 on, in the order of the world's file. All calls but create and destroy belong to
 * the thread that owns the world, between steps; they neither allocate nor block. */
#ifndef DOPPEL_SIM_CHANNELS_H
#define DOPPEL_SIM_CHANNELS_H

#include <doppel/channel.h>
#include <doppel/sim/world.h>
#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_world_channels;

/* Lists the channels of a world, which is borrowed and must outlive the list. Allocates. 0 or
 * -ENOMEM. */
int dpl_world_channels_create(struct dpl_world *world, struct dpl_world_channels **ret_channels);
void dpl_world_channels_destroy(struct dpl_world_channels *channels); /* NULL: nothing */

/* The descriptions, in order; they live as long as the list. */
const struct dpl_channel_desc *
dpl_world_channels_describe(const struct dpl_world_channels *channels, size_t *ret_n);

/* As dpl_channel_find. */
int dpl_world_channels_find(const struct dpl_world_channels *channels,
                            const struct dpl_channel_want *want, struct dpl_diag *reterr);

/* Leaves a value for the next step, also into a channel of requests: it is done at once then. What
 * is not finite counts as the world says it does for that channel. 0; -EBUSY or -EINVAL: the world
 * does not take it (a place where something stands). */
int dpl_world_channels_put(const struct dpl_world_channels *channels, size_t channel,
                           const void *value);

/* Nobody answers any more for what was put: the world does what is safe (motors stop). */
void dpl_world_channels_release(const struct dpl_world_channels *channels, size_t channel);

/* One user more, or one less, wants a shared flag to be on. */
void dpl_world_channels_share(struct dpl_world_channels *channels, size_t channel, bool on);

/* The world has gone back to a snapshot: shared flags are again as their users want them now, and
 * what was put into other inputs is released. */
void dpl_world_channels_restored(const struct dpl_world_channels *channels);

/* The newest value and the world's time that it is of. -EAGAIN: there is none yet. Of a block
 * ret_value may be NULL: then only the time is given. */
int dpl_world_channels_get(const struct dpl_world_channels *channels, size_t channel,
                           void *ret_value, dpl_ns *ret_stamp);

#ifdef __cplusplus
}
#endif

#endif
