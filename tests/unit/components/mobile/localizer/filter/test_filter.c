/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the filter over pose and calibration. */
#include "loc_filter.h"

#include <string.h>

#include <criterion/criterion.h>

#include "loc_track.h"
#include "plan.h"

static struct loc_match match;
static struct loc_scan scan;
static struct loc_history history;
static struct loc_filter filter;
static const struct dpl_raycast_index *plan;
static const struct dpl_pose2 truth = {2.5, 1.4, 0.3};
static const struct loc_motion motion = {&history, false};

static struct loc_observation observation(void)
{
    return (struct loc_observation){&match, &scan, &history, 0.0, 5.0, 1, .looks_alone = true};
}

static void begin(const struct dpl_raycast_outline *outlines, size_t n, struct dpl_pose2 start)
{
    struct loc_start from = plan_start(start);
    plan = plan_index(outlines, n);
    cr_assert(loc_match_init(&match, plan, n, 2) && loc_scan_init(&scan, PLAN_BEAMS));
    loc_history_init(&history);
    loc_filter_init(&filter, &from);
}

static void look(struct dpl_pose2 laser, double stamp_s, struct loc_update *ret_update)
{
    bool equal;
    struct localizer_scan taken = plan_scan(plan, laser, stamp_s);
    cr_assert(loc_scan_take(&scan, &taken, &equal));
    struct loc_observation o = observation();
    loc_filter_advance(&filter, &motion, stamp_s);
    loc_filter_update(&filter, &o, ret_update);
}

static void end(void)
{
    loc_match_finish(&match);
    loc_scan_finish(&scan);
}

/* Cholesky of P with a very small margin: it is a covariance. */
static void assert_covariance(void)
{
    static double l[LOC_STATES][LOC_STATES];
    for (int i = 0; i < LOC_STATES; i++) {
        for (int j = 0; j <= i; j++) {
            cr_assert(filter.p[i][j] == filter.p[j][i], "not symmetric at %d %d", i, j);
            double scale = sqrt(filter.p[i][i] * filter.p[j][j]);
            double sum = scale > 0.0 ? filter.p[i][j] / scale + (i == j ? 1e-9 : 0.0) : 0.0;
            for (int k = 0; k < j; k++) {
                sum -= l[i][k] * l[j][k];
            }
            cr_assert(i != j || sum >= 0.0, "not positive at %d: %g", i, sum);
            l[i][j] = i == j ? sqrt(sum) : l[j][j] > 0.0 ? sum / l[j][j] : 0.0;
        }
    }
}

static void drive(double from_s, double to_s, double left, double right)
{
    for (int i = 0; from_s + 0.02 * i <= to_s + 1e-9; i++) {
        double t = from_s + 0.02 * i;
        struct localizer_odometry sample = {t, left * t, right * t, true,
                                            (right - left) * t / 0.25};
        loc_history_add(&history, &sample);
    }
}

Test(loc_filter, a_scan_puts_it_on_the_truth, .fini = end)
{
    struct loc_update update;
    begin(plan_room, 9, (struct dpl_pose2){truth.x + 0.05, truth.y - 0.06, truth.theta + 0.03});
    for (int i = 0; i < 10; i++) {
        look(truth, 1.0 + 0.1 * i, &update);
        scan.n = 0; /* the next one is no repetition */
    }
    struct dpl_pose2 laser = loc_filter_laser(&filter, loc_filter_pose(&filter), scan.mount).pose;
    cr_assert(update.used && update.judgement.agreement == 1.0);
    cr_assert(dpl_pose2_distance(laser, truth) < 0.001, "%g", dpl_pose2_distance(laser, truth));
    assert_covariance();
}

/* A pose that is believed to 2 mm and 0.1 deg, with a laser that is calibrated. */
static void believe(void)
{
    memset(filter.p, 0, sizeof filter.p);
    filter.p[LOC_STATE_X][LOC_STATE_X] = filter.p[LOC_STATE_Y][LOC_STATE_Y] = 4e-6;
    filter.p[LOC_STATE_THETA][LOC_STATE_THETA] = 3e-6;
}

