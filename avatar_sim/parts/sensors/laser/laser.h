/* SPDX-License-Identifier: Apache-2.0 */
/* A planar laser scanner. Its settings are a struct dpl_sim_laser. */
#ifndef DOPPEL_SIM_LASER_SENSOR_H
#define DOPPEL_SIM_LASER_SENSOR_H

#include <doppel/sim/channel_rows.h>
#include <doppel/sim/entry.h>

extern const struct dpl_sim_entry_class dpl_laser;
extern const struct dpl_channel_table dpl__laser_channels;

#endif
