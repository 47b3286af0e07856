/* SPDX-License-Identifier: Apache-2.0 */
/* The driven axis against closed forms: lag, friction, screw, end stops. */
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "axis_plant.h"

#define STEP_S 0.625e-3
#define PI     3.14159265358979323846

static const struct dpl_axis_plant_config rigid = {
    .motor_kg = 5.0,
    .load_kg = 20.0,
    .lag_s = 0.3e-3,
};
static const struct dpl_axis_plant_config screw = {
    .motor_kg = 5.0,
    .load_kg = 20.0,
    .screw_n_m = 4e6,
};

static struct dpl_axis_plant run(const struct dpl_axis_plant_config *config, double effort_n,
                                 int n_steps, double step_s)
{
    struct dpl_axis_plant plant;
    dpl_axis_plant_reset(&plant, 0.0);
    for (int i = 0; i < n_steps; i++) {
        dpl_axis_plant_step(config, &plant, effort_n, step_s);
    }
    return plant;
}

Test(axis_plant, a_rigid_mass_with_lag_is_exact)
{
    const double f = 150.0, m = 25.0, lag = 0.3e-3, t = 160 * STEP_S, gone = 1.0 - exp(-t / lag);
    struct dpl_axis_plant plant = run(&rigid, f, 160, STEP_S);
    cr_assert_float_eq(plant.effort_n, f * gone, 1e-9);
    cr_assert_float_eq(plant.motor_velocity_m_s, f / m * (t - lag * gone), 1e-9);
    cr_assert_float_eq(plant.motor_position_m, f / m * (0.5 * t * t - lag * (t - lag * gone)),
                       1e-9);
    cr_assert_eq(plant.load_position_m, plant.motor_position_m);
    cr_assert_eq(plant.load_velocity_m_s, plant.motor_velocity_m_s);
}

Test(axis_plant, the_length_of_the_steps_does_not_matter_for_it)
{
    struct dpl_axis_plant fine = run(&rigid, -80.0, 160, STEP_S);
    struct dpl_axis_plant coarse = run(&rigid, -80.0, 10, 16 * STEP_S);
    cr_assert_float_eq(fine.motor_position_m, coarse.motor_position_m, 1e-12);
    cr_assert_float_eq(fine.motor_velocity_m_s, coarse.motor_velocity_m_s, 1e-12);
}

Test(axis_plant, without_lag_the_effort_is_there_at_once)
{
    struct dpl_axis_plant_config config = rigid;
    config.lag_s = 0.0;
    struct dpl_axis_plant plant = run(&config, 50.0, 1, 0.01);
    cr_assert_eq(plant.effort_n, 50.0);
    cr_assert_float_eq(plant.load_velocity_m_s, 0.02, 1e-15);
    cr_assert_float_eq(plant.load_position_m, 1e-4, 1e-18);
}

Test(axis_plant, effort_is_limited_and_a_command_that_is_no_number_is_none)
{
    struct dpl_axis_plant_config config = rigid;
    config.effort_max_n = 30.0;
    cr_assert_float_eq(run(&config, 1e6, 100, STEP_S).effort_n, 30.0, 1e-9);
    cr_assert_float_eq(run(&config, -(double)INFINITY, 100, STEP_S).effort_n, 0.0, 1e-9);
    cr_assert_eq(run(&config, (double)NAN, 10, STEP_S).motor_velocity_m_s, 0.0);
}

Test(axis_plant, viscous_friction_leads_to_the_terminal_speed_by_its_time_constant)
{
    struct dpl_axis_plant_config config = rigid;
    config.lag_s = 0.0;
    config.viscous_n_s_m = 50.0;
    double t = 800 * STEP_S;
    cr_assert_float_eq(run(&config, 100.0, 800, STEP_S).motor_velocity_m_s,
                       2.0 * (1.0 - exp(-t * 50.0 / 25.0)), 1e-3);
    cr_assert_float_eq(run(&config, 100.0, 16000, STEP_S).motor_velocity_m_s, 2.0, 1e-6);
}

Test(axis_plant, coulomb_friction_stops_a_coasting_axis_and_does_not_turn_it_round)
{
    struct dpl_axis_plant_config config = rigid;
    config.coulomb_n = 50.0;
    config.friction_speed_m_s = 0.001;
    struct dpl_axis_plant plant;
    dpl_axis_plant_reset(&plant, 0.0);
    plant.motor_velocity_m_s = plant.load_velocity_m_s = 0.4;
    double least = plant.motor_velocity_m_s;
    for (int i = 0; i < 640; i++) {
        dpl_axis_plant_step(&config, &plant, 0.0, STEP_S);
        least = fmin(least, plant.motor_velocity_m_s);
    }
    cr_assert_geq(least, 0.0);
    cr_assert_lt(plant.motor_velocity_m_s, 1e-6);
    cr_assert_float_eq(plant.motor_position_m, 0.5 * 0.4 * 0.4 / 2.0, 1e-4, "v^2/2a: %g",
                       plant.motor_position_m);
}

Test(axis_plant, an_effort_below_the_friction_hardly_moves_it)
{
    struct dpl_axis_plant_config config = rigid;
    config.coulomb_n = 50.0;
    config.friction_speed_m_s = 0.001;
    cr_assert_lt(run(&config, 40.0, 1600, STEP_S).motor_velocity_m_s, 0.0012);
    cr_assert_gt(run(&config, 60.0, 1600, STEP_S).motor_velocity_m_s, 0.3);
}

