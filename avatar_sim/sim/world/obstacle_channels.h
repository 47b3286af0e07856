/* SPDX-License-Identifier: Apache-2.0 */
/* Channels of what stands still in a world. */
#ifndef DOPPEL_SIM_OBSTACLE_CHANNELS_H
#define DOPPEL_SIM_OBSTACLE_CHANNELS_H

#include <doppel/sim/channel_rows.h>

/* Adds "obstacles" and "obstacle_names" and, of those that are longer than a page, their pages
 * (doppel/sim/outline.h); where something is transparent, "transparent_obstacles". */
void dpl__obstacle_channels_add(struct dpl_world_channels *channels,
                                const struct dpl_sim_model *model);

#endif
