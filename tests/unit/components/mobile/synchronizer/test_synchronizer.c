/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronizer over a HIL base of two mocks that differ: it takes the avatar's velocity, keeps the
 * avatar near, never touches the robot's commands, and the avatar is given back when it is gone. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "probe.h"

static void drive(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(probe_drive(from, PROBE_BASE, 0.1, 0.0), 0);
}

static double speed(struct dpl_component *from, unsigned port)
{
    struct probe_reading now = probe_odometry(from, port);
    cr_assert_eq(now.err, 0);
    return now.twist.linear;
}

static void expect_robot_as_commanded(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_float_eq(speed(from, PROBE_HARDWARE), 0.1, 1e-6);
}

static void stop(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(probe_call(from, PROBE_BASE, DPL_WHEEL_CONTROLLER_STOP_WHEEL), 0);
}

static double true_final_mm, n_refused, tracking, n_lost;

static void run(const struct bench_step *steps, size_t n_steps, double duration_s,
                const char *const sets[4])
{
    const char *folder = bench_make_folder();
    struct bench bench = {PROBE_BENCH("twin.xml"), .duration_s = duration_s, .out_dir = folder,
                          .steps = steps, .n_steps = n_steps};
    memcpy(bench.sets, sets, 4 * sizeof sets[0]);
    enum dpl_exit code = bench_run(&bench);
    true_final_mm = bench_summary(folder, "sync.true_final_mm");
    n_refused = bench_summary(folder, "sync.refused");
    tracking = bench_summary(folder, "sync.tracking");
    n_lost = bench_summary(folder, "sync.lost_ticks");
    bench_remove_folder(folder);
    cr_assert_eq(code, DPL_EXIT_DONE, "%s", bench_error());
}

/* The avatar's wheels are 10 % too small: left alone it would be 100 mm behind after a metre. */
#define SMALL_WHEELS "WheelController.simulation.WheelScaleLeft=0.9"

static const struct bench_step way[] = {
    {0.0, drive}, {5.0, expect_robot_as_commanded}, {10.0, stop}};

Test(synchronizer, keeps_an_avatar_with_other_wheels_near_and_the_robot_as_commanded)
{
    const char *sets[4] = {SMALL_WHEELS, "WheelController.simulation.WheelScaleRight=0.9"};
    run(way, DPL_COUNT(way), 13.0, sets);
    cr_assert_lt(true_final_mm, 10.0, "%g mm", true_final_mm);
    cr_assert_eq(n_refused, 0.0);
}

Test(synchronizer, leaves_the_avatar_to_the_fan_out_with_strategy_none)
{
    const char *sets[4] = {SMALL_WHEELS, "WheelController.simulation.WheelScaleRight=0.9",
                           "Synchronizer.Strategy=none"};
    run(way, DPL_COUNT(way), 13.0, sets);
    cr_assert(true_final_mm > 80.0 && true_final_mm < 120.0, "%g mm", true_final_mm);
}

static void take_it_away(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(probe_call(from, PROBE_SIMULATION, DPL_WHEEL_CONTROLLER_TAKE_WHEEL), -EBUSY);
    cr_assert_eq(probe_drive(from, PROBE_SIMULATION, 0.0, 0.0), -EPERM);
    cr_assert_eq(probe_call(from, PROBE_SIMULATION, DPL_WHEEL_CONTROLLER_RELEASE_WHEEL), -EPERM);
}

Test(synchronizer, is_the_only_one_that_moves_the_avatar)
{
    static const struct bench_step steps[] = {{0.0, drive}, {5.0, take_it_away}, {10.0, stop}};
    const char *sets[4] = {SMALL_WHEELS, "WheelController.simulation.WheelScaleRight=0.9"};
    run(steps, DPL_COUNT(steps), 13.0, sets);
    cr_assert_lt(true_final_mm, 10.0, "%g mm", true_final_mm);
    cr_assert_eq(n_refused, 0.0);
}

/* 700 ms after the last correction. */
Test(synchronizer, keeps_the_avatar_between_corrections_that_are_far_apart)
{
    static const struct bench_step steps[] = {{0.0, drive}, {5.2, take_it_away}};
    const char *sets[4] = {"Synchronizer.Period=1500"};
    run(steps, DPL_COUNT(steps), 6.0, sets);
    cr_assert_eq(n_refused, 0.0);
}

static int n_taken;

static void take_once(struct dpl_component *from, const struct dpl_tick *tick)
{
    n_taken += probe_call(from, PROBE_SIMULATION, DPL_WHEEL_CONTROLLER_TAKE_WHEEL) == 0;
}

/* Without a strategy the avatar is the application's while that commands the robot, and free to
 * take. Once nobody commands the robot the Synchronizer wants it, every 100 ms, until its owner has
 * been silent for 500 ms. */
Test(synchronizer, counts_what_the_avatar_of_another_owner_refuses_and_takes_it_when_it_is_free)
{
    static const struct bench_step steps[] = {{0.0, drive}, {1.0, take_once}, {1.0, stop}};
    const char *sets[4] = {"Synchronizer.Strategy=none"};
    run(steps, DPL_COUNT(steps), 3.0, sets);
    cr_assert_eq(n_taken, 1);
    cr_assert(n_refused >= 4.0 && n_refused <= 6.0, "%g", n_refused);
}

static void lose_the_robot(const char *strategy)
{
    static const struct bench_step steps[] = {{0.0, drive}};
    const char *sets[4] = {"WheelController.hardware.PoseDropRate=1", "Synchronizer.OnLost=stop",
                           strategy};
    run(steps, DPL_COUNT(steps), 8.0, sets);
    cr_assert_gt(true_final_mm, 400.0, "%g mm: the avatar drives on alone", true_final_mm);
    cr_assert_gt(n_lost, 40.0);
    cr_assert(isnan(tracking), "nothing is measured");
}

Test(synchronizer, has_lost_a_robot_whose_pose_never_comes_and_stops_the_avatar)
{
    lose_the_robot("Synchronizer.Strategy=adaptive");
    lose_the_robot("Synchronizer.Strategy=none");
}

static double way_of_avatar(struct dpl_component *from)
{
    struct dpl_pose2 pose;
    bool valid;
    cr_assert_eq(probe_pose(from, PROBE_SIMULATION, DPL_WHEEL_CONTROLLER_GET_TRUTH, &valid, &pose),
                 0);
    return pose.x;
}

static double noted_m;

static void record_avatar(struct dpl_component *from, const struct dpl_tick *tick)
{
    noted_m = way_of_avatar(from);
}

static void expect_avatar_stands(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_float_eq(way_of_avatar(from), noted_m, 2e-3, "%g m", way_of_avatar(from) - noted_m);
}

Test(synchronizer, lets_the_avatar_stand_with_the_robot)
{
    static const struct bench_step steps[] = {
        {0.0, drive}, {3.0, stop}, {6.0, record_avatar}, {9.0, expect_avatar_stands}};
    const char *sets[4] = {SMALL_WHEELS};
    run(steps, DPL_COUNT(steps), 9.1, sets);
}

static void push_hardware(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(probe_drive(from, PROBE_HARDWARE, 0.1, 0.0), 0);
}

/* Nobody commands the base as a whole: the avatar follows what the robot does. */
Test(synchronizer, follows_a_robot_that_others_drive)
{
    static const struct bench_step steps[] = {{1.0, push_hardware}};
    const char *sets[4] = {NULL};
    run(steps, DPL_COUNT(steps), 8.0, sets);
    cr_assert_lt(true_final_mm, 60.0, "%g mm", true_final_mm);
}
