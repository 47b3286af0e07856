/* SPDX-License-Identifier: Apache-2.0 */
/* The contract of device class force_sensor (doppel/drv/force_sensor.h), checked on every driver
 * that runs without hardware. */
#include <errno.h>

#include <criterion/criterion.h>

#include <doppel/drv/force_sensor.h>

#include "bench.h"

static const char *const drivers[] = {"sim", "mock"};

static uint64_t first_sequence, n_cycles;
static struct dpl_force_sample before;

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    bench_run_steps(self, tick);
    return 0;
}

static const struct dpl_component_ops ops = {.execute = execute};
static const struct dpl_component_class class = {
    .name = "ForceBench",
    .ops = &ops,
    .device_class = DPL_FORCE_SENSOR_CLASS,
};

static void on_all(bench_action each_cycle)
{
    for (size_t i = 0; i < DPL_COUNT(drivers); i++) {
        char name[64];
        snprintf(name, sizeof name, "ForceSensor.ApiName=%s", drivers[i]);
        struct bench bench = {
            .file = UNIT "/drivers/force_sensor/data/sensor.xml",
            .sets = {name, "ForceSensor.Source=0 0; 1 10 20 30 1 2 3", "ForceSensor.Offset=1"},
            .duration_s = 0.5,
            .instead = &class,
            .each_cycle = each_cycle};
        n_cycles = 0;
        cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s: %s", drivers[i], bench_error());
        cr_assert_gt(n_cycles, 40);
    }
}

static struct dpl_force_sample read(struct dpl_device *device)
{
    struct dpl_force_sample sample;
    cr_assert_eq(dpl_force_sensor_read(device, &sample), 0);
    return sample;
}

static void measure(struct dpl_component *from, const struct dpl_tick *tick)
{
    struct dpl_device *device = dpl_component_device(from);
    if (n_cycles == 0) {
        cr_assert_not(read(device).valid, "valid before a measurement");
        cr_assert_lt(dpl_force_sensor_tare(device), 0);
    }
    cr_assert_eq(dpl_force_sensor_execute(device, tick), 0);
    struct dpl_force_sample sample = read(device), again = read(device);
    cr_assert(sample.valid && !sample.saturated);
    cr_assert_eq(sample.stamp, tick->now);
    cr_assert_eq(sample.sequence, again.sequence, "reading is no measurement");
    if (n_cycles++ == 0) {
        first_sequence = sample.sequence;
    }
    cr_assert_eq(sample.sequence, first_sequence + n_cycles - 1);
    double t_s = dpl_ns_to_s(tick->now);
    for (int i = 0; i < DPL_SIX; i++) {
        double force = (i < 3 ? 10.0 * (i + 1) : i - 2.0) * t_s;
        cr_assert_float_eq(sample.applied[i], force, 1e-9);
        cr_assert_float_eq(sample.wrench[i], force + 1.0, 1e-9);
    }
}

Test(force_sensor_contract, measures_once_a_cycle_and_knows_the_truth)
{
    on_all(measure);
}

static void tare(struct dpl_component *from, const struct dpl_tick *tick)
{
    struct dpl_device *device = dpl_component_device(from);
    cr_assert_eq(dpl_force_sensor_execute(device, tick), 0);
    struct dpl_force_sample sample = read(device);
    if (n_cycles++ == 10) {
        before = sample;
        cr_assert_eq(dpl_force_sensor_tare(device), 0);
        cr_assert_eq(read(device).wrench[1], 0.0);
    } else if (n_cycles > 11) {
        for (int i = 0; i < DPL_SIX; i++) {
            cr_assert_float_eq(sample.wrench[i], sample.applied[i] - before.applied[i], 1e-9);
        }
    }
}

Test(force_sensor_contract, has_zero_where_it_was_told)
{
    on_all(tare);
}

/* The force's x at the end of a run that varies. */
static double last_x;

static void check_sample(struct dpl_component *from, const struct dpl_tick *tick)
{
    struct dpl_device *device = dpl_component_device(from);
    cr_assert_eq(dpl_force_sensor_execute(device, tick), 0);
    struct dpl_force_sample sample = read(device);
    double t_s = dpl_ns_to_s(tick->now);
    last_x = sample.applied[0];
    cr_assert_leq(last_x, 10.0 * t_s * 1.05 + 1e-9, "not before its time, and little more");
    cr_assert_geq(last_x, 10.0 * (t_s - 0.1) * 0.95 - 1e-9);
    cr_assert(n_cycles++ == 0 || sample.wrench[0] != sample.applied[0], "no noise");
}

static double vary(const char *driver, const char *seed)
{
    char name[64], with_seed[64];
    snprintf(name, sizeof name, "ForceSensor.ApiName=%s", driver);
    snprintf(with_seed, sizeof with_seed, "ForceSensor.Seed=%s", seed);
    struct bench bench = {
        .file = UNIT "/drivers/force_sensor/data/sensor.xml",
        .sets = {name, "ForceSensor.Source=0 0; 1 10", "ForceSensor.Vary=true", with_seed},
        .duration_s = 0.5,
        .instead = &class,
        .each_cycle = check_sample};
    n_cycles = 0;
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s: %s", driver, bench_error());
    return last_x;
}

Test(force_sensor_contract, varies_the_force_by_its_seed_within_what_is_set)
{
    for (size_t i = 0; i < DPL_COUNT(drivers); i++) {
        double first = vary(drivers[i], "1");
        cr_assert_neq(vary(drivers[i], "2"), first);
        cr_assert_eq(vary(drivers[i], "1"), first);
    }
}
