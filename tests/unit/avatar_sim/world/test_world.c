/* SPDX-License-Identifier: Apache-2.0 */
/* A robot in a world moves as its wheels say, touches what is in its way, and does the same twice.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/sim/world.h>

#include "scene.h"

static struct dpl_sim_model *model;
static struct dpl_world *world;

static void begin(void)
{
    model = dpl_sim_model_create();
    cr_assert_not_null(model);
}

static void end(void)
{
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
    world = NULL;
}

TestSuite(world, .init = begin, .fini = end);

static void add_robot(struct scene_robot robot)
{
    struct dpl_diag diag;
    cr_assert_eq(scene_add(model, &robot, &diag), 0, "%s", diag.text);
}

static void add_obstacle(struct dpl_sim_obstacle obstacle)
{
    cr_assert_eq(dpl_sim_model_add_obstacle(model, &obstacle, NULL), 0);
}

static struct dpl_world *create(void)
{
    struct dpl_world *made = NULL;
    struct dpl_diag diag;
    cr_assert_eq(dpl_world_create(model, &made, &diag), 0, "%s", diag.text);
    return made;
}

static void drive(struct dpl_world *w, double linear, double angular)
{
    double half = 0.5 * scene_axle;
    dpl_world_set_motor(w, 0, (linear - angular * half) / scene_wheel_radius);
    dpl_world_set_motor(w, 1, (linear + angular * half) / scene_wheel_radius);
}

static struct dpl_world_robot robot_of(struct dpl_world *w)
{
    struct dpl_world_robot robot;
    dpl_world_get_robot(w, 0, &robot);
    return robot;
}

/* Speeds up gently, then keeps the speed: what the driver above would do. Returns the distance. */
static void drive_profile(struct dpl_world *w, double linear, double angular, double seconds)
{
    double dt = dpl_ns_to_s(dpl_world_model(w)->step);
    long n = lround(seconds / dt);
    for (long i = 0; i < n; i++) {
        double share = fmin(1.0, (double)(i + 1) * dt / 0.5);
        drive(w, share * linear, share * angular);
        dpl_world_step(w, 1);
    }
}

/* The integral of the profile above. */
static double profile_time(double seconds)
{
    return seconds - 0.25;
}

Test(world, robot_at_rest_stays_where_it_is)
{
    add_robot(scene_robot("r", 1.0, 2.0));
    world = create();
    dpl_world_run_until(world, 10 * DPL_S);
    struct dpl_world_robot robot = robot_of(world);
    cr_assert_lt(hypot(robot.pose.x - 1.0, robot.pose.y - 2.0), 0.001);
    cr_assert_lt(fabs(robot.pose.theta), 0.001);
    cr_assert_eq(robot.contacts, 0);
}

Test(world, straight_drive_matches_closed_form_within_half_a_millimetre)
{
    add_robot(scene_robot("r", 0.0, 0.0));
    world = create();
    drive_profile(world, 0.2, 0.0, 10.0);
    struct dpl_world_robot robot = robot_of(world);
    cr_assert_float_eq(robot.pose.x, 0.2 * profile_time(10.0), 0.0005, "%g", robot.pose.x);
    cr_assert_float_eq(robot.pose.y, 0.0, 0.0005, "%g", robot.pose.y);
    cr_assert_float_eq(robot.twist.linear, 0.2, 0.001);
}

