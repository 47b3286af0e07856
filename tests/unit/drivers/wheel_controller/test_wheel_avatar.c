/* SPDX-License-Identifier: Apache-2.0 */
/* What the driver of bases in a world has beyond the class's contract: where it lets itself be put,
 * what it says when that does not work, and what the Synchronizer makes of it. */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include <criterion/criterion.h>

#include <doppel/drv/wheel_controller.h>

#include "bench.h"

static struct dpl_pose2 before;

static struct dpl_device *base_of(struct dpl_component *from)
{
    return dpl_component_device(from);
}

static struct dpl_pose2 truth_of(struct dpl_component *from)
{
    struct dpl_wheel_truth truth;
    cr_assert_eq(dpl_wheel_read_truth(base_of(from), &truth), 0);
    return truth.pose;
}

static struct dpl_pose2 odometry_of(struct dpl_component *from)
{
    struct dpl_wheel_state now;
    cr_assert_eq(dpl_wheel_read(base_of(from), &now), 0);
    return now.pose;
}

static void place(struct dpl_component *from, double x, double y, double theta)
{
    struct dpl_pose2 pose = {x, y, theta};
    before = odometry_of(from);
    cr_assert_eq(dpl_wheel_place(base_of(from), &pose), -EINPROGRESS);
    cr_assert_eq(dpl_wheel_placing(base_of(from)), -EINPROGRESS);
    cr_assert_lt(dpl_pose2_distance(odometry_of(from), before), 1e-9, "not there yet");
}

static enum dpl_exit run(const char *folder, const struct bench_step *steps, size_t n_steps)
{
    struct bench bench = {.file = UNIT "/drivers/wheel_controller/data/wheel.xml",
                          .sets = {"WheelController.ApiName=avatar",
                                   "WheelController.World=" UNIT
                                   "/drivers/wheel_controller/data/box_ahead.xml"},
                          .duration_s = 4.0,
                          .out_dir = folder,
                          .instead = &bench_wheel_class,
                          .steps = steps,
                          .n_steps = n_steps};
    return bench_run(&bench);
}

static void start(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(dpl_wheel_enable(base_of(from)), 0);
    cr_assert_eq(dpl_wheel_drive(base_of(from), 0.1, 0.2), 0);
}

static void place_in_the_box(struct dpl_component *from, const struct dpl_tick *tick)
{
    place(from, 1.6, 0.1, 0.0);
}

static void expect_refused(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(dpl_wheel_placing(base_of(from)), -EBUSY);
    cr_assert_lt(dpl_pose2_distance(odometry_of(from), before), 0.02, "it has driven on");
    cr_assert_lt(dpl_pose2_distance(odometry_of(from), truth_of(from)), 0.012);
}

static void place_beside_it(struct dpl_component *from, const struct dpl_tick *tick)
{
    place(from, 1.0, 1.0, 2.0);
}

static void expect_there(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(dpl_wheel_placing(base_of(from)), 0);
    struct dpl_pose2 there = {1.0, 1.0, 2.0};
    cr_assert_lt(dpl_pose2_distance(truth_of(from), there), 0.02);
    cr_assert_lt(dpl_pose2_distance(odometry_of(from), truth_of(from)), 0.012);
    cr_assert_float_eq(dpl_wrap_angle(odometry_of(from).theta - truth_of(from).theta), 0, 0.02);
}

Test(wheel_avatar, lets_itself_be_put_only_where_it_fits)
{
    static const struct bench_step steps[] = {
        {0.0, start},           {1.0, place_in_the_box}, {1.1, expect_refused},
        {2.0, place_beside_it}, {2.1, expect_there},
    };
    const char *folder = bench_make_folder();
    cr_assert_eq(run(folder, steps, sizeof steps / sizeof steps[0]), DPL_EXIT_DONE);
    cr_assert_eq(bench_summary(folder, "devices/WheelController/refused_places"), 1.0);
    cr_assert_eq(bench_summary(folder, "devices/WheelController/ejections"), 0.0);
    bench_remove_folder(folder);
}

