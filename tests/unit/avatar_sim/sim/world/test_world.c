/* SPDX-License-Identifier: Apache-2.0 */
/* A robot in a world moves as its wheels say, and does the same twice. */
#include <errno.h>
#include <string.h>

#include "robot_world.h"

TestSuite(world, .init = robot_world_begin, .fini = robot_world_end);

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
