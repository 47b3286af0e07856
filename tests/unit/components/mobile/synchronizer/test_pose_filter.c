/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the pose filter. */
#include "pose_filter.h"

#include "doppel/math/random.h"

#include <criterion/criterion.h>

static struct dpl_sync_profile profile;
static struct dpl_sync_filter filter;
static const struct dpl_sync_motion_model model = {&profile, &dpl_sync_map_identity, 1};
static const struct dpl_sync_bias_model *const bias = &dpl_sync_bias_commanded;

static void assert_near(double actual, double expected, double tolerance, const char *what)
{
    cr_assert(fabs(actual - expected) <= tolerance, "%s: %.9g, expected %.9g", what, actual,
              expected);
}

/* Two seconds into a steady motion, at the origin. */
static void start(double linear, double angular)
{
    dpl_sync_profile_init(&profile, 0.30, 0.5);
    dpl_sync_profile_advance(&profile, 0.0);
    dpl_sync_profile_command(&profile, (struct dpl_twist2){linear, angular});
    dpl_sync_profile_advance(&profile, 3.0);
    dpl_sync_profile_forecast(&profile, 1);
    dpl_sync_filter_init(&filter, 0.002, 0.0035);
    dpl_sync_filter_reset(&filter, (struct dpl_pose2){0.0, 0.0, 0.0}, 2.0);
}

Test(pose_filter, predicts_an_arc_in_closed_form)
{
    start(0.2, 0.5);
    struct dpl_sync_estimate e = dpl_sync_filter_predict(&filter, &model, bias, 3.0);
    assert_near(e.pose.x, 0.4 * sin(0.5), 1e-6, "x");
    assert_near(e.pose.y, 0.4 * (1.0 - cos(0.5)), 1e-6, "y");
    assert_near(e.pose.theta, 0.5, 1e-9, "theta");
    assert_near(e.twist.linear, 0.2, 1e-9, "v");
}

Test(pose_filter, prediction_and_advance_agree)
{
    start(0.15, -0.4);
    filter.bias = (struct dpl_twist2){0.03, 0.1};
    struct dpl_sync_estimate e = dpl_sync_filter_predict(&filter, &model, bias, 2.7131);
    dpl_sync_filter_advance(&filter, &model, bias, 2.7131);
    assert_near(filter.pose.x, e.pose.x, 1e-12, "x");
    assert_near(filter.pose.theta, e.pose.theta, 1e-12, "theta");
    assert_near(filter.bias.linear, e.bias.linear, 1e-12, "dv");
    assert_near(filter.bias.linear, 0.03 * exp(-0.7131 / 0.7), 2e-4, "dv fades");
    assert_near(filter.time_s, 2.7131, 0.0, "time");
}

Test(pose_filter, wraps_the_heading_of_an_innovation)
{
    start(0.0, 0.0);
    dpl_sync_filter_reset(&filter, (struct dpl_pose2){0.0, 0.0, 3.1415}, 2.0);
    cr_assert_eq(dpl_sync_filter_update(&filter, (struct dpl_pose2){0.0, 0.0, -3.1415}, bias, 0.1),
                 DPL_SYNC_FIX_USED);
    cr_assert_lt(filter.nis, 0.01);
    cr_assert_gt(fabs(filter.pose.theta), 3.14);
}

Test(pose_filter, averages_two_equally_good_positions)
{
    start(0.0, 0.0);
    /* Same variance before and of the measurement, at the same time: half way; NIS = y^2 / 2 s^2.
     */
    dpl_sync_filter_update(&filter, (struct dpl_pose2){0.002, 0.0, 0.0}, bias, 0.1);
    assert_near(filter.pose.x, 0.001, 1e-12, "x");
    assert_near(filter.nis, 0.5, 1e-9, "NIS");
    assert_near(filter.p[0][0], 2e-6, 1e-15, "variance halves");
}

Test(pose_filter, finds_the_velocity_bias_of_a_slipping_robot)
{
    start(0.2, 0.0);
    for (double t = 2.05; t < 2.95; t += 0.05) {
        dpl_sync_filter_advance(&filter, &model, bias, t);
        dpl_sync_filter_update(&filter, (struct dpl_pose2){0.15 * (t - 2.0), 0.0, 0.0}, bias, 0.05);
    }
    assert_near(filter.bias.linear, -0.05, 0.008, "dv");
    assert_near(filter.pose.x, 0.15 * (filter.time_s - 2.0), 0.001, "x");
}

