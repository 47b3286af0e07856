/* SPDX-License-Identifier: Apache-2.0 */
/* What of the calibration stays when a place turns out to be wrong. */
#include "loc_sure.h"

#include <criterion/criterion.h>

#include "localizer.h"
#include "plan.h"

#define PERIOD_S 0.1

static struct loc_sure sure;
static struct loc_filter filter;
static double now;

static void begin(void)
{
    struct loc_start start = plan_start((struct dpl_pose2){0});
    loc_filter_init(&filter, &start);
    loc_sure_init(&sure, &filter);
    now = 0.0;
}

TestSuite(loc_sure, .init = begin);

/* The filter learns the instant at which it stands, for a wheel. */
static void track(double until_s, double agreement)
{
    for (; now < until_s - 1e-9; now += PERIOD_S) {
        filter.x[LOC_STATE_LEFT] = now;
        filter.p[LOC_STATE_LEFT][LOC_STATE_LEFT] = 1e-8;
        loc_sure_scan(&sure, now, agreement, &filter);
    }
}

static double forget(void)
{
    loc_sure_forget(&sure, now, &filter);
    return filter.x[LOC_STATE_LEFT];
}

Test(loc_sure, what_was_learnt_since_the_start_goes_if_the_place_was_never_sure)
{
    track(40.0, 1.0);
    filter.x[LOC_STATE_X] = 3.0;
    cr_assert_eq(forget(), 0.0);
    cr_assert_float_eq(filter.p[LOC_STATE_LEFT][LOC_STATE_LEFT], 0.03 * 0.03, 1e-12);
    cr_assert_eq(filter.x[LOC_STATE_X], 3.0, "the pose stays");
    cr_assert_eq(sure.forgot, 1);
    cr_assert(isnan(sure.forgot_from_s) && sure.forgot_until_s == now);
}

/* Scans just before the place is found to be wrong are the doubtful ones. */
Test(loc_sure, what_was_learnt_while_it_was_sure_stays_but_for_the_newest)
{
    track(120.0, 0.9);
    double stays = forget();
    cr_assert(stays > 95.0 && stays < 110.0 + 1e-9, "%g", stays);
    cr_assert_eq(sure.forgot_from_s, stays);
    cr_assert_float_eq(filter.p[LOC_STATE_LEFT][LOC_STATE_LEFT], 1e-8, 1e-14);
}

/* To be looked for, less certainty is enough than to be believed. */
Test(loc_sure, a_robot_is_looked_for_with_what_a_place_taught_that_agreed_for_some_time)
{
    track(9.0, 0.9);
    cr_assert_eq(sure.tried.x[LOC_STATE_LEFT], 0.0);
    track(20.0, 0.9);
    cr_assert_gt(sure.tried.x[LOC_STATE_LEFT], 19.0);
    forget();
    cr_assert_eq(sure.tried.x[LOC_STATE_LEFT], 0.0);
    track(100.0, 0.65);
    cr_assert_eq(sure.tried.x[LOC_STATE_LEFT], 0.0, "it never agreed");
}

Test(loc_sure, a_place_that_fits_badly_is_never_sure)
{
    track(300.0, 0.65);
    cr_assert_not(loc_sure_holds(&sure));
    cr_assert_eq(forget(), 0.0);
}

Test(loc_sure, one_bad_scan_is_no_doubt_but_a_bad_time_is)
{
    track(100.0, 0.9);
    track(100.5, 0.0);
    track(110.0, 0.9);
    cr_assert(loc_sure_holds(&sure));
    track(120.0, 0.2);
    cr_assert_not(loc_sure_holds(&sure));
    track(150.0, 0.9);
    cr_assert_not(loc_sure_holds(&sure), "it has to be sure anew");
    double stays = forget();
    cr_assert(stays > 80.0 && stays < 110.0, "%g", stays);
}

Test(loc_sure, a_place_is_new_after_a_time_without_scans)
{
    track(100.0, 0.9);
    now += 6.0;
    track(now + 10.0, 0.9);
    cr_assert_not(loc_sure_holds(&sure));
}

Test(loc_sure, another_place_has_to_be_sure_anew)
{
    track(120.0, 0.9);
    double stays = forget();
    track(160.0, 1.0);
    cr_assert_eq(forget(), stays, "the second place was not sure");
    cr_assert_eq(sure.forgot, 2);
}

Test(loc_sure, a_place_that_was_right_after_all_loses_only_what_the_loss_taught)
{
    track(30.0, 0.9);
    struct loc_filter before = filter;
    loc_sure_lose(&sure, &before);
    filter.x[LOC_STATE_LEFT] = -1.0;
    loc_sure_lose(&sure, &filter); /* it goes on */
    loc_sure_resume(&sure, &filter);
    cr_assert_eq(filter.x[LOC_STATE_LEFT], before.x[LOC_STATE_LEFT]);
    cr_assert_eq(sure.forgot, 0);
    filter.x[LOC_STATE_LEFT] = 2.0;
    loc_sure_resume(&sure, &filter);
    cr_assert_eq(filter.x[LOC_STATE_LEFT], 2.0, "the loss is over");
}

