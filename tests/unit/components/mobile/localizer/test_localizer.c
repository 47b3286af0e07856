/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the Localizer as its users see it. */
#include "localizer.h"

#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>

#include "diagnosis.h"
#include "plan.h"
#include "quiet.h"

static struct localizer *localizer;
static const struct dpl_raycast_index *plan;
static const struct dpl_pose2 truth = {2.5, 1.4, 0.3};
static double now;

static void begin_with(const struct localizer_config *config)
{
    struct localizer_config of_estimator = *config;
    of_estimator.judged = false;
    plan = plan_index(plan_room, 9);
    now = 0.0;
    cr_assert(localizer_create(&of_estimator, &localizer) == 0);
}

static void begin(void)
{
    struct localizer_config config = plan_room_config(truth);
    begin_with(&config);
}

static void end(void)
{
    localizer_destroy(localizer);
}

static void odometry(double left_m, double right_m)
{
    struct localizer_odometry sample = {now, left_m, right_m, true, (right_m - left_m) / 0.25};
    localizer_odometry(localizer, &sample);
}

/* For a tenth of a second. */
static void stand(void)
{
    for (int i = 0; i < 5; i++) {
        now += 0.02;
        odometry(0.0, 0.0);
        localizer_step(localizer, now);
    }
}

/* A tenth of a second of a standing robot, with a scan from `laser`. `noise`: scans differ. */
static void look(struct dpl_pose2 laser, double noise)
{
    stand();
    struct localizer_scan scan = plan_scan(plan, laser, now);
    float ranges[PLAN_BEAMS];
    memcpy(ranges, scan.ranges, sizeof ranges);
    ranges[0] += (float)noise;
    scan.ranges = ranges;
    localizer_scan(localizer, &scan);
    localizer_step(localizer, now);
}

static struct localizer_estimate estimate(void)
{
    struct localizer_estimate e;
    localizer_estimate(localizer, now, &e);
    return e;
}

static void look_often(int n)
{
    for (int i = 0; i < n; i++) {
        look(truth, 0.001 * (i % 7));
    }
}

static void assert_tracking(void)
{
    struct localizer_estimate e = estimate();
    cr_assert(e.state == LOCALIZER_TRACKING || e.state == LOCALIZER_DEGRADED, "state %d", e.state);
    cr_assert(dpl_pose2_distance(e.pose, truth) < 0.03, "%g m", dpl_pose2_distance(e.pose, truth));
    cr_assert(e.agreement > 0.95);
    for (int i = 0; i < 6; i++) {
        cr_assert(isfinite(e.covariance[i]));
    }
}

Test(localizer, tracks_and_says_so, .init = begin, .fini = end)
{
    cr_assert(estimate().state == LOCALIZER_INIT);
    look_often(20);
    assert_tracking();
    cr_assert(estimate().scan_stamp_s == now && estimate().hypotheses == 1);
}

Test(localizer, configurations_out_of_range_are_refused)
{
    struct localizer_config config = plan_room_config(truth);
    config.axle_m = 0.0;
    cr_assert(localizer_create(&config, &localizer) == -EINVAL);
    config = plan_room_config(truth);
    config.scan_correlation = 0.5;
    cr_assert(localizer_create(&config, &localizer) == -EINVAL);
    config = plan_room_config(truth);
    config.initial_sigma[LOCALIZER_MOUNT_X] = (double)NAN;
    cr_assert(localizer_create(&config, &localizer) == -EINVAL);
    struct dpl_raycast_outline bad = {0.0, 0.0, (double)NAN, 0.0, 0.0, 0};
    config = plan_room_config(truth);
    config.outlines = &bad;
    config.n_outlines = 1;
    cr_assert(localizer_create(&config, &localizer) == -EINVAL);
    localizer_destroy(NULL);
}

Test(localizer, a_frozen_scan_is_never_used, .init = begin, .fini = end)
{
    look_often(20);
    double used = 0.0;
    for (int i = 0; i < 10; i++) {
        look(truth, 0.5); /* the same ranges, with new stamps */
        used = i == 0 ? now : used;
        cr_assert(estimate().scan_stamp_s == used);
    }
    cr_assert(estimate().state == LOCALIZER_COASTING);
    look_often(2);
    assert_tracking();
}