Test(world, arc_drive_matches_odometry_within_a_hundredth_of_a_millimetre)
{
    add_robot(scene_robot("r", 0.0, 0.0));
    world = create();
    dpl_world_step(world, 1000);
    struct dpl_pose2 odometry = robot_of(world).pose;
    struct dpl_world_encoder left, right, old_left, old_right;
    dpl_world_get_encoder(world, 0, &old_left);
    dpl_world_get_encoder(world, 1, &old_right);
    for (int i = 0; i < 10000; i++) {
        double share = fmin(1.0, (i + 1) / 500.0);
        drive(world, share * 0.2, share * 0.3);
        dpl_world_step(world, 1);
        dpl_world_get_encoder(world, 0, &left);
        dpl_world_get_encoder(world, 1, &right);
        double l = (left.angle_rad - old_left.angle_rad) * scene_wheel_radius;
        double r = (right.angle_rad - old_right.angle_rad) * scene_wheel_radius;
        double turn = (r - l) / scene_axle, way = 0.5 * (l + r);
        odometry.x += way * cos(odometry.theta + 0.5 * turn);
        odometry.y += way * sin(odometry.theta + 0.5 * turn);
        odometry.theta += turn;
        old_left = left;
        old_right = right;
    }
    struct dpl_pose2 truth = robot_of(world).pose;
    double error = dpl_pose2_distance(truth, odometry);
    cr_assert_lt(error, 0.00001, "%g mm", error * 1e3);
    cr_assert_lt(fabs(dpl_wrap_angle(truth.theta - odometry.theta)), 0.00001);
}

Test(world, arc_drive_matches_closed_form_within_half_a_millimetre)
{
    add_robot(scene_robot("r", 0.0, 0.0));
    world = create();
    drive_profile(world, 0.2, 0.3, 10.0);
    struct dpl_pose2 pose = robot_of(world).pose;
    double angle = 0.3 * profile_time(10.0), radius = 0.2 / 0.3;
    cr_assert_lt(hypot(pose.x - radius * sin(angle), pose.y - radius * (1.0 - cos(angle))), 0.0005);
    cr_assert_lt(fabs(dpl_wrap_angle(pose.theta - angle)), 0.0005, "%g %g", pose.theta, angle);
}

Test(world, arc_at_five_millisecond_steps_stays_within_one_millimetre)
{
    model->step = 5 * DPL_MS;
    add_robot(scene_robot("r", 0.0, 0.0));
    world = create();
    drive_profile(world, 0.2, 0.3, 10.0);
    struct dpl_pose2 pose = robot_of(world).pose;
    double angle = 0.3 * profile_time(10.0), radius = 0.2 / 0.3;
    double error = hypot(pose.x - radius * sin(angle), pose.y - radius * (1.0 - cos(angle)));
    cr_assert_lt(error, 0.001, "%g mm", error * 1e3);
}

Test(world, robot_at_rest_with_motors_on_does_not_creep)
{
    add_robot(scene_robot("r", 0.0, 0.0));
    world = create();
    dpl_world_run_until(world, 2 * DPL_S);
    struct dpl_pose2 settled = robot_of(world).pose;
    dpl_world_run_until(world, 62 * DPL_S);
    struct dpl_pose2 later = robot_of(world).pose;
    cr_assert_lt(dpl_pose2_distance(settled, later), 1e-4);
    cr_assert_lt(fabs(later.theta - settled.theta), 1e-4);
}

Test(world, two_worlds_are_equal_bit_by_bit_after_ten_seconds)
{
    struct scene_robot robot = scene_robot("r", 0.0, 0.0);
    robot.wheels[0].speed_noise = 0.05;
    robot.lasers[0].noise = 0.01;
    robot.lasers[0].dropout = 0.02;
    add_robot(robot);
    for (int i = 0; i < 20; i++) {
        add_obstacle(scene_box(1.5 + i % 5, i / 5 - 1.5, 0.3));
    }
    world = create();
    struct dpl_world *second = create();
    dpl_world_enable_laser(world, 0, true);
    dpl_world_enable_laser(second, 0, true);
    drive_profile(world, 0.4, 0.2, 10.0);
    drive_profile(second, 0.4, 0.2, 10.0);
    struct dpl_world_robot a = robot_of(world), b = robot_of(second);
    struct dpl_world_scan scan_a, scan_b;
    cr_assert_eq(dpl_world_get_scan(world, 0, &scan_a), 0);
    cr_assert_eq(dpl_world_get_scan(second, 0, &scan_b), 0);
    bool same_pose = memcmp(&a.pose, &b.pose, sizeof a.pose) == 0;
    bool same_scan = memcmp(scan_a.ranges_m, scan_b.ranges_m, scan_a.n * sizeof(float)) == 0;
    dpl_world_destroy(second);
    cr_assert(same_pose);
    cr_assert(same_scan);
    cr_assert_gt(a.contacts, 0, "the run must include contact to prove anything");
}

