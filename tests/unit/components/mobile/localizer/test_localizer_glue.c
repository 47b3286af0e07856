/* SPDX-License-Identifier: Apache-2.0 */
/* Localizer through its life cycle: a robot drives circles in a room of four walls and a post, with
 * wheels that differ from what its odometry takes them for. Scans are made by formulas of this
 * test. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/drv/floor_plan.h>
#include <doppel/msg/geometry.h>
#include <doppel/msg/laser_scanner.h>
#include <doppel/msg/mobile.h>
#include <doppel/msg/parameter_methods.h>
#include <doppel/msg/wheel_controller.h>

#include "fake_runtime.h"
#include "localizer.h"
#include "truth_error.h"

enum { SCAN, ODOMETRY, AVATAR, TRUTH, POSE, CALIBRATION, COMMAND, DIAGNOSIS };

/* ---- the room: 6 m by 4 m, its left lower corner at the origin, and a post ---- */

static const struct dpl_floor_plan_outline room[] = {
    {.x = 0, .y = 0, .dx = 6, .dy = 0, .object = 0},
    {.x = 6, .y = 0, .dx = 0, .dy = 4, .object = 1},
    {.x = 6, .y = 4, .dx = -6, .dy = 0, .object = 2},
    {.x = 0, .y = 4, .dx = 0, .dy = -4, .object = 3},
    {.x = 4.4, .y = 3.2, .radius = 0.3, .object = 4},
};
static const char *const names[] = {"south", "east", "north", "west", "post"};
static int plan_error;
static size_t n_outlines;
static bool post_is_there;

static int get_plan(struct dpl_device *device, const void *in, void *out)
{
    *(struct dpl_floor_plan *)out = (struct dpl_floor_plan){
        .outlines = room,
        .n_outlines = n_outlines,
        .names = names,
        .n_objects = DPL_COUNT(names),
        .height_m = 0.25,
    };
    return plan_error;
}

static const dpl_device_call_fn api[DPL_DRV_FLOOR_PLAN_N_CALLS] = {
    [DPL_DRV_FLOOR_PLAN_GET] = get_plan,
};
static struct dpl_driver driver = {
    .name = "fake", .device_class = &dpl_floor_plan_class, .api = api};
static struct dpl_device device = {.driver = &driver};

static double distance_to_wall(double x, double y, double c, double s)
{
    double along_x = c > 0.0 ? (6.0 - x) / c : c < 0.0 ? -x / c : (double)INFINITY;
    double along_y = s > 0.0 ? (4.0 - y) / s : s < 0.0 ? -y / s : (double)INFINITY;
    return fmin(along_x, along_y);
}

static double distance_to_post(double x, double y, double c, double s)
{
    double dx = 4.4 - x, dy = 3.2 - y, along = dx * c + dy * s, aside = dx * s - dy * c;
    if (!post_is_there || along < 0.0 || fabs(aside) > 0.3) {
        return (double)INFINITY;
    }
    return along - sqrt(0.09 - aside * aside);
}

/* ---- the robot ---- */

enum { BEAMS = 341 };

static struct dpl_pose2 robot; /* true */
static double left_m, right_m; /* by its odometry: the left wheel is 2 % larger than it thinks */
static struct dpl_pose2 avatar;
static bool has_avatar;
static dpl_ns now, scan_every;
static bool is_covered; /* the laser: no beam returns, */
static size_t n_left;   /* but for so many */
static Doppel__Scan scan;
static float ranges[BEAMS];
static Doppel__Odometry odometry;
static Doppel__Pose2 odometry_pose, mount;

/* Names of the worlds of the plan and of the avatar; `world` NULL: in no world. */
struct in_world {
    const char *world, *ip, *port;
};

static struct in_world plan_in, avatar_in;

static const char *named(const struct in_world *in, const char *name)
{
    if (!in->world) {
        return NULL;
    }
    return strcmp(name, "World") == 0  ? in->world
           : strcmp(name, "ip") == 0   ? in->ip
           : strcmp(name, "port") == 0 ? in->port
                                       : NULL;
}

static const char *property_of_plan(const char *name)
{
    return named(&plan_in, name);
}