Test(pose_filter, covariance_stays_symmetric_and_positive)
{
    struct dpl_random rng = dpl_random_seeded(4, 4);
    start(0.2, 0.3);
    for (int i = 0; i < 400; i++) {
        dpl_sync_filter_advance(&filter, &model, bias, 2.0 + 0.01 * i);
        struct dpl_pose2 p = filter.pose;
        p.x += 0.01 * dpl_random_normal(&rng);
        p.y += 0.01 * dpl_random_normal(&rng);
        p.theta += 0.05 * dpl_random_normal(&rng);
        dpl_sync_filter_update(&filter, p, bias, 0.01);
        for (int k = 0; k < 5; k++) {
            cr_assert_gt(filter.p[k][k], 0.0);
            for (int j = 0; j < k; j++) {
                assert_near(filter.p[k][j], filter.p[j][k], 0.0, "symmetry");
                cr_assert_leq(filter.p[k][j] * filter.p[k][j],
                              filter.p[k][k] * filter.p[j][j] * (1.0 + 1e-9));
            }
        }
    }
}

Test(pose_filter, leaves_a_single_outlier_out)
{
    start(0.0, 0.0);
    struct dpl_pose2 far = {0.5, 0.0, 0.0}, near = {0.001, 0.0, 0.0};
    cr_assert_eq(dpl_sync_filter_update(&filter, far, bias, 0.1), DPL_SYNC_FIX_OUTLIER);
    assert_near(filter.pose.x, 0.0, 0.0, "x");
    cr_assert_eq(dpl_sync_filter_update(&filter, near, bias, 0.1), DPL_SYNC_FIX_USED);
    cr_assert_eq(filter.gate.n, 0);
}

Test(pose_filter, takes_the_second_of_two_that_agree_for_a_jump)
{
    start(0.0, 0.0);
    struct dpl_pose2 far = {0.5, 0.2, 1.0}, near = {0.0, 0.0, 0.0};
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(dpl_sync_filter_update(&filter, near, bias, 0.1), DPL_SYNC_FIX_USED);
    }
    cr_assert_eq(dpl_sync_filter_update(&filter, far, bias, 0.1), DPL_SYNC_FIX_OUTLIER);
    cr_assert_eq(dpl_sync_filter_update(&filter, far, bias, 0.1), DPL_SYNC_FIX_RESTARTED);
    assert_near(filter.pose.x, 0.5, 0.0, "x");
    assert_near(filter.pose.theta, 1.0, 0.0, "theta");
}

/* Half of the poses are wrong there, and two of them agree. */
Test(pose_filter, asks_for_a_third_where_poses_were_wrong_lately)
{
    start(0.0, 0.0);
    struct dpl_pose2 wrong = {0.0, 0.9, 0.0}, far = {0.5, 0.2, 1.0}, near = {0.0, 0.0, 0.0};
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(dpl_sync_filter_update(&filter, wrong, bias, 0.1), DPL_SYNC_FIX_OUTLIER);
        cr_assert_eq(dpl_sync_filter_update(&filter, near, bias, 0.1), DPL_SYNC_FIX_USED);
    }
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(dpl_sync_filter_update(&filter, far, bias, 0.1), DPL_SYNC_FIX_OUTLIER);
    }
    cr_assert_eq(dpl_sync_filter_update(&filter, far, bias, 0.1), DPL_SYNC_FIX_RESTARTED);
}

Test(pose_filter, believes_two_poses_of_a_fast_robot_that_was_stopped)
{
    start(1.8, 0.0);
    const struct dpl_pose2 stopped = {0.0, 0.0, 0.0};
    filter.p[3][3] = 0.01;
    dpl_sync_filter_advance(&filter, &model, bias, 2.3);
    cr_assert_gt(filter.pose.x, 0.3, "it is believed to drive on");
    filter.p[0][0] = filter.p[1][1] = 1e-4;
    cr_assert_eq(dpl_sync_filter_update(&filter, stopped, bias, 0.1), DPL_SYNC_FIX_OUTLIER);
    dpl_sync_filter_advance(&filter, &model, bias, 2.5);
    cr_assert_eq(dpl_sync_filter_update(&filter, stopped, bias, 0.1), DPL_SYNC_FIX_RESTARTED);
    assert_near(filter.pose.x, 0.0, 0.0, "x");
}

/* At rest until 3 s; then it is seen 0.5 m away, and drives. Tells what became of the third pose.
 */
static enum dpl_sync_fix see_on_its_way(double most_speed, double speed)
{
    enum dpl_sync_fix fix = DPL_SYNC_FIX_USED;
    start(0.0, 0.0);
    filter.gate.most_speed = most_speed;
    for (int i = 0; i < 13; i++) {
        double t = 2.0 + 0.1 * i, x = i < 10 ? 0.0 : 0.5 + 0.1 * (i - 10) * speed;
        dpl_sync_profile_advance(&profile, t);
        dpl_sync_filter_advance(&filter, &model, &dpl_sync_bias_measured, t);
        fix = dpl_sync_filter_update(&filter, (struct dpl_pose2){x, 0.0, 0.0},
                                     &dpl_sync_bias_measured, 0.1);
    }
    return fix;
}

