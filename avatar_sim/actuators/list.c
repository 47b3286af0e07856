/* SPDX-License-Identifier: Apache-2.0 */
/* The actuators that a robot may have: one line for each. */
#include "classes.h"

extern const struct dpl_sim_entry_class dpl_axis_drive, dpl_wheel_motor;

const struct dpl_sim_entry_class *const dpl__actuators[] = {
    &dpl_axis_drive,
    &dpl_wheel_motor,
    NULL,
};