Test(world, another_seed_gives_another_path)
{
    struct scene_robot robot = scene_robot("r", 0.0, 0.0);
    robot.wheels[0].speed_noise = 0.05;
    add_robot(robot);
    world = create();
    drive_profile(world, 0.2, 0.0, 2.0);
    double first = robot_of(world).pose.y;
    dpl_world_destroy(world);
    model->seed = 2;
    world = create();
    drive_profile(world, 0.2, 0.0, 2.0);
    cr_assert_neq(first, robot_of(world).pose.y);
}

Test(world, driving_into_a_box_is_one_contact_however_long_it_pushes)
{
    add_robot(scene_robot("r", 0.0, 0.0));
    add_obstacle(scene_box(1.0, 0.0, 0.4));
    world = create();
    drive_profile(world, 0.2, 0.0, 8.0);
    struct dpl_world_robot robot = robot_of(world);
    cr_assert_eq(robot.contacts, 1);
    cr_assert_float_eq(robot.pose.x, 0.6, 0.01, "stopped by the box at %g", robot.pose.x);
}

Test(world, backing_off_and_driving_in_again_is_a_second_contact)
{
    add_robot(scene_robot("r", 0.0, 0.0));
    add_obstacle(scene_box(1.0, 0.0, 0.4));
    world = create();
    drive_profile(world, 0.2, 0.0, 4.0);
    drive_profile(world, -0.2, 0.0, 2.0);
    cr_assert_eq(robot_of(world).contacts, 1);
    drive_profile(world, 0.2, 0.0, 4.0);
    cr_assert_eq(robot_of(world).contacts, 2);
}

static void expect_contact(size_t i, const char *with, uint64_t n, double first_s)
{
    struct dpl_world_contact contacts[DPL_WORLD_CONTACTS_MAX];
    cr_assert_gt(dpl_world_get_contacts(world, 0, contacts, DPL_WORLD_CONTACTS_MAX), i);
    cr_expect_str_eq(contacts[i].with, with);
    cr_expect_eq(contacts[i].n, n, "%s: %d", with, (int)contacts[i].n);
    cr_expect_float_eq(dpl_ns_to_s(contacts[i].first), first_s, 0.3, "%s: %g s", with,
                       dpl_ns_to_s(contacts[i].first));
}

Test(world, contacts_are_told_by_the_names_of_what_touched)
{
    struct dpl_sim_obstacle ahead = scene_box(1.0, 0.0, 0.4), behind = scene_box(-1.0, 0.0, 0.4);
    snprintf(ahead.name, sizeof ahead.name, "crate");
    snprintf(behind.name, sizeof behind.name, "bench");
    add_robot(scene_robot("r", 0.0, 0.0));
    add_obstacle(ahead);
    add_obstacle(behind);
    world = create();
    struct dpl_world_contact none[1];
    cr_assert_eq(dpl_world_get_contacts(world, 0, none, 1), 0);
    drive_profile(world, 0.2, 0.0, 4.0);
    drive_profile(world, -0.2, 0.0, 2.0);
    drive_profile(world, 0.2, 0.0, 4.0);
    drive_profile(world, -0.2, 0.0, 8.0);
    expect_contact(0, "crate", 2, 3.0);
    expect_contact(1, "bench", 1, 16.0);
    cr_assert_eq(dpl_world_get_contacts(world, 0, none, 1), 1, "no more than asked for");
    cr_assert_eq(dpl_world_get_contacts(world, 7, none, 1), 0);
}

/* Sectors that have a part of what lies between `from` and `to` degrees. */
static uint32_t sectors(int from_deg, int to_deg)
{
    uint32_t mask = 0;
    for (int i = (int)floor(from_deg * DPL_SIM_SECTORS / 360.0); i * 360 < to_deg * DPL_SIM_SECTORS;
         i++) {
        mask |= 1u << (unsigned)(i + DPL_SIM_SECTORS) % DPL_SIM_SECTORS;
    }
    return mask;
}

