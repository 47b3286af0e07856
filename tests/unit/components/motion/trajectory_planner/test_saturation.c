/* SPDX-License-Identifier: Apache-2.0 */
/* The acceleration saturation control: when it copies, how it comes back, and its variants. */
#include <criterion/criterion.h>

#include "machine.h"

static struct dpl_traj_saturation begun(double x)
{
    struct dpl_traj_saturation saturation;
    struct dpl_traj_motion at = machine_at(x, 0.0);
    dpl_traj_saturation_begin(&saturation, at.y);
    return saturation;
}

struct result {
    double overshoot, accel;
    int realigned; /* tick of the first copy after which all are copies */
};

/* A step of `size` on x from rest, 4000 ticks. */
static struct result step(const struct dpl_traj_config *config, double size)
{
    struct dpl_traj_saturation saturation = begun(0.0);
    struct dpl_traj_motion motion = machine_at(0.0, 0.0), r = machine_at(size, 0.0);
    struct result result = {0};
    for (int k = 0; k < 4000; k++) {
        double y[DPL_SIX];
        dpl_traj_saturation_step(&saturation, &config->saturation, &config->axes, &motion, r.y, y);
        double d = y[0] - motion.y[0];
        result.accel = fmax(result.accel, fabs(d - motion.d[0]) / config->axes.step_max[0]);
        result.overshoot = fmax(result.overshoot, y[0] - size);
        result.realigned = y[0] != size ? k + 1 : result.realigned;
        motion.d[0] = d;
        motion.y[0] = y[0];
    }
    return result;
}

Test(traj_saturation, copies_a_reference_within_the_limit)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct dpl_traj_saturation saturation = begun(0.0);
    struct dpl_traj_motion motion = machine_at(0.0, 0.0), r = machine_at(60e-6, 0.0);
    double y[DPL_SIX];
    cr_assert_not(
        dpl_traj_saturation_step(&saturation, &config.saturation, &config.axes, &motion, r.y, y));
    cr_assert_arr_eq(y, r.y, sizeof y);
}

Test(traj_saturation, one_axis_that_saturates_leaves_the_others_alone)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct dpl_traj_saturation saturation = begun(0.0);
    struct dpl_traj_motion motion = machine_at(0.0, 0.0), r = machine_at(70e-6, 0.0);
    double y[DPL_SIX];
    r.y[3] = 1e-5;
    cr_assert(
        dpl_traj_saturation_step(&saturation, &config.saturation, &config.axes, &motion, r.y, y));
    cr_assert_neq(y[0], r.y[0]);
    cr_assert_leq(y[0], config.axes.step_max[0]);
    cr_assert_arr_eq(y + 1, r.y + 1, 5 * sizeof *y);
}

Test(traj_saturation, a_crossing_with_the_wrong_velocity_is_no_alignment)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct dpl_traj_saturation saturation = begun(-0.01);
    struct dpl_traj_motion motion = machine_at(0.0, 0.0), r = machine_at(10e-6, 0.0);
    double y[DPL_SIX];
    cr_assert(
        dpl_traj_saturation_step(&saturation, &config.saturation, &config.axes, &motion, r.y, y),
        "the reference was 10 mm away a tick ago");
}

Test(traj_saturation, a_step_is_followed_without_overshoot_and_within_the_limit)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct result small = step(&config, 0.05), large = step(&config, 0.15);
    cr_assert_eq(small.overshoot, 0.0);
    cr_assert_eq(large.overshoot, 0.0);
    cr_assert_leq(fmax(small.accel, large.accel), 1.0 + 1e-9);
    cr_assert(small.realigned > 80 && small.realigned < 340, "%d", small.realigned);
    cr_assert(large.realigned > 100 && large.realigned < 340, "%d", large.realigned);
}

Test(traj_saturation, the_braking_curve_takes_the_overshoot_away_at_low_acceleration)
{
    struct dpl_traj_config config = machine_config(0.1);
    struct result with = step(&config, 0.15);
    config.saturation.braking = false;
    struct result without = step(&config, 0.15);
    cr_assert_eq(with.overshoot, 0.0);
    /* Full speed until v = 10 e, that is 50 e^2 + e = 0.15; then the way to stop once more. */
    double e = (sqrt(1.0 + 4.0 * 50.0 * 0.15) - 1.0) / 100.0;
    cr_assert_float_eq(without.overshoot, 0.15 - 2.0 * e, 1e-3);
    cr_assert_lt(with.realigned, 0.6 * without.realigned);
}

Test(traj_saturation, the_braking_curve_changes_nothing_close_by)
{
    struct dpl_traj_config config = machine_config(1.0);
    config.axes.accel_max[0] *= 100.0;
    config.axes.step_max[0] *= 100.0;
    struct result with = step(&config, 0.05);
    config.saturation.braking = false;
    struct result without = step(&config, 0.05);
    cr_assert_eq(with.realigned, without.realigned);
    cr_assert_eq(with.overshoot, without.overshoot);
}

