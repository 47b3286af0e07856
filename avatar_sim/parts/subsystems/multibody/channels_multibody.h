/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of channels of the subsystem `multibody`. */
#ifndef DOPPEL_SIM_CHANNELS_MULTIBODY_H
#define DOPPEL_SIM_CHANNELS_MULTIBODY_H

#include <doppel/sim/channel_rows.h>

#include "multibody_state.h"

#define DPL__MULTIBODY_TABLE(rows)                                                                 \
    {                                                                                              \
        rows, DPL_COUNT(rows)                                                                      \
    }

/* Of a coordinate (`id`: of struct dpl_multibody_world, joints): [0] a travel, [1] a turn. */
extern const struct dpl_channel_table dpl__multibody_joint_tables[2],
    dpl__multibody_device_tables[2], dpl__multibody_motor_tables[2];

/* Of a body and an assembly (the same), and of a robot. */
extern const struct dpl_channel_table dpl__multibody_body_table, dpl__multibody_contact_table,
    dpl__multibody_assembly_table, dpl__multibody_robot_table;

struct dpl_multibody_world *dpl__multibody_data(const struct dpl_world *world);

#endif