static int tell_parameter(const Doppel__Parameter *asked, Doppel__Parameter *ret)
{
    const char *value = named(&avatar_in, asked->name);
    if (!value) {
        return -ENOENT;
    }
    return snprintf(ret->value, DPL_PARAMETER_VALUE_SIZE, "%s", value) < DPL_PARAMETER_VALUE_SIZE
               ? 0
               : -ENOSPC;
}

static int answer(unsigned port, unsigned method, const void *request, void *response)
{
    if (method == DPL_WHEEL_CONTROLLER_GET_PARAMETER) {
        cr_assert_eq(port, AVATAR);
        return tell_parameter(request, response);
    }
    Doppel__StampedPose *stamped = response;
    struct dpl_pose2 pose = port == AVATAR ? avatar : robot;
    cr_assert_eq(method, DPL_WHEEL_CONTROLLER_GET_TRUTH);
    stamped->valid = port == TRUTH || has_avatar;
    stamped->stamp_ns = now;
    stamped->pose->x = pose.x;
    stamped->pose->y = pose.y;
    stamped->pose->theta = pose.theta;
    return 0;
}

static void begin(void)
{
    fake_begin();
    fake.device = &device;
    fake.service = answer;
    fake.property = property_of_plan;
    plan_in = avatar_in = (struct in_world){"", "", "5500"};
    is_covered = false;
    n_left = 0;
    n_outlines = DPL_COUNT(room);
    plan_error = 0;
    post_is_there = has_avatar = true;
    robot = (struct dpl_pose2){2.0, 1.2, 0.3};
    avatar = robot;
    left_m = right_m = 0.0;
    now = 100 * DPL_MS;
    scan_every = 100 * DPL_MS;
}

static void end(void)
{
    dpl_plugin.component->ops->destroy(&fake.self);
    fake_end();
}

TestSuite(localizer_glue, .init = begin, .fini = end);

static void drive(double v, double w, double dt)
{
    double middle = robot.theta + 0.5 * w * dt;
    robot.x += v * dt * cos(middle);
    robot.y += v * dt * sin(middle);
    robot.theta = dpl_wrap_angle(robot.theta + w * dt);
    left_m += (v - 0.115 * w) * dt / 1.02;
    right_m += (v + 0.115 * w) * dt;
}

static void give_scan(void)
{
    scan = (Doppel__Scan)DOPPEL__SCAN__INIT;
    scan.start_angle = -2.0;
    scan.step_angle = 4.0 / (BEAMS - 1);
    scan.range_min = 0.02;
    scan.range_max = 8.0;
    scan.n_ranges = BEAMS;
    scan.ranges = ranges;
    mount = (Doppel__Pose2)DOPPEL__POSE2__INIT;
    scan.mount = &mount;
    for (size_t i = 0; i < BEAMS; i++) {
        double angle = robot.theta + scan.start_angle + (double)i * scan.step_angle;
        double c = cos(angle), s = sin(angle);
        ranges[i] = (float)fmin(distance_to_wall(robot.x, robot.y, c, s),
                                distance_to_post(robot.x, robot.y, c, s));
        ranges[i] = is_covered && i >= n_left ? (i % 2 == 0 ? 0.0f : 8.1f) : ranges[i];
    }
    fake_receive(SCAN, &scan, now);
}

static void give_odometry(void)
{
    odometry = (Doppel__Odometry)DOPPEL__ODOMETRY__INIT;
    odometry_pose = (Doppel__Pose2)DOPPEL__POSE2__INIT;
    odometry_pose.x = 10.0; /* its frame is anywhere */
    odometry_pose.theta = 1.0;
    odometry.pose = &odometry_pose;
    odometry.left_travel = left_m;
    odometry.right_travel = right_m;
    odometry.axle = 0.23;
    fake_receive(ODOMETRY, &odometry, now);
}

/* 50 ms of a curve, with a scan in every other cycle, or as the test says. The turn rate changes: a
 * circle would not show by how much the stamps of scans are late. */
static void cycle(void)
{
    drive(0.2, 0.4 + 0.4 * sin(dpl_ns_to_s(now)), 0.05);
    now += 50 * DPL_MS;
    give_odometry();
    if (scan_every > 0 && now % scan_every == 0) {
        give_scan();
    }
    fake_cycle(now, 50 * DPL_MS);
}

