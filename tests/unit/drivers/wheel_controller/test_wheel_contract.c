/* SPDX-License-Identifier: Apache-2.0 */
/* The contract of device class wheel_controller (doppel/drv/wheel_controller.h), checked on every
 * driver that runs without hardware: alone, and as HIL over two of them. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/drv/wheel_controller.h>

#include "bench.h"

static const struct wheel_case {
    const char *name;
    const char *sets[4];
} cases[] = {
    {"mock", {"WheelController.ApiName=mock"}},
    {"avatar", {"WheelController.ApiName=avatar"}},
    {"hil over mock and mock",
     {"WheelController.ApiName=hil", "WheelController.HardwareDriver=mock",
      "WheelController.SimulationDriver=mock"}},
    {"hil over mock and avatar",
     {"WheelController.ApiName=hil", "WheelController.HardwareDriver=mock",
      "WheelController.SimulationDriver=avatar"}},
    {"hil over avatar and mock",
     {"WheelController.ApiName=hil", "WheelController.HardwareDriver=avatar",
      "WheelController.SimulationDriver=mock"}},
};

static const char *current; /* driver under test, for messages */
static struct dpl_wheel_state noted;
static struct dpl_wheel_truth noted_truth;
static dpl_ns last_stamp;
static int n_stamps;

static void on_all(const struct bench_step *steps, size_t n_steps, double duration_s,
                   bench_action each_cycle)
{
    for (size_t i = 0; i < DPL_COUNT(cases); i++) {
        struct bench bench = {.file = UNIT "/drivers/wheel_controller/data/wheel.xml",
                              .duration_s = duration_s,
                              .instead = &bench_wheel_class,
                              .steps = steps,
                              .n_steps = n_steps,
                              .each_cycle = each_cycle};
        memcpy(bench.sets, cases[i].sets, sizeof cases[i].sets);
        current = cases[i].name;
        last_stamp = INT64_MIN;
        n_stamps = 0;
        cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s: %s", current, bench_error());
    }
}

#define DEVICE                 struct dpl_device *device = dpl_component_device(from)
#define CHECK(value, expected) cr_assert_eq(value, expected, "%s: " #value, current)

static struct dpl_wheel_state read_now(struct dpl_device *device)
{
    struct dpl_wheel_state now;
    cr_assert_eq(dpl_wheel_read(device, &now), 0, "%s", current);
    cr_assert(now.valid, "%s: no reading", current);
    return now;
}

static void enable(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    CHECK(dpl_wheel_enable(device), 0);
}

static void forward(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    CHECK(dpl_wheel_drive(device, 0.1, 0.0), 0);
}

static void stop(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    CHECK(dpl_wheel_stop(device), 0);
}

static void halt(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    CHECK(dpl_wheel_halt(device), 0);
    CHECK(dpl_wheel_halt(device), 0);
}

static void record(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    noted = read_now(device);
    if (dpl_wheel_read_truth(device, &noted_truth) < 0) {
        noted_truth.pose.x = (double)NAN;
    }
}

static void expect_noted_pose(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    struct dpl_wheel_state now = read_now(device);
    cr_assert_lt(dpl_pose2_distance(now.pose, noted.pose), 1e-3, "%s moved", current);
    cr_assert_lt(fabs(now.twist.linear), 5e-3, "%s: %g m/s", current, now.twist.linear);
    cr_assert_not(now.running, "%s", current);
}

static void refuse_motion(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    CHECK(dpl_wheel_drive(device, 0.1, 0.0), -EPERM);
    CHECK(dpl_wheel_move(device, 0.1, 0.1), -EPERM);
    CHECK(dpl_wheel_rotate(device, 0.1, 0.1), -EPERM);
    CHECK(dpl_wheel_stop(device), 0);
}

Test(wheel_contract, refuses_to_move_while_disabled)
{
    static const struct bench_step steps[] = {
        {0.1, refuse_motion}, {0.1, record}, {0.2, enable}, {1.0, expect_noted_pose}};
    on_all(steps, DPL_COUNT(steps), 1.1, NULL);
}

static void expect_forward(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    struct dpl_wheel_state now = read_now(device);
    cr_assert(now.pose.x > 0.26 && now.pose.x < 0.305, "%s: x %g", current, now.pose.x);
    cr_assert_lt(fabs(now.pose.y), 0.01, "%s: y %g", current, now.pose.y);
    cr_assert_float_eq(now.twist.linear, 0.1, 0.02, "%s: %g m/s", current, now.twist.linear);
    cr_assert(now.left_rad > 5.0 && now.right_rad > 5.0, "%s: wheels %g %g", current, now.left_rad,
              now.right_rad);
}

Test(wheel_contract, drives_forward_with_a_positive_velocity)
{
    static const struct bench_step steps[] = {{0.0, enable}, {0.0, forward}, {3.0, expect_forward}};
    on_all(steps, DPL_COUNT(steps), 3.1, NULL);
}

static void turn(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    CHECK(dpl_wheel_drive(device, 0.0, 0.5), 0);
}