/* The room has a surface 0.1 m before a wall of the plan: no drive changes that. */
Test(loc_filter, a_wall_that_the_plan_does_not_have_hardly_moves_it, .fini = end)
{
    struct loc_update update;
    struct dpl_raycast_outline room[9];
    begin(plan_room, 9, truth);
    memcpy(room, plan_room, sizeof room);
    room[0].y += 0.1;
    believe();
    plan = plan_index(room, 9);
    for (int i = 0; i < 30; i++) {
        look(truth, 1.0 + 0.1 * i, &update);
        scan.n = 0; /* the next one is no repetition */
    }
    struct dpl_pose2 laser = loc_filter_laser(&filter, loc_filter_pose(&filter), scan.mount).pose;
    cr_assert(dpl_pose2_distance(laser, truth) < 0.002, "%g", dpl_pose2_distance(laser, truth));
}

Test(loc_filter, a_scan_that_is_no_surprise_has_nothing_unsaid, .fini = end)
{
    struct loc_update update;
    begin(plan_room, 9, truth);
    believe();
    look(truth, 1.0, &update);
    cr_assert(update.used && update.nis < 1.0, "%g", update.nis);
    cr_assert(update.unsaid_m == 0.0, "%g m", update.unsaid_m);
}

Test(loc_filter, what_is_unsaid_is_about_as_large_as_the_robot_is_off, .fini = end)
{
    struct loc_update update;
    begin(plan_room, 9, (struct dpl_pose2){truth.x + 0.04, truth.y, truth.theta});
    believe();
    look(truth, 1.0, &update);
    cr_assert(update.used && update.nis > 6.0, "%g", update.nis);
    cr_assert(update.unsaid_m > 0.015 && update.unsaid_m < 0.08, "%g m", update.unsaid_m);
}

/* Two walls along x, and the end of the corridor: few beams tell where along it the robot is. When
 * it is far off, they are far from what is expected of them. */
Test(loc_filter, a_robot_that_is_farther_off_is_a_greater_surprise, .fini = end)
{
    static const struct dpl_raycast_outline corridor[] = {
        {-50.0, -1.0, 53.0, 0.0, 0.0, DPL_RAYCAST_NO_OWNER},
        {3.0, -1.0, 0.0, 2.0, 0.0, DPL_RAYCAST_NO_OWNER},
        {3.0, 1.0, -53.0, 0.0, 0.0, DPL_RAYCAST_NO_OWNER},
    };
    const double off_m[] = {0.05, 0.1, 0.2};
    double nis[3];
    for (int i = 0; i < 3; i++) {
        struct loc_update update;
        begin(corridor, 3, (struct dpl_pose2){off_m[i], 0.0, 0.0});
        believe();
        look((struct dpl_pose2){0}, 1.0, &update);
        cr_assert(update.used && !update.alone.unobservable);
        cr_assert(fabs(update.alone.pose.x) < 0.005, "%g m", update.alone.pose.x);
        cr_assert(fabs(update.surprise[0] + off_m[i]) < 0.005, "%g m", update.surprise[0]);
        nis[i] = update.nis;
        end();
    }
    cr_assert(nis[1] > 3.0 * nis[0] && nis[2] > 3.0 * nis[1], "%g %g %g", nis[0], nis[1], nis[2]);
    begin(corridor, 3, (struct dpl_pose2){0});
}

Test(loc_filter, standing_does_not_tell_the_mount_from_the_pose, .fini = end)
{
    struct loc_update update;
    begin(plan_room, 9, truth);
    for (int i = 0; i < 30; i++) {
        look(truth, 1.0 + 0.1 * i, &update);
        scan.n = 0;
    }
    double least = 0.015 * 0.015; /* of 20 mm before */
    cr_assert(filter.p[LOC_STATE_MOUNT_X][LOC_STATE_MOUNT_X] > least);
    cr_assert(filter.p[LOC_STATE_X][LOC_STATE_X] > least);
    cr_assert(filter.p[LOC_STATE_LEFT][LOC_STATE_LEFT] > 0.029 * 0.029);
}

/* A scan that corrects the pose alone says nothing of the mount, and neither do the next ones: that
 * the robot and its laser are both off by the same is no measurement of either. */
Test(loc_filter, a_pose_that_was_corrected_alone_measures_no_mount, .fini = end)
{
    struct loc_start start = plan_start(truth);
    struct loc_track track;
    begin(plan_room, 9, truth);
    loc_track_init(&track, &start);
    for (int i = 0; i < 30; i++) {
        bool equal;
        struct localizer_scan taken = plan_scan(plan, truth, 1.0 + 0.1 * i);
        cr_assert(loc_scan_take(&scan, &taken, &equal));
        struct loc_observation o = observation();
        track.suspects_wheels = i < 10;
        loc_track_scan(&track, &o, &motion, true);
        filter = track.filter;
        assert_covariance();
        scan.n = 0;
    }
    double least = 0.015 * 0.015; /* of 20 mm before */
    cr_assert(track.filter.p[LOC_STATE_MOUNT_X][LOC_STATE_MOUNT_X] > least);
    cr_assert(track.filter.p[LOC_STATE_MOUNT_Y][LOC_STATE_MOUNT_Y] > least);
    cr_assert(track.filter.p[LOC_STATE_X][LOC_STATE_X] > least);
}