Test(world, a_body_is_touched_as_long_as_it_pushes_and_on_the_side_where_it_does)
{
    static const double speeds[] = {0.1, 0.25, 0.3, 0.5, 0.7};
    add_robot(scene_robot("r", 0.0, 0.0));
    add_obstacle(scene_box(1.0, 0.0, 0.4));
    for (size_t s = 0; s < sizeof speeds / sizeof speeds[0]; s++) {
        world = create();
        unsigned steps = 0, pushes = 0;
        for (; steps < 12000; steps++) {
            drive(world, speeds[s], 0.0);
            dpl_world_step(world, 1);
            uint32_t touched = robot_of(world).touched;
            cr_assert_eq(touched & ~sectors(-15, 15), 0, "%g m/s: %#x", speeds[s], touched);
            pushes += touched != 0;
            bool pushed_before = pushes > 0 && touched == 0;
            cr_assert_not(pushed_before && steps > 10000, "%g m/s: let go while it pushes",
                          speeds[s]);
        }
        cr_assert_gt(pushes, 1000, "%g m/s: %u", speeds[s], pushes);
        dpl_world_destroy(world);
    }
    world = NULL;
}

Test(world, a_touch_ends_when_the_robot_backs_off)
{
    add_robot(scene_robot("r", 0.0, 0.0));
    add_obstacle(scene_box(1.0, 0.0, 0.4));
    world = create();
    drive_profile(world, 0.2, 0.0, 4.0);
    cr_assert_neq(robot_of(world).touched, 0);
    drive_profile(world, -0.2, 0.0, 0.6);
    cr_assert_eq(robot_of(world).touched, 0);
}

Test(world, a_touch_is_felt_from_its_own_direction)
{
    static const struct {
        double heading;
        int from_deg, to_deg;
    } rows[] = {{DPL_PI / 4, -60, -30}, {-DPL_PI / 4, 30, 60}, {DPL_PI, 165, 195}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene_robot robot = scene_robot("r", 0.0, 0.0);
        struct dpl_diag diag;
        end();
        begin();
        robot.start.theta = rows[i].heading;
        cr_assert_eq(scene_add(model, &robot, &diag), 0);
        struct dpl_sim_obstacle wall = scene_box(5.5, 0.0, 10.0);
        add_obstacle(wall);
        world = create();
        double along = fabs(rows[i].heading) > 3.0 ? -0.3 : 0.3;
        uint32_t first = 0;
        for (int step = 0; step < 8000 && first == 0; step++) {
            drive(world, along, 0.0);
            dpl_world_step(world, 1);
            first = robot_of(world).touched;
        }
        cr_assert_neq(first & sectors(rows[i].from_deg, rows[i].to_deg), 0, "row %zu: %#x", i,
                      first);
        cr_assert_eq(first & ~sectors(rows[i].from_deg, rows[i].to_deg), 0, "row %zu: %#x", i,
                     first);
    }
}

Test(world, two_robots_that_meet_both_count_it)
{
    add_robot(scene_robot("a", 0.0, 0.0));
    add_robot(scene_robot("b", 1.0, 0.0));
    world = create();
    drive_profile(world, 0.2, 0.0, 4.0);
    struct dpl_world_robot other;
    dpl_world_get_robot(world, 1, &other);
    cr_assert_eq(robot_of(world).contacts, 1);
    cr_assert_eq(other.contacts, 1);
}

Test(world, weak_motor_accelerates_no_faster_than_its_torque)
{
    struct scene_robot robot = scene_robot("r", 0.0, 0.0);
    robot.wheels[0].max_torque = 0.05;
    robot.wheels[1].max_torque = 0.05;
    add_robot(robot);
    world = create();
    dpl_world_step(world, 200);
    double x0 = robot_of(world).pose.x;
    drive(world, 1.0, 0.0);
    dpl_world_step(world, 1000);
    /* Two wheels push with torque / radius; wheels count 1.5 times their mass (disc inertia). */
    double force = 2.0 * 0.05 / scene_wheel_radius;
    double acceleration = force / (8.0 + 2.0 * 1.5 * 0.3);
    struct dpl_world_robot moved = robot_of(world);
    cr_assert_float_eq(moved.twist.linear, acceleration, 0.005, "%g %g", moved.twist.linear,
                       acceleration);
    cr_assert_float_eq(moved.pose.x - x0, 0.5 * acceleration, 0.005);
}

