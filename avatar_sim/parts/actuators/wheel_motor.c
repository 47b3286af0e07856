/* SPDX-License-Identifier: Apache-2.0 */
/* The motor of a wheel: setpoint -> delay -> limit -> ramp -> lag -> noise -> speed of its joint.
 */
#include "wheel_motor.h"

#include <errno.h>
#include <math.h>

#include <doppel/math/random.h>
#include <doppel/sim/channel_rows.h>
#include <doppel/sim/devices.h>
#include <doppel/sim/mobile.h>

/* How fast the error of a motor's speed wanders: slow enough to move a robot off its path. */
static const double wander_time_s = 0.2;

/* Random streams of motors and lasers are apart. */
enum { STREAM_MOTOR = 1000 };

struct motor {
    const struct dpl_sim_wheel *wheel;
    const struct dpl_sim_joints *joints;
    int joint;
    double setpoint;
    double *delay; /* [n_delay] setpoints on their way */
    size_t n_delay, at;
    double dt;
    double ramp;     /* rad/s a step; 0: none */
    double ramped;   /* after the ramp */
    double speed;    /* after the lag */
    double lag_gain; /* share of the way that the lag lets pass in a step */
    double wander;   /* normal deviate that changes slowly */
    double wander_keep, wander_new;
    struct dpl_random rng;
};

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct motor *motor = state;
    const struct dpl_sim_wheel *wheel = site->entry->settings;
    (void)reterr;
    motor->wheel = wheel;
    motor->joints = &site->state->joints;
    motor->joint = site->joint;
    motor->dt = site->dt;
    motor->lag_gain = wheel->lag_s > 0.0 ? 1.0 - exp(-site->dt / wheel->lag_s) : 1.0;
    motor->wander_keep = exp(-site->dt / wander_time_s);
    motor->wander_new = sqrt(1.0 - motor->wander_keep * motor->wander_keep);
    motor->rng = dpl_random_seeded(site->model->seed, STREAM_MOTOR + (uint64_t)site->number);
    motor->n_delay = (size_t)(wheel->latency_s / site->dt + 0.5);
    motor->delay = dpl_world_alloc(site->world, motor->n_delay, sizeof *motor->delay);
    motor->joints->limit[motor->joint] = wheel->max_torque;
    return motor->delay ? 0 : -ENOMEM;
}

/* The setpoint of `n_delay` steps ago; leaves the present one in its place. */
static double delayed(struct motor *motor)
{
    if (motor->n_delay == 0) {
        return motor->setpoint;
    }
    double value = motor->delay[motor->at];
    motor->delay[motor->at] = motor->setpoint;
    motor->at = motor->at + 1 == motor->n_delay ? 0 : motor->at + 1;
    return value;
}

static double along_ramp(const struct motor *motor, double target)
{
    double change = target - motor->ramped;
    return motor->ramp > 0.0 ? motor->ramped + dpl_clamp(change, -motor->ramp, motor->ramp)
                             : target;
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct motor *motor = state;
    const struct dpl_sim_wheel *wheel = motor->wheel;
    double target = dpl_clamp(delayed(motor), -wheel->max_speed, wheel->max_speed);
    (void)tick;
    motor->ramped = along_ramp(motor, target);
    motor->speed += motor->lag_gain * (motor->ramped - motor->speed);
    double speed = motor->speed;
    if (wheel->speed_noise > 0.0) {
        motor->wander =
            motor->wander_keep * motor->wander + motor->wander_new * dpl_random_normal(&motor->rng);
        speed *= 1.0 + wheel->speed_noise * motor->wander;
    }
    motor->joints->speed[motor->joint] = speed;
}