Test(loc_filter, covariance_stays_one_through_a_drive, .fini = end)
{
    struct loc_update update;
    begin(plan_room, 9, (struct dpl_pose2){2.5, 1.4, 0.0});
    drive(0.0, 20.0, -0.10, 0.10); /* on the spot */
    struct loc_wheels wheels = {1.0, 1.0, 0.25};
    struct dpl_pose2 start = {2.5, 1.4, 0.0};
    for (int i = 0; i < 180; i++) {
        double t = 1.0 + 0.1 * i;
        struct dpl_pose2 base =
            dpl_pose2_compose(start, loc_history_move(&history, &wheels, 1.0, t));
        look(base, t, &update);
        assert_covariance();
    }
    cr_assert(update.used && update.judgement.agreement > 0.95);
    /* Turning on the spot tells the wheels over the axle, nothing else. */
    const double *l = filter.p[LOC_STATE_LEFT], *r = filter.p[LOC_STATE_RIGHT];
    double axle = filter.p[LOC_STATE_AXLE][LOC_STATE_AXLE];
    double both = 0.25 * (l[LOC_STATE_LEFT] + r[LOC_STATE_RIGHT] + 2.0 * l[LOC_STATE_RIGHT]);
    double ratio = both + axle - l[LOC_STATE_AXLE] - r[LOC_STATE_AXLE];
    cr_assert(sqrt(ratio) < 0.005, "%g", sqrt(ratio));
    cr_assert(sqrt(axle) > 0.015, "%g", sqrt(axle));
}

/* The covariance that prediction adds is that of many drives with the same noise in the scales. */
Test(loc_filter, prediction_spreads_as_wrong_wheels_do)
{
    struct loc_start start = plan_start((struct dpl_pose2){0});
    start.calibrate = LOCALIZER_CALIBRATE_IDENTIFY;
    loc_history_init(&history);
    drive(0.0, 4.0, 0.20, 0.26);
    double h = 1e-5, moved[2][3];
    for (int side = 0; side < 2; side++) {
        start.initial[LOCALIZER_SCALE_LEFT] = exp(side ? h : -h);
        loc_filter_init(&filter, &start);
        loc_filter_advance(&filter, &motion, 0.0);
        loc_filter_advance(&filter, &motion, 4.0);
        memcpy(moved[side], filter.x, sizeof moved[side]);
    }
    start.initial[LOCALIZER_SCALE_LEFT] = 1.0;
    loc_filter_init(&filter, &start);
    loc_filter_advance(&filter, &motion, 0.0);
    loc_filter_advance(&filter, &motion, 4.0);
    for (int i = 0; i < 3; i++) {
        double slope = (moved[1][i] - moved[0][i]) / (2.0 * h);
        double linear = filter.p[i][LOC_STATE_LEFT] / filter.p[LOC_STATE_LEFT][LOC_STATE_LEFT];
        cr_assert(fabs(slope - linear) < 1e-3 * fmax(1.0, fabs(slope)), "%d: %g, not %g", i, linear,
                  slope);
    }
    assert_covariance();
}

/* An arc of 1 m and 1 rad, the left encoder counts nothing. */
/* 0.2 m and a turn by 1 rad; returns how much the variance of the position grows. */
static double growth_by(double seconds)
{
    struct loc_start start = plan_start((struct dpl_pose2){0});
    loc_history_init(&history);
    loc_filter_init(&filter, &start);
    loc_history_add(&history, &(struct localizer_odometry){0.0, 0.0, 0.0, false, 0.0});
    loc_filter_advance(&filter, &motion, 0.0);
    double before = filter.p[LOC_STATE_X][LOC_STATE_X] + filter.p[LOC_STATE_Y][LOC_STATE_Y];
    loc_history_add(&history, &(struct localizer_odometry){seconds, 0.075, 0.325, false, 0.0});
    loc_filter_advance(&filter, &motion, seconds);
    return filter.p[LOC_STATE_X][LOC_STATE_X] + filter.p[LOC_STATE_Y][LOC_STATE_Y] - before;
}

