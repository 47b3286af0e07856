/* SPDX-License-Identifier: Apache-2.0 */
/* The servo loop on one axis: what feed-forward, friction compensation and anti-windup are good
 * for. */
#include <criterion/criterion.h>
#include <math.h>

#include "axis_plant.h"
#include "servo_loop.h"

#define PERIOD_S 0.625e-3
#define PI       3.14159265358979323846

struct axis {
    struct dpl_servo_config config;
    struct dpl_axis_plant_config plant_config;
    struct dpl_servo servo;
    struct dpl_axis_plant plant;
};

static struct axis axis_at_rest(void)
{
    struct axis axis = {
        .config = dpl_servo_default,
        .plant_config = {.motor_kg = 5.0, .load_kg = 20.0, .lag_s = 0.3e-3},
    };
    dpl_servo_reset(&axis.servo, 0.0);
    dpl_axis_plant_reset(&axis.plant, 0.0);
    return axis;
}

/* One cycle; returns the commanded acceleration. */
static double follow(struct axis *axis, const struct dpl_servo_reference *reference)
{
    double u = dpl_servo_step(&axis->config, &axis->servo, PERIOD_S, reference,
                              axis->plant.load_position_m);
    double moved = axis->plant_config.motor_kg + axis->plant_config.load_kg;
    dpl_axis_plant_step(&axis->plant_config, &axis->plant, u * moved, PERIOD_S);
    return u;
}

/* 10 mm at 2 Hz, begun at its turning point. */
static struct dpl_servo_reference sine(int tick)
{
    double w = 4.0 * PI, t = PERIOD_S * tick;
    return (struct dpl_servo_reference){
        .position_m = 0.01 * (1.0 - cos(w * t)),
        .velocity_m_s = 0.01 * w * sin(w * t),
        .acceleration_m_s2 = 0.01 * w * w * cos(w * t),
    };
}

/* The greatest error from the third period on, in windows of 40 ms after each reversal, or
 * everywhere. */
static double greatest_error(struct axis *axis, bool reversals)
{
    double greatest = 0.0;
    for (int tick = 0; tick < 3200; tick++) {
        struct dpl_servo_reference now = sine(tick);
        if (tick > 1600 && (!reversals || tick % 400 < 64)) {
            greatest = fmax(greatest, fabs(axis->plant.load_position_m - now.position_m));
        }
        follow(axis, &now);
    }
    return greatest;
}

struct step_result {
    double overshoot_m, left_m; /* beyond the step; from it after 2 s */
};

static struct step_result step(struct axis *axis, double size)
{
    struct step_result result = {0};
    struct dpl_servo_reference reference = {.position_m = size};
    for (int tick = 0; tick < 3200; tick++) {
        follow(axis, &reference);
        result.overshoot_m = fmax(result.overshoot_m, axis->plant.load_position_m - size);
    }
    result.left_m = fabs(axis->plant.load_position_m - size);
    return result;
}

Test(servo_loop, one_step_is_the_sum_of_its_terms)
{
    struct dpl_servo_config config = {
        .kp = 10.0,
        .kv = 20.0,
        .ki = 30.0,
        .kt = 5.0,
        .velocity_feedforward = 0.5,
        .acceleration_feedforward = 0.25,
        .friction_m_s2 = 2.0,
        .friction_speed_m_s = 0.1,
        .accel_max_m_s2 = 12.0,
    };
    struct dpl_servo servo;
    dpl_servo_reset(&servo, 1.0);
    struct dpl_servo_reference reference = {1.1, 0.2, 4.0};
    double u = dpl_servo_step(&config, &servo, 0.01, &reference, 1.001);
    double error = 10.0 * 0.099 + 0.5 * 0.2 - 0.1;
    double wanted = 20.0 * error + 0.25 * 4.0 + 2.0 * tanh(2.0);
    cr_assert_gt(wanted, 12.0);
    cr_assert_eq(u, 12.0);
    cr_assert_float_eq(servo.integral_m_s2, 0.01 * (30.0 * error + 5.0 * (12.0 - wanted)), 1e-12);
    cr_assert_eq(servo.position_m, 1.001);
}

