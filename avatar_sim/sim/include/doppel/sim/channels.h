/* SPDX-License-Identifier: Apache-2.0 */
/* The channels of a running world: all values that can be written to it (put) and read from it
 * (get), by name. They are numbered from 0, in the order of the world's file. The thread that owns
 * the world calls all functions except create and destroy, between steps; they do not allocate or
 * block. */
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
void dpl_world_channels_destroy(struct dpl_world_channels *channels); /* NULL: does nothing */

/* The descriptions, in order; valid as long as the list. */
const struct dpl_channel_desc *
dpl_world_channels_describe(const struct dpl_world_channels *channels, size_t *ret_n);

/* As dpl_channel_find. */
int dpl_world_channels_find(const struct dpl_world_channels *channels,
                            const struct dpl_channel_want *want, struct dpl_diag *reterr);

/* Writes a value for the next step. A request is executed at once. What a number that is not finite
 * means depends on the channel. 0; -EBUSY or -EINVAL: the world refuses it (such as a place where
 * another object is). */
int dpl_world_channels_put(const struct dpl_world_channels *channels, size_t channel,
                           const void *value);

/* The input has no owner any more: the world brings it to a safe state (motors stop). */
void dpl_world_channels_release(const struct dpl_world_channels *channels, size_t channel);

/* Another user switches a shared flag on (`on`), or one of them no longer does. The flag is on
 * while at least one user has it on. */
void dpl_world_channels_share(struct dpl_world_channels *channels, size_t channel, bool on);

/* Somebody overrules all others at this input and puts `value`, in the channel's unit, after them
 * (as a test plan does); NAN: nobody does any more. It puts nothing itself: masters of a bus read
 * it back in the coil or register that commands this channel, as if another master had written it.
 * On the thread that owns the world. */
void dpl_world_channels_overrule(struct dpl_world_channels *channels, size_t channel, double value);

/* That value; NAN: nobody overrules. */
double dpl_world_channels_overruled(const struct dpl_world_channels *channels, size_t channel);

/* Call it after the world was restored from a snapshot: shared flags get the present state of their
 * users, and all other inputs are released. */
void dpl_world_channels_restored(const struct dpl_world_channels *channels);

/* The newest value, and the world's time when it was valid. -EAGAIN: there is none yet. For a
 * block, ret_value may be NULL: only the time is returned then. */
int dpl_world_channels_get(const struct dpl_world_channels *channels, size_t channel,
                           void *ret_value, dpl_ns *ret_stamp);

#ifdef __cplusplus
}
#endif

#endif