static void expect_turned_left(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    struct dpl_wheel_state now = read_now(device);
    cr_assert(now.pose.theta > 0.8 && now.pose.theta < 1.05, "%s: %g", current, now.pose.theta);
    cr_assert(now.left_rad < -1.0 && now.right_rad > 1.0, "%s: wheels %g %g", current, now.left_rad,
              now.right_rad);
}

Test(wheel_contract, turns_left_with_a_positive_angular_velocity)
{
    static const struct bench_step steps[] = {
        {0.0, enable}, {0.0, turn}, {2.0, expect_turned_left}};
    on_all(steps, DPL_COUNT(steps), 2.1, NULL);
}

static void expect_running(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    cr_assert(read_now(device).running, "%s", current);
}

Test(wheel_contract, stands_still_after_stop)
{
    static const struct bench_step steps[] = {
        {0.0, enable}, {0.0, forward}, {1.0, stop}, {2.0, record}, {3.0, expect_noted_pose}};
    on_all(steps, DPL_COUNT(steps), 3.1, NULL);
}

Test(wheel_contract, stands_still_after_a_halt_until_the_next_command)
{
    static const struct bench_step steps[] = {
        {0.0, enable},  {0.0, forward},       {1.0, halt}, {2.0, record}, {3.0, expect_noted_pose},
        {3.0, forward}, {3.5, expect_running}};
    on_all(steps, DPL_COUNT(steps), 3.6, NULL);
}

static void disable(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    CHECK(dpl_wheel_disable(device), 0);
}

Test(wheel_contract, stands_still_after_disable_and_when_enabled_again)
{
    static const struct bench_step steps[] = {
        {0.0, enable}, {0.0, forward}, {1.0, disable},          {1.1, refuse_motion},
        {2.0, record}, {2.0, enable},  {3.0, expect_noted_pose}};
    on_all(steps, DPL_COUNT(steps), 3.1, NULL);
}

static void go_back(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    CHECK(dpl_wheel_move(device, -0.3, 0.15), 0);
}

static void forward_nowhere(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    CHECK(dpl_wheel_drive(device, 0.0, 0.0), 0);
}

static void expect_not_running(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    cr_assert_not(read_now(device).running, "%s", current);
}

Test(wheel_contract, runs_while_a_velocity_other_than_0_is_commanded)
{
    static const struct bench_step steps[] = {{0.0, enable},
                                              {0.1, expect_not_running},
                                              {0.1, forward},
                                              {0.3, expect_running},
                                              {0.3, forward_nowhere},
                                              {0.4, expect_not_running},
                                              {0.4, forward},
                                              {0.5, expect_running},
                                              {0.5, stop},
                                              {0.6, expect_not_running}};
    on_all(steps, DPL_COUNT(steps), 0.7, NULL);
}

static void expect_back(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    struct dpl_wheel_state now = read_now(device);
    cr_assert_not(now.running, "%s", current);
    cr_assert_float_eq(now.pose.x, -0.3, 0.055, "%s: x %g", current, now.pose.x);
}

Test(wheel_contract, moves_a_distance_backwards_and_says_when_it_is_done)
{
    static const struct bench_step steps[] = {{0.0, enable},         {0.0, go_back},
                                              {0.5, expect_running}, {6.0, expect_back},
                                              {6.0, record},         {7.0, expect_noted_pose}};
    on_all(steps, DPL_COUNT(steps), 7.1, NULL);
}

static void rotate_left(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    CHECK(dpl_wheel_rotate(device, DPL_PI / 2.0, 0.6), 0);
}

static void expect_quarter(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    struct dpl_wheel_state now = read_now(device);
    cr_assert_not(now.running, "%s", current);
    cr_assert_float_eq(now.pose.theta, DPL_PI / 2.0, dpl_deg_to_rad(1.5), "%s: %g rad", current,
                       now.pose.theta);
    cr_assert_lt(hypot(now.pose.x, now.pose.y), 0.02, "%s", current);
}

Test(wheel_contract, rotates_by_an_angle_and_says_when_it_is_done)
{
    static const struct bench_step steps[] = {
        {0.0, enable}, {0.0, rotate_left}, {0.5, expect_running}, {8.0, expect_quarter}};
    on_all(steps, DPL_COUNT(steps), 8.1, NULL);
}

static void follow_stamps(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    struct dpl_wheel_state now;
    if (dpl_wheel_read(device, &now) < 0 || !now.valid) {
        return;
    }
    cr_assert_geq(now.stamp, last_stamp, "%s: stamps go back", current);
    cr_assert_leq(now.stamp, tick->now, "%s: a stamp in the future", current);
    n_stamps += now.stamp > last_stamp;
    last_stamp = now.stamp;
}

static void expect_many_stamps(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_gt(n_stamps, 40, "%s: %d readings in a second", current, n_stamps);
    cr_assert_gt(last_stamp, tick->now - 50 * DPL_MS, "%s: old readings", current);
}

