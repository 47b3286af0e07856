/* SPDX-License-Identifier: Apache-2.0 */
/* RangeFinders with a fake driver: what it makes of measurements, of their age and of errors. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/drv/range.h>
#include <doppel/msg/range.h>

#include "fake_runtime.h"

enum { RANGES, TOUCHED };

static struct dpl_range_sample sample;
static int read_error;
static dpl_ns now;

static int read_sample(struct dpl_device *device, const void *in, void *out)
{
    *(struct dpl_range_sample *)out = sample;
    return read_error;
}

static const dpl_device_call_fn api[DPL_DRV_RANGE_N_CALLS] = {
    [DPL_DRV_RANGE_READ] = read_sample,
};
static struct dpl_driver driver = {.name = "fake", .device_class = &dpl_range_class, .api = api};
static struct dpl_device device = {.driver = &driver};

static void begin(void)
{
    fake_begin();
    fake.device = &device;
    now = 100 * DPL_MS;
    sample = (struct dpl_range_sample){
        .n_ranges = 2, .n_contacts = 1, .range_stamps = {-1, -1}, .contact_stamps = {-1}};
    cr_assert_eq(fake_start(50 * DPL_MS, NULL), 0);
}

TestSuite(range_finders_glue, .init = begin, .fini = fake_end);

static const Doppel__RangeReadings *cycle(void)
{
    fake_cycle(now, 50 * DPL_MS);
    now += 50 * DPL_MS;
    return fake_sent(RANGES);
}

static void measure(double left_m, double right_m, bool touched)
{
    sample.ranges_m[0] = left_m;
    sample.ranges_m[1] = right_m;
    sample.contacts[0] = touched;
    sample.range_stamps[0] = sample.range_stamps[1] = sample.contact_stamps[0] = now;
}

Test(range_finders_glue, publishes_each_sensor_in_order)
{
    measure(0.5, (double)INFINITY, true);
    const Doppel__RangeReadings *ranges = cycle();
    cr_assert_eq(ranges->n_range, 2);
    cr_assert_eq(ranges->range[0], 0.5);
    cr_assert(isinf(ranges->range[1]));
    cr_assert(ranges->valid[0] && ranges->valid[1]);
    cr_assert_eq(ranges->n_contact, 1);
    cr_assert(ranges->contact[0] && ranges->contact_valid[0]);
    cr_assert_eq(fake_export("nearest"), 0.5);
    cr_assert_eq(fake_export("range_1"), 0.5);
}

Test(range_finders_glue, what_was_not_measured_or_is_old_is_not_valid_and_told_once)
{
    cr_assert_not(cycle()->valid[0]);
    cr_assert_eq(fake_export("stale"), 0.0);
    cr_assert(isnan(fake_export("nearest")));
    measure(0.5, 0.7, true);
    (void)cycle();
    for (int i = 0; i < 12; i++) {
        sample.range_stamps[1] = now;
        (void)cycle();
    }
    const Doppel__RangeReadings *ranges = cycle();
    cr_assert_not(ranges->valid[0]);
    cr_assert(ranges->valid[1]);
    cr_assert_not(ranges->contact_valid[0] || ranges->contact[0], "nobody knows");
    cr_assert_eq(fake_export("nearest"), 0.7);
    cr_assert_not_null(strstr(fake.log, "range finder 1 of 2 is silent"), "%s", fake.log);
    cr_assert_not_null(strstr(fake.log, "bumper 1 of 1 is silent"), "%s", fake.log);
    cr_assert_null(strstr(strstr(fake.log, "1 of 2 is silent") + 1, "1 of 2 is silent"));
    measure(0.5, 0.7, false);
    cr_assert(cycle()->valid[0]);
    cr_assert_not_null(strstr(fake.log, "range finder 1 of 2 measures again"), "%s", fake.log);
}

Test(range_finders_glue, a_touch_is_one_event)
{
    static const bool touched[] = {false, true, true, false, true};
    for (size_t i = 0; i < sizeof touched; i++) {
        measure(1.0, 1.0, touched[i]);
        (void)cycle();
    }
    cr_assert_eq(fake_export("touches"), 2.0);
    cr_assert_eq(fake.ports[TOUCHED].n_sent, 2);
}

Test(range_finders_glue, nothing_is_valid_without_the_device)
{
    measure(0.5, 0.7, true);
    (void)cycle();
    read_error = -ENODEV;
    const Doppel__RangeReadings *ranges = cycle();
    cr_assert_not(ranges->valid[0] || ranges->valid[1] || ranges->contact[0]);
    cr_assert_eq(fake_export("errors"), 1.0);
    cr_assert(isnan(fake_export("range_1")));
}

Test(range_finders_glue, traces_nothing_while_the_device_is_lost)
{
    measure(0.5, 0.7, true);
    (void)cycle();
    cr_assert_eq(fake_export("range_1"), 0.5);
    cr_assert_eq(fake.self.class_->ops->error(&fake.self, -ENODEV), 0);
    cr_assert(isnan(fake_export("range_1")));
    cr_assert(isnan(fake_export("nearest")));
    cr_assert_eq(fake_export("touched"), 0.0);
}
