/* SPDX-License-Identifier: Apache-2.0 */
/* The HIL driver of lasers over two mocks in different rooms, and the mock's own faults. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/drv/laser_scanner.h>

#include "bench.h"

static int n_scans;
static uint64_t last_sequence;
static float front_m;

static void enable(struct dpl_component *from, const struct dpl_tick *tick)
{
    last_sequence = UINT64_MAX;
    cr_assert_eq(dpl_laser_enable(dpl_component_device(from)), 0);
}

static void read_scan(struct dpl_component *from, const struct dpl_tick *tick)
{
    const struct dpl_laser_scan *scan;
    if (dpl_laser_read(dpl_component_device(from), last_sequence, &scan) == 0) {
        last_sequence = scan->sequence;
        n_scans++;
        front_m = scan->ranges_m[scan->n / 2];
    }
}

static void expect_hardware_room(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_float_eq((double)front_m, 1.0, 0.01, "%g m", (double)front_m);
    const struct dpl_laser_scan *scan;
    struct dpl_device *simulation = dpl_device_side(dpl_component_device(from), 1);
    cr_assert_eq(dpl_laser_read(simulation, UINT64_MAX, &scan), 0);
    cr_assert_float_eq((double)scan->ranges_m[scan->n / 2], 2.0, 0.01);
}

static void lose_simulation(struct dpl_component *from, const struct dpl_tick *tick)
{
    dpl_device_lost(dpl_device_side(dpl_component_device(from), 1), "gone for the test");
    n_scans = 0;
}

static void expect_scans(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_geq(n_scans, 4, "%d", n_scans);
    cr_assert_eq(tick->halt, 0);
}

Test(laser_hil, gives_the_hardwares_scans_whatever_becomes_of_the_simulation)
{
    static const struct bench_step steps[] = {
        {0.0, enable}, {0.5, expect_hardware_room}, {0.5, lose_simulation}, {1.0, expect_scans}};
    struct bench bench = {.file = UNIT "/drivers/laser_scanner/data/laser.xml",
                          .sets = {"LaserScanner.ApiName=hil", "LaserScanner.HardwareDriver=mock",
                                   "LaserScanner.SimulationDriver=mock",
                                   "LaserScanner.hardware.RoomLength=2",
                                   "LaserScanner.simulation.RoomLength=4"},
                          .duration_s = 1.1,
                          .instead = &bench_laser_class,
                          BENCH_STEPS(steps),
                          .each_cycle = read_scan};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
}

static void reset_count(struct dpl_component *from, const struct dpl_tick *tick)
{
    n_scans = 0;
}

static void expect_silence(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(n_scans, 0, "%d", n_scans);
}

Test(laser_mock, is_silent_as_long_as_it_is_told)
{
    static const struct bench_step steps[] = {
        {0.0, enable}, {0.5, reset_count}, {0.99, expect_silence}, {1.5, expect_scans}};
    struct bench bench = {.file = UNIT "/drivers/laser_scanner/data/laser.xml",
                          .sets = {"LaserScanner.SilentFrom=0.5", "LaserScanner.SilentTo=1"},
                          .duration_s = 1.6,
                          .instead = &bench_laser_class,
                          BENCH_STEPS(steps),
                          .each_cycle = read_scan};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
}

Test(laser_mock, refuses_ranges_that_contain_nothing)
{
    struct bench bench = {.file = UNIT "/drivers/laser_scanner/data/laser.xml",
                          .sets = {"LaserScanner.MinimumRange=2", "LaserScanner.MaximumRange=2"},
                          .duration_s = 1.0,
                          .instead = &bench_laser_class};
    cr_assert_lt(bench_create_error(&bench), 0);
    cr_assert_not_null(strstr(bench_error(), "MaximumRange"), "%s", bench_error());
}