static const Doppel__LocalizedPose *run(int cycles)
{
    cr_assert_eq(fake_start(50 * DPL_MS, NULL), 0);
    for (int i = 0; i < cycles; i++) {
        cycle();
    }
    return fake_sent(POSE);
}

Test(localizer_glue, finds_the_robot_and_the_scale_of_its_wheel)
{
    avatar.x += 0.08; /* and it stays there */
    const Doppel__LocalizedPose *pose = run(1200);
    double off_m = hypot(pose->pose->x - robot.x, pose->pose->y - robot.y);
    cr_assert_lt(off_m, 2e-3, "%g m", off_m);
    cr_assert_lt(fabs(dpl_wrap_angle(pose->pose->theta - robot.theta)), 2e-3);
    cr_assert_eq(pose->state, DOPPEL__LOCALIZER_STATE__LOCALIZER_TRACKING);
    cr_assert_eq(fake.ports[POSE].stamp, now);
    cr_assert_eq(pose->n_covariance, 6);
    cr_assert(pose->covariance[0] > 0.0 && pose->covariance[0] < 1e-4);
    cr_assert_gt(pose->agreement, 0.95);
    const Doppel__LocalizerCalibration *calibration = fake_sent(CALIBRATION);
    cr_assert_float_eq(calibration->value[LOCALIZER_SCALE_LEFT], 1.02, 3e-3, "%g",
                       calibration->value[LOCALIZER_SCALE_LEFT]);
    cr_assert_float_eq(fake_export("scale_right"), 1.0, 3e-3);
    cr_assert_lt(fake_export("true_rms_mm"), 15.0);
}

Test(localizer_glue, the_correction_takes_odometry_to_the_pose)
{
    const Doppel__LocalizedPose *pose = run(100);
    struct dpl_pose2 c = {pose->correction->x, pose->correction->y, pose->correction->theta};
    struct dpl_pose2 found = dpl_pose2_compose(c, (struct dpl_pose2){10.0, 0.0, 1.0});
    cr_assert_float_eq(found.x, pose->pose->x, 1e-9);
    cr_assert_float_eq(found.y, pose->pose->y, 1e-9);
    cr_assert_float_eq(dpl_wrap_angle(found.theta - pose->pose->theta), 0.0, 1e-9);
}

Test(localizer_glue, says_how_far_the_avatar_is_by_the_scan_alone)
{
    run(100);
    for (int i = 0; i < 100; i++) {
        avatar = robot;
        cycle();
    }
    double near = fake_export("scan_distance_mm"), agrees = fake_export("avatar_agreement");
    for (int i = 0; i < 100; i++) {
        avatar = (struct dpl_pose2){robot.x + 0.15, robot.y + 0.15, robot.theta};
        cycle();
    }
    cr_assert_lt(near, 20.0);
    cr_assert_gt(agrees, 0.9);
    cr_assert(fake_export("scan_distance_mm") > 60.0 && fake_export("scan_distance_mm") < 300.0,
              "%g", fake_export("scan_distance_mm"));
    cr_assert_lt(fake_export("avatar_agreement"), 0.6);
}

/* While the scanner is dead the last scan says less and less of where the avatar is. */
Test(localizer_glue, says_nothing_of_the_avatar_by_a_scan_that_is_old)
{
    run(100);
    scan_every = 0;
    for (int i = 0; i < 6; i++) {
        cycle();
    }
    cr_assert(isfinite(fake_export("scan_distance_mm")), "the scan is 0.3 s old");
    for (int i = 0; i < 4; i++) {
        cycle();
    }
    cr_assert(isnan(fake_export("scan_distance_mm")));
    cr_assert(isnan(fake_export("avatar_agreement")));
    cr_assert_not(((const Doppel__LocalizedPose *)fake_sent(POSE))->has_avatar);
    scan_every = 100 * DPL_MS;
    for (int i = 0; i < 4; i++) {
        avatar = robot;
        cycle();
    }
    cr_assert_gt(fake_export("avatar_agreement"), 0.9);
}

