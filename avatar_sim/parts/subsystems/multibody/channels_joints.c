/* SPDX-License-Identifier: Apache-2.0 */
/* The channels that joints of worlds in STAR's format have: see channels_multibody.h. */
#include "channels_multibody.h"

#include <errno.h>
#include <math.h>

#include <doppel/field.h>

static struct dpl_multibody_thing joint_of(const struct dpl_world *world, int id)
{
    return dpl__multibody_data(world)->joints[id];
}

/* ---- joints ---- */

/* `is_force`: accelerations and efforts are to be of the state of now, too. */
static int get_value(const struct dpl_world *world, int id, bool is_force,
                     struct dpl_mb_joint_state *ret_state)
{
    struct dpl_multibody_thing joint = joint_of(world, id);
    if (is_force) {
        dpl_mb_update(joint.robot->system);
    }
    int err = dpl_mb_joint(joint.robot->system, joint.number, ret_state);
    return err ? -EAGAIN : joint.coordinate; /* it is switched off */
}

#define JOINT_VALUE(name, member, is_force)                                                        \
    static int get_##name(const struct dpl_world *world, int id, void *ret_value,                  \
                          dpl_ns *inout_stamp)                                                     \
    {                                                                                              \
        struct dpl_mb_joint_state state;                                                           \
        int coordinate = get_value(world, id, is_force, &state);                                   \
        (void)inout_stamp;                                                                         \
        if (coordinate < 0) {                                                                      \
            return coordinate;                                                                     \
        }                                                                                          \
        *(double *)ret_value = state.member[coordinate];                                           \
        return 0;                                                                                  \
    }
JOINT_VALUE(position, displacement, false)
JOINT_VALUE(velocity, velocity, false)
JOINT_VALUE(acceleration, acceleration, true)
JOINT_VALUE(effort, effort, true)

static double *effort_of(const struct dpl_world *world, int id)
{
    struct dpl_multibody_thing joint = joint_of(world, id);
    return &joint.robot->effort[3 * joint.number + joint.coordinate];
}

static double finite_or_0(const void *value)
{
    double number = *(const double *)value;
    return isfinite(number) ? number : 0.0;
}

static int put_apply(struct dpl_world *world, int id, const void *value)
{
    *effort_of(world, id) = finite_or_0(value);
    return 0;
}

static void release_apply(struct dpl_world *world, int id)
{
    *effort_of(world, id) = 0.0;
}

/* ---- motors ---- */

static int command(struct dpl_world *world, int id, enum dpl_mb_motor_mode mode, double setpoint)
{
    struct dpl_multibody_thing joint = joint_of(world, id);
    joint.robot->commands[joint.number] =
        (struct dpl_multibody_command){.is_given = true, .mode = mode, .setpoint = setpoint};
    return 0;
}

static int put_effort(struct dpl_world *world, int id, const void *value)
{
    return command(world, id, DPL_MB_MOTOR_FORCE, finite_or_0(value));
}

static int put_velocity(struct dpl_world *world, int id, const void *value)
{
    return command(world, id, DPL_MB_MOTOR_VELOCITY, finite_or_0(value));
}

static int put_position(struct dpl_world *world, int id, const void *value)
{
    double number = *(const double *)value;
    return isfinite(number) ? command(world, id, DPL_MB_MOTOR_POSITION, number) : -EINVAL;
}

static int put_acceleration(struct dpl_world *world, int id, const void *value)
{
    const struct dpl_multibody_robot *robot = joint_of(world, id).robot;
    const int number = joint_of(world, id).number;
    int others = 0;
    for (size_t i = 0; i < robot->graph->n_joints; i++) {
        const struct dpl_multibody_command *one = &robot->commands[i];
        others +=
            (int)i != number && one->is_given && one->mode == DPL_MB_MOTOR_ACCELERATION ? 1 : 0;
    }
    return others < DPL_MB_DRIVEN_MAX
               ? command(world, id, DPL_MB_MOTOR_ACCELERATION, finite_or_0(value))
               : -ENOSPC;
}

/* Nobody commands it: a motor that pushes pushes no more, others hold the joint still; one with
 * stiffness where the joint is now, also against its weight. A release that is said again does not
 * take a new place. */
