/* SPDX-License-Identifier: Apache-2.0 */
/* Interpolation, ramp, loop and plant of an emulated drive. */
#include "drive_motor.h"

#include <math.h>

#define LONGEST_GAP  DPL_S
#define STANDING_M_S 0.001

struct drive_motor_config drive_motor_config_default(void)
{
    struct drive_motor_config config = {
        .servo = dpl_servo_default,
        .plant =
            {
                .motor_kg = 20.0,
                .lag_s = 0.0003,
                .coulomb_n = 40.0,
                .viscous_n_s_m = 80.0,
                .friction_speed_m_s = 0.005,
                .effort_max_n = 2000.0,
            },
        .step = DPL_S / 4000,
        .speed_max_m_s = 2.0,
    };
    config.servo.accel_max_m_s2 = config.plant.effort_max_n / config.plant.motor_kg;
    config.servo.friction_m_s2 = config.plant.coulomb_n / config.plant.motor_kg;
    config.servo.friction_speed_m_s = config.plant.friction_speed_m_s;
    return config;
}

void drive_motor_init(struct drive_motor *motor, const struct drive_motor_config *config,
                      double position_m, dpl_ns now)
{
    *motor = (struct drive_motor){.config = *config, .now = now};
    dpl_axis_plant_reset(&motor->plant, position_m);
    motor->reference.position_m = motor->wanted_m = position_m;
    motor->ramp_m_s2 = 5.0;
    motor->speed_limit_m_s = config->speed_max_m_s;
}

void drive_motor_enable(struct drive_motor *motor, bool enabled)
{
    double position_m = motor->plant.motor_position_m;
    motor->mode = enabled ? DRIVE_MOTOR_FOLLOWS : DRIVE_MOTOR_FREE;
    motor->reference = motor->from = motor->to = (struct drive_motor_reference){position_m, 0.0};
    motor->wanted_m = position_m;
    motor->is_slowed = false;
    motor->since = motor->now;
    motor->period = DPL_MS;
    motor->force_n = motor->beyond_m_s = motor->slope_m_s = 0.0;
    dpl_servo_reset(&motor->servo, position_m);
}

void drive_motor_stop(struct drive_motor *motor, double ramp_m_s2)
{
    const struct dpl_axis_plant *plant = &motor->plant;
    motor->mode = DRIVE_MOTOR_STOPS;
    motor->reference = (struct drive_motor_reference){
        plant->motor_position_m,
        plant->motor_velocity_m_s,
    };
    motor->is_slowed = false;
    motor->stop_m_s2 = ramp_m_s2;
    motor->force_n = 0.0;
    dpl_servo_reset(&motor->servo, plant->motor_position_m);
}

bool drive_motor_stands(const struct drive_motor *motor)
{
    bool rests = motor->reference.velocity_m_s == 0.0 &&
                 fabs(motor->plant.motor_velocity_m_s) < STANDING_M_S;
    return motor->mode == DRIVE_MOTOR_FREE || (motor->mode == DRIVE_MOTOR_STOPS && rests);
}

/* Cubic between the two ends, with their velocities. */
static struct drive_motor_reference interpolate(const struct drive_motor *motor, double s)
{
    double t = dpl_ns_to_s(motor->period);
    double x0 = motor->from.position_m, x1 = motor->to.position_m;
    double v0 = motor->from.velocity_m_s * t, v1 = motor->to.velocity_m_s * t;
    double c = 3.0 * (x1 - x0) - 2.0 * v0 - v1, d = 2.0 * (x0 - x1) + v0 + v1;
    return (struct drive_motor_reference){
        x0 + s * (v0 + s * (c + s * d)),
        (v0 + s * (2.0 * c + s * 3.0 * d)) / t,
    };
}

/* Whether the time is within the period of the newest target, or the one after it. */
static bool is_led(const struct drive_motor *motor, dpl_ns now)
{
    return now - motor->since <= 2 * motor->period;
}

static struct drive_motor_reference reference_at(const struct drive_motor *motor, dpl_ns now)
{
    double s = dpl_ns_to_s(now - motor->since) / dpl_ns_to_s(motor->period);
    if (s <= 1.0) {
        return interpolate(motor, fmax(s, -0.5));
    }
    return (struct drive_motor_reference){
        motor->to.position_m + motor->beyond_m_s * (s - 1.0) * dpl_ns_to_s(motor->period),
        motor->beyond_m_s,
    };
}

/* 0 when their directions differ. */
static double slower_of(double a_m_s, double b_m_s)
{
    if (a_m_s * b_m_s <= 0.0) {
        return 0.0;
    }
    return fabs(a_m_s) < fabs(b_m_s) ? a_m_s : b_m_s;
}

void drive_motor_aim(struct drive_motor *motor, const struct drive_motor_target *target,
                     dpl_ns period, dpl_ns now)
{
    motor->from = is_led(motor, now) ? reference_at(motor, now) : motor->reference;
    motor->to = (struct drive_motor_reference){target->position_m, target->velocity_m_s};
    double slope_m_s = (motor->to.position_m - motor->from.position_m) / dpl_ns_to_s(period);
    motor->beyond_m_s = target->velocity_m_s;
    if (target->is_straight) {
        motor->from.velocity_m_s = motor->to.velocity_m_s = slope_m_s;
        motor->beyond_m_s = slower_of(slope_m_s, motor->slope_m_s);
    }
    motor->slope_m_s = slope_m_s;
    motor->since = now;
    motor->period = period;
    motor->force_n = target->force_n;
}

