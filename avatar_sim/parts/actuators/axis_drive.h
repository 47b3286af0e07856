/* SPDX-License-Identifier: Apache-2.0 */
/* The drive of a linear axis. Its settings are a struct dpl_sim_drive; its joint takes an effort.
 */
#ifndef DOPPEL_SIM_AXIS_DRIVE_H
#define DOPPEL_SIM_AXIS_DRIVE_H

#include <doppel/sim/entry.h>

extern const struct dpl_sim_entry_class dpl_axis_drive;

#endif