/* Nor does it say how well the world explains what the laser sees now. */
Test(localizer_glue, says_nothing_of_the_world_by_a_scan_that_is_old)
{
    static const char *const shares[] = {"agreement", "short", "long", "nis"};
    run(100);
    cr_assert_gt(fake_export("agreement"), 0.9);
    scan_every = 0;
    for (int i = 0; i < 10; i++) {
        cycle();
    }
    for (size_t i = 0; i < 4; i++) {
        cr_expect(isnan(fake_export(shares[i])), "%s %g", shares[i], fake_export(shares[i]));
    }
    scan_every = 100 * DPL_MS;
    for (int i = 0; i < 4; i++) {
        cycle();
    }
    cr_assert_gt(fake_export("agreement"), 0.9);
}

Test(localizer_glue, a_slow_scanner_tells_of_the_avatar_between_its_scans)
{
    run(100);
    scan_every = 1000 * DPL_MS;
    for (int i = 0; i < 100; i++) {
        cycle();
        cr_assert(i < 40 || isfinite(fake_export("scan_distance_mm")), "cycle %d", i);
    }
}

Test(localizer_glue, waits_for_a_plan_that_comes_late_and_for_the_avatars_pose)
{
    plan_error = -EAGAIN;
    has_avatar = false;
    cr_assert_eq(fake_start(50 * DPL_MS, NULL), 0);
    cycle();
    cr_assert_eq(fake.ports[POSE].n_sent, 0);
    plan_error = 0;
    cycle();
    cr_assert_eq(fake.ports[POSE].n_sent, 0);
    has_avatar = true;
    avatar = robot;
    for (int i = 0; i < 40; i++) {
        cycle();
    }
    cr_assert_gt(fake.ports[POSE].n_sent, 30);
    cr_assert_lt(fake_export("true_mm"), 20.0);
}

Test(localizer_glue, a_plan_that_cannot_be_had_ends_in_an_error)
{
    plan_error = -EINVAL;
    cr_assert_eq(fake_start(50 * DPL_MS, NULL), 0);
    now += 50 * DPL_MS;
    give_odometry();
    struct dpl_tick tick = {.now = now, .period = 50 * DPL_MS};
    cr_assert_lt(dpl_plugin.component->ops->execute(&fake.self, &tick), 0);
    cr_assert(strstr(fake.errors, "cannot localize"), "%s", fake.errors);
}

/* ---- warnings about the surroundings ---- */

static int warnings_at_start(struct in_world plan, struct in_world of_avatar)
{
    plan_in = plan;
    avatar_in = of_avatar;
    int before = fake.n_warnings;
    cr_assert_eq(fake_start(50 * DPL_MS, NULL), 0);
    return fake.n_warnings - before;
}

Test(localizer_glue, warns_at_the_start_of_a_plan_that_is_of_another_world_than_the_avatars)
{
    cr_assert_eq(warnings_at_start((struct in_world){"corridor.xml", "", "5500"},
                                   (struct in_world){"", "", "5500"}),
                 1);
    cr_assert(strstr(fake.log, "the plan is of the world 'corridor.xml', the avatar is in the "
                               "application's world"),
              "%s", fake.log);
    cr_assert_eq(warnings_at_start((struct in_world){"", "10.0.0.7", "5500"},
                                   (struct in_world){"office.xml", "", "5501"}),
                 1);
    cr_assert(strstr(fake.log, "the plan is of the world at 10.0.0.7:5500, the avatar is in the "
                               "world 'office.xml'"),
              "%s", fake.log);
    cr_assert_eq(warnings_at_start((struct in_world){"", "10.0.0.7", "5500"},
                                   (struct in_world){"", "10.0.0.7", "5501"}),
                 1, "another port");
}

Test(localizer_glue, says_nothing_of_worlds_that_have_the_same_name_or_none)
{
    const struct in_world office = {"office.xml", "", "5500"}, none = {NULL, NULL, NULL};
    cr_assert_eq(warnings_at_start(office, office), 0);
    cr_assert_eq(warnings_at_start(office, (struct in_world){"office.xml", "", "5501"}), 0,
                 "no world is served");
    cr_assert_eq(warnings_at_start((struct in_world){"a.xml", "10.0.0.7", "5500"},
                                   (struct in_world){"b.xml", "10.0.0.7", "5500"}),
                 0, "of a served world the file means nothing");
    cr_assert_eq(warnings_at_start(office, none), 0, "an avatar in no world");
    cr_assert_eq(warnings_at_start(none, office), 0, "a plan of no world");
    fake.ports[AVATAR].is_open = true;
    cr_assert_eq(warnings_at_start(office, (struct in_world){"", "", "5500"}), 0, "no avatar");
}

