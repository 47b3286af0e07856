/* SPDX-License-Identifier: Apache-2.0 */
/* <robot_model> of a mobile base: chassis, wheels, casters, by field tables. */
#include "mobile_xml.h"

#include <stdint.h>
#include <string.h>

#include "arena.h"
#include "classes.h"
#include "mobile_state.h"

/* The centre of mass, when given, replaces the one that the shapes of the chassis make. */
#define UNSET DPL_ROBOT_UNSET

const struct dpl_field dpl__mobile_root_fields[] = {
    DPL_NUMBER(struct dpl__mobile_root, friction, "friction", NULL, "0.3", 0.0, 10.0,
               "of the chassis against obstacles"),
    DPL_NUMBER_OPTIONAL(struct dpl__mobile_root, mass_x, "mass_x", "m", -10.0, 10.0,
                        "centre of mass"),
    DPL_NUMBER_OPTIONAL(struct dpl__mobile_root, mass_y, "mass_y", "m", -10.0, 10.0,
                        "centre of mass"),
    DPL_NUMBER_OPTIONAL(struct dpl__mobile_root, mass_z, "mass_z", "m", -10.0, 10.0,
                        "centre of mass"),
};
_Static_assert(DPL_COUNT(dpl__mobile_root_fields) == DPL_MOBILE_ROOT_FIELDS, "all are listed");

const struct dpl__mobile_root dpl__mobile_root_unset = {
    .mass_x = UNSET, .mass_y = UNSET, .mass_z = UNSET};

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
    double latency_ms, lag_ms, tick, rollers;
};

/* `rollers` of a wheel that has none. */
static const double no_rollers = UNSET;