Test(localizer, without_scans_it_follows_odometry_and_doubts_more, .init = begin, .fini = end)
{
    look_often(20);
    struct localizer_estimate before = estimate();
    for (int i = 1; i <= 100; i++) {
        now += 0.02;
        odometry(0.004 * i, 0.004 * i);
        localizer_step(localizer, now);
    }
    struct localizer_estimate e = estimate();
    double way = dpl_pose2_distance(before.pose, e.pose);
    cr_assert(e.state == LOCALIZER_COASTING);
    cr_assert(fabs(way - 0.4) < 0.02, "%g m", way);
    cr_assert(e.covariance[0] + e.covariance[2] > before.covariance[0] + before.covariance[2]);
    cr_assert(e.stamp_s == now);
}

/* 0.8 s on an arc of 0.2 m/s and 0.6 rad/s while the base is not heard, but the laser is. */
static struct dpl_pose2 drive_unheard(void)
{
    struct dpl_pose2 at = truth;
    for (int i = 1; i <= 40; i++) {
        now += 0.02;
        at = dpl_pose2_compose(at, (struct dpl_pose2){0.004, 0.0, 0.012});
        if (i % 5 == 0) {
            struct localizer_scan scan = plan_scan(plan, at, now);
            localizer_scan(localizer, &scan);
        }
        localizer_step(localizer, now);
    }
    return at;
}

Test(localizer, a_base_that_is_not_heard_for_a_while_counts_its_way_once, .init = begin,
     .fini = end)
{
    const double left_m = 0.16 - 0.5 * 0.25 * 0.48, right_m = 0.16 + 0.5 * 0.25 * 0.48;
    look_often(20);
    struct dpl_pose2 at = drive_unheard();
    struct localizer_estimate e = estimate();
    cr_assert(e.state == LOCALIZER_COASTING, "state %d", e.state);
    for (int i = 0; i < 15; i++) { /* it is heard again, and stands */
        for (int k = 0; k < 5; k++) {
            now += 0.02;
            odometry(left_m, right_m);
            localizer_step(localizer, now);
            e = estimate();
            cr_assert(dpl_pose2_distance(e.pose, at) < 0.05, "%d: %g m", i,
                      dpl_pose2_distance(e.pose, at));
        }
        struct localizer_scan scan = plan_scan(plan, at, now);
        localizer_scan(localizer, &scan);
    }
    cr_assert(e.state == LOCALIZER_TRACKING, "state %d", e.state);
    cr_assert(dpl_pose2_distance(e.pose, at) < 0.01);
    cr_assert_eq(e.relocations, 0);
    for (int verdict = VERDICT_NONE + 1; verdict < VERDICTS; verdict++) {
        uint64_t n = diagnosis_rises(localizer_diagnosis(localizer), (enum verdict)verdict);
        cr_assert_eq(n, 0, "verdict %s", verdict_name((enum verdict)verdict));
    }
}

/* The laser is sound, whatever the base does. */
Test(localizer, a_base_that_is_never_heard_again_is_no_missing_laser, .init = begin, .fini = end)
{
    now = 0.02;
    odometry(0.0, 0.0);
    for (int i = 1; i <= 500; i++) {
        now += 0.02;
        if (i % 5 == 0) {
            struct localizer_scan scan = plan_scan(plan, truth, now);
            localizer_scan(localizer, &scan);
        }
        localizer_step(localizer, now);
    }
    cr_assert_eq(diagnosis_rises(localizer_diagnosis(localizer), VERDICT_NO_LASER), 0);
    cr_assert_neq(estimate().state, LOCALIZER_TRACKING);
    now += 10.0; /* and now the laser is silent, too */
    localizer_step(localizer, now);
    cr_assert_eq(diagnosis_rises(localizer_diagnosis(localizer), VERDICT_NO_LASER), 1);
}

/* As on a slow line: all samples come a fifth of a second late. */
Test(localizer, odometry_that_always_comes_late_is_waited_for, .init = begin, .fini = end)
{
    struct dpl_pose2 at = truth;
    for (int i = 1; i <= 200; i++) {
        now += 0.02;
        at = dpl_pose2_compose(at, (struct dpl_pose2){0.002, 0.0, 0.0});
        double way_m = 0.002 * fmax(0.0, i - 10.0);
        struct localizer_odometry late = {now - 0.2, way_m, way_m, true, 0.0};
        localizer_odometry(localizer, &late);
        if (i % 5 == 0) {
            struct localizer_scan scan = plan_scan(plan, at, now);
            localizer_scan(localizer, &scan);
        }
        localizer_step(localizer, now);
    }
    struct localizer_estimate e = estimate();
    struct dpl_pose2 then = dpl_pose2_compose(at, (struct dpl_pose2){-0.02, 0.0, 0.0});
    cr_assert(e.state == LOCALIZER_TRACKING, "state %d", e.state);
    cr_assert(dpl_pose2_distance(e.pose, then) < 0.005, "%g", dpl_pose2_distance(e.pose, then));
}