static double mass_of(const struct drive_motor *motor)
{
    return motor->config.plant.motor_kg + motor->config.plant.load_kg;
}

/* Returns the reference's acceleration. */
static double slow_down(struct drive_motor *motor, double ramp_m_s2, double dt)
{
    struct drive_motor_reference *reference = &motor->reference;
    double ramp = fmin(ramp_m_s2, motor->config.plant.effort_max_n / mass_of(motor));
    double v = reference->velocity_m_s, step = ramp * dt;
    double next = fabs(v) > step ? v - copysign(step, v) : 0.0;
    reference->position_m += 0.5 * (v + next) * dt;
    reference->velocity_m_s = next;
    return (next - v) / dt;
}

static double limit_of(const struct drive_motor *motor)
{
    return fmin(motor->speed_limit_m_s, motor->config.speed_max_m_s);
}

/* The reference follows the position that the targets give, at most at its largest speed. */
static void follow(struct drive_motor *motor, double dt)
{
    struct drive_motor_reference wanted = reference_at(motor, motor->now);
    struct drive_motor_reference *reference = &motor->reference;
    double way = wanted.position_m - reference->position_m, limit = limit_of(motor);
    motor->wanted_m = wanted.position_m;
    motor->is_slowed = fabs(way) > limit * dt * (1.0 + 1e-9);
    if (motor->is_slowed) {
        reference->position_m += copysign(limit * dt, way);
        reference->velocity_m_s = copysign(limit, way);
    } else {
        reference->position_m = wanted.position_m;
        reference->velocity_m_s = fmax(-limit, fmin(limit, wanted.velocity_m_s));
    }
}

/* The reference for the loop: the sum of its velocity and the correction of the position error is
 * limited, so that the axis does not overshoot when it catches up. */
static struct dpl_servo_reference loop_reference(const struct drive_motor *motor, double accel)
{
    const struct dpl_servo_config *servo = &motor->config.servo;
    double x = motor->plant.motor_position_m, v = motor->reference.velocity_m_s;
    double ahead = servo->velocity_feedforward * v, limit = limit_of(motor);
    double least = x + fmin(0.0, -limit - ahead) / servo->kp;
    double most = x + fmax(0.0, limit - ahead) / servo->kp;
    return (struct dpl_servo_reference){
        .position_m = fmax(least, fmin(most, motor->reference.position_m)),
        .velocity_m_s = v,
        .acceleration_m_s2 = accel,
    };
}

static double effort_of(struct drive_motor *motor, double accel, double dt)
{
    if (motor->mode == DRIVE_MOTOR_FREE) {
        return 0.0;
    }
    struct dpl_servo_reference reference = loop_reference(motor, accel);
    return motor->force_n + mass_of(motor) * dpl_servo_step(&motor->config.servo, &motor->servo, dt,
                                                            &reference,
                                                            motor->plant.motor_position_m);
}

/* Computes the loop's reference for this step; returns the feed-forward acceleration of ramps. */
static double lead(struct drive_motor *motor, double dt)
{
    if (motor->mode == DRIVE_MOTOR_FOLLOWS && is_led(motor, motor->now)) {
        follow(motor, dt);
        return 0.0;
    }
    if (motor->mode == DRIVE_MOTOR_FREE) {
        return 0.0;
    }
    bool stops = motor->mode == DRIVE_MOTOR_STOPS;
    double accel = slow_down(motor, stops ? motor->stop_m_s2 : motor->ramp_m_s2, dt);
    motor->wanted_m = motor->reference.position_m;
    return accel;
}

static void step(struct drive_motor *motor)
{
    double dt = dpl_ns_to_s(motor->config.step);
    double accel = lead(motor, dt);
    double effort_n = effort_of(motor, accel, dt);
    double held_m = motor->plant.motor_position_m;
    dpl_axis_plant_step(&motor->config.plant, &motor->plant, effort_n, dt);
    if (motor->blocked) {
        effort_n = motor->plant.effort_n;
        dpl_axis_plant_reset(&motor->plant, held_m);
        motor->plant.effort_n = effort_n;
    }
    if (motor->mode == DRIVE_MOTOR_FREE) {
        motor->reference = (struct drive_motor_reference){motor->plant.motor_position_m, 0.0};
        motor->wanted_m = motor->plant.motor_position_m;
    }
    motor->now += motor->config.step;
}

void drive_motor_advance(struct drive_motor *motor, dpl_ns now)
{
    if (now - motor->now > LONGEST_GAP) {
        motor->now = now - LONGEST_GAP;
    }
    while (motor->now + motor->config.step <= now) {
        step(motor);
    }
}

double drive_motor_position(const struct drive_motor *motor, dpl_ns now)
{
    double dt = fmin(dpl_ns_to_s(now - motor->now), dpl_ns_to_s(motor->config.step));
    return motor->plant.motor_position_m +
           (motor->blocked ? 0.0 : motor->plant.motor_velocity_m_s * fmax(dt, 0.0));
}
