/* SPDX-License-Identifier: Apache-2.0 */
/* <robot_model>: chassis, wheels, casters, lasers, by field tables; a machine is read by
 * machine_xml.c. */
#include "robot_xml.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "machine_xml.h"

struct root_spec {
    char name[DPL_SIM_NAME_SIZE];
    double friction, mass_x, mass_y, mass_z;
};

/* The centre of mass, when given, replaces the one that the shapes of the chassis make. */
#define UNSET DPL_ROBOT_UNSET

static const struct dpl_field root_fields[] = {
    DPL_TEXT(struct root_spec, name, "name", NULL, "name of the model"),
    DPL_NUMBER(struct root_spec, friction, "friction", NULL, "0.3", 0.0, 10.0,
               "of the chassis against obstacles"),
    DPL_NUMBER_OPTIONAL(struct root_spec, mass_x, "mass_x", "m", -10.0, 10.0, "centre of mass"),
    DPL_NUMBER_OPTIONAL(struct root_spec, mass_y, "mass_y", "m", -10.0, 10.0, "centre of mass"),
    DPL_NUMBER_OPTIONAL(struct root_spec, mass_z, "mass_z", "m", -10.0, 10.0, "centre of mass"),
};

struct chassis_spec {
    int shape;
    double x, y, z, yaw, size_x, size_y, size_z, radius, height, mass;
    bool lying;
};

static const struct dpl_field chassis_fields[] = {
    DPL_CHOICE(struct chassis_spec, shape, "shape", NULL, "box|sphere|cylinder|capsule",
               "box, sphere, cylinder or capsule"),
    DPL_NUMBER(struct chassis_spec, x, "x", "m", "0", -10.0, 10.0, "centre"),
    DPL_NUMBER(struct chassis_spec, y, "y", "m", "0", -10.0, 10.0, "centre"),
    DPL_NUMBER(struct chassis_spec, z, "z", "m", NULL, 0.0, 10.0,
               "height of the centre over the ground"),
    DPL_NUMBER(struct chassis_spec, yaw, "yaw", "rad", "0", -10.0, 10.0, "turn about z"),
    DPL_NUMBER(struct chassis_spec, size_x, "size_x", "m", "0", 0.0, 10.0, "edge of a box"),
    DPL_NUMBER(struct chassis_spec, size_y, "size_y", "m", "0", 0.0, 10.0, "edge of a box"),
    DPL_NUMBER(struct chassis_spec, size_z, "size_z", "m", "0", 0.0, 10.0, "edge of a box"),
    DPL_NUMBER(struct chassis_spec, radius, "radius", "m", "0", 0.0, 10.0,
               "of a sphere, cylinder or capsule"),
    DPL_NUMBER(struct chassis_spec, height, "height", "m", "0", 0.0, 10.0,
               "of a cylinder; straight part of a capsule"),
    DPL_NUMBER(struct chassis_spec, mass, "mass", "kg", "0", 0.0, 10000.0, "of this part"),
    DPL_BOOL(struct chassis_spec, lying, "lying", "false", "a capsule along x"),
};

struct wheel_spec {
    struct dpl_sim_wheel wheel;
    double latency_ms, lag_ms, tick;
};

