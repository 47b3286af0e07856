/* SPDX-License-Identifier: Apache-2.0 */
/* One number of a channel, "PATH" or "PATH[INDEX]": for conditions and expressions. */
#ifndef DOPPEL_SIM_CHANNEL_ELEMENT_H
#define DOPPEL_SIM_CHANNEL_ELEMENT_H

#include <doppel/sim/channels.h>

#define DPL__ELEMENT_BYTES_MAX 4096 /* of a channel of which a number may be taken */

/* Finds a channel that can be read and has numbers. 0, or -EINVAL with reterr (without a place).
 * Changes `path`: cuts the index off. */
int dpl__channel_element_find(const struct dpl_world_channels *channels, char *path,
                              size_t *ret_channel, size_t *ret_element, struct dpl_diag *reterr);

/* The number; `room`, of DPL__ELEMENT_BYTES_MAX bytes and aligned as max_align_t, is used
 * meanwhile. -EAGAIN: there is none yet. */
int dpl__channel_element_get(const struct dpl_world_channels *channels, size_t channel,
                             size_t element, unsigned char *room, double *ret_value);

#endif