/* A covered laser, while odometry goes on to where the plan has nothing in sight. */
Test(localizer, a_covered_laser_sees_nothing_wherever_the_robot_goes, .init = begin, .fini = end)
{
    look_often(20);
    cr_assert_not(localizer_sees_nothing(localizer));
    for (int i = 1; i <= 300; i++) {
        now += 0.1;
        odometry(0.1 * i, 0.1 * i);
        struct localizer_scan scan = plan_scan(plan, truth, now);
        float ranges[PLAN_BEAMS] = {0.0f};
        ranges[i % PLAN_BEAMS] = 1.0f;
        scan.ranges = ranges;
        localizer_scan(localizer, &scan);
        localizer_step(localizer, now);
        cr_assert(i < 3 || localizer_sees_nothing(localizer), "%.1f m", 0.1 * i);
    }
    look_often(2);
    cr_assert_not(localizer_sees_nothing(localizer));
}

/* Turns the wheels by 0.4 rad in a second, and has a gyro that says nothing of it. */
static double turn_by_wheels(bool use_gyro)
{
    struct localizer_config config = plan_room_config(truth);
    config.use_gyro = use_gyro;
    begin_with(&config);
    look_often(20);
    for (int i = 1; i <= 100; i++) {
        now += 0.02;
        struct localizer_odometry sample = {now, -0.0005 * i, 0.0005 * i, true, 0.0};
        localizer_odometry(localizer, &sample);
        localizer_step(localizer, now);
    }
    double turn = estimate().pose.theta - truth.theta;
    end();
    return turn;
}

Test(localizer, a_gyro_that_is_not_to_be_used_is_not_used)
{
    cr_assert_lt(fabs(turn_by_wheels(true)), 0.1);
    cr_assert_float_eq(turn_by_wheels(false), 0.4, 0.02);
}

Test(localizer, an_unknown_start_is_searched)
{
    struct localizer_config config = plan_room_config(truth);
    config.search_at_start = true;
    config.start = (struct dpl_pose2){0};
    begin_with(&config);
    look_often(3);
    cr_assert(estimate().state == LOCALIZER_LOST && estimate().hypotheses == 0);
    cr_assert(estimate().covariance[0] > 1.0);
    look_often(100);
    assert_tracking();
    end();
}

Test(localizer, while_it_searches_at_the_start_its_pose_goes_on_with_odometry)
{
    struct localizer_config config = plan_room_config(truth);
    config.search_at_start = true;
    begin_with(&config);
    look(truth, 0.0);
    cr_assert(estimate().state == LOCALIZER_LOST);
    struct dpl_pose2 before = estimate().pose;
    for (int i = 1; i <= 3; i++) {
        now += 0.02;
        odometry(0.01 * i, 0.01 * i);
        localizer_step(localizer, now);
    }
    cr_assert(estimate().state == LOCALIZER_LOST, "found too soon for this test");
    cr_assert_float_eq(dpl_pose2_distance(before, estimate().pose), 0.03, 1e-9, "%g m",
                       dpl_pose2_distance(before, estimate().pose));
    end();
}

Test(localizer, a_kidnapped_robot_is_found_again, .init = begin, .fini = end)
{
    struct dpl_pose2 elsewhere = {4.9, 0.9, 2.2};
    look_often(30);
    bool lost = false;
    for (int i = 0; i < 150; i++) {
        look(elsewhere, 0.001 * (i % 7));
        lost |= i < 8 && estimate().state == LOCALIZER_LOST;
    }
    struct localizer_estimate e = estimate();
    cr_assert(lost);
    cr_assert(e.state == LOCALIZER_TRACKING || e.state == LOCALIZER_DEGRADED, "state %d", e.state);
    cr_assert(dpl_pose2_distance(e.pose, elsewhere) < 0.05);
    cr_assert(e.relocations >= 1, "%u", (unsigned)e.relocations);
}