static const struct dpl_field wheel_fields[] = {
    DPL_TEXT(struct wheel_spec, wheel.name, "name", "", "for people"),
    DPL_TEXT(struct wheel_spec, wheel.motor, "motor", "",
             "name of the motor; none: not to be found by name"),
    DPL_TEXT(struct wheel_spec, wheel.encoder, "encoder", "", "name of the encoder"),
    DPL_NUMBER(struct wheel_spec, wheel.x, "x", "m", "0", -10.0, 10.0,
               "forward of the robot's frame"),
    DPL_NUMBER(struct wheel_spec, wheel.y, "y", "m", NULL, -10.0, 10.0,
               "left of the robot's frame"),
    DPL_NUMBER(struct wheel_spec, wheel.radius, "radius", "m", NULL, 0.005, 2.0,
               "radius of the wheel"),
    DPL_NUMBER(struct wheel_spec, wheel.mass, "mass", "kg", "0.3", 0.001, 1000.0, "of the wheel"),
    DPL_NUMBER(struct wheel_spec, wheel.friction, "friction", NULL, "1", 0.0, 10.0,
               "against the ground"),
    DPL_NUMBER(struct wheel_spec, wheel.max_torque, "max_torque", "N m", "2", 0.0, 10000.0,
               "of the motor"),
    DPL_NUMBER(struct wheel_spec, wheel.max_speed, "max_speed", "rad/s", "20", 0.0, 1000.0,
               "of the motor"),
    DPL_NUMBER(struct wheel_spec, latency_ms, "latency_ms", "ms", "0", 0.0, 4000.0,
               "from a setpoint to its effect"),
    DPL_NUMBER(struct wheel_spec, lag_ms, "lag_ms", "ms", "0", 0.0, 10000.0,
               "time constant of the motor"),
    DPL_NUMBER(struct wheel_spec, wheel.speed_noise, "speed_noise", NULL, "0", 0.0, 1.0,
               "relative deviation of the speed, wandering"),
    DPL_NUMBER(struct wheel_spec, wheel.counts_per_turn, "counts_per_turn", NULL, "0", 0.0, 1e9,
               "of the encoder; 0: exact"),
    DPL_NUMBER(struct wheel_spec, tick, "tick", "rad", "0", 0.0, 7.0,
               "angle of a count, in place of counts_per_turn"),
};

static const struct dpl_field caster_fields[] = {
    DPL_NUMBER(struct dpl_sim_caster, x, "x", "m", NULL, -10.0, 10.0,
               "forward of the robot's frame"),
    DPL_NUMBER(struct dpl_sim_caster, y, "y", "m", "0", -10.0, 10.0, "left of the robot's frame"),
    DPL_NUMBER(struct dpl_sim_caster, radius, "radius", "m", NULL, 0.001, 1.0, "of the ball"),
    DPL_NUMBER(struct dpl_sim_caster, gap, "gap", "m", "0.0005", 0.0, 0.1,
               "over the ground while the robot stands level"),
};

struct laser_spec {
    struct dpl_sim_laser laser;
    int64_t steps, first, last, front;
};

static const struct dpl_field laser_fields[] = {
    DPL_TEXT(struct laser_spec, laser.name, "name", NULL, "name of the laser"),
    DPL_NUMBER(struct laser_spec, laser.x, "x", "m", "0", -10.0, 10.0, "mount"),
    DPL_NUMBER(struct laser_spec, laser.y, "y", "m", "0", -10.0, 10.0, "mount"),
    DPL_NUMBER(struct laser_spec, laser.z, "z", "m", NULL, 0.0, 10.0,
               "height of its plane over the ground"),
    DPL_NUMBER(struct laser_spec, laser.yaw, "yaw", "rad", "0", -10.0, 10.0,
               "direction of its front"),
    DPL_INT(struct laser_spec, steps, "steps", NULL, 1.0, 100000.0, "steps of a whole turn"),
    DPL_INT(struct laser_spec, first, "first", "0", 0.0, 100000.0, "first step measured"),
    DPL_INT(struct laser_spec, last, "last", NULL, 0.0, 100000.0, "last step measured"),
    DPL_INT(struct laser_spec, front, "front", NULL, 0.0, 100000.0, "step that points ahead"),
    DPL_NUMBER(struct laser_spec, laser.min_range, "min_range", "m", "0.02", 0.0, 100.0,
               "shortest valid range"),
    DPL_NUMBER(struct laser_spec, laser.max_range, "max_range", "m", NULL, 0.01, 1000.0,
               "longest valid range"),
    DPL_NUMBER(struct laser_spec, laser.resolution, "resolution", "m", "0.001", 0.0, 1.0,
               "step of a range; 0: exact"),
    DPL_NUMBER(struct laser_spec, laser.noise, "noise_m", "m", "0", 0.0, 1.0,
               "standard deviation of a range"),
    DPL_NUMBER(struct laser_spec, laser.dropout, "dropout", NULL, "0", 0.0, 1.0,
               "probability that a beam gives nothing"),
    DPL_NUMBER(struct laser_spec, laser.rate_hz, "rate_hz", "Hz", "10", 0.1, 1000.0,
               "scans a second"),
};

