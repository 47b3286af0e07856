/* SPDX-License-Identifier: Apache-2.0 */
/* What the mock base has beyond the class's contract: its frames, its faults. */
#include <math.h>
#include <stdio.h>

#include <criterion/criterion.h>

#include <doppel/drv/wheel_controller.h>

#include "bench.h"

static void enable(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(dpl_wheel_enable(dpl_component_device(from)), 0);
    cr_assert_eq(dpl_wheel_drive(dpl_component_device(from), 0.1, 0.0), 0);
}

static struct dpl_wheel_state read_now(struct dpl_component *from)
{
    struct dpl_wheel_state now;
    cr_assert_eq(dpl_wheel_read(dpl_component_device(from), &now), 0);
    return now;
}

static void set_position(struct dpl_component *from, const struct dpl_tick *tick)
{
    struct dpl_pose2 pose = {3.0, 4.0, 0.0};
    cr_assert_eq(dpl_wheel_set_position(dpl_component_device(from), &pose), 0);
}

static void expect_at_3_4(struct dpl_component *from, const struct dpl_tick *tick)
{
    struct dpl_pose2 pose = read_now(from).pose;
    cr_assert_lt(hypot(pose.x - 3.0, pose.y - 4.0), 1e-3, "%g %g", pose.x, pose.y);
}

/* In an outage from the start nothing has been measured when the position is set. */
Test(wheel_mock, takes_a_position_before_its_first_measurement)
{
    static const struct bench_step steps[] = {{0.0, set_position}, {1.0, expect_at_3_4}};
    struct bench bench = {.file = UNIT "/drivers/wheel_controller/data/wheel.xml",
                          .sets = {"WheelController.TrueX=7", "WheelController.OutageTo=0.5"},
                          .duration_s = 1.1,
                          .instead = &bench_wheel_class,
                          BENCH_STEPS(steps)};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE);
}

static void expect_nothing_measured(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_not(read_now(from).valid);
}

static void expect_old_stamp(struct dpl_component *from, const struct dpl_tick *tick)
{
    struct dpl_wheel_state now = read_now(from);
    cr_assert(now.valid);
    cr_assert_eq(now.stamp, tick->now - 200 * DPL_MS, "%lld", (long long)now.stamp);
}

Test(wheel_mock, is_not_valid_in_an_outage_and_stamps_delayed_poses_with_their_instant)
{
    static const struct bench_step steps[] = {
        {0.0, enable}, {0.4, expect_nothing_measured}, {1.0, expect_old_stamp}};
    struct bench bench = {
        .file = UNIT "/drivers/wheel_controller/data/wheel.xml",
        .sets = {"WheelController.PoseDelayMs=200", "WheelController.OutageTo=0.5"},
        .duration_s = 1.1,
        .instead = &bench_wheel_class,
        BENCH_STEPS(steps)};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE);
}

static struct range {
    char name[40];
    double min, max;
} ranges[100];
static size_t n_ranges;

static void record_ranges(struct dpl_component *from, const struct dpl_tick *tick)
{
    const struct dpl_driver *driver = dpl_component_device(from)->driver;
    for (size_t i = 0; i < driver->n_properties; i++) {
        const struct dpl_field *field = &driver->properties[i];
        if (field->type == DPL_FIELD_DOUBLE || field->type == DPL_FIELD_INT) {
            struct range *range = &ranges[n_ranges++];
            snprintf(range->name, sizeof range->name, "%s", field->name);
            range->min = field->min;
            range->max = field->max;
        }
    }
}

static void assert_opens_with(const char *name, double value)
{
    char set[128];
    snprintf(set, sizeof set, "WheelController.%s=%.15g", name, value);
    struct bench bench = {.file = UNIT "/drivers/wheel_controller/data/wheel.xml",
                          .sets = {set},
                          .duration_s = 0.1,
                          .instead = &bench_wheel_class};
    cr_assert_eq(bench_create_error(&bench), 0, "%s: %s", set, bench_error());
}

/* What a field table offers the driver can do. */
Test(wheel_mock, opens_with_each_property_at_either_end_of_its_range)
{
    static const struct bench_step steps[] = {{0.0, record_ranges}};
    struct bench bench = {.file = UNIT "/drivers/wheel_controller/data/wheel.xml",
                          .duration_s = 0.1,
                          .instead = &bench_wheel_class,
                          BENCH_STEPS(steps)};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE);
    cr_assert_gt(n_ranges, 30);
    for (size_t i = 0; i < n_ranges; i++) {
        assert_opens_with(ranges[i].name, ranges[i].min);
        assert_opens_with(ranges[i].name, ranges[i].max);
    }
}

static void expect_pose_of_then(struct dpl_component *from, const struct dpl_tick *tick)
{
    struct dpl_wheel_state now = read_now(from);
    cr_assert_eq(now.stamp, tick->now - 1500 * DPL_MS, "%lld", (long long)now.stamp);
    cr_assert_float_eq(now.pose.x, 0.05, 0.015, "%g m", now.pose.x); /* 0.1 m/s for 0.5 s, a ramp */
}

Test(wheel_mock, delays_poses_by_as_much_as_it_says)
{
    static const struct bench_step steps[] = {{0.0, enable}, {2.0, expect_pose_of_then}};
    struct bench bench = {.file = UNIT "/drivers/wheel_controller/data/wheel.xml",
                          .sets = {"WheelController.PoseDelayMs=1500"},
                          .duration_s = 2.1,
                          .instead = &bench_wheel_class,
                          BENCH_STEPS(steps)};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
}

static double way_x;

static void record_way(struct dpl_component *from, const struct dpl_tick *tick)
{
    way_x = read_now(from).pose.x;
}

static double drive_with(const char *noise, const char *seed)
{
    static const struct bench_step steps[] = {{0.0, enable}, {1.0, record_way}};
    struct bench bench = {.file = UNIT "/drivers/wheel_controller/data/wheel.xml",
                          .sets = {noise, seed},
                          .duration_s = 1.1,
                          .instead = &bench_wheel_class,
                          BENCH_STEPS(steps)};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE);
    return way_x;
}

Test(wheel_mock, repeats_its_noise_with_a_seed_and_differs_with_another)
{
    const char *noise = "WheelController.PoseNoiseM=0.01";
    double first = drive_with(noise, "WheelController.Seed=5");
    cr_assert_eq(drive_with(noise, "WheelController.Seed=5"), first);
    cr_assert_neq(drive_with(noise, "WheelController.Seed=6"), first);
}