Test(world, motor_speed_is_clamped_to_its_limit)
{
    struct scene_robot robot = scene_robot("r", 0.0, 0.0);
    robot.wheels[0].max_speed = 2.0;
    robot.wheels[1].max_speed = 2.0;
    add_robot(robot);
    world = create();
    drive(world, 1.0, 0.0);
    dpl_world_step(world, 2000);
    cr_assert_float_eq(robot_of(world).twist.linear, 2.0 * scene_wheel_radius, 0.001);
}

Test(world, setpoint_takes_effect_after_the_latency_and_not_before)
{
    struct scene_robot robot = scene_robot("r", 0.0, 0.0);
    robot.wheels[0].latency_s = 0.05;
    robot.wheels[1].latency_s = 0.05;
    add_robot(robot);
    world = create();
    dpl_world_step(world, 500);
    double x0 = robot_of(world).pose.x;
    drive(world, 0.2, 0.0);
    dpl_world_step(world, 50);
    cr_assert_float_eq(robot_of(world).pose.x, x0, 1e-5);
    dpl_world_step(world, 50);
    cr_assert_gt(robot_of(world).pose.x, x0 + 0.005);
}

Test(world, lag_lets_the_speed_rise_by_its_time_constant)
{
    struct scene_robot robot = scene_robot("r", 0.0, 0.0);
    robot.wheels[0].lag_s = 0.2;
    robot.wheels[1].lag_s = 0.2;
    add_robot(robot);
    world = create();
    dpl_world_step(world, 500);
    drive(world, 0.2, 0.0);
    dpl_world_step(world, 200);
    cr_assert_float_eq(robot_of(world).twist.linear, 0.2 * (1.0 - exp(-1.0)), 0.003);
}

Test(world, encoder_gives_whole_counts_rounded_down)
{
    struct scene_robot robot = scene_robot("r", 0.0, 0.0);
    robot.wheels[0].counts_per_turn = 100.0;
    add_robot(robot);
    world = create();
    drive_profile(world, 0.2, 0.0, 3.0);
    struct dpl_world_encoder coarse, exact;
    dpl_world_get_encoder(world, 0, &coarse);
    dpl_world_get_encoder(world, 1, &exact);
    double count = 2.0 * DPL_PI / 100.0;
    cr_assert_float_eq(coarse.angle_rad, floor(exact.angle_rad / count) * count, 1e-2 * count);
    double counts = coarse.angle_rad / count;
    cr_assert_float_eq(counts, round(counts), 1e-9);
    cr_assert_gt(counts, 100.0);
    cr_assert_float_eq(exact.velocity_rad_s, 0.2 / scene_wheel_radius, 0.01);
}

Test(world, encoder_counts_on_over_many_turns_and_backwards)
{
    add_robot(scene_robot("r", 0.0, 0.0));
    world = create();
    drive_profile(world, -0.5, 0.0, 10.0);
    struct dpl_world_encoder encoder;
    dpl_world_get_encoder(world, 0, &encoder);
    cr_assert_float_eq(encoder.angle_rad, -0.5 * profile_time(10.0) / scene_wheel_radius, 0.1);
}

Test(world, teleported_robot_stands_at_the_pose_and_keeps_its_speed)
{
    add_robot(scene_robot("r", 0.0, 0.0));
    world = create();
    drive_profile(world, 0.2, 0.0, 2.0);
    struct dpl_world_encoder before, after;
    dpl_world_get_encoder(world, 0, &before);
    cr_assert_eq(dpl_world_set_pose(world, 0, (struct dpl_pose2){5.0, -3.0, 2.0}), 0);
    struct dpl_world_robot robot = robot_of(world);
    cr_assert_lt(hypot(robot.pose.x - 5.0, robot.pose.y + 3.0), 1e-9);
    cr_assert_float_eq(robot.pose.theta, 2.0, 1e-9);
    dpl_world_get_encoder(world, 0, &after);
    cr_assert_float_eq(after.angle_rad, before.angle_rad, 1e-9);
    dpl_world_step(world, 1000);
    robot = robot_of(world);
    cr_assert_lt(hypot(robot.pose.x - 5.0 - 0.2 * cos(2.0), robot.pose.y + 3.0 - 0.2 * sin(2.0)),
                 0.002);
    cr_assert_float_eq(robot.twist.linear, 0.2, 0.002);
}