static void read_chassis(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__robot_target *target = reader->target;
    struct chassis_spec spec = {0};
    if (!dpl__element_fields(reader, node, chassis_fields, DPL_COUNT(chassis_fields), &spec)) {
        return;
    }
    struct dpl_sim_shape shape = {
        .kind = (enum dpl_sim_kind)spec.shape,
        .x = spec.x,
        .y = spec.y,
        .z = spec.z,
        .yaw = spec.yaw,
        .size_x = spec.size_x,
        .size_y = spec.size_y,
        .size_z = spec.size_z,
        .radius = spec.radius,
        .height = spec.height,
        .lying = spec.lying,
    };
    struct dpl_diag diag;
    if (dpl_sim_shape_check(&shape, &diag)) {
        dpl__element_error(reader, node, &diag);
        return;
    }
    target->robot->shapes[target->robot->n_shapes++] = shape;
    target->robot->mass += spec.mass;
    target->moment[0] += spec.mass * spec.x;
    target->moment[1] += spec.mass * spec.y;
    target->moment[2] += spec.mass * spec.z;
}

static void read_wheel(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__robot_target *target = reader->target;
    struct wheel_spec spec = {0};
    if (!dpl__element_fields(reader, node, wheel_fields, DPL_COUNT(wheel_fields), &spec)) {
        return;
    }
    spec.wheel.latency_s = spec.latency_ms * 1e-3;
    spec.wheel.lag_s = spec.lag_ms * 1e-3;
    if (spec.tick > 0.0) {
        spec.wheel.counts_per_turn = 2.0 * DPL_PI / spec.tick;
    }
    target->robot->wheels[target->robot->n_wheels++] = spec.wheel;
}

static void read_caster(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__robot_target *target = reader->target;
    struct dpl_sim_caster caster = {0};
    if (dpl__element_fields(reader, node, caster_fields, DPL_COUNT(caster_fields), &caster)) {
        target->robot->casters[target->robot->n_casters++] = caster;
    }
}

static void read_laser(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__robot_target *target = reader->target;
    struct laser_spec spec = {0};
    if (!dpl__element_fields(reader, node, laser_fields, DPL_COUNT(laser_fields), &spec)) {
        return;
    }
    spec.laser.steps = (int)spec.steps;
    spec.laser.first = (int)spec.first;
    spec.laser.last = (int)spec.last;
    spec.laser.front = (int)spec.front;
    target->robot->lasers[target->robot->n_lasers++] = spec.laser;
}

static const struct dpl_element_table chassis_table = DPL_ELEMENT_TABLE(chassis_fields);
static const struct dpl_element_table wheel_table = DPL_ELEMENT_TABLE(wheel_fields);
static const struct dpl_element_table caster_table = DPL_ELEMENT_TABLE(caster_fields);
static const struct dpl_element_table laser_table = DPL_ELEMENT_TABLE(laser_fields);