static void expect_there_in_both_frames(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(dpl_wheel_placing(base_of(from)), 0);
    struct dpl_pose2 really = {1.0, 1.0, 2.0};
    struct dpl_pose2 by_odometry = dpl_pose2_compose((struct dpl_pose2){5.0, -2.0, 1.0}, really);
    cr_assert_lt(dpl_pose2_distance(truth_of(from), really), 0.02);
    cr_assert_lt(dpl_pose2_distance(odometry_of(from), by_odometry), 0.02, "%g %g",
                 odometry_of(from).x, odometry_of(from).y);
}

/* The frame of its odometry is another one than its world's. */
Test(wheel_avatar, is_put_at_a_pose_of_its_world_and_its_odometry_goes_on_in_its_own_frame)
{
    static const struct bench_step steps[] = {
        {0.0, start}, {1.0, place_beside_it}, {1.1, expect_there_in_both_frames}};
    struct bench bench = {.file = UNIT "/drivers/wheel_controller/data/wheel.xml",
                          .sets = {"WheelController.ApiName=avatar", "WheelController.StartX=5",
                                   "WheelController.StartY=-2", "WheelController.StartTheta=1"},
                          .duration_s = 1.2,
                          .instead = &bench_wheel_class,
                          .steps = steps,
                          .n_steps = sizeof steps / sizeof steps[0]};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE);
}

static double speed_at[2], slipped_m; /* half and one second after a start to 0.2 m/s */

static void drive_off(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(dpl_wheel_enable(base_of(from)), 0);
    cr_assert_eq(dpl_wheel_drive(base_of(from), 0.2, 0.0), 0);
}

static double speed_of(struct dpl_component *from)
{
    struct dpl_wheel_state now;
    cr_assert_eq(dpl_wheel_read(base_of(from), &now), 0);
    return now.twist.linear;
}

static void record_half(struct dpl_component *from, const struct dpl_tick *tick)
{
    speed_at[0] = speed_of(from);
}

static void record_whole(struct dpl_component *from, const struct dpl_tick *tick)
{
    speed_at[1] = speed_of(from);
    slipped_m = dpl_pose2_distance(odometry_of(from), truth_of(from));
}

static void start_with(const char *acceleration)
{
    static const struct bench_step steps[] = {
        {0.0, drive_off}, {0.5, record_half}, {1.0, record_whole}};
    struct bench bench = {.file = UNIT "/drivers/wheel_controller/data/wheel.xml",
                          .sets = {"WheelController.ApiName=avatar", acceleration},
                          .duration_s = 1.1,
                          .instead = &bench_wheel_class,
                          .steps = steps,
                          .n_steps = sizeof steps / sizeof steps[0]};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE);
}

/* The model's motor has a latency and a lag beside. */
Test(wheel_avatar, speeds_up_along_its_acceleration)
{
    start_with("WheelController.Acceleration=0.1");
    cr_assert_float_eq(speed_at[1] - speed_at[0], 0.05, 0.002, "%g m/s", speed_at[1] - speed_at[0]);
    cr_assert(speed_at[0] > 0.035 && speed_at[0] < 0.05, "%g m/s", speed_at[0]);
    start_with("WheelController.Acceleration=0.2");
    cr_assert_float_eq(speed_at[1] - speed_at[0], 0.10, 0.004, "%g m/s", speed_at[1] - speed_at[0]);
}

Test(wheel_avatar, slips_at_a_start_only_when_it_may_jump)
{
    start_with("WheelController.Acceleration=100");
    cr_assert_gt(slipped_m, 2e-3, "%g m", slipped_m);
    start_with(NULL);
    cr_assert_lt(slipped_m, 5e-4, "%g m by default", slipped_m);
}

/* The real robot, a mock without walls, drives through the box; its avatar meets it. */
static void follow_through_the_box(const char *folder, const char *teleport)
{
    struct bench bench = {.file = PROFILES "/apps/sync_experiment.xml",
                          .sets = {"WheelController.SimulationDriver=avatar",
                                   "WheelController.simulation.World=" UNIT
                                   "/drivers/wheel_controller/data/box_ahead.xml",
                                   "WheelController.WheelDiameter=0.07",
                                   "WheelController.AxleDistance=0.23",
                                   "VelocityScript.Script=0 0.2 0; 18 0 0", teleport},
                          .duration_s = 20.0,
                          .out_dir = folder};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE);
}

