/* SPDX-License-Identifier: Apache-2.0 */
/* The contract of device class laser_scanner (doppel/drv/laser_scanner.h), checked on every driver
 * that runs without hardware: alone, and as HIL over two of them. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/drv/laser_scanner.h>

#include "bench.h"

static const struct laser_case {
    const char *name;
    const char *sets[4];
} cases[] = {
    {"mock", {"LaserScanner.ApiName=mock"}},
    {"avatar", {"LaserScanner.ApiName=avatar"}},
    {"hil over mock and mock",
     {"LaserScanner.ApiName=hil", "LaserScanner.HardwareDriver=mock",
      "LaserScanner.SimulationDriver=mock"}},
    {"hil over mock and avatar",
     {"LaserScanner.ApiName=hil", "LaserScanner.HardwareDriver=mock",
      "LaserScanner.SimulationDriver=avatar"}},
    {"hil over avatar and mock",
     {"LaserScanner.ApiName=hil", "LaserScanner.HardwareDriver=avatar",
      "LaserScanner.SimulationDriver=mock"}},
};

static const char *current;
static uint64_t last_sequence;
static dpl_ns last_stamp;
static int n_scans;

static void on_all(const struct bench_step *steps, size_t n_steps, double duration_s,
                   bench_action each_cycle)
{
    for (size_t i = 0; i < DPL_COUNT(cases); i++) {
        struct bench bench = {.file = UNIT "/drivers/laser_scanner/data/laser.xml",
                              .duration_s = duration_s,
                              .instead = &bench_laser_class,
                              .steps = steps,
                              .n_steps = n_steps,
                              .each_cycle = each_cycle};
        memcpy(bench.sets, cases[i].sets, sizeof cases[i].sets);
        current = cases[i].name;
        last_sequence = UINT64_MAX;
        last_stamp = INT64_MIN;
        n_scans = 0;
        cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s: %s", current, bench_error());
    }
}

#define DEVICE struct dpl_device *device = dpl_component_device(from)

static void enable(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    cr_assert_eq(dpl_laser_enable(device), 0, "%s", current);
}

static void disable(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    cr_assert_eq(dpl_laser_disable(device), 0, "%s", current);
}

static void expect_none(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    const struct dpl_laser_scan *scan;
    cr_assert_eq(dpl_laser_read(device, UINT64_MAX, &scan), -EAGAIN, "%s", current);
}

Test(laser_contract, has_no_scan_before_it_is_enabled)
{
    static const struct bench_step steps[] = {{0.5, expect_none}};
    on_all(steps, DPL_COUNT(steps), 0.6, NULL);
}

static void check_ranges(const struct dpl_laser_scan *scan)
{
    cr_assert(scan->n > 0 && scan->n <= DPL_LASER_RANGES_MAX, "%s: %u", current, scan->n);
    cr_assert(scan->n_intensities == 0 || scan->n_intensities == scan->n, "%s", current);
    cr_assert(scan->step_angle_rad > 0.0 && scan->period_s > 0.0, "%s", current);
    cr_assert_leq(scan->start_angle_rad + scan->n * scan->step_angle_rad, 2.0 * DPL_PI);
    uint32_t n_returns = 0;
    for (uint32_t i = 0; i < scan->n; i++) {
        double range = (double)scan->ranges_m[i];
        bool valid = range >= scan->min_range_m - 1e-6 && range <= scan->max_range_m + 1e-6;
        cr_assert(range == 0.0 || valid, "%s: range %g", current, range);
        n_returns += range > 0.0;
    }
    cr_assert_gt(n_returns, scan->n / 10, "%s: %u returns", current, n_returns);
}

static void read_scan(struct dpl_component *from, const struct dpl_tick *tick)
{
    DEVICE;
    const struct dpl_laser_scan *scan, *again;
    int err = dpl_laser_read(device, last_sequence, &scan);
    if (err < 0) {
        cr_assert_eq(err, -EAGAIN, "%s: %d", current, err);
        return;
    }
    cr_assert(last_sequence == UINT64_MAX || scan->sequence > last_sequence, "%s", current);
    cr_assert_gt(scan->stamp, last_stamp, "%s: stamps do not increase", current);
    cr_assert_leq(scan->stamp, tick->now, "%s: a stamp in the future", current);
    check_ranges(scan);
    last_sequence = scan->sequence;
    last_stamp = scan->stamp;
    n_scans++;
    cr_assert_eq(dpl_laser_read(device, last_sequence, &again), -EAGAIN, "%s", current);
    cr_assert_eq(dpl_laser_read(device, UINT64_MAX, &again), 0, "%s", current);
    cr_assert_eq(again->sequence, last_sequence, "%s", current);
}

static void expect_ten_a_second(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert(n_scans >= 18 && n_scans <= 22, "%s: %d scans in 2 s", current, n_scans);
}

Test(laser_contract, gives_each_scan_once_in_order_at_its_rate)
{
    static const struct bench_step steps[] = {{0.0, enable}, {2.0, expect_ten_a_second}};
    on_all(steps, DPL_COUNT(steps), 2.1, read_scan);
}

static void forget_count(struct dpl_component *from, const struct dpl_tick *tick)
{
    n_scans = 0;
}

static void expect_no_more(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(n_scans, 0, "%s: %d scans while disabled", current, n_scans);
}

static void expect_some(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_geq(n_scans, 4, "%s: %d scans after it was enabled again", current, n_scans);
}

Test(laser_contract, scans_no_more_while_it_is_disabled_and_goes_on_when_enabled)
{
    static const struct bench_step steps[] = {{0.0, enable},       {0.5, disable},
                                              {0.6, forget_count}, {1.0, expect_no_more},
                                              {1.0, enable},       {1.6, expect_some}};
    on_all(steps, DPL_COUNT(steps), 1.7, read_scan);
}