static const struct dpl_element_kind part_kinds[] = {
    {"chassis", read_chassis, DPL_SIM_SHAPES_MAX, &chassis_table, "a part of the body"},
    {"wheel", read_wheel, DPL_SIM_WHEELS_MAX, &wheel_table,
     "a driven wheel with its motor and encoder"},
    {"caster", read_caster, DPL_SIM_CASTERS_MAX, &caster_table, "a ball that slides"},
    {"laser", read_laser, DPL_SIM_LASERS_MAX, &laser_table, "a planar laser scanner"},
    {"hexaslide", dpl__machine_read_hexaslide, 1, &dpl__hexaslide_table,
     "a machine whose six sliders push a platform; in place of all of the above"},
    {"home", dpl__machine_read_home, 1, &dpl__home_table, "pose of a machine's platform at rest"},
    {"half_range", dpl__machine_read_half_range, 1, &dpl__half_range_table,
     "workspace of a machine, an ellipsoid around home"},
    {"leg", dpl__machine_read_leg, DPL_SIM_AXES, &dpl__leg_table,
     "a leg of a machine: rail, link and joint"},
    {"drive", dpl__machine_read_drive, DPL_MACHINE_DRIVES_MAX, &dpl__drive_table,
     "what moves the axes of a machine, or one of them"},
    {"platform", dpl__machine_read_platform, 1, &dpl__platform_table,
     "what a machine's platform weighs; none: nothing"},
};

const struct dpl_element_root dpl__robot_root = {
    .name = "robot_model",
    .table = DPL_ELEMENT_TABLE(root_fields),
    .kinds = part_kinds,
    .n_kinds = DPL_COUNT(part_kinds),
    .summary = "a robot",
};

static void place_mass(struct dpl__robot_target *target, const struct root_spec *spec)
{
    struct dpl_sim_robot *robot = target->robot;
    double share = robot->mass > 0.0 ? 1.0 / robot->mass : 0.0;
    robot->mass_x = spec->mass_x > UNSET ? spec->mass_x : target->moment[0] * share;
    robot->mass_y = spec->mass_y > UNSET ? spec->mass_y : target->moment[1] * share;
    robot->mass_z = spec->mass_z > UNSET ? spec->mass_z : target->moment[2] * share;
}

static void finish_base(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                        struct dpl__robot_target *target, const struct root_spec *spec)
{
    struct dpl_sim_robot *robot = target->robot;
    struct dpl_diag diag;
    place_mass(target, spec);
    if (robot->n_wheels == 0) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, root->place,
                      "robot '%s' has no <wheel>, expected 1 to %d", robot->name,
                      DPL_SIM_WHEELS_MAX);
    } else if (dpl_sim_robot_check(robot, &diag)) {
        dpl__element_error(reader, root, &diag);
    }
}

/* Whether the model is a machine. The first part tells; parts of the other kind are errors. */
static bool is_machine(struct dpl_element_reader *reader, const struct dpl_xml_node *root)
{
    const struct dpl_xml_node *first = NULL;
    bool machine = false;
    for (const struct dpl_xml_node *node = root->children; node; node = node->next) {
        bool part = dpl__machine_is_part(node->name);
        bool known = part;
        for (size_t i = 0; i < DPL_COUNT(part_kinds) && !known; i++) {
            known = strcmp(node->name, part_kinds[i].name) == 0;
        }
        if (!known) {
            continue;
        }
        if (first && part != machine) {
            dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                          "<%s> makes this model a %s, but <%s> at line %d makes it a %s",
                          node->name, part ? "machine" : "mobile base", first->name,
                          first->place.line, machine ? "machine" : "mobile base");
            return machine;
        }
        first = first ? first : node;
        machine = part;
    }
    return machine;
}

bool dpl__robot_read(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                     struct dpl_sim_robot *ret_robot)
{
    size_t errors = reader->diags->n_errors;
    struct dpl_sim_robot robot = {0};
    struct dpl__robot_target target = {.robot = &robot};
    struct root_spec spec = {.mass_x = UNSET, .mass_y = UNSET, .mass_z = UNSET};
    if (!dpl__element_is(reader, root, dpl__robot_root.name)) {
        return false;
    }
    dpl__element_fields(reader, root, root_fields, DPL_COUNT(root_fields), &spec);
    snprintf(robot.name, sizeof robot.name, "%s", spec.name);
    robot.friction = spec.friction;
    bool machine = is_machine(reader, root);
    void *outer = reader->target;
    reader->target = &target;
    dpl__element_children(reader, root, &dpl__robot_root);
    reader->target = outer;
    if (reader->diags->n_errors == errors && machine) {
        dpl__machine_finish(reader, root, &target);
    } else if (reader->diags->n_errors == errors) {
        finish_base(reader, root, &target, &spec);
    }
    if (reader->diags->n_errors > errors) {
        return false;
    }
    *ret_robot = robot;
    return true;
}

