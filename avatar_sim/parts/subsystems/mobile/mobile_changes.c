/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of a world's <robot> that change a mobile base. */
#include "mobile_xml.h"

#include <doppel/sim/mobile.h>

#include "classes.h"

const struct dpl_field dpl__mobile_change_fields[] = {
    DPL_NUMBER(struct dpl__mobile_changes, wheel_scale_left, "wheel_scale_left", NULL, "1", 0.1,
               10.0, "factor on the radius of wheels on the left"),
    DPL_NUMBER(struct dpl__mobile_changes, wheel_scale_right, "wheel_scale_right", NULL, "1", 0.1,
               10.0, "factor on the radius of the others"),
    DPL_NUMBER(struct dpl__mobile_changes, axle_scale, "axle_scale", NULL, "1", 0.1, 10.0,
               "factor on the distance of wheels from the middle"),
    DPL_NUMBER(struct dpl__mobile_changes, mass_scale, "mass_scale", NULL, "1", 0.01, 100.0,
               "factor on the mass of the chassis"),
    DPL_NUMBER(struct dpl__mobile_changes, torque_scale, "torque_scale", NULL, "1", 0.0, 100.0,
               "factor on the torque of motors"),
    DPL_NUMBER_OPTIONAL(struct dpl__mobile_changes, wheel_friction, "wheel_friction", NULL, 0.0,
                        10.0, "in place of the model's"),
    DPL_NUMBER_OPTIONAL(struct dpl__mobile_changes, latency_ms, "latency_ms", "ms", 0.0, 4000.0,
                        "in place of the model's"),
    DPL_NUMBER_OPTIONAL(struct dpl__mobile_changes, lag_ms, "lag_ms", "ms", 0.0, 10000.0,
                        "in place of the model's"),
    DPL_NUMBER_OPTIONAL(struct dpl__mobile_changes, speed_noise, "speed_noise", NULL, 0.0, 1.0,
                        "in place of the model's"),
};
_Static_assert(DPL_COUNT(dpl__mobile_change_fields) == DPL_MOBILE_CHANGE_FIELDS, "all are listed");

const struct dpl__mobile_changes dpl__mobile_changes_unset = {
    .wheel_friction = -1.0, .latency_ms = -1.0, .lag_ms = -1.0, .speed_noise = -1.0};

static void change_wheel(struct dpl_sim_wheel *wheel, const struct dpl__mobile_changes *changes)
{
    wheel->radius *= wheel->y > 0.0 ? changes->wheel_scale_left : changes->wheel_scale_right;
    wheel->y *= changes->axle_scale;
    wheel->max_torque *= changes->torque_scale;
    dpl__robot_replace(&wheel->friction, changes->wheel_friction, 1.0);
    dpl__robot_replace(&wheel->latency_s, changes->latency_ms, 1e-3);
    dpl__robot_replace(&wheel->lag_s, changes->lag_ms, 1e-3);
    dpl__robot_replace(&wheel->speed_noise, changes->speed_noise, 1.0);
}

void dpl__mobile_change(struct dpl_sim_robot *robot, const void *wanted)
{
    const struct dpl__mobile_changes *changes = wanted;
    struct dpl_sim_mobile *base = robot->part;
    base->mass *= changes->mass_scale;
    for (size_t i = 0; i < base->n_wheels; i++) {
        change_wheel(&base->wheels[i], changes);
    }
}