static const struct dpl_field wheel_fields[] = {
    DPL_TEXT(struct wheel_spec, wheel.name, "name", "", "for people"),
    DPL_NAME(struct wheel_spec, wheel.motor, "motor", "",
             "name of the motor; none: not to be found by name"),
    DPL_NAME(struct wheel_spec, wheel.encoder, "encoder", "", "name of the encoder"),
    DPL_NUMBER(struct wheel_spec, wheel.x, "x", "m", "0", -10.0, 10.0,
               "forward of the robot's frame"),
    DPL_NUMBER(struct wheel_spec, wheel.y, "y", "m", NULL, -10.0, 10.0,
               "left of the robot's frame"),
    DPL_NUMBER(struct wheel_spec, wheel.radius, "radius", "m", NULL, 0.005, 2.0,
               "radius of the wheel"),
    DPL_NUMBER(struct wheel_spec, wheel.heading, "heading", "rad", "0", -10.0, 10.0,
               "in which it rolls, from ahead (solver planar)"),
    DPL_NUMBER_OPTIONAL(struct wheel_spec, rollers, "rollers", "rad", -1.5, 1.5,
                        "it has rollers: from its heading to where it cannot slip; 0 of an omni "
                        "wheel, 45 deg or -45 deg of a mecanum wheel (solver planar)"),
    DPL_BOOL(struct wheel_spec, wheel.steered, "steered", "false",
             "turned by the <steering> of the robot (solver planar)"),
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

static const struct dpl_field steering_fields[] = {
    DPL_NAME(struct dpl_sim_steering, name, "name", NULL, "of the steering"),
    DPL_NUMBER(struct dpl_sim_steering, limit, "limit", "rad", "35 deg", 0.01, 1.4,
               "of the angle, as of a wheel in the middle"),
    DPL_NUMBER(struct dpl_sim_steering, rate, "rate", "rad/s", "1", 1e-3, 1000.0,
               "how fast it turns, at most"),
};

static void read_chassis(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__robot_target *target = reader->target;
    struct dpl__mobile_draft *draft = target->draft;
    struct chassis_spec spec = {0};
    if (!dpl_element_fields(reader, node, chassis_fields, DPL_COUNT(chassis_fields), &spec)) {
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
        dpl_element_error(reader, node, &diag);
        return;
    }
    *(struct dpl_sim_shape *)dpl__list_add(target->memory, &draft->shapes, sizeof shape) = shape;
    draft->mass += spec.mass;
    draft->moment[0] += spec.mass * spec.x;
    draft->moment[1] += spec.mass * spec.y;
    draft->moment[2] += spec.mass * spec.z;
}

static void read_wheel(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__robot_target *target = reader->target;
    struct dpl__mobile_draft *draft = target->draft;
    struct wheel_spec spec = {.rollers = no_rollers};
    if (!dpl_element_fields(reader, node, wheel_fields, DPL_COUNT(wheel_fields), &spec)) {
        return;
    }
    spec.wheel.latency_s = spec.latency_ms * 1e-3;
    spec.wheel.lag_s = spec.lag_ms * 1e-3;
    spec.wheel.has_rollers = spec.rollers > no_rollers;
    spec.wheel.roller_angle = spec.wheel.has_rollers ? spec.rollers : 0.0;
    if (spec.tick > 0.0) {
        spec.wheel.counts_per_turn = 2.0 * DPL_PI / spec.tick;
    }
    *(struct dpl_sim_wheel *)dpl__list_add(target->memory, &draft->wheels, sizeof spec.wheel) =
        spec.wheel;
}

static void read_caster(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__robot_target *target = reader->target;
    struct dpl__mobile_draft *draft = target->draft;
    struct dpl_sim_caster caster = {0};
    if (dpl_element_fields(reader, node, caster_fields, DPL_COUNT(caster_fields), &caster)) {
        *(struct dpl_sim_caster *)dpl__list_add(target->memory, &draft->casters, sizeof caster) =
            caster;
    }
}

static void read_steering(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__robot_target *target = reader->target;
    struct dpl__mobile_draft *draft = target->draft;
    draft->has_steering = dpl_element_fields(reader, node, steering_fields,
                                             DPL_COUNT(steering_fields), &draft->steering);
}

static const struct dpl_element_table chassis_table = DPL_ELEMENT_TABLE(chassis_fields);
static const struct dpl_element_table wheel_table = DPL_ELEMENT_TABLE(wheel_fields);
static const struct dpl_element_table caster_table = DPL_ELEMENT_TABLE(caster_fields);
static const struct dpl_element_table steering_table = DPL_ELEMENT_TABLE(steering_fields);

const struct dpl_element_kind dpl__mobile_elements[] = {
    {"chassis", read_chassis, 0, &chassis_table, "a part of the body"},
    {"wheel", read_wheel, 0, &wheel_table, "a driven wheel with its motor and encoder"},
    {"caster", read_caster, 0, &caster_table, "a ball that slides"},
    {"steering", read_steering, 1, &steering_table, "turns the steered wheels (solver planar)"},
};
_Static_assert(DPL_COUNT(dpl__mobile_elements) == DPL_MOBILE_ELEMENTS, "all are listed");

static double given_or(double given, double otherwise)
{
    return given > UNSET ? given : otherwise;
}

void dpl__mobile_finish(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                        const void *root_values)
{
    struct dpl__robot_target *target = reader->target;
    const struct dpl__mobile_draft *draft = target->draft;
    const struct dpl__mobile_root *given = root_values;
    double share = draft->mass > 0.0 ? 1.0 / draft->mass : 0.0;
    struct dpl_sim_mobile_robot robot = {
        .name = target->robot->name,
        .base =
            {
                .mass = draft->mass,
                .friction = given->friction,
                .mass_x = given_or(given->mass_x, draft->moment[0] * share),
                .mass_y = given_or(given->mass_y, draft->moment[1] * share),
                .mass_z = given_or(given->mass_z, draft->moment[2] * share),
                .wheels = draft->wheels.items,
                .casters = draft->casters.items,
                .n_wheels = draft->wheels.n,
                .n_casters = draft->casters.n,
                .has_steering = draft->has_steering,
                .steering = draft->steering,
            },
        .shapes = draft->shapes.items,
        .n_shapes = draft->shapes.n,
    };
    if (draft->wheels.n == 0) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, root->place,
                      "robot '%s' has no <wheel>, expected at least one", robot.name);
        return;
    }
    dpl__mobile_assemble(target->memory, &robot, target->robot);
}
