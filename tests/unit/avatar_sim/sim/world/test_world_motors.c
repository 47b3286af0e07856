/* SPDX-License-Identifier: Apache-2.0 */
/* Motors and encoders of a robot in a world: limits, latency, lag, ramps, counts. */
#include "robot_world.h"

TestSuite(world_motors, .init = robot_world_begin, .fini = robot_world_end);

Test(world_motors, weak_motor_accelerates_no_faster_than_its_torque)
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

Test(world_motors, motor_speed_is_clamped_to_its_limit)
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

Test(world_motors, setpoint_takes_effect_after_the_latency_and_not_before)
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

Test(world_motors, lag_lets_the_speed_rise_by_its_time_constant)
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

Test(world_motors, long_latency_is_kept_in_short_steps_too)
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

Test(world_motors, a_motors_speed_follows_its_ramp_after_the_latency_and_before_the_lag)
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

Test(world_motors, encoder_gives_whole_counts_rounded_down)
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

Test(world_motors, encoder_counts_on_over_many_turns_and_backwards)
{
    add_robot(scene_robot("r", 0.0, 0.0));
    world = create();
    drive_profile(world, -0.5, 0.0, 10.0);
    struct dpl_world_encoder encoder;
    dpl_world_get_encoder(world, 0, &encoder);
    cr_assert_float_eq(encoder.angle_rad, -0.5 * profile_time(10.0) / scene_wheel_radius, 0.1);
}
