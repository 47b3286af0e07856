/* SPDX-License-Identifier: Apache-2.0 */
/* Errors between two poses and the lag of one behind the other. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "pose_metrics.h"

Test(pose_metrics, measures_distance_and_angle)
{
    const double a[6] = {0.1, 0.2, 0.5}, b[6] = {0.1, 0.23, 0.54};
    cr_assert_float_eq(pose_error_of(a, b).position_m, 0.05, 1e-15);
    cr_assert_eq(pose_error_of(a, b).orientation_rad, 0.0);
    for (int i = 3; i < 6; i++) {
        double c[6] = {0.1, 0.2, 0.5};
        c[i] = 1e-9;
        cr_assert_float_eq(pose_error_of(a, c).orientation_rad, 1e-9, 1e-15);
        c[i] = 2.0;
        cr_assert_float_eq(pose_error_of(a, c).orientation_rad, 2.0, 1e-12);
        c[i] = 3.14159265358979323846;
        cr_assert_float_eq(pose_error_of(a, c).orientation_rad, c[i], 1e-7);
    }
}

/* Two descriptions of one rotation: with pitch at a right angle only roll minus yaw counts. */
Test(pose_metrics, compares_rotations_and_not_their_numbers)
{
    const double right = 1.57079632679489661923;
    const double a[6] = {0, 0, 0, 0.3, right, 0.1}, b[6] = {0, 0, 0, 0.5, right, 0.3};
    cr_assert_lt(pose_error_of(a, b).orientation_rad, 1e-12);
}

Test(pose_metrics, adds_up_root_mean_squares_and_the_largest)
{
    struct pose_statistics s = {0};
    cr_assert_eq(pose_statistics_rms(&s).position_m, 0.0);
    pose_statistics_add(&s, &(struct pose_error){3.0, 0.1});
    pose_statistics_add(&s, &(struct pose_error){4.0, 0.0});
    cr_assert_float_eq(pose_statistics_rms(&s).position_m, sqrt(12.5), 1e-12);
    cr_assert_float_eq(pose_statistics_rms(&s).orientation_rad, sqrt(0.005), 1e-12);
    cr_assert_eq(s.most.position_m, 4.0);
    cr_assert_eq(s.most.orientation_rad, 0.1);
}

/* A pose of two sines at the time of sample `t`. */
static void pose_at(double t, double ret[6])
{
    memset(ret, 0, 6 * sizeof *ret);
    ret[0] = 0.1 * sin(0.02 * t);
    ret[4] = 0.05 * sin(0.031 * t);
}

static bool lag_of(double lag_samples, int samples, double *ret)
{
    static struct pose_lag lag;
    pose_lag_init(&lag, 0.25);
    for (int i = 0; i < samples; i++) {
        double first[6], second[6];
        pose_at(i, first);
        pose_at(i - lag_samples, second);
        pose_lag_add(&lag, first, second);
    }
    return pose_lag_estimate(&lag, ret);
}

Test(pose_metrics, finds_the_lag_to_a_part_of_a_sample)
{
    static const double lags[] = {0.0, 1.0, 0.37, 7.5, 22.0, -1.0, -3.3, -22.0};
    for (size_t i = 0; i < sizeof lags / sizeof lags[0]; i++) {
        double found = 1e9;
        cr_assert(lag_of(lags[i], 2000, &found), "lag %g", lags[i]);
        cr_assert_float_eq(found, lags[i], 0.01, "%g instead of %g", found, lags[i]);
    }
}

Test(pose_metrics, does_not_take_a_constant_distance_for_a_lag)
{
    static struct pose_lag lag;
    double found = 1e9;
    pose_lag_init(&lag, 0.25);
    for (int i = 0; i < 2000; i++) {
        double first[6], second[6];
        pose_at(i, first);
        pose_at(i - 2.5, second);
        second[0] += 0.01;
        second[1] -= 0.02;
        pose_lag_add(&lag, first, second);
    }
    cr_assert(pose_lag_estimate(&lag, &found));
    cr_assert_float_eq(found, 2.5, 0.01, "%g", found);
}

Test(pose_metrics, does_not_tell_a_lag_that_is_beyond_its_bank)
{
    double found;
    cr_assert_not(lag_of(POSE_LAGS + 5, 2000, &found));
    cr_assert_not(lag_of(-POSE_LAGS - 5, 2000, &found));
}

Test(pose_metrics, does_not_tell_a_lag_at_rest)
{
    static struct pose_lag lag;
    const double pose[6] = {0.0, 0.0, 0.54};
    double found;
    pose_lag_init(&lag, 0.25);
    for (int i = 0; i < 1000; i++) {
        pose_lag_add(&lag, pose, pose);
    }
    cr_assert_not(pose_lag_estimate(&lag, &found));
}

Test(pose_metrics, does_not_compare_across_a_gap)
{
    static struct pose_lag lag;
    double pose[6], found = 1e9;
    pose_lag_init(&lag, 0.25);
    for (int i = 0; i < 3000; i++) {
        if (i % 500 == 0) {
            pose_lag_break(&lag);
            i += 137;
        }
        pose_at(i, pose);
        pose_lag_add(&lag, pose, pose);
    }
    cr_assert(pose_lag_estimate(&lag, &found));
    cr_assert_float_eq(found, 0.0, 0.01, "%g", found);
}