Test(world, teleport_to_nowhere_is_refused)
{
    add_robot(scene_robot("r", 0.0, 0.0));
    world = create();
    struct dpl_pose2 nowhere = {(double)NAN, 0.0, 0.0};
    cr_assert_eq(dpl_world_set_pose(world, 0, nowhere), -EINVAL);
}

Test(world, long_latency_is_kept_in_short_steps_too)
{
    struct scene_robot robot = scene_robot("r", 0.0, 0.0);
    robot.wheels[0].latency_s = robot.wheels[1].latency_s = 4.0;
    model->step = 500 * DPL_US;
    add_robot(robot);
    world = create();
    drive(world, 0.2, 0.0);
    dpl_world_run_until(world, 4 * DPL_S);
    cr_assert_float_eq(robot_of(world).pose.x, 0.0, 1e-3, "%g", robot_of(world).pose.x);
    dpl_world_run_until(world, 5 * DPL_S);
    cr_assert_gt(robot_of(world).pose.x, 0.15);
}

Test(world, a_motors_speed_follows_its_ramp_after_the_latency_and_before_the_lag)
{
    struct scene_robot robot = scene_robot("r", 0.0, 0.0);
    robot.wheels[0].latency_s = robot.wheels[1].latency_s = 0.06;
    add_robot(robot);
    world = create();
    for (int i = 0; i < 2; i++) {
        dpl_world_set_motor_ramp(world, i, 4.0);
        dpl_world_set_motor(world, i, 2.0);
    }
    struct dpl_world_encoder encoder;
    dpl_world_step(world, 60);
    dpl_world_get_encoder(world, 0, &encoder);
    cr_assert_float_eq(encoder.velocity_rad_s, 0.0, 0.02);
    for (int i = 1; i <= 4; i++) {
        dpl_world_step(world, 100);
        dpl_world_get_encoder(world, 0, &encoder);
        cr_assert_float_eq(encoder.velocity_rad_s, 0.4 * i, 0.02, "%g rad/s after %d00 ms",
                           encoder.velocity_rad_s, i);
    }
    dpl_world_step(world, 400);
    dpl_world_get_encoder(world, 0, &encoder);
    cr_assert_float_eq(encoder.velocity_rad_s, 2.0, 0.01);
    dpl_world_set_motor_ramp(world, 0, (double)NAN);
    dpl_world_set_motor_ramp(world, 1, -1.0);
    dpl_world_set_motor(world, 0, 0.0);
    dpl_world_set_motor(world, 1, 0.0);
    dpl_world_step(world, 200);
    dpl_world_get_encoder(world, 0, &encoder);
    cr_assert_float_eq(encoder.velocity_rad_s, 0.0, 0.02, "without a ramp it stops at once");
}

/* A box of 1 m around (2, 0); the robot is a cylinder of radius 0.2. */
static void make_box_ahead(void)
{
    add_robot(scene_robot("r", 0.0, 0.0));
    add_obstacle(scene_box(2.0, 0.0, 1.0));
    world = create();
}

Test(world, a_place_where_something_stands_is_refused_and_nothing_moves)
{
    static const struct dpl_pose2 taken[] = {
        {2.0, 0.0, 0.3},   /* all of it in the box */
        {1.31, 0.0, 0.0},  /* 1 cm of it */
        {1.38, 0.55, 1.0}, /* at a corner */
    };
    make_box_ahead();
    dpl_world_step(world, 100);
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        struct dpl_pose2 before = robot_of(world).pose;
        cr_assert_eq(dpl_world_set_pose(world, 0, taken[i]), -EBUSY, "place %zu", i);
        struct dpl_pose2 after = robot_of(world).pose;
        cr_assert_eq(memcmp(&before, &after, sizeof before), 0);
        dpl_world_step(world, 1000);
        cr_assert_lt(dpl_pose2_distance(robot_of(world).pose, before), 1e-3);
    }
    cr_assert_eq(robot_of(world).ejections, 0);
    cr_assert_eq(robot_of(world).contacts, 0);
}