void dpl__robot_warn_idle(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                          bool is_machine)
{
    static const struct {
        const char *name;
        bool of_machine;
    } special[] = {
        {"wheel_scale_left", false},
        {"wheel_scale_right", false},
        {"axle_scale", false},
        {"wheel_friction", false},
        {"latency_ms", false},
        {"speed_noise", false},
        {"laser_noise_m", false},
        {"laser_dropout", false},
        {"friction_scale", true},
        {"screw_scale", true},
        {"pose_x", true},
        {"pose_y", true},
        {"pose_z", true},
        {"pose_roll", true},
        {"pose_pitch", true},
        {"pose_yaw", true},
    };
    for (size_t i = 0; i < node->n_attributes; i++) {
        for (size_t k = 0; k < DPL_COUNT(special); k++) {
            if (special[k].of_machine != is_machine &&
                dpl_name_equal(special[k].name, node->attributes[i].name)) {
                dpl_diags_add(reader->diags, DPL_SEVERITY_WARNING, node->attributes[i].place,
                              "'%s' is for %s, this robot is a %s: ignored", special[k].name,
                              is_machine ? "mobile bases" : "machines",
                              is_machine ? "machine" : "mobile base");
            }
        }
    }
}

static void replace(double *value, double change, double unit)
{
    if (change >= 0.0) {
        *value = change * unit;
    }
}

static void change_drive(struct dpl_sim_drive *drive, const struct dpl_robot_changes *changes)
{
    drive->motor_mass *= changes->mass_scale;
    drive->load_mass *= changes->mass_scale;
    drive->max_effort *= changes->torque_scale;
    drive->coulomb *= changes->friction_scale;
    drive->viscous *= changes->friction_scale;
    drive->screw_stiffness *= changes->screw_scale;
    replace(&drive->lag_s, changes->lag_ms, 1e-3);
}

static void change_pose(double pose[6], const double changed[6])
{
    for (size_t i = 0; i < 6; i++) {
        if (changed[i] > UNSET) {
            pose[i] = changed[i];
        }
    }
}

void dpl__robot_change(struct dpl_sim_robot *robot, const struct dpl_robot_changes *changes)
{
    if (robot->is_machine) {
        change_pose(robot->machine.pose, changes->pose);
    }
    robot->machine.weight_mass *= changes->mass_scale;
    for (size_t i = 0; i < DPL_SIM_AXES && robot->is_machine; i++) {
        change_drive(&robot->machine.axes[i].drive, changes);
    }
    robot->mass *= changes->mass_scale;
    for (size_t i = 0; i < robot->n_wheels; i++) {
        struct dpl_sim_wheel *wheel = &robot->wheels[i];
        wheel->radius *= wheel->y > 0.0 ? changes->wheel_scale_left : changes->wheel_scale_right;
        wheel->y *= changes->axle_scale;
        wheel->max_torque *= changes->torque_scale;
        replace(&wheel->friction, changes->wheel_friction, 1.0);
        replace(&wheel->latency_s, changes->latency_ms, 1e-3);
        replace(&wheel->lag_s, changes->lag_ms, 1e-3);
        replace(&wheel->speed_noise, changes->speed_noise, 1.0);
    }
    for (size_t i = 0; i < robot->n_lasers; i++) {
        replace(&robot->lasers[i].noise, changes->laser_noise, 1.0);
        replace(&robot->lasers[i].dropout, changes->laser_dropout, 1.0);
    }
}