Test(localizer_glue, does_not_compare_names_that_are_too_long_to_be_told)
{
    const struct in_world away = {
        "/a/folder/with/a/long/name/and/another/in/it/with/a/longer/name.xml", "", "5500"};
    cr_assert_eq(warnings_at_start((struct in_world){"", "", "5500"}, away), 0);
    cr_assert_eq(warnings_at_start(away, (struct in_world){"", "", "5500"}), 0);
}

Test(localizer_glue, warns_of_a_plan_without_a_surface_at_the_height_of_the_laser)
{
    n_outlines = 0;
    run(4);
    cr_assert(strstr(fake.log, "no surface at its height of 0.25 m above the ground"), "%s",
              fake.log);
}

Test(localizer_glue, warns_of_a_start_that_an_avatar_leaves_unused)
{
    fake_set("StartX", "1.5");
    run(4);
    cr_assert_eq(fake.n_warnings, 1, "%s", fake.log);
    cr_assert(
        strstr(fake.log, "StartX, StartY and StartTheta (1.50 m, 0.00 m, 0 deg) are not used"),
        "%s", fake.log);
}

Test(localizer_glue, takes_the_start_of_its_properties_without_an_avatar)
{
    fake.ports[AVATAR].is_open = true;
    fake_set("StartX", "2.0");
    fake_set("StartY", "1.2");
    fake_set("StartTheta", "0.3");
    run(4);
    cr_assert_eq(fake.n_warnings, 0, "%s", fake.log);
    cr_assert(strstr(fake.log, "start at x 2.00 m, y 1.20 m, 17 deg"), "%s", fake.log);
}

Test(localizer_glue, has_no_warning_when_all_is_well)
{
    run(100);
    cr_assert_eq(fake.n_warnings, 0, "%s", fake.log);
}

Test(localizer_glue, warns_once_that_no_beam_returns_and_says_when_they_return_again)
{
    run(100);
    is_covered = true;
    for (int i = 0; i < 58; i++) {
        cycle();
    }
    cr_assert_null(strstr(fake.log, "no beam of the laser"), "2.9 s: %s", fake.log);
    cr_assert(strstr(fake.log, "NO_LASER: no beam, or hardly one, has returned for 0."), "%s",
              fake.log);
    for (int i = 0; i < 60; i++) {
        cycle();
    }
    const char *told = strstr(fake.log, "none of 341 ended between 0.02 and 8 m");
    cr_assert(told, "%s", fake.log);
    cr_assert_null(strstr(told, "no beam of the laser"), "told twice: %s", fake.log);
    cr_assert_null(strstr(fake.log, "return again"));
    is_covered = false;
    cycle();
    cycle();
    cr_assert(strstr(told, "the laser's beams return again"), "%s", fake.log);
    for (int i = 0; i < 30; i++) {
        cycle();
    }
    cr_assert(strstr(told, "NO_LASER is over"), "%s", fake.log);
}

Test(localizer_glue, takes_a_laser_of_which_hardly_a_beam_returns_for_none)
{
    run(100);
    is_covered = true;
    n_left = 3;
    for (int i = 0; i < 20; i++) {
        cycle();
    }
    cr_assert(strstr(fake.log, "NO_LASER: no beam, or hardly one, has returned for 0."), "%s",
              fake.log);
    cr_assert_null(strstr(fake.log, "no beam of the laser"), "%s", fake.log);
}

Test(localizer_glue, warns_of_a_laser_that_is_covered_from_the_start)
{
    is_covered = true;
    run(70);
    cr_assert(strstr(fake.log, "no beam of the laser has returned for 3."), "%s", fake.log);
}

