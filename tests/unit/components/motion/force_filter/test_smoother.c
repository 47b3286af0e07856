/* SPDX-License-Identifier: Apache-2.0 */
/* Six filtered channels: good samples, gaps, outages. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "smoother.h"

static struct smoother smoother;
static double out[DPL_SIX];

static void begin(void)
{
    smoother = (struct smoother){.invalid_most = 3};
    cr_assert_eq(dpl_butterworth_design(2, 40.0, 1600.0, &smoother.filter), 0);
    smoother_reset(&smoother);
}

TestSuite(smoother, .init = begin);

static bool step(double value, bool valid)
{
    const double sample[DPL_SIX] = {value, 0.0, 2.0 * value, 0.0, 0.0, -value};
    return smoother_step(&smoother, sample, valid, out);
}

Test(smoother, filters_each_channel_as_the_filter_alone_would)
{
    struct dpl_butterworth_state state;
    dpl_butterworth_reset(&smoother.filter, &state, 0.0);
    for (int i = 0; i < 200; i++) {
        double u = sin(0.1 * i);
        cr_assert(step(u, true));
        double y = dpl_butterworth_step(&smoother.filter, &state, u);
        cr_assert_eq(out[0], y);
        cr_assert_eq(out[5], -y);
        cr_assert_eq(out[1], 0.0);
    }
    cr_assert_eq(smoother.n_invalid, 0);
}

Test(smoother, goes_on_with_the_newest_good_sample_in_a_gap)
{
    for (int i = 0; i < 500; i++) {
        step(10.0, true);
    }
    cr_assert(step((double)NAN, true));
    cr_assert(step(99.0, false));
    cr_assert(smoother_step(&smoother, NULL, false, out));
    cr_assert_float_eq(out[0], 10.0, 1e-6, "%g", out[0]);
    cr_assert_eq(smoother.n_invalid, 3);
    cr_assert_eq(smoother.n_outages, 0);
    cr_assert(step(10.0, true));
    cr_assert(step((double)INFINITY, true)); /* a new gap: the count begins anew */
}

Test(smoother, says_that_nothing_is_known_after_too_long_a_gap)
{
    for (int i = 0; i < 100; i++) {
        step(10.0, true);
    }
    for (int i = 0; i < 3; i++) {
        cr_assert(step(10.0, false));
    }
    for (int i = 0; i < 5; i++) {
        cr_assert_not(step(10.0, false));
        cr_assert_eq(out[0], 0.0);
    }
    cr_assert_eq(smoother.n_outages, 1);
    cr_assert_eq(smoother.n_invalid, 8);
}

Test(smoother, begins_at_rest_after_an_outage)
{
    for (int i = 0; i < 100; i++) {
        step(10.0, true);
    }
    for (int i = 0; i < 10; i++) {
        step(0.0, false);
    }
    cr_assert(step(10.0, true));
    cr_assert_float_eq(out[0], 10.0 * 0.005542717210280681, 1e-12, "%g", out[0]);
    cr_assert_eq(smoother.n_outages, 1);
}