/* x of the integral part after one tick of a step that saturates. */
static double integral_after(const struct dpl_traj_config *config)
{
    struct dpl_traj_saturation saturation = begun(0.0);
    struct dpl_traj_motion motion = machine_at(0.0, 0.0), r = machine_at(0.05, 0.0);
    double y[DPL_SIX];
    dpl_traj_saturation_step(&saturation, &config->saturation, &config->axes, &motion, r.y, y);
    return saturation.integral[0];
}

Test(traj_saturation, back_calculation_is_clipped_and_off_by_default)
{
    struct dpl_traj_config config = machine_config(1.0);
    cr_assert_eq(integral_after(&config), 0.0);
    config.saturation.integral = true;
    cr_assert_float_eq(integral_after(&config), -0.0025 * 20.0 * 2.0 * 10.0, 1e-12);
    config.saturation.windup_clip = 1e9;
    cr_assert_lt(integral_after(&config), -4.0);
    config.saturation.kt = 0.0;
    config.saturation.ki = 100.0;
    cr_assert_float_eq(integral_after(&config), 0.0025 * 100.0 * 0.05, 1e-12);
}

Test(traj_saturation, the_integral_is_forgotten_with_alignment)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct dpl_traj_saturation saturation = begun(0.0);
    struct dpl_traj_motion motion = machine_at(0.0, 0.0);
    double y[DPL_SIX];
    config.saturation.integral = true;
    saturation.integral[2] = 3.0;
    dpl_traj_saturation_step(&saturation, &config.saturation, &config.axes, &motion, motion.y, y);
    cr_assert_eq(saturation.integral[2], 0.0);
}

/* A sine on x for `n` ticks, moved aside by `offset` in `n_off` of them; what is off at the end of
 * each tick, against the sine, goes into the result. */
static struct result sine(const struct dpl_traj_config *config, double hz, double share,
                          double offset, int n_off)
{
    double omega = 2.0 * 3.14159265358979323846 * hz * 0.0025;
    double amplitude = share * config->axes.step_max[0] / (omega * omega);
    struct dpl_traj_saturation saturation = begun(0.0);
    struct dpl_traj_motion motion = machine_at(0.0, 0.0);
    struct result result = {0};
    for (int k = 0; k < 4000; k++) {
        struct dpl_traj_motion r = machine_at(0.0, 0.0);
        double wanted = amplitude * (1.0 - cos(omega * k)), y[DPL_SIX];
        r.y[0] = wanted + (k >= 1000 && k < 1000 + n_off ? offset : 0.0);
        dpl_traj_saturation_step(&saturation, &config->saturation, &config->axes, &motion, r.y, y);
        double d = y[0] - motion.y[0];
        result.accel = fmax(result.accel, fabs(d - motion.d[0]) / config->axes.step_max[0]);
        result.overshoot = fmax(result.overshoot, fabs(y[0] - wanted));
        result.realigned = y[0] != wanted ? k + 1 - 1000 : result.realigned;
        motion.d[0] = d;
        motion.y[0] = y[0];
    }
    return result;
}

Test(traj_saturation, comes_back_onto_a_sine_at_any_share_of_the_limit)
{
    struct dpl_traj_config config = machine_config(1.0);
    for (double hz = 0.7; hz < 8.0; hz *= 1.2) {
        for (double share = 0.05; share < 0.8; share += 0.05) {
            cr_assert_eq(sine(&config, hz, share, 0.0, 0).realigned, 0);
            struct result result = sine(&config, hz, share, 0.03, 100);
            cr_assert_leq(result.realigned, 100 + 400, "%g Hz, %g: %d", hz, share,
                          result.realigned);
            cr_assert_leq(result.accel, 1.0 + 1e-9);
        }
    }
    config.saturation.feedforward = false;
    cr_assert_geq(sine(&config, 2.0, 0.3, 0.03, 100).realigned, 2999, "as published: never");
}

Test(traj_saturation, a_spike_is_no_acceleration_of_the_reference)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct result slow = sine(&config, 0.7, 0.01, 0.05, 1),
                  fast = sine(&config, 3.0, 0.79, 0.05, 1);
    cr_assert_leq(slow.overshoot, 2.0 * config.axes.step_max[0], "%g", slow.overshoot);
    cr_assert_leq(slow.realigned, 20);
    cr_assert_leq(fast.overshoot, 1.2e-3, "%g", fast.overshoot);
    cr_assert_leq(fast.realigned, 160, "%d", fast.realigned);
}

Test(traj_saturation, a_reference_that_uses_the_whole_limit_is_followed)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct result result = sine(&config, 3.0, 1.0 - 1e-6, 0.0, 0);
    cr_assert_eq(result.realigned, 0);
    result = sine(&config, 3.0, 1.1, 0.0, 0);
    cr_assert_leq(result.overshoot, 2e-3, "a little more is followed nearly: %g", result.overshoot);
    cr_assert_leq(result.accel, 1.0 + 1e-9);
}