Test(localizer_glue, names_an_object_that_was_taken_away)
{
    run(100);
    cr_assert_eq(fake_export("moved_objects"), 0.0);
    post_is_there = false;
    for (int i = 0; i < 400; i++) {
        cycle();
    }
    cr_assert_eq(fake_export("moved_objects"), 1.0);
    cr_assert(strstr(fake.log, "beams pass through post at x 4.40 m, y 3.20 m: it is not"), "%s",
              fake.log);
    cr_assert_lt(fake_export("true_mm"), 20.0);
}

/* A host that stops for a moment: the newest odometry is as old as the newest scan. */
Test(localizer_glue, says_how_long_no_scan_has_come_where_odometry_is_late_too)
{
    run(100);
    for (int i = 0; i < 10; i++) {
        now += 50 * DPL_MS;
        fake_cycle(now, 50 * DPL_MS);
    }
    cr_assert(strstr(fake.log, "NO_LASER: no scan for 0.4 s"), "%s", fake.log);
}

Test(localizer_glue, says_by_name_that_no_scans_come_and_that_they_come_again)
{
    run(100);
    cr_assert_eq(fake.ports[DIAGNOSIS].n_sent, 0, "%s", fake.log);
    for (int i = 0; i < 40; i++) {
        drive(0.2, 0.4, 0.05);
        now += 50 * DPL_MS;
        give_odometry();
        fake_cycle(now, 50 * DPL_MS);
    }
    const Doppel__Diagnosis *diagnosis = fake_sent(DIAGNOSIS);
    cr_assert_eq(diagnosis->verdict, DOPPEL__ROBOT_VERDICT__VERDICT_NO_LASER);
    cr_assert(diagnosis->rise);
    cr_assert_eq(fake_export("verdicts"), 1.0);
    cr_assert(strstr(fake.log, "NO_LASER: no scan for "), "%s", fake.log);
    for (int i = 0; i < 60; i++) {
        cycle();
    }
    cr_assert_not(((const Doppel__Diagnosis *)fake_sent(DIAGNOSIS))->rise);
    cr_assert(strstr(fake.log, "NO_LASER is over"), "%s", fake.log);
}

Test(localizer_glue, tells_the_name_of_the_object_in_the_event)
{
    run(100);
    post_is_there = false;
    const Doppel__Diagnosis *told = NULL;
    for (int i = 0; i < 400 && !told; i++) {
        int before = fake.ports[DIAGNOSIS].n_sent;
        cycle();
        told = fake.ports[DIAGNOSIS].n_sent > before ? fake_sent(DIAGNOSIS) : NULL;
    }
    cr_assert(told, "%s", fake.log);
    cr_assert_eq(told->verdict, DOPPEL__ROBOT_VERDICT__VERDICT_MAP_CHANGED, "%s", fake.log);
    cr_assert_str_eq(told->object, "post");
    cr_assert(strstr(fake.log, "MAP_CHANGED, post at x 4.40 m, y 3.20 m: "), "%s", fake.log);
}

static int count_of(const char *text)
{
    int n = 0;
    for (const char *at = fake.log; (at = strstr(at, text)); at++) {
        n++;
    }
    return n;
}

/* It is carried, and its wheels know nothing of it. */
Test(localizer_glue, says_once_where_a_robot_is_found_and_what_that_means_for_the_calibration)
{
    run(100);
    robot = (struct dpl_pose2){4.0, 2.0, robot.theta + 1.5};
    for (int i = 0; i < 300; i++) {
        cycle();
    }
    cr_assert_lt(fake_export("true_mm"), 30.0);
    cr_assert_eq(fake_export("relocations"), 1.0);
    cr_assert_eq(count_of("is dropped"), 1, "%s", fake.log);
    cr_assert_eq(count_of("the robot is in another place, "), 1, "%s", fake.log);
}

Test(localizer_glue, a_start_after_a_stop_begins_anew)
{
    run(100);
    robot = (struct dpl_pose2){4.0, 2.0, -2.0};
    avatar = robot;
    cr_assert_eq(fake_start(50 * DPL_MS, NULL), 0);
    cycle();
    cycle();
    cr_assert_lt(fake_export("true_mm"), 60.0);
}

/* ---- errors against the truth ---- */