Test(wheel_contract, stamps_its_readings_in_order)
{
    static const struct bench_step steps[] = {
        {0.0, enable}, {0.0, forward}, {1.0, expect_many_stamps}};
    on_all(steps, DPL_COUNT(steps), 1.1, follow_stamps);
}

static const struct dpl_pose2 elsewhere = {5.0, -3.0, 1.0 + 2.0 * DPL_PI};

static void set_position(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    CHECK(dpl_wheel_set_position(device, &elsewhere), 0);
}

static void expect_odometry_elsewhere(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    struct dpl_wheel_state now = read_now(device);
    cr_assert_lt(dpl_pose2_distance(now.pose, elsewhere), 2e-3, "%s: %g %g", current, now.pose.x,
                 now.pose.y);
    cr_assert_float_eq(now.pose.theta, 1.0, 1e-2, "%s: %g", current, now.pose.theta);
    struct dpl_wheel_truth truth;
    if (dpl_wheel_read_truth(device, &truth) == 0) {
        cr_assert_lt(dpl_pose2_distance(truth.pose, noted_truth.pose), 1e-3, "%s jumped", current);
    }
}

static void expect_on_from_there(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    struct dpl_wheel_state now = read_now(device);
    struct dpl_pose2 way = dpl_pose2_relative(elsewhere, now.pose);
    cr_assert(way.x > 0.15 && way.x < 0.21, "%s: %g", current, way.x);
    cr_assert_lt(fabs(way.y), 0.01, "%s: %g", current, way.y);
}

Test(wheel_contract, continues_its_odometry_from_a_position_that_is_set)
{
    static const struct bench_step steps[] = {{0.0, enable},       {0.0, forward},
                                              {2.0, stop},         {3.0, record},
                                              {3.0, set_position}, {3.1, expect_odometry_elsewhere},
                                              {3.1, forward},      {5.1, expect_on_from_there}};
    on_all(steps, DPL_COUNT(steps), 5.2, NULL);
}

static void place(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    struct dpl_pose2 target =
        dpl_pose2_compose(noted_truth.pose, (struct dpl_pose2){0.4, 0.2, 0.5});
    int err = dpl_wheel_place(device, &target); /* at once, or `placing` tells later */
    cr_assert(err == 0 || err == -EINPROGRESS, "%s: %d", current, err);
}

static void expect_placed(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    struct dpl_wheel_state now = read_now(device);
    struct dpl_wheel_truth truth;
    CHECK(dpl_wheel_read_truth(device, &truth), 0);
    CHECK(dpl_wheel_placing(device), 0);
    struct dpl_pose2 moved = dpl_pose2_relative(noted.pose, now.pose);
    struct dpl_pose2 really = dpl_pose2_relative(noted_truth.pose, truth.pose);
    struct dpl_pose2 expected = {0.4, 0.2, 0.5};
    cr_assert_lt(dpl_pose2_distance(moved, expected), 5e-3, "%s: %g %g", current, moved.x, moved.y);
    cr_assert_lt(dpl_pose2_distance(really, expected), 5e-3, "%s: truth %g %g", current, really.x,
                 really.y);
    cr_assert_float_eq(really.theta, expected.theta, 1e-2, "%s: %g", current, really.theta);
}

Test(wheel_contract, places_the_robot_itself)
{
    static const struct bench_step steps[] = {{0.0, enable}, {0.0, forward}, {1.0, stop},
                                              {2.0, record}, {2.0, place},   {2.1, expect_placed}};
    on_all(steps, DPL_COUNT(steps), 2.2, NULL);
}

static void expect_truth_agrees(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    struct dpl_wheel_truth truth;
    CHECK(dpl_wheel_read_truth(device, &truth), 0);
    double way = dpl_pose2_distance(read_now(device).pose, noted.pose);
    double really = dpl_pose2_distance(truth.pose, noted_truth.pose);
    cr_assert_gt(really, 0.15, "%s", current);
    cr_assert_float_eq(way, really, 0.02, "%s: %g m, really %g m", current, way, really);
    cr_assert_leq(truth.stamp, tick->now, "%s", current);
}

Test(wheel_contract, knows_the_truth_that_its_odometry_measures)
{
    static const struct bench_step steps[] = {
        {0.0, enable}, {0.1, record}, {0.1, forward}, {2.1, expect_truth_agrees}};
    on_all(steps, DPL_COUNT(steps), 2.2, NULL);
}

static void race(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    CHECK(dpl_wheel_drive(device, 5.0, 0.0), 0);
}

static void expect_speed_limit(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    double speed = read_now(device).twist.linear; /* MaximumVelocity is 0.2 */
    cr_assert(speed > 0.17 && speed < 0.22, "%s: %g m/s", current, speed);
}

Test(wheel_contract, clamps_commands_to_its_maximum)
{
    static const struct bench_step steps[] = {
        {0.0, enable}, {0.0, race}, {2.0, expect_speed_limit}};
    on_all(steps, DPL_COUNT(steps), 2.1, NULL);
}
