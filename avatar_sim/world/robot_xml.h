/* SPDX-License-Identifier: Apache-2.0 */
/* A robot's file and the changes a world makes to it. */
#ifndef DOPPEL_SIM_ROBOT_XML_H
#define DOPPEL_SIM_ROBOT_XML_H

#include <doppel/sim/model.h>

#include "element.h"

extern const struct dpl_element_root dpl__robot_root;

/* Fills *ret_robot from a <robot_model>; errors go to the reader. True when there was none. */
bool dpl__robot_read(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                     struct dpl_sim_robot *ret_robot);

/* A number that was not given where 0 and negative ones are values. */
#define DPL_ROBOT_UNSET (-1e6)

/* How a robot in a world differs from its model: factors, and values that replace the model's when
 * not negative. */
struct dpl_robot_changes {
    double wheel_scale_left, wheel_scale_right, axle_scale, mass_scale, torque_scale;
    double wheel_friction, latency_ms, lag_ms, speed_noise;
    double laser_noise, laser_dropout;
    double friction_scale, screw_scale; /* of a machine's drives */
    double pose[6];                     /* of a machine's platform: DPL_ROBOT_UNSET keeps home's */
};

/* Warns of attributes of a world's <robot> that a robot of this kind has no use for. */
void dpl__robot_warn_idle(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                          bool is_machine);

void dpl__robot_change(struct dpl_sim_robot *robot, const struct dpl_robot_changes *changes);

#endif
