/* SPDX-License-Identifier: Apache-2.0 */
/* Limits and motors of joints. */
#include <math.h>
#include <string.h>

#include "joints.h"
#include "units.h"

/* A number of at least 0, if it is there. */
static bool read_strength(struct dpl__star_reader *reader, struct dpl__star_node object,
                          const char *key, double scale, double *ret_value)
{
    struct dpl__star_node node = dpl__star_get(reader, object, key);
    if (!node.json) {
        return true;
    }
    if (!dpl__star_number(reader, node, scale, ret_value)) {
        return false;
    }
    if (*ret_value < 0.0) {
        dpl__star_error(reader, node, "0 or more is expected");
        return false;
    }
    return true;
}

/* Limits and motors are those of the first coordinate; spheres and floats have none. */
static bool has_first(struct dpl__star_reader *reader, struct dpl__star_node node,
                      const struct dpl_mb_joint *joint)
{
    if (dpl_mb_joint_freedoms(joint->type) > 0 && joint->type != DPL_MB_FLOAT &&
        joint->type != DPL_MB_SPHERICAL) {
        return true;
    }
    dpl__star_error(reader, node, "a joint of type '%s' has no single coordinate for it",
                    dpl_mb_joint_words[joint->type]);
    return false;
}

static bool read_limits(struct dpl__star_reader *reader, struct dpl__star_node node,
                        struct dpl_mb_joint *joint)
{
    static const char *const keys[] = {"lower", "upper", "stiffness", "damping", NULL};
    if (!dpl__star_is_object(reader, node) || !has_first(reader, node, joint)) {
        return false;
    }
    dpl__star_check_keys(reader, node, keys);
    bool turns = dpl_mb_joint_turns(joint->type, 0);
    double unit = dpl__star_coordinate(reader->units, turns);
    struct dpl_mb_limit *limit = &joint->limit;
    *limit = (struct dpl_mb_limit){.is_there = true, .lower = -HUGE_VAL, .upper = HUGE_VAL};
    struct dpl__star_node lower = dpl__star_get(reader, node, "lower");
    struct dpl__star_node upper = dpl__star_get(reader, node, "upper");
    bool is_good = !lower.json || dpl__star_number(reader, lower, unit, &limit->lower);
    is_good = (!upper.json || dpl__star_number(reader, upper, unit, &limit->upper)) && is_good;
    if (is_good && limit->lower > limit->upper) {
        dpl__star_error(reader, node, "the lower limit is above the upper one");
        return false;
    }
    is_good =
        read_strength(reader, node, "stiffness",
                      dpl__star_coefficient(reader->units, turns, false, 1), &limit->stiffness) &&
        is_good;
    return read_strength(reader, node, "damping",
                         dpl__star_coefficient(reader->units, turns, true, 1), &limit->damping) &&
           is_good;
}

static bool read_motor(struct dpl__star_reader *reader, struct dpl__star_node node,
                       struct dpl_mb_joint *joint)
{
    static const char *const keys[] = {"mode", "kp", "kd", "max", NULL};
    static const char *const modes[] = {"force", "velocity", "position"};
    if (!dpl__star_is_object(reader, node) || !has_first(reader, node, joint)) {
        return false;
    }
    dpl__star_check_keys(reader, node, keys);
    bool turns = dpl_mb_joint_turns(joint->type, 0);
    struct dpl__star_node mode = dpl__star_get(reader, node, "mode");
    if (!mode.json) {
        dpl__star_error(reader, node, "this has no \"mode\"");
        return false;
    }
    int word = dpl__star_word(reader, mode, modes, 3);
    if (word < 0) {
        return false;
    }
    struct dpl_mb_motor *motor = &joint->motor;
    motor->mode = (enum dpl_mb_motor_mode)(DPL_MB_MOTOR_FORCE + word);
    bool is_good = read_strength(reader, node, "kp",
                                 dpl__star_coefficient(reader->units, turns, false, 1), &motor->kp);
    is_good = read_strength(reader, node, "kd",
                            dpl__star_coefficient(reader->units, turns, true, 1), &motor->kd) &&
              is_good;
    return read_strength(reader, node, "max", dpl__star_effort(reader->units, turns),
                         &motor->max) &&
           is_good;
}

bool dpl__star_read_drive(struct dpl__star_reader *reader, struct dpl__star_node node,
                          struct dpl_mb_joint *joint)
{
    struct dpl__star_node limits = dpl__star_get(reader, node, "limits");
    struct dpl__star_node motor = dpl__star_get(reader, node, "motor");
    bool is_good = !limits.json || read_limits(reader, limits, joint);
    return (!motor.json || read_motor(reader, motor, joint)) && is_good;
}