Test(pose_filter, believes_three_poses_of_a_robot_that_goes_its_own_way)
{
    cr_assert_eq(see_on_its_way(3.0, 1.8), DPL_SYNC_FIX_RESTARTED);
    assert_near(filter.pose.x, 0.86, 1e-9, "x");
    assert_near(filter.bias.linear, 1.8, 1e-6, "v");
}

Test(pose_filter, believes_no_way_that_the_robot_is_too_slow_for)
{
    cr_assert_eq(see_on_its_way(1.7, 1.8), DPL_SYNC_FIX_OUTLIER);
    cr_assert_eq(see_on_its_way(0.0, 1.8), DPL_SYNC_FIX_OUTLIER);
}

Test(pose_filter, a_slide_out_of_a_turn_is_no_turn)
{
    const double v = 2.2, w = 0.2, slide = 0.04 * v * w;
    double x = 0.0, y = 0.0, sum = 0.0;
    dpl_sync_profile_init(&profile, 0.30, 50.0);
    dpl_sync_profile_advance(&profile, 0.0);
    dpl_sync_profile_command(&profile, (struct dpl_twist2){v, w});
    dpl_sync_profile_advance(&profile, 2.0);
    dpl_sync_filter_init(&filter, 0.001, 0.0005);
    dpl_sync_filter_reset(&filter, (struct dpl_pose2){0.0, 0.0, 0.0}, 2.0);
    for (int i = 1; i <= 20; i++) {
        double middle = w * 0.1 * (i - 0.5);
        x += 0.1 * (v * cos(middle) + slide * sin(middle));
        y += 0.1 * (v * sin(middle) - slide * cos(middle));
        dpl_sync_profile_advance(&profile, 2.0 + 0.1 * i);
        dpl_sync_filter_advance(&filter, &model, bias, 2.0 + 0.1 * i);
        dpl_sync_filter_update(&filter, (struct dpl_pose2){x, y, w * 0.1 * i}, bias, 0.1);
        sum += filter.bias.angular;
    }
    assert_near(sum / 20.0, 0.0, 0.01, "turn that no wheel makes");
}

Test(pose_filter, believes_no_number_of_outliers_that_do_not_agree)
{
    start(0.0, 0.0);
    for (int i = 0; i < 20; i++) {
        struct dpl_pose2 far = {1.0 + 0.3 * i, -0.2 * i, 0.0};
        cr_assert_eq(dpl_sync_filter_update(&filter, far, bias, 0.1), DPL_SYNC_FIX_OUTLIER);
    }
    assert_near(filter.pose.x, 0.0, 0.0, "x");
    assert_near(filter.nis_average, 3.0, 0.0, "outliers say nothing about the model");
}

Test(pose_filter, a_first_pose_that_was_wrong_is_outvoted_by_two)
{
    start(0.0, 0.0);
    struct dpl_pose2 right = {2.0, 1.0, 0.0}, wrong = {-1.0, 0.0, 0.0};
    cr_assert_eq(dpl_sync_filter_update(&filter, right, bias, 0.1), DPL_SYNC_FIX_OUTLIER);
    cr_assert_eq(dpl_sync_filter_update(&filter, wrong, bias, 0.1), DPL_SYNC_FIX_OUTLIER);
    cr_assert_eq(dpl_sync_filter_update(&filter, right, bias, 0.1), DPL_SYNC_FIX_RESTARTED);
}

Test(pose_filter, opens_up_for_a_contact_that_no_outlier_rule_explains)
{
    start(0.2, 0.0);
    filter.position_variance = 9e-8;
    filter.p[3][3] = filter.p[0][0] = filter.p[1][1] = 1e-8;
    double before = filter.p[3][3];
    cr_assert_eq(dpl_sync_filter_update(&filter, (struct dpl_pose2){-0.02, 0.0, 0.0}, bias, 0.1),
                 DPL_SYNC_FIX_USED);
    cr_assert_gt(filter.nis, 20.0);
    assert_near(filter.p[3][3], before + 0.003, 1e-12, "P_dv");
}

Test(pose_filter, clamps_the_velocity_bias)
{
    start(0.0, 0.0);
    filter.p[3][3] = 100.0;
    filter.p[0][0] = 1.0;
    filter.p[0][3] = filter.p[3][0] = 9.0;
    dpl_sync_filter_update(&filter, (struct dpl_pose2){0.5, 0.0, 0.0}, bias, 0.1);
    assert_near(filter.bias.linear, 0.4, 0.0, "dv");
}