Test(world, a_place_beside_something_is_not)
{
    make_box_ahead();
    cr_assert_eq(dpl_world_set_pose(world, 0, (struct dpl_pose2){1.2999, 0.0, 2.0}), 0);
    dpl_world_step(world, 2000);
    cr_assert_lt(dpl_pose2_distance(robot_of(world).pose, (struct dpl_pose2){1.3, 0.0, 0.0}), 5e-3);
    cr_assert_eq(robot_of(world).ejections, 0);
    cr_assert_eq(dpl_world_set_pose(world, 0, (struct dpl_pose2){1.2999, 0.0, 1.0}), 0,
                 "where it stands already, touching");
}

Test(world, another_robots_place_is_taken_too)
{
    add_robot(scene_robot("r", 0.0, 0.0));
    add_robot(scene_robot("other", 3.0, 1.0));
    world = create();
    cr_assert_eq(dpl_world_set_pose(world, 0, (struct dpl_pose2){3.1, 1.1, 0.0}), -EBUSY);
    cr_assert_eq(dpl_world_set_pose(world, 0, (struct dpl_pose2){3.0, 1.5, 0.0}), 0);
}

Test(world, asking_for_a_place_leaves_no_trace_in_a_run)
{
    struct dpl_world_robot asked, not_asked;
    make_box_ahead();
    for (int i = 0; i < 3000; i++) {
        if (i % 100 == 50) {
            cr_assert_eq(dpl_world_set_pose(world, 0, (struct dpl_pose2){2.0, 0.1, 0.0}), -EBUSY);
        }
        drive(world, 0.5, 0.02);
        dpl_world_step(world, 1);
    }
    asked = robot_of(world);
    dpl_world_destroy(world);
    world = create();
    for (int i = 0; i < 3000; i++) {
        drive(world, 0.5, 0.02);
        dpl_world_step(world, 1);
    }
    not_asked = robot_of(world);
    cr_assert_gt(asked.contacts, 0);
    cr_assert_eq(memcmp(&asked.pose, &not_asked.pose, sizeof asked.pose), 0);
    cr_assert_eq(memcmp(&asked.twist, &not_asked.twist, sizeof asked.twist), 0);
    cr_assert_eq(asked.contacts, not_asked.contacts);
    cr_assert_eq(asked.touched, not_asked.touched);
}

Test(world, what_the_solver_throws_out_is_counted)
{
    struct scene_robot inside = scene_robot("r", 1.40, 0.0); /* 10 cm in the box */
    add_robot(inside);
    add_obstacle(scene_box(2.0, 0.0, 1.0));
    world = create();
    dpl_world_step(world, 500);
    cr_assert_geq(robot_of(world).ejections, 1);
    uint64_t before = robot_of(world).ejections;
    dpl_world_step(world, 5000);
    cr_assert_eq(robot_of(world).ejections, before, "it has come to rest");
}

Test(world, driving_into_something_at_full_speed_is_no_ejection)
{
    make_box_ahead();
    for (int i = 0; i < 4000; i++) {
        drive(world, 1.3, i < 2000 ? 0.0 : 3.0);
        dpl_world_step(world, 1);
    }
    cr_assert_gt(robot_of(world).contacts, 0);
    cr_assert_eq(robot_of(world).ejections, 0);
}

Test(world, devices_are_found_by_name_of_their_robot)
{
    add_robot(scene_robot("a", 0.0, 0.0));
    add_robot(scene_robot("b", 3.0, 0.0));
    world = create();
    int b = dpl_world_find_robot(world, "b");
    cr_assert_eq(b, 1);
    cr_assert_eq(dpl_world_find_device(world, b, DPL_WORLD_MOTOR, "right_motor"), 3);
    cr_assert_eq(dpl_world_find_device(world, b, DPL_WORLD_ENCODER, "Left Encoder"), 2);
    cr_assert_eq(dpl_world_find_device(world, b, DPL_WORLD_LASER, "laser"), 1);
    cr_assert_eq(dpl_world_find_device(world, b, DPL_WORLD_MOTOR, "left_encoder"), -ENOENT);
    cr_assert_eq(dpl_world_find_robot(world, "c"), -ENOENT);
}

