/* SPDX-License-Identifier: Apache-2.0 */
/* ForceFilter with fakes for the runtime: what it is designed for, gaps, the bypass. */
#include <errno.h>
#include <math.h>

#include "butterworth.h"
#include "fake_runtime.h"

enum { WRENCH, FILTERED };

#define PERIOD 625000

static struct dpl_diag why;
static dpl_ns now;

TestSuite(force_filter_glue, .init = fake_begin, .fini = fake_end);

static const Doppel__Wrench *step(double force, bool valid)
{
    Doppel__Wrench wrench = DOPPEL__WRENCH__INIT;
    wrench.force_x = force;
    wrench.torque_z = -force;
    wrench.valid = valid;
    fake_receive(WRENCH, &wrench, now - 5);
    fake_cycle(now, PERIOD);
    now += PERIOD;
    return &fake.bodies[FILTERED].wrench;
}

static void expect_rate(dpl_ns period, double rate_hz)
{
    struct dpl_butterworth filter;
    cr_assert_eq(fake_start(period, &why), 0, "%s", why.text);
    cr_assert_eq(dpl_butterworth_design(2, 40.0, rate_hz, &filter), 0);
    cr_assert_eq(step(1.0, true)->force_x, filter.sections[0].b[0]);
    cr_assert_eq(fake.bodies[FILTERED].wrench.torque_z, -filter.sections[0].b[0]);
}

Test(force_filter_glue, is_designed_for_its_own_period)
{
    expect_rate(625000, 1600.0);
}

Test(force_filter_glue, is_designed_anew_for_another_period)
{
    expect_rate(625000, 1600.0);
    cr_assert_eq(self.class_->ops->period_changed(&self, 2500000), 0);
    cr_assert_eq(self.class_->ops->start(&self, &why), 0);
    struct dpl_butterworth filter;
    dpl_butterworth_design(2, 40.0, 400.0, &filter);
    cr_assert_eq(step(1.0, true)->force_x, filter.sections[0].b[0]);
}

Test(force_filter_glue, does_not_start_where_the_rate_is_too_low_or_there_is_none)
{
    fake_set("Cutoff", "200");
    cr_assert_eq(fake_start(2500000, &why), -EINVAL);
    cr_assert_not_null(strstr(why.text, "400 Hz"), "%s", why.text);
    fake_end();
    fake_begin();
    cr_assert_eq(fake_start(0, &why), -EINVAL);
    cr_assert_not_null(strstr(why.text, "period"), "%s", why.text);
}

Test(force_filter_glue, passes_the_stamp_of_the_measurement_on)
{
    cr_assert_eq(fake_start(PERIOD, &why), 0);
    now = 1000;
    step(1.0, true);
    cr_assert_eq(fake.stamps[FILTERED], 995);
}

Test(force_filter_glue, counts_what_is_missing_invalid_or_no_number)
{
    fake_set("InvalidMost", "2");
    cr_assert_eq(fake_start(PERIOD, &why), 0);
    cr_assert(step(1.0, true)->valid);
    cr_assert(step(1.0, false)->valid);
    cr_assert(step((double)NAN, true)->valid);
    fake_cycle(now, PERIOD); /* nothing came */
    cr_assert_not(fake.bodies[FILTERED].wrench.valid);
    cr_assert_eq(fake.bodies[FILTERED].wrench.force_x, 0.0);
    cr_assert_eq(fake_export("invalid"), 3.0);
    cr_assert_eq(fake_export("outages"), 1.0);
    cr_assert_eq(fake.n_sent[FILTERED], 4);
}

Test(force_filter_glue, passes_samples_bit_by_bit_when_bypassed)
{
    fake_set("Bypass", "true");
    cr_assert_eq(fake_start(PERIOD, &why), 0);
    cr_assert_eq(step(1.0 / 3.0, true)->force_x, 1.0 / 3.0);
    cr_assert(fake.bodies[FILTERED].wrench.valid);
    cr_assert(signbit(step(-0.0, true)->force_x));
    cr_assert_not(step(5.0, false)->valid);
    cr_assert_eq(fake.bodies[FILTERED].wrench.force_x, 5.0);
    cr_assert(isnan(step((double)NAN, true)->force_x));
}