Test(wheel_avatar, teleport_into_an_obstacle_is_refused_until_the_robot_is_past_it)
{
    const char *folder = bench_make_folder();
    follow_through_the_box(folder, "Synchronizer.Teleport=true");
    double refused = bench_summary(folder, "sync.refused_places");
    cr_assert(refused >= 3.0 && refused <= 30.0, "refused %g times", refused);
    cr_assert_eq(bench_summary(folder, "sync.teleports"), 1.0, "behind the box it fits again");
    cr_assert_eq(bench_summary(folder, "devices/WheelController.simulation/ejections"), 0.0);
    cr_assert_eq(bench_summary(folder, "devices/WheelController.simulation/refused_places"),
                 refused);
    cr_assert_lt(bench_summary(folder, "sync.true_max_mm"), 1700.0, "the way through the box");
    cr_assert_lt(bench_summary(folder, "sync.true_final_mm"), 20.0);
    bench_remove_folder(folder);
}

Test(wheel_avatar, without_teleport_it_stays_before_the_box)
{
    const char *folder = bench_make_folder();
    follow_through_the_box(folder, "Synchronizer.Teleport=false");
    cr_assert_eq(bench_summary(folder, "sync.teleports"), 0.0);
    cr_assert_gt(bench_summary(folder, "sync.true_final_mm"), 1500.0);
    bench_remove_folder(folder);
}

/* What each feels of the box, by its bumper: with one in the world of the real robot, of the avatar
 * or of both. */
static double contact_mismatches(const char *real_world, const char *avatar_world)
{
    char worlds[2][256];
    snprintf(worlds[0], sizeof worlds[0], "WheelController.hardware.World=%s", real_world);
    snprintf(worlds[1], sizeof worlds[1], "WheelController.simulation.World=%s", avatar_world);
    const char *folder = bench_make_folder();
    struct bench bench = {
        .file = PROFILES "/apps/sync_experiment.xml",
        .sets = {"WheelController.HardwareDriver=avatar", "WheelController.SimulationDriver=avatar",
                 worlds[0], worlds[1], "WheelController.WheelDiameter=0.07",
                 "WheelController.AxleDistance=0.23", "VelocityScript.Script=0 0.2 0; 11 0 0"},
        .duration_s = 12.0,
        .out_dir = folder};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE);
    double ticks = bench_summary(folder, "sync.contact_mismatch_ticks");
    bench_remove_folder(folder);
    return ticks;
}

Test(wheel_avatar, a_robot_that_pushes_while_the_other_drives_on_is_a_contact_mismatch)
{
    const char *const box = UNIT "/drivers/wheel_controller/data/box_ahead.xml",
                      *const nothing = PROFILES "/worlds/empty.xml";
    double real = contact_mismatches(box, nothing), avatar = contact_mismatches(nothing, box);
    cr_assert_gt(real, 20.0, "%g", real);
    cr_assert_gt(avatar, 20.0, "%g", avatar);
    double both = contact_mismatches(box, UNIT "/drivers/wheel_controller/data/box_ahead_too.xml");
    cr_assert_leq(both, 8.0, "%g: one of them is the first", both);
}

static void expect_pressed(struct dpl_component *from, const struct dpl_tick *tick)
{
    struct dpl_wheel_state now;
    cr_assert_eq(dpl_wheel_read(base_of(from), &now), 0);
    cr_assert(now.has_bumper && now.pressed);
    cr_assert_eq(dpl_wheel_drive(base_of(from), -0.2, 0.0), 0);
}

static void expect_free(struct dpl_component *from, const struct dpl_tick *tick)
{
    struct dpl_wheel_state now;
    cr_assert_eq(dpl_wheel_read(base_of(from), &now), 0);
    cr_assert(now.has_bumper && !now.pressed);
}

Test(wheel_avatar, feels_with_its_bumper_what_it_pushes)
{
    static const struct bench_step steps[] = {
        {0.0, drive_off}, {2.0, expect_free}, {9.0, expect_pressed}, {10.5, expect_free}};
    struct bench bench = {.file = UNIT "/drivers/wheel_controller/data/wheel.xml",
                          .sets = {"WheelController.ApiName=avatar",
                                   "WheelController.World=" UNIT
                                   "/drivers/wheel_controller/data/box_ahead.xml"},
                          .duration_s = 11.0,
                          .instead = &bench_wheel_class,
                          .steps = steps,
                          .n_steps = sizeof steps / sizeof steps[0]};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE);
}