static void release_command(struct dpl_world *world, int id)
{
    struct dpl_multibody_thing joint = joint_of(world, id);
    const struct dpl_mb_motor *motor = &joint.robot->graph->joints[joint.number].motor;
    bool pushes = motor->mode == DPL_MB_MOTOR_FORCE || motor->kd <= 0.0;
    struct dpl_mb_joint_state now;
    if (joint.robot->commands[joint.number].is_released) {
        return;
    }
    if (!pushes && motor->kp > 0.0 && dpl_mb_joint(joint.robot->system, joint.number, &now) == 0) {
        command(world, id, DPL_MB_MOTOR_POSITION, now.displacement[0]);
    } else {
        command(world, id, pushes ? DPL_MB_MOTOR_FORCE : DPL_MB_MOTOR_VELOCITY, 0.0);
    }
    joint.robot->commands[joint.number].is_released = true;
}

#define OUT(name_, unit_, text)                                                                    \
    DPL_CHANNEL_READ(#name_, &dpl_channel_number, DPL_CHANNEL_OUT, unit_, 0, text, get_##name_,    \
                     NULL)

#define DERIVED(name_, unit_, text)                                                                \
    {                                                                                              \
        .name = #name_, .type = &dpl_channel_number, .dir = DPL_CHANNEL_OUT, .unit = unit_,        \
        .summary = text, .get = get_##name_, .is_derived = true,                                   \
    }

#define IN(name_, unit_, text, put_, release_)                                                     \
    {                                                                                              \
        .name = name_, .type = &dpl_channel_number, .dir = DPL_CHANNEL_IN, .unit = unit_,          \
        .summary = text, .put = put_, .release = release_,                                         \
    }

#define STATE(m_, s_, s2_, n_)                                                                     \
    OUT(position, m_, "displacement; a turn is not wrapped"), OUT(velocity, s_, "its rate"),       \
        DERIVED(acceleration, s2_, "its rate in turn"),                                            \
        OUT(effort, n_, "of motor, limit, restraints and `apply`")

static const struct dpl_channel_row turn_rows[] = {
    STATE("rad", "rad/s", "rad/s^2", "N m"),
    IN("apply", "N m", "effort besides what the file says", put_apply, release_apply),
};
static const struct dpl_channel_row travel_rows[] = {
    STATE("m", "m/s", "m/s^2", "N"),
    IN("apply", "N", "effort besides what the file says", put_apply, release_apply),
};
/* Of a joint of a device. */
static const struct dpl_channel_row device_turn_rows[] = {
    STATE("rad", "rad/s", "rad/s^2", "N m"),
};
static const struct dpl_channel_row device_travel_rows[] = {
    STATE("m", "m/s", "m/s^2", "N"),
};
static const struct dpl_channel_row motor_turn_rows[] = {
    IN("command/position", "rad", "that the motor goes to", put_position, release_command),
    IN("command/velocity", "rad/s", "that the motor holds", put_velocity, release_command),
    IN("command/effort", "N m", "that the motor gives", put_effort, release_command),
    IN("command/acceleration", "rad/s^2", "that the motor makes, by as much effort as it takes",
       put_acceleration, release_command),
};
static const struct dpl_channel_row motor_travel_rows[] = {
    IN("command/position", "m", "that the motor goes to", put_position, release_command),
    IN("command/velocity", "m/s", "that the motor holds", put_velocity, release_command),
    IN("command/effort", "N", "that the motor gives", put_effort, release_command),
    IN("command/acceleration", "m/s^2", "that the motor makes, by as much effort as it takes",
       put_acceleration, release_command),
};

const struct dpl_channel_table dpl__multibody_joint_tables[2] = {DPL__MULTIBODY_TABLE(travel_rows),
                                                                 DPL__MULTIBODY_TABLE(turn_rows)};
const struct dpl_channel_table dpl__multibody_device_tables[2] = {
    DPL__MULTIBODY_TABLE(device_travel_rows), DPL__MULTIBODY_TABLE(device_turn_rows)};
const struct dpl_channel_table dpl__multibody_motor_tables[2] = {
    DPL__MULTIBODY_TABLE(motor_travel_rows), DPL__MULTIBODY_TABLE(motor_turn_rows)};