/* Half of the turn times the way: 0.1 m in each direction. */
Test(loc_filter, in_a_gap_of_odometry_nobody_knows_where_the_way_led)
{
    double known = growth_by(0.2), unknown = growth_by(0.8);
    cr_assert_float_eq(unknown - known, 2.0 * 0.1 * 0.1, 1e-9, "%g", unknown - known);
}

Test(loc_filter, the_other_wheel_and_the_gyro_tell_the_way_of_one_that_lies, .fini = end)
{
    const struct loc_motion knowing = {&history, true, -1}, unaware = {&history, true, 0};
    begin(plan_room, 9, (struct dpl_pose2){0});
    for (int i = 0; i <= 50; i++) {
        double t = 0.02 * i;
        struct localizer_odometry sample = {t, 0.0, 1.125 * t, true, t};
        loc_history_add(&history, &sample);
    }
    struct loc_filter other = filter;
    loc_filter_advance(&filter, &knowing, 0.0);
    loc_filter_advance(&filter, &knowing, 1.0);
    loc_filter_advance(&other, &unaware, 0.0);
    loc_filter_advance(&other, &unaware, 1.0);
    struct dpl_pose2 wanted = {sin(1.0), 1.0 - cos(1.0), 1.0};
    double off = dpl_pose2_distance(loc_filter_pose(&filter), wanted);
    cr_assert(off < 1e-3, "%g m", off);
    cr_assert(dpl_pose2_distance(loc_filter_pose(&other), wanted) > 0.3);
    assert_covariance();
}

Test(loc_filter, along_a_corridor_nothing_is_corrected, .fini = end)
{
    struct loc_update update;
    begin(plan_corridor, 2, (struct dpl_pose2){0.07, 0.03, 0.02});
    double along = filter.p[LOC_STATE_X][LOC_STATE_X];
    look((struct dpl_pose2){0.0, 0.0, 0.0}, 1.0, &update);
    cr_assert(update.used && update.unobservable);
    cr_assert(fabs(filter.x[LOC_STATE_X] - 0.07) < 0.002, "%g", filter.x[LOC_STATE_X]);
    cr_assert(filter.p[LOC_STATE_X][LOC_STATE_X] > 0.9 * along);
    cr_assert(filter.p[LOC_STATE_THETA][LOC_STATE_THETA] < 0.8 * 0.035 * 0.035);
    assert_covariance();
}

/* Nobody knows by how much wheels lie, but a robot whose wheels stand is not 0.1 m farther at each
 * scan: along a corridor the pose would follow the noise of beams that hardly tell it. */
Test(loc_filter, wheels_that_stand_free_the_pose_by_little, .fini = end)
{
    struct loc_start start = plan_start((struct dpl_pose2){0});
    struct loc_track track;
    struct loc_update ignored;
    begin(plan_corridor, 2, (struct dpl_pose2){0});
    drive(0.0, 2.0, 0.0, 0.0);
    look((struct dpl_pose2){0}, 1.0, &ignored);
    loc_track_init(&track, &start);
    struct loc_observation o = observation();
    loc_track_scan(&track, &o, &motion, false);
    track.doubts_wheels = true;
    double before = track.filter.p[LOC_STATE_X][LOC_STATE_X];
    scan.stamp_s = 1.1;
    loc_track_scan(&track, &o, &motion, false);
    double more = sqrt(track.filter.p[LOC_STATE_X][LOC_STATE_X] - before);
    cr_assert(track.update.used && more > 0.015 && more < 0.03, "%g m", more);
}

Test(loc_filter, too_few_beams_change_nothing, .fini = end)
{
    struct loc_update update;
    struct loc_filter before;
    bool equal;
    begin(plan_room, 9, truth);
    struct localizer_scan taken = plan_scan(plan, truth, 1.0);
    cr_assert(loc_scan_take(&scan, &taken, &equal));
    for (size_t i = 0; i < scan.n; i++) {
        scan.range[i] = 0.1; /* something stands all around */
    }
    struct loc_observation o = observation();
    loc_filter_advance(&filter, &motion, 1.0);
    before = filter;
    loc_filter_update(&filter, &o, &update);
    cr_assert(!update.used && update.judgement.agreement == 0.0);
    cr_assert(memcmp(&before, &filter, sizeof filter) == 0);
}