/* Hz, of the stretch of the screw after it was let go, over 50 periods. */
static double vibration_hz(const struct dpl_axis_plant_config *config)
{
    struct dpl_axis_plant plant;
    dpl_axis_plant_reset(&plant, 0.0);
    plant.motor_position_m = 1e-4;
    const double step = 1e-5;
    double before = 1e-4, first = 0.0;
    for (int i = 1, n = 0; i < 200000; i++) {
        dpl_axis_plant_step(config, &plant, 0.0, step);
        double stretch = plant.motor_position_m - plant.load_position_m;
        if (before > 0.0 && stretch <= 0.0) {
            double t = (i - stretch / (stretch - before)) * step;
            first = n == 0 ? t : first;
            if (n++ == 50) {
                return 50.0 / (t - first);
            }
        }
        before = stretch;
    }
    return 0.0;
}

Test(axis_plant, the_screw_resonates_where_stiffness_and_masses_say)
{
    double expected = sqrt(4e6 * (1.0 / 5.0 + 1.0 / 20.0)) / (2.0 * PI);
    cr_assert_float_eq(vibration_hz(&screw), expected, 1e-3 * expected);
}

Test(axis_plant, the_vibration_neither_grows_nor_decays_unless_damped)
{
    struct dpl_axis_plant_config damped = screw;
    damped.screw_n_s_m = 400.0; /* ratio 0.05 */
    struct dpl_axis_plant plants[2];
    double greatest[2] = {0};
    const struct dpl_axis_plant_config *configs[2] = {&screw, &damped};
    for (int j = 0; j < 2; j++) {
        dpl_axis_plant_reset(&plants[j], 0.0);
        plants[j].motor_position_m = 1e-4;
        for (int i = 0; i < 16000; i++) {
            dpl_axis_plant_step(configs[j], &plants[j], 0.0, STEP_S);
            double stretch = plants[j].motor_position_m - plants[j].load_position_m;
            greatest[j] = i > 15000 ? fmax(greatest[j], fabs(stretch)) : greatest[j];
        }
    }
    cr_assert_float_eq(greatest[0], 1e-4, 1e-6);
    cr_assert_lt(greatest[1], 1e-12);
}

Test(axis_plant, an_accelerated_load_stretches_the_screw_by_its_inertia)
{
    struct dpl_axis_plant_config config = screw;
    config.screw_n_s_m = 2000.0;
    struct dpl_axis_plant plant = run(&config, 100.0, 800, STEP_S);
    cr_assert_float_eq(plant.load_velocity_m_s, 100.0 / 25.0 * 800 * STEP_S, 1e-6);
    cr_assert_float_eq(plant.motor_position_m - plant.load_position_m, 20.0 * 4.0 / 4e6, 1e-9);
}

Test(axis_plant, the_load_stops_at_its_ends_and_comes_away_again)
{
    const struct dpl_axis_plant_config *configs[] = {&rigid, &screw};
    for (int j = 0; j < 2; j++) {
        struct dpl_axis_plant_config config = *configs[j];
        config.screw_n_s_m = 2000.0;
        config.low_m = -0.01;
        config.high_m = 0.02;
        struct dpl_axis_plant plant = run(&config, 200.0, 1600, STEP_S);
        cr_assert_eq(plant.load_position_m, 0.02);
        cr_assert_leq(plant.load_velocity_m_s, 0.0);
        for (int i = 0; i < 1600; i++) {
            dpl_axis_plant_step(&config, &plant, -200.0, STEP_S);
            cr_assert_geq(plant.load_position_m, -0.01);
        }
        cr_assert_float_eq(plant.load_position_m, -0.01, 1e-9);
    }
}

Test(axis_plant, the_same_inputs_give_the_same_bits)
{
    struct dpl_axis_plant_config config = screw;
    config.coulomb_n = 20.0;
    config.friction_speed_m_s = 0.002;
    struct dpl_axis_plant a = run(&config, 77.0, 500, STEP_S);
    struct dpl_axis_plant b = run(&config, 77.0, 500, STEP_S);
    cr_assert_eq(memcmp(&a, &b, sizeof a), 0);
}

Test(axis_plant, a_plant_that_cannot_be_is_refused)
{
    cr_assert_eq(dpl_axis_plant_check(&rigid, STEP_S), 0);
    cr_assert_eq(dpl_axis_plant_check(&screw, STEP_S), 0);
    struct dpl_axis_plant_config bad[9];
    for (int i = 0; i < 9; i++) {
        bad[i] = screw;
    }
    bad[0].motor_kg = 0.0;
    bad[1].load_kg = 0.0;
    bad[2].lag_s = -1.0;
    bad[3].coulomb_n = 1.0;
    bad[4].screw_n_m = (double)NAN;
    bad[5].low_m = 1.0;
    bad[6].high_m = (double)INFINITY;
    bad[7].screw_n_m = 1e13;
    bad[8].effort_max_n = -5.0;
    for (int i = 0; i < 9; i++) {
        cr_assert_eq(dpl_axis_plant_check(&bad[i], STEP_S), -EINVAL, "case %d", i);
    }
    cr_assert_eq(dpl_axis_plant_check(&rigid, (double)NAN), -EINVAL);
}
