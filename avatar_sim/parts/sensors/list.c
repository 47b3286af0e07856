/* SPDX-License-Identifier: Apache-2.0 */
/* The sensors that a robot or a mechanism may have: one line for each. */
#include "classes.h"

extern const struct dpl_sim_entry_class dpl_beam, dpl_camera, dpl_contact_sensor, dpl_depth_camera,
    dpl_encoder, dpl_force_sensor, dpl_imu, dpl_load_cell, dpl_joint_encoder, dpl_joint_switch,
    dpl_laser, dpl_pose_sensor, dpl_radar, dpl_range_finder, dpl_tacho, dpl_touch;

const struct dpl_sim_entry_class *const dpl__sensors[] = {
    &dpl_beam,
    &dpl_camera,
    &dpl_contact_sensor,
    &dpl_depth_camera,
    &dpl_encoder,
    &dpl_force_sensor,
    &dpl_imu,
    &dpl_load_cell,
    &dpl_joint_encoder,
    &dpl_joint_switch,
    &dpl_laser,
    &dpl_pose_sensor,
    &dpl_radar,
    &dpl_range_finder,
    &dpl_tacho,
    &dpl_touch,
    NULL,
};
