/* SPDX-License-Identifier: Apache-2.0 */
/* The contract of device class range (doppel/drv/range.h), checked on every driver that runs
 * without hardware: alone, and as HIL over two of them. The robot of the avatar stands in its room;
 * the mock is told what that robot sees to its front. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/drv/range.h>

#include "bench.h"

static const struct range_case {
    const char *name;
    bool is_avatar;
    const char *sets[5];
} cases[] = {
    {"mock", false, {"RangeFinders.ApiName=mock", "RangeFinders.Distance=1.2"}},
    {"avatar", true, {"RangeFinders.ApiName=avatar"}},
    {"hil over mock and avatar",
     false,
     {"RangeFinders.ApiName=hil", "RangeFinders.HardwareDriver=mock",
      "RangeFinders.SimulationDriver=avatar", "RangeFinders.hardware.Distance=1.2"}},
    {"hil over avatar and mock",
     true,
     {"RangeFinders.ApiName=hil", "RangeFinders.HardwareDriver=avatar",
      "RangeFinders.SimulationDriver=mock", "RangeFinders.simulation.Distance=9"}},
};

static const struct range_case *current;
static struct dpl_range_sample last;
static int n_measured;

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct dpl_device *device = dpl_component_device(self);
    struct dpl_range_sample sample;
    cr_assert_eq(dpl_range_execute(device, tick), 0, "%s", current->name);
    cr_assert_eq(dpl_range_read(device, &sample), 0, "%s", current->name);
    cr_assert_eq(sample.n_ranges, 3, "%s", current->name);
    cr_assert_eq(sample.n_contacts, 1, "%s", current->name);
    for (size_t i = 0; i < 3; i++) {
        cr_assert(sample.range_stamps[i] <= tick->now, "%s", current->name);
        cr_assert(sample.range_stamps[i] >= last.range_stamps[i], "%s", current->name);
    }
    n_measured += sample.range_stamps[0] > last.range_stamps[0];
    last = sample;
    bench_run_steps(self, tick);
    return 0;
}

static const struct dpl_component_ops ops = {.execute = execute};
static const struct dpl_component_class range_bench = {
    .name = "RangeBench", .ops = &ops, .device_class = DPL_RANGE_CLASS};

static void expect_twenty_a_second(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert(n_measured >= 38 && n_measured <= 41, "%s: %d in 2 s", current->name, n_measured);
    cr_assert_eq(last.contacts[0], 0.0, "%s", current->name);
    if (!current->is_avatar) {
        cr_assert_eq(last.ranges_m[0], 1.2, "%s: %g m", current->name, last.ranges_m[0]);
        return;
    }
    cr_assert(isinf(last.ranges_m[0]), "%s: %g m", current->name, last.ranges_m[0]);
    cr_assert(last.ranges_m[1] > 0.7 && last.ranges_m[1] < 1.3, "%s: %g m", current->name,
              last.ranges_m[1]);
}

Test(range_contract, gives_each_measurement_at_its_rate_in_the_order_of_the_names)
{
    static const struct bench_step steps[] = {{2.0, expect_twenty_a_second}};
    for (size_t i = 0; i < DPL_COUNT(cases); i++) {
        struct bench bench = {.file = UNIT "/drivers/range/data/standing.xml",
                              .duration_s = 2.1,
                              .instead = &range_bench,
                              BENCH_STEPS(steps)};
        memcpy(bench.sets, cases[i].sets, sizeof cases[i].sets);
        current = &cases[i];
        n_measured = 0;
        last = (struct dpl_range_sample){.range_stamps = {-1, -1, -1}};
        cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s: %s", current->name, bench_error());
    }
}

static void expect_pressed(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(last.contacts[0], 1.0);
    n_measured = 0;
}

static void expect_silence(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(n_measured, 1, "the last at 0.95 s");
}

Test(range_contract, the_mock_is_pressed_and_silent_when_it_is_told)
{
    static const struct bench_step steps[] = {{0.9, expect_pressed}, {1.9, expect_silence}};
    struct bench bench = {.file = UNIT "/drivers/range/data/standing.xml",
                          .sets = {"RangeFinders.PressedFrom=0.5", "RangeFinders.PressedTo=0.94",
                                   "RangeFinders.SilentFrom=1", "RangeFinders.SilentTo=2"},
                          .duration_s = 2.0,
                          .instead = &range_bench,
                          BENCH_STEPS(steps)};
    current = &cases[0];
    last = (struct dpl_range_sample){.range_stamps = {-1, -1, -1}};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
}

Test(range_contract, a_robot_without_the_sensor_is_an_error_with_what_was_asked_for)
{
    struct bench bench = {.file = UNIT "/drivers/range/data/standing.xml",
                          .sets = {"RangeFinders.ApiName=avatar", "RangeFinders.Ranges=frond"},
                          .duration_s = 0.1,
                          .instead = &range_bench};
    cr_assert_lt(bench_create_error(&bench), 0);
    cr_assert_not_null(strstr(bench_error(), "avatar/frond/distance"), "%s", bench_error());
}
