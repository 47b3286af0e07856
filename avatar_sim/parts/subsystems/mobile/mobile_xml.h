/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of a <robot_model> that make it a mobile base, and the attributes of a world's
 * <robot> that change one. */
#ifndef DOPPEL_SIM_MOBILE_XML_H
#define DOPPEL_SIM_MOBILE_XML_H

#include <doppel/sim/mobile.h>
#include <doppel/sim/subsystem.h>

#include "element.h"

/* What has been read of a mobile base; zeroed before. */
struct dpl__mobile_draft {
    double mass, moment[3]; /* sum of mass times centre */
    struct dpl__list shapes, wheels, casters;
    bool has_steering;
    struct dpl_sim_steering steering;
};

struct dpl__mobile_root {
    double friction, mass_x, mass_y, mass_z;
};

/* How a mobile base in a world differs from its model: factors, and values that replace the model's
 * when not negative. */
struct dpl__mobile_changes {
    double wheel_scale_left, wheel_scale_right, axle_scale, mass_scale, torque_scale;
    double wheel_friction, latency_ms, lag_ms, speed_noise;
};

enum { DPL_MOBILE_ELEMENTS = 4, DPL_MOBILE_ROOT_FIELDS = 4, DPL_MOBILE_CHANGE_FIELDS = 9 };
extern const struct dpl_element_kind dpl__mobile_elements[DPL_MOBILE_ELEMENTS];
extern const struct dpl_field dpl__mobile_root_fields[DPL_MOBILE_ROOT_FIELDS];
extern const struct dpl__mobile_root dpl__mobile_root_unset;
extern const struct dpl_field dpl__mobile_change_fields[DPL_MOBILE_CHANGE_FIELDS];
extern const struct dpl__mobile_changes dpl__mobile_changes_unset;

/* See struct dpl_subsystem_class. */
void dpl__mobile_finish(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                        const void *root_values);
void dpl__mobile_change(struct dpl_sim_robot *robot, const void *changes);

#endif
