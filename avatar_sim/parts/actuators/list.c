/* SPDX-License-Identifier: Apache-2.0 */
/* The actuators that a robot or a mechanism may have: one line for each. */
#include "classes.h"

extern const struct dpl_sim_entry_class dpl_axis_drive, dpl_ballast, dpl_blocker_motor,
    dpl_brake_motor, dpl_dc_motor, dpl_drive_motor, dpl_force_motor, dpl_opener_motor,
    dpl_servo_motor, dpl_steering, dpl_table_motor, dpl_wheel_motor, dpl_wrench;

const struct dpl_sim_entry_class *const dpl__actuators[] = {
    &dpl_axis_drive,    &dpl_ballast,
    &dpl_blocker_motor, &dpl_brake_motor,
    &dpl_dc_motor,      &dpl_drive_motor,
    &dpl_force_motor,   &dpl_opener_motor,
    &dpl_servo_motor,   &dpl_steering,
    &dpl_table_motor,   &dpl_wheel_motor,
    &dpl_wrench,        NULL,
};