Test(servo_loop, stands_still_without_a_command_after_a_reset)
{
    struct dpl_servo servo = {.integral_m_s2 = 3.0, .position_m = 9.0};
    dpl_servo_reset(&servo, 0.7);
    struct dpl_servo_reference reference = {.position_m = 0.7};
    cr_assert_eq(dpl_servo_step(&dpl_servo_default, &servo, PERIOD_S, &reference, 0.7), 0.0);
}

Test(servo_loop, follows_a_sine_within_micrometres_with_full_feed_forward)
{
    struct axis axis = axis_at_rest();
    double full = greatest_error(&axis, false);
    cr_assert_lt(full, 20e-6, "%g m", full);
    axis = axis_at_rest();
    axis.config.velocity_feedforward = axis.config.acceleration_feedforward = 0.0;
    double none = greatest_error(&axis, false);
    cr_assert_gt(none, 40.0 * full, "the velocity over kp: %g m", none);
}

Test(servo_loop, recovers_from_saturation_without_overshoot)
{
    struct axis axis = axis_at_rest();
    axis.config.kp = 20.0;
    struct step_result with = step(&axis, 0.1);
    cr_assert_eq(with.overshoot_m, 0.0);
    cr_assert_lt(with.left_m, 20e-6);
}

Test(servo_loop, overshoots_after_saturation_without_back_calculation)
{
    struct axis axis = axis_at_rest();
    axis.config.kp = 20.0;
    axis.config.kt = 0.0;
    cr_assert_gt(step(&axis, 0.1).overshoot_m, 2e-3);
    axis = axis_at_rest();
    axis.config.kp = 20.0;
    axis.config.ki = axis.config.kt = 0.0;
    cr_assert_eq(step(&axis, 0.1).overshoot_m, 0.0, "it is the integral that overshoots");
}

Test(servo_loop, friction_compensation_halves_the_error_at_reversal)
{
    struct axis axis = axis_at_rest();
    axis.plant_config.coulomb_n = 50.0;
    axis.plant_config.friction_speed_m_s = 0.001;
    struct axis compensated = axis;
    compensated.config.friction_m_s2 = 50.0 / 25.0;
    double without = greatest_error(&axis, true), with = greatest_error(&compensated, true);
    cr_assert_lt(with, 0.5 * without, "%g of %g m", with, without);
}

Test(servo_loop, integral_takes_away_a_constant_load)
{
    struct axis axis = axis_at_rest();
    struct dpl_servo_reference reference = {0};
    for (int tick = 0; tick < 6400; tick++) {
        double u = dpl_servo_step(&axis.config, &axis.servo, PERIOD_S, &reference,
                                  axis.plant.load_position_m);
        dpl_axis_plant_step(&axis.plant_config, &axis.plant, 25.0 * u - 100.0, PERIOD_S);
    }
    cr_assert_lt(fabs(axis.plant.load_position_m), 1e-9);
    cr_assert_float_eq(axis.servo.integral_m_s2, 4.0, 1e-6);
}

Test(servo_loop, never_commands_more_than_its_limit)
{
    struct axis axis = axis_at_rest();
    for (int tick = 0; tick < 400; tick++) {
        struct dpl_servo_reference reference = {tick % 7 - 3.0, tick % 5 - 2.0, 1e3 * (tick % 3)};
        cr_assert_leq(fabs(follow(&axis, &reference)), axis.config.accel_max_m_s2);
    }
}

Test(servo_loop, input_that_is_not_finite_commands_nothing_and_leaves_the_state)
{
    struct dpl_servo servo = {.integral_m_s2 = 1.0, .position_m = 0.5};
    struct dpl_servo_reference good = {.position_m = 0.5}, bad = {.velocity_m_s = (double)INFINITY};
    cr_assert_eq(dpl_servo_step(&dpl_servo_default, &servo, PERIOD_S, &good, (double)NAN), 0.0);
    cr_assert_eq(dpl_servo_step(&dpl_servo_default, &servo, PERIOD_S, &bad, 0.5), 0.0);
    bad = (struct dpl_servo_reference){.acceleration_m_s2 = (double)NAN};
    cr_assert_eq(dpl_servo_step(&dpl_servo_default, &servo, PERIOD_S, &bad, 0.5), 0.0);
    cr_assert_eq(servo.integral_m_s2, 1.0);
    cr_assert_eq(servo.position_m, 0.5);
}