/* Else things that were moved would draw it away. */
Test(loc_sure, a_loss_that_ends_where_it_began_leaves_the_pose_as_sure_as_it_was)
{
    track(40.0, 1.0);
    loc_filter_place(&filter, (struct dpl_pose2){3.0, 2.0, 1.0}, 0.01, 0.002);
    loc_sure_lose(&sure, &filter);
    filter.x[LOC_STATE_MOUNT_X] += 0.02;
    loc_sure_resume(&sure, &filter);
    cr_assert_eq(filter.x[LOC_STATE_X], 3.0);
    cr_assert_float_eq(filter.p[LOC_STATE_X][LOC_STATE_X], 0.01 * 0.01 + 0.02 * 0.02, 1e-12,
                       "the laser was elsewhere on the robot");
    cr_assert_float_eq(filter.p[LOC_STATE_THETA][LOC_STATE_THETA], 0.002 * 0.002, 1e-12);
}

/* ---- the same of a robot that stands in a room and is carried away ---- */

static struct localizer *localizer;
static const struct dpl_raycast_index *plan;
static const struct dpl_pose2 truth = {2.5, 1.4, 0.3};

static void begin_robot(void)
{
    struct localizer_config config = plan_room_config(truth);
    plan = plan_index(plan_room, 9);
    now = 0.0;
    cr_assert(localizer_create(&config, &localizer) == 0);
}

static void end_robot(void)
{
    localizer_destroy(localizer);
}

/* A laser whose ranges are too long by this. */
static void look_biased(struct dpl_pose2 laser, double bias_m, int n)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 5; k++) {
            now += 0.02;
            localizer_odometry(localizer, &(struct localizer_odometry){.stamp_s = now});
            localizer_step(localizer, now);
        }
        struct localizer_scan scan = plan_scan(plan, laser, now);
        float ranges[PLAN_BEAMS];
        for (int k = 0; k < PLAN_BEAMS; k++) {
            ranges[k] = scan.ranges[k] + (float)(bias_m + 0.0001 * ((i + k) % 7));
        }
        scan.ranges = ranges;
        localizer_scan(localizer, &scan);
        localizer_step(localizer, now);
    }
}

static const struct dpl_pose2 carried_to = {4.9, 0.9, 2.2};

/* Looks from elsewhere until the calibration goes back; what it is then. */
static struct localizer_forgetting carry_away(struct localizer_calibration *ret_calibration)
{
    struct localizer_forgetting forgetting;
    for (int i = 0; i < 200; i++) {
        look_biased(carried_to, 0.0, 1);
        localizer_forgetting(localizer, &forgetting);
        if (forgetting.times > 0) {
            break;
        }
    }
    localizer_calibration(localizer, ret_calibration);
    return forgetting;
}

Test(localizer_sure, found_elsewhere_it_knows_no_more_than_while_the_place_was_sure,
     .init = begin_robot, .fini = end_robot)
{
    struct localizer_calibration before, after;
    look_biased(truth, 0.015, 300);
    localizer_calibration(localizer, &before);
    cr_assert(before.identified[LOCALIZER_RANGE_BIAS]);
    struct localizer_forgetting forgetting = carry_away(&after);
    cr_assert_eq(forgetting.times, 1);
    cr_assert(isnan(forgetting.from_s) && forgetting.until_s > 30.0);
    for (int i = 0; i < LOCALIZER_N_PARAMETERS; i++) {
        double start = i <= LOCALIZER_AXLE_SCALE ? 1.0 : 0.0;
        cr_assert_eq(after.value[i], start, "%d: %g", i, after.value[i]);
        cr_assert_not(after.identified[i], "%d", i);
    }
}

Test(localizer_sure, found_elsewhere_it_keeps_what_a_sure_place_has_taught, .init = begin_robot,
     .fini = end_robot)
{
    struct localizer_calibration before, after;
    look_biased(truth, 0.015, 900);
    localizer_calibration(localizer, &before);
    struct localizer_forgetting forgetting = carry_away(&after);
    cr_assert_eq(forgetting.times, 1);
    cr_assert(forgetting.from_s > 60.0 && forgetting.from_s < 81.0, "%g s", forgetting.from_s);
    double bias = before.value[LOCALIZER_RANGE_BIAS];
    cr_assert_float_eq(bias, 0.015, 0.002, "%g", bias);
    cr_assert_float_eq(after.value[LOCALIZER_RANGE_BIAS], bias, 0.001, "%g m, was %g m",
                       after.value[LOCALIZER_RANGE_BIAS], bias);
}