/* Its first scans fit better a little beside, which is not where it is: the search finds it later.
 */
Test(localizer, a_kidnapped_robot_counts_once_whatever_was_tried_before_it_is_found, .init = begin,
     .fini = end)
{
    struct dpl_pose2 elsewhere = {3.36, 2.54, -1.22}, shift = dpl_pose2_relative(truth, elsewhere);
    look_often(30);
    for (int i = 0; i < 100; i++) {
        look(elsewhere, 0.001 * (i % 7));
        cr_assert(estimate().relocations == (uint64_t)(estimate().state == LOCALIZER_TRACKING ||
                                                       estimate().state == LOCALIZER_DEGRADED) ||
                      i < 3,
                  "%d: %u in state %d", i, (unsigned)estimate().relocations, estimate().state);
    }
    struct localizer_estimate e = estimate();
    cr_assert_eq(e.state, LOCALIZER_TRACKING);
    cr_assert_eq(e.relocations, 1);
    cr_assert_lt(dpl_pose2_distance(e.jump, shift), 0.05);
    cr_assert_lt(fabs(dpl_wrap_angle(e.jump.theta - shift.theta)), 0.05);
}

/* A scan of nothing that the plan has: nearer than its surfaces, and ragged. */
static void look_elsewhere(int n)
{
    stand();
    struct localizer_scan scan = plan_scan(plan, truth, now);
    float ranges[PLAN_BEAMS];
    for (int i = 0; i < PLAN_BEAMS; i++) {
        ranges[i] = 0.3f + 0.05f * (float)((7 * i + n) % 13);
    }
    scan.ranges = ranges;
    localizer_scan(localizer, &scan);
    localizer_step(localizer, now);
}

/* The search finds nothing, and the old pose is followed on: it is not known all the same. */
Test(localizer, a_pose_that_no_scan_explains_is_not_known_after_a_search, .init = begin,
     .fini = end)
{
    look_often(20);
    assert_tracking();
    for (int i = 0; i < 200; i++) {
        look_elsewhere(i);
        struct localizer_estimate e = estimate();
        bool known = e.state == LOCALIZER_TRACKING || e.state == LOCALIZER_DEGRADED ||
                     e.state == LOCALIZER_COASTING;
        cr_assert(i < 10 || !known, "state %d after %d scans, agreement %g", e.state, i,
                  e.agreement);
        cr_assert(i < 10 || e.covariance[0] > 1.0, "%g m after %d scans", sqrt(e.covariance[0]), i);
    }
    look_often(60);
    assert_tracking();
}

/* The places that the search finds are tried with the calibration of before: a wrong place teaches
 * a wrong one, with which the right place does not fit. */
Test(localizer, a_wrong_start_teaches_no_calibration)
{
    struct localizer_config config = plan_room_config(truth);
    config.start = (struct dpl_pose2){3.0, 2.8, 0.3};
    begin_with(&config);
    bool searched = false;
    for (int i = 0; i < 25; i++) {
        struct localizer_calibration calibration;
        look(truth, 0.001 * (i % 7));
        localizer_calibration(localizer, &calibration);
        searched |= estimate().state == LOCALIZER_LOST;
        for (int k = LOCALIZER_TIME_OFFSET; searched && k < LOCALIZER_N_PARAMETERS; k++) {
            cr_assert(calibration.value[k] == config.initial[k], "scan %d, %d: %g", i, k,
                      calibration.value[k]);
        }
    }
    cr_assert(searched);
    look_often(80);
    assert_tracking();
    end();
}

/* People stand around: half of the beams end before the walls, which speaks neither for nor against
 * the start. */
static void look_among_people(struct dpl_pose2 laser, double noise)
{
    stand();
    struct localizer_scan scan = plan_scan(plan, laser, now);
    float ranges[PLAN_BEAMS];
    memcpy(ranges, scan.ranges, sizeof ranges);
    for (int i = 0; i < PLAN_BEAMS; i++) {
        ranges[i] = i % 8 < 4 ? 0.3f + (float)noise : ranges[i];
    }
    scan.ranges = ranges;
    localizer_scan(localizer, &scan);
    localizer_step(localizer, now);
}

