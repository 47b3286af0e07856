/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of a world's <robot> that change a machine. */
#include "classes.h"
#include "machine_xml.h"

#define START_FIELD(index, name, unit)                                                             \
    DPL_NUMBER_OPTIONAL(struct dpl__axes_changes, pose[index], name, unit, -10.0, 10.0,            \
                        "start of a machine's platform, in place of home's")

const struct dpl_field dpl__axes_change_fields[] = {
    DPL_NUMBER(struct dpl__axes_changes, mass_scale, "mass_scale", NULL, "1", 0.01, 100.0,
               "factor on what a machine's drives move"),
    DPL_NUMBER(struct dpl__axes_changes, torque_scale, "torque_scale", NULL, "1", 0.0, 100.0,
               "factor on the effort of motors"),
    DPL_NUMBER(struct dpl__axes_changes, friction_scale, "friction_scale", NULL, "1", 0.0, 100.0,
               "factor on the friction of a machine's drives"),
    DPL_NUMBER(struct dpl__axes_changes, screw_scale, "screw_scale", NULL, "1", 0.0, 100.0,
               "factor on the stiffness of a machine's screws; 0: rigid"),
    DPL_NUMBER_OPTIONAL(struct dpl__axes_changes, lag_ms, "lag_ms", "ms", 0.0, 10000.0,
                        "in place of the model's"),
    START_FIELD(0, "pose_x", "m"),
    START_FIELD(1, "pose_y", "m"),
    START_FIELD(2, "pose_z", "m"),
    START_FIELD(3, "pose_roll", "rad"),
    START_FIELD(4, "pose_pitch", "rad"),
    START_FIELD(5, "pose_yaw", "rad"),
};
_Static_assert(DPL_COUNT(dpl__axes_change_fields) == DPL_AXES_CHANGE_FIELDS, "all are listed");

#define UNSET DPL_ROBOT_UNSET

const struct dpl__axes_changes dpl__axes_changes_unset = {
    .lag_ms = -1.0, .pose = {UNSET, UNSET, UNSET, UNSET, UNSET, UNSET}};

static void change_drive(struct dpl_sim_drive *drive, const struct dpl__axes_changes *changes)
{
    drive->motor_mass *= changes->mass_scale;
    drive->load_mass *= changes->mass_scale;
    drive->max_effort *= changes->torque_scale;
    drive->coulomb *= changes->friction_scale;
    drive->viscous *= changes->friction_scale;
    drive->screw_stiffness *= changes->screw_scale;
    dpl__robot_replace(&drive->lag_s, changes->lag_ms, 1e-3);
}

void dpl__axes_change(struct dpl_sim_robot *robot, const void *wanted)
{
    const struct dpl__axes_changes *changes = wanted;
    struct dpl_sim_machine *machine = robot->part;
    for (size_t i = 0; i < DPL_SIX; i++) {
        if (changes->pose[i] > UNSET) {
            machine->pose[i] = changes->pose[i];
        }
    }
    machine->weight_mass *= changes->mass_scale;
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        change_drive(&machine->axes[i].drive, changes);
    }
}