Test(world, time_is_steps_times_step)
{
    model->step = 2 * DPL_MS;
    world = create();
    dpl_world_step(world, 3);
    cr_assert_eq(dpl_world_now(world), 6 * DPL_MS);
    dpl_world_run_until(world, 9 * DPL_MS);
    cr_assert_eq(dpl_world_now(world), 10 * DPL_MS);
}

Test(world, step_out_of_range_is_refused_with_a_message)
{
    model->step = 1;
    struct dpl_diag diag;
    struct dpl_world *none = NULL;
    cr_assert_eq(dpl_world_create(model, &none, &diag), -EINVAL);
    cr_assert_null(none);
    cr_assert_not_null(strstr(diag.text, "steps of"));
}

/* As many as the arrays of a model once had room for, and more. */
Test(world, a_robot_may_have_any_number_of_parts)
{
    enum { WHEELS = 6, LASERS = 5, SHAPES = 12, CASTERS = 6 };
    struct scene_robot from = scene_robot("r", 0.0, 0.0);
    struct dpl_sim_wheel wheels[WHEELS];
    struct dpl_sim_laser lasers[LASERS];
    struct dpl_sim_shape shapes[SHAPES];
    struct dpl_sim_caster casters[CASTERS];
    struct dpl_world_scan scan;
    for (int i = 0; i < WHEELS; i++) {
        char name[16];
        snprintf(name, sizeof name, "wheel%d", i);
        wheels[i] = scene_wheel(name, i % 2 ? -0.15 : 0.15);
        wheels[i].x = 0.05 * (i / 2);
    }
    for (int i = 0; i < LASERS; i++) {
        lasers[i] = from.lasers[0];
        snprintf(lasers[i].name, sizeof lasers[i].name, "laser%d", i);
        lasers[i].x = 0.01 * i;
    }
    for (int i = 0; i < SHAPES; i++) {
        shapes[i] = from.shapes[0];
        shapes[i].radius = 0.1 + 0.01 * i;
    }
    for (int i = 0; i < CASTERS; i++) {
        casters[i] = from.casters[i % 2];
    }
    struct dpl_sim_mobile_robot robot = {
        .name = "r",
        .base = {.mass = 8.0,
                 .friction = 0.3,
                 .mass_z = 0.1,
                 .wheels = wheels,
                 .casters = casters,
                 .n_wheels = WHEELS,
                 .n_casters = CASTERS},
        .shapes = shapes,
        .lasers = lasers,
        .n_shapes = SHAPES,
        .n_lasers = LASERS,
    };
    struct dpl_diag diag = {0};
    struct dpl_sim_obstacle box = scene_box(2.0, 0.0, 1.0);
    cr_assert_eq(dpl_sim_model_add_obstacle(model, &box, NULL), 0);
    cr_assert_eq(dpl_sim_model_add_mobile(model, &robot, &diag), 0, "%s", diag.text);
    cr_assert_eq(dpl_world_create(model, &world, &diag), 0, "%s", diag.text);
    for (int i = 0; i < WHEELS; i++) {
        dpl_world_set_motor(world, i, 2.0);
    }
    for (int i = 0; i < LASERS; i++) {
        dpl_world_enable_laser(world, i, true);
    }
    dpl_world_step(world, 1000);
    cr_assert_float_eq(robot_of(world).pose.x, 2.0 * scene_wheel_radius, 0.01);
    for (int i = 0; i < LASERS; i++) {
        cr_assert_eq(dpl_world_get_scan(world, i, &scan), 0);
        double expected = 2.0 - 0.5 - robot_of(world).pose.x - 0.01 * i;
        cr_assert_float_eq((double)scan.ranges_m[540], expected, 0.01);
    }
}