Test(localizer, a_start_that_no_scan_explains_is_not_known_and_other_places_are_searched)
{
    begin();
    bool searched = false;
    for (int i = 0; i < 30; i++) {
        look_among_people(truth, 0.001 * (i % 7));
        struct localizer_estimate e = estimate();
        searched |= e.state == LOCALIZER_LOST || e.state == LOCALIZER_AMBIGUOUS;
        cr_assert(e.state == LOCALIZER_INIT || e.state == LOCALIZER_LOST ||
                      e.state == LOCALIZER_AMBIGUOUS,
                  "scan %d: state %d", i, e.state);
        cr_assert(e.covariance[0] > 1.0 || e.hypotheses > 0, "scan %d: %g", i, e.covariance[0]);
    }
    cr_assert(searched);
    look_often(100);
    assert_tracking();
    end();
}

/* ---- what a driver or a wire may do ---- */

Test(localizer, survives_numbers_that_are_none, .init = begin, .fini = end)
{
    look_often(20);
    odometry((double)NAN, (double)INFINITY);
    struct localizer_scan scan = plan_scan(plan, truth, now + 0.01);
    float ranges[PLAN_BEAMS];
    for (int i = 0; i < PLAN_BEAMS; i++) {
        ranges[i] = i % 3 == 0 ? NAN : i % 3 == 1 ? (float)INFINITY : -1.0f;
    }
    scan.ranges = ranges;
    localizer_scan(localizer, &scan);
    scan.stamp_s = (double)NAN;
    localizer_scan(localizer, &scan);
    scan.stamp_s = now + 0.02;
    scan.n = 0;
    localizer_scan(localizer, &scan);
    scan.n = 1u << 20;
    localizer_scan(localizer, &scan);
    scan.n = PLAN_BEAMS;
    scan.step_angle = (double)INFINITY;
    localizer_scan(localizer, &scan);
    localizer_step(localizer, (double)NAN);
    localizer_step(localizer, -5.0);
    look_often(5);
    assert_tracking();
}

Test(localizer, leaves_out_stamps_that_go_back, .init = begin, .fini = end)
{
    look_often(20);
    double kept = now;
    now -= 1.0;
    odometry(5.0, 5.0);
    look((struct dpl_pose2){5.0, 1.0, 0.0}, 0.3);
    now = kept;
    look_often(2);
    assert_tracking();
}

Test(localizer, survives_jumps_of_odometry, .init = begin, .fini = end)
{
    look_often(20);
    now += 0.02;
    odometry(1e6, -1e6);
    now += 0.02;
    odometry(1e6, -1e6);
    struct localizer_estimate e = estimate();
    cr_assert(dpl_pose2_distance(e.pose, truth) < 0.05);
}

Test(localizer, a_plan_without_outlines_is_odometry)
{
    struct localizer_config config = plan_room_config(truth);
    config.n_outlines = 0;
    begin_with(&config);
    look_often(20);
    struct localizer_estimate e = estimate();
    cr_assert(e.state != LOCALIZER_TRACKING && e.agreement == 0.0, "state %d", e.state);
    cr_assert(dpl_pose2_is_finite(e.pose));
    end();
}

Test(localizer, the_view_tells_how_far_an_avatar_is_off, .init = begin, .fini = end)
{
    look_often(20);
    struct localizer_view at, beside;
    localizer_view(localizer, truth, &at);
    struct dpl_pose2 avatar = {truth.x + 0.07, truth.y + 0.07, truth.theta};
    localizer_view(localizer, avatar, &beside);
    cr_assert(at.valid && at.agreement > 0.95 && at.scan_distance_m < 0.01, "%g",
              at.scan_distance_m);
    cr_assert(beside.agreement < 0.8, "%g", beside.agreement);
    cr_assert(beside.scan_distance_m > 0.04 && beside.scan_distance_m < 0.11, "%g",
              beside.scan_distance_m);
}

#ifndef QUIET_SANITIZED
Test(localizer, allocates_only_when_it_is_created, .init = begin, .fini = end)
{
    struct localizer_view view;
    struct localizer_calibration calibration;
    look_often(2);
    quiet_counting = true;
    look_often(30);
    for (int i = 0; i < 60; i++) {
        look((struct dpl_pose2){4.9, 0.9, 2.2}, 0.001 * (i % 7)); /* kidnapped: search, choose */
        estimate();
        localizer_view(localizer, truth, &view);
        localizer_calibration(localizer, &calibration);
    }
    quiet_counting = false;
    cr_assert(quiet_report() == 0);
}
#endif
