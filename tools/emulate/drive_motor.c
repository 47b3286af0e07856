/* SPDX-License-Identifier: Apache-2.0 */
/* Interpolation, ramp, loop and plant of an emulated drive. */
#include "drive_motor.h"

#include <math.h>

#define LONGEST_GAP DPL_S

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
    motor->reference.position_m = position_m;
    motor->ramp_m_s2 = 5.0;
}

void drive_motor_enable(struct drive_motor *motor, bool enabled)
{
    double position_m = motor->plant.motor_position_m;
    motor->mode = enabled ? DRIVE_MOTOR_FOLLOWS : DRIVE_MOTOR_FREE;
    motor->reference = motor->from = motor->to = (struct drive_motor_reference){position_m, 0.0};
    motor->since = motor->now;
    motor->period = DPL_MS;
    motor->force_n = 0.0;
    dpl_servo_reset(&motor->servo, position_m);
}

void drive_motor_stop(struct drive_motor *motor)
{
    motor->mode = DRIVE_MOTOR_STOPS;
    motor->force_n = 0.0;
}

bool drive_motor_stands(const struct drive_motor *motor)
{
    return motor->mode != DRIVE_MOTOR_FOLLOWS && motor->reference.velocity_m_s == 0.0;
}

/* Cubic between the two ends, which has their velocities there. */
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

/* Within the period of the newest target, and the one behind it. */
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
        motor->to.position_m + motor->to.velocity_m_s * (s - 1.0) * dpl_ns_to_s(motor->period),
        motor->to.velocity_m_s,
    };
}

void drive_motor_aim(struct drive_motor *motor, const struct drive_motor_reference *target,
                     double force_n, dpl_ns period, dpl_ns now)
{
    motor->from = is_led(motor, now) ? reference_at(motor, now) : motor->reference;
    motor->to = *target;
    motor->since = now;
    motor->period = period;
    motor->force_n = force_n;
}

static void slow_down(struct drive_motor *motor, double dt)
{
    struct drive_motor_reference *reference = &motor->reference;
    double v = reference->velocity_m_s, step = motor->ramp_m_s2 * dt;
    double next = fabs(v) > step ? v - copysign(step, v) : 0.0;
    reference->position_m += 0.5 * (v + next) * dt;
    reference->velocity_m_s = next;
}

static double effort_of(struct drive_motor *motor, double dt)
{
    if (motor->mode == DRIVE_MOTOR_FREE) {
        return 0.0;
    }
    const struct drive_motor_config *config = &motor->config;
    const struct dpl_servo_reference reference = {
        .position_m = motor->reference.position_m,
        .velocity_m_s = motor->reference.velocity_m_s,
    };
    double mass_kg = config->plant.motor_kg + config->plant.load_kg;
    return motor->force_n + mass_kg * dpl_servo_step(&config->servo, &motor->servo, dt, &reference,
                                                     motor->plant.motor_position_m);
}

static void step(struct drive_motor *motor)
{
    double dt = dpl_ns_to_s(motor->config.step);
    if (motor->mode == DRIVE_MOTOR_FOLLOWS && is_led(motor, motor->now)) {
        motor->reference = reference_at(motor, motor->now);
    } else if (motor->mode != DRIVE_MOTOR_FREE) {
        slow_down(motor, dt);
    }
    double effort_n = effort_of(motor, dt);
    double held_m = motor->plant.motor_position_m;
    dpl_axis_plant_step(&motor->config.plant, &motor->plant, effort_n, dt);
    if (motor->blocked) {
        effort_n = motor->plant.effort_n;
        dpl_axis_plant_reset(&motor->plant, held_m);
        motor->plant.effort_n = effort_n;
    }
    if (motor->mode == DRIVE_MOTOR_FREE) {
        motor->reference = (struct drive_motor_reference){motor->plant.motor_position_m, 0.0};
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