Test(truth_error, sums_up_by_hand_made_numbers)
{
    struct truth_error error = {0};
    const double covariance[6] = {4e-6, 0.0, 1e-6, 0.0, 0.0, 1e-4};
    cr_assert(isnan(truth_error_rms_m(&error)) && isnan(truth_error_nees(&error)));
    truth_error_add(&error, (struct dpl_pose2){1.0, 1.0, 3.14},
                    (struct dpl_pose2){1.002, 1.001, -3.14}, covariance);
    double turn = 2.0 * (DPL_PI - 3.14);
    cr_assert_float_eq(truth_error_rms_m(&error), sqrt(5e-6), 1e-12);
    cr_assert_float_eq(truth_error_rms_rad(&error), turn, 1e-12);
    cr_assert_float_eq(truth_error_nees(&error), (1.0 + 1.0 + turn * turn / 1e-4) / 3.0, 1e-9);
    cr_assert_eq(truth_error_inside(&error), 1.0);
    truth_error_add(&error, (struct dpl_pose2){0}, (struct dpl_pose2){0.01, 0.0, 0.0}, covariance);
    cr_assert_eq(truth_error_inside(&error), 0.5);
    cr_assert_float_eq(error.max_m, 0.01, 1e-12);
}

Test(truth_error, correlated_errors_count_by_the_inverse)
{
    struct truth_error error = {0};
    const double covariance[6] = {2.0, 1.0, 2.0, 0.0, 0.0, 1.0}; /* inverse [2 -1; -1 2] / 3 */
    truth_error_add(&error, (struct dpl_pose2){0}, (struct dpl_pose2){1.0, 1.0, 0.0}, covariance);
    cr_assert_float_eq(truth_error_nees(&error), (2.0 - 1.0 - 1.0 + 2.0) / 3.0 / 3.0, 1e-12);
}

Test(truth_error, does_not_count_what_has_no_covariance)
{
    struct truth_error error = {0};
    const double not_positive[6] = {1.0, 2.0, 1.0, 0.0, 0.0, 1.0};
    truth_error_add(&error, (struct dpl_pose2){0}, (struct dpl_pose2){0}, not_positive);
    truth_error_add(&error, (struct dpl_pose2){(double)NAN, 0.0, 0.0}, (struct dpl_pose2){0},
                    (double[6]){1.0, 0.0, 1.0, 0.0, 0.0, 1.0});
    cr_assert_eq(error.n, 0);
}

/* ---- integrity monitor ---- */

static bool is_known(const Doppel__LocalizedPose *pose)
{
    return pose->state == DOPPEL__LOCALIZER_STATE__LOCALIZER_TRACKING ||
           pose->state == DOPPEL__LOCALIZER_STATE__LOCALIZER_DEGRADED;
}

Test(localizer_glue, says_on_what_a_known_place_rests)
{
    const Doppel__LocalizedPose *pose = run(400);
    cr_assert(is_known(pose));
    cr_assert_neq(pose->basis, DOPPEL__LOCALIZER_BASIS__BASIS_NONE);
    cr_assert_eq(pose->reason, DOPPEL__LOCALIZER_REASON__REASON_NONE);
    cr_assert_float_eq(fake_export("protection_mm"), 1e3 * pose->protection_level, 1e-9);
    cr_assert_leq(pose->protection_level, 0.3);
    cr_assert(fake_export("basis") == (double)pose->basis);
}

Test(localizer_glue, says_why_a_place_is_not_known)
{
    run(400);
    robot = (struct dpl_pose2){robot.x > 3.0 ? robot.x - 1.5 : robot.x + 1.5, robot.y, robot.theta};
    for (int i = 0; i < 4; i++) {
        cycle();
    }
    const Doppel__LocalizedPose *pose = fake_sent(POSE);
    cr_assert_not(is_known(pose));
    cr_assert_eq(pose->basis, DOPPEL__LOCALIZER_BASIS__BASIS_NONE);
    cr_assert_eq(pose->reason, DOPPEL__LOCALIZER_REASON__REASON_MOVED, "%d", (int)pose->reason);
    cr_assert(isinf(pose->protection_level) && isnan(fake_export("protection_mm")));
}