/* It gives the most when its joint lacks the wanted speed by more than 1 % of the largest one. */
static size_t limits(const void *state,
                     struct dpl_sim_actuator_limit ret_limits[DPL_SIM_LIMITS_MAX])
{
    const struct motor *motor = state;
    const struct dpl_sim_wheel *wheel = motor->wheel;
    const struct dpl_sim_joints *joints = motor->joints;
    double lack = fabs(joints->speed[motor->joint] - joints->velocity[motor->joint]);
    ret_limits[0] = (struct dpl_sim_actuator_limit){"max_torque", wheel->max_torque, "N m",
                                                    lack > 0.01 * wheel->max_speed};
    ret_limits[1] = (struct dpl_sim_actuator_limit){"max_speed", wheel->max_speed, "rad/s",
                                                    fabs(motor->setpoint) > wheel->max_speed};
    return 2;
}

/* ---- channels ---- */

static int put_speed(struct dpl_world *world, int motor, const void *value)
{
    dpl_world_set_motor(world, motor, *(const double *)value);
    return 0;
}

static void describe_speed(const struct dpl_world *world, int motor, struct dpl_channel_desc *inout)
{
    double most = dpl_world_wheel(world, motor)->max_speed;
    inout->min = -most;
    inout->max = most;
}

static int put_ramp(struct dpl_world *world, int motor, const void *value)
{
    dpl_world_set_motor_ramp(world, motor, *(const double *)value);
    return 0;
}

static int get_wheel(const struct dpl_world *world, int motor, void *ret_value, dpl_ns *inout_stamp)
{
    const struct dpl_sim_wheel *wheel = dpl_world_wheel(world, motor);
    double *ret = ret_value;
    ret[0] = wheel->radius;
    ret[1] = wheel->y;
    *inout_stamp = 0;
    return 0;
}

static void stop_motor(struct dpl_world *world, int motor)
{
    dpl_world_set_motor(world, motor, 0.0);
}

static const struct dpl_channel_row motor_rows[] = {
    {
        .name = "speed",
        .type = &dpl_channel_number,
        .dir = DPL_CHANNEL_IN,
        .unit = "rad/s",
        .summary = "setpoint of the wheel; positive rolls forward",
        .put = put_speed,
        .describe = describe_speed,
        .release = stop_motor,
    },
    {
        .name = "ramp",
        .type = &dpl_channel_number,
        .dir = DPL_CHANNEL_IN,
        .unit = "rad/s^2",
        .summary = "how fast the motor changes its speed; 0: at once",
        .put = put_ramp,
    },
    DPL_CHANNEL_READ("wheel", &dpl_channel_vector, DPL_CHANNEL_CONSTANT, "m", 2,
                     "its radius, and where it is to the left of the base's middle", get_wheel,
                     NULL),
};
static const struct dpl_channel_table channels = {motor_rows, DPL_COUNT(motor_rows)};

const struct dpl_sim_entry_class dpl_wheel_motor = {
    .name = "motor",
    .summary = "the motor of a wheel",
    .phase = DPL_SIM_ACTUATOR,
    .state_size = sizeof(struct motor),
    .build = build,
    .step = step,
    .channels = &channels,
    .limits = limits,
};

void dpl_world_set_motor(struct dpl_world *world, int number, double speed_rad_s)
{
    struct motor *motor = dpl_world_entry(world, &dpl_wheel_motor, number);
    if (motor) {
        motor->setpoint = isfinite(speed_rad_s) ? speed_rad_s : 0.0;
    }
}

void dpl_world_set_motor_ramp(struct dpl_world *world, int number, double ramp_rad_s2)
{
    struct motor *motor = dpl_world_entry(world, &dpl_wheel_motor, number);
    if (motor) {
        bool is_limit = isfinite(ramp_rad_s2) && ramp_rad_s2 > 0.0;
        motor->ramp = is_limit ? ramp_rad_s2 * motor->dt : 0.0;
    }
}

const struct dpl_sim_wheel *dpl_world_wheel(const struct dpl_world *world, int number)
{
    const struct motor *motor = dpl_world_entry(world, &dpl_wheel_motor, number);
    return motor ? motor->wheel : NULL;
}
