/* SPDX-License-Identifier: Apache-2.0 */
/* Motors and encoders of a world: setpoints with latency, limits, lag and noise in; counts out. */
#include "world_state.h"

#include <errno.h>
#include <math.h>

/* How fast the error of a motor's speed wanders: slow enough to move a robot off its path. */
static const double wander_time_s = 0.2;

/* The solver iterates, so a wheel under load turns a little faster or slower than asked (some
 * 0.001 rad/s, for ever). A slow integral of that error takes it away; errors above `trim_max` are
 * real (acceleration, a motor at its limit) and left alone. */
static const double trim_gain = 0.1, trim_max = 0.3;

/* Random streams of motors and lasers are apart. */
enum { STREAM_MOTOR = 1000 };

static int init_motor(struct dpl_world *world, struct dpl__motor *motor,
                      const struct dpl_sim_wheel *wheel)
{
    size_t number = (size_t)(motor - world->motors);
    motor->wheel = wheel;
    motor->lag_gain = wheel->lag_s > 0.0 ? 1.0 - exp(-world->dt / wheel->lag_s) : 1.0;
    motor->wander_keep = exp(-world->dt / wander_time_s);
    motor->wander_new = sqrt(1.0 - motor->wander_keep * motor->wander_keep);
    motor->impulse = wheel->max_torque * world->dt;
    motor->rng = dpl_random_seeded(world->model->seed, STREAM_MOTOR + number);
    motor->n_delay = (size_t)(wheel->latency_s / world->dt + 0.5);
    motor->delay = dpl__heap_zeroed(world->heap, motor->n_delay, sizeof *motor->delay);
    return motor->delay ? 0 : -ENOMEM;
}

static int add_wheel(struct dpl_world *world, int robot, const struct dpl_sim_wheel *wheel)
{
    struct dpl__motor *motor = &world->motors[world->n_motors++];
    motor->robot = robot;
    motor->bullet_wheel = dpl__bullet_add_wheel(world->bullet, world->robots[robot].body,
                                                &(struct dpl_bullet_wheel){
                                                    .x = wheel->x,
                                                    .y = wheel->y,
                                                    .radius = wheel->radius,
                                                    .mass = wheel->mass,
                                                    .friction = wheel->friction,
                                                });
    return motor->bullet_wheel < 0 ? motor->bullet_wheel : init_motor(world, motor, wheel);
}

int dpl__motors_init(struct dpl_world *world, size_t n_wheels)
{
    const struct dpl_sim_model *model = world->model;
    world->motors = dpl__heap_zeroed(world->heap, n_wheels, sizeof *world->motors);
    if (!world->motors) {
        return -ENOMEM;
    }
    for (size_t r = 0; r < model->n_robots; r++) {
        for (size_t i = 0; i < model->robots[r].n_wheels; i++) {
            int rc = add_wheel(world, (int)r, &model->robots[r].wheels[i]);
            if (rc) {
                return rc;
            }
        }
    }
    return 0;
}

/* The setpoint of `n_delay` steps ago; leaves the present one in its place. */
static double delayed(struct dpl__motor *motor)
{
    if (motor->n_delay == 0) {
        return motor->setpoint;
    }
    double value = motor->delay[motor->at];
    motor->delay[motor->at] = motor->setpoint;
    motor->at = motor->at + 1 == motor->n_delay ? 0 : motor->at + 1;
    return value;
}

static double along_ramp(const struct dpl__motor *motor, double target)
{
    double change = target - motor->ramped;
    return motor->ramp > 0.0 ? motor->ramped + dpl_clamp(change, -motor->ramp, motor->ramp)
                             : target;
}

static void step_motor(struct dpl_world *world, struct dpl__motor *motor)
{
    const struct dpl_sim_wheel *wheel = motor->wheel;
    double target = dpl_clamp(delayed(motor), -wheel->max_speed, wheel->max_speed);
    motor->ramped = along_ramp(motor, target);
    motor->speed += motor->lag_gain * (motor->ramped - motor->speed);
    double speed = motor->speed;
    if (wheel->speed_noise > 0.0) {
        motor->wander =
            motor->wander_keep * motor->wander + motor->wander_new * dpl_random_normal(&motor->rng);
        speed *= 1.0 + wheel->speed_noise * motor->wander;
    }
    motor->asked = speed;
    dpl__bullet_set_motor(world->bullet, motor->bullet_wheel, speed + motor->trim, motor->impulse);
}

static void trim_motor(struct dpl_world *world, struct dpl__motor *motor)
{
    double error = motor->asked - dpl__bullet_wheel_speed(world->bullet, motor->bullet_wheel);
    if (fabs(error) < trim_max) {
        motor->trim = dpl_clamp(motor->trim + trim_gain * error, -trim_max, trim_max);
    }
}

void dpl__motors_trim(struct dpl_world *world)
{
    for (size_t i = 0; i < world->n_motors; i++) {
        trim_motor(world, &world->motors[i]);
    }
}

void dpl__motors_step(struct dpl_world *world)
{
    for (size_t i = 0; i < world->n_motors; i++) {
        step_motor(world, &world->motors[i]);
    }
}

void dpl_world_set_motor(struct dpl_world *world, int motor, double speed_rad_s)
{
    if (motor >= 0 && (size_t)motor < world->n_motors) {
        world->motors[motor].setpoint = isnan(speed_rad_s) ? 0.0 : speed_rad_s;
    }
}

void dpl_world_set_motor_ramp(struct dpl_world *world, int motor, double ramp_rad_s2)
{
    if (motor >= 0 && (size_t)motor < world->n_motors) {
        bool is_limit = isfinite(ramp_rad_s2) && ramp_rad_s2 > 0.0;
        world->motors[motor].ramp = is_limit ? ramp_rad_s2 * world->dt : 0.0;
    }
}

void dpl_world_get_encoder(const struct dpl_world *world, int encoder,
                           struct dpl_world_encoder *ret_encoder)
{
    if (encoder < 0 || (size_t)encoder >= world->n_motors) {
        return;
    }
    const struct dpl__motor *motor = &world->motors[encoder];
    double angle = dpl__bullet_wheel_angle(world->bullet, motor->bullet_wheel);
    double counts = motor->wheel->counts_per_turn;
    if (counts > 0.0) {
        angle = floor(angle * counts / (2.0 * DPL_PI)) * (2.0 * DPL_PI) / counts;
    }
    *ret_encoder = (struct dpl_world_encoder){
        .angle_rad = angle,
        .velocity_rad_s = dpl__bullet_wheel_speed(world->bullet, motor->bullet_wheel),
    };
}

const struct dpl_sim_wheel *dpl_world_wheel(const struct dpl_world *world, int motor_or_encoder)
{
    bool known = motor_or_encoder >= 0 && (size_t)motor_or_encoder < world->n_motors;
    return known ? world->motors[motor_or_encoder].wheel : NULL;
}
