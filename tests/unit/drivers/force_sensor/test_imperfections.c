/* SPDX-License-Identifier: Apache-2.0 */
/* What a sensor makes of a force. */
#include <math.h>

#include <criterion/criterion.h>

#include "imperfections.h"

static struct force_imperfections p;
static struct dpl_random rng;
static const double force[DPL_SIX] = {1.1, -2.2, 3.3, -0.0, 0.5, -0.6};
static double reading[DPL_SIX];
static bool saturated;

static void measure(double t_s)
{
    saturated = force_imperfections_apply(&p, &rng, t_s, force, reading);
}

Test(imperfections, pass_the_force_bit_by_bit_where_there_are_none)
{
    measure(12.5);
    cr_assert_eq(memcmp(reading, force, sizeof force), 0);
    cr_assert_not(saturated);
}

Test(imperfections, add_offset_drift_and_hum)
{
    p.offset[0] = 0.5;
    p.drift_s[1] = 0.1;
    p.hum[2] = 2.0;
    p.hum_hz = 50.0;
    measure(2.005); /* a quarter of a period after a whole number of them */
    cr_assert_float_eq(reading[0], 1.6, 1e-12);
    cr_assert_float_eq(reading[1], -2.2 + 0.2005, 1e-12);
    cr_assert_float_eq(reading[2], 5.3, 1e-9);
    cr_assert_eq(reading[4], 0.5);
}

Test(imperfections, add_noise_of_the_asked_deviation)
{
    double sum = 0.0, square = 0.0;
    p.noise[0] = 0.25;
    rng = dpl_random_seeded(1, 1);
    for (int i = 0; i < 20000; i++) {
        measure(i * 1e-3);
        double error = reading[0] - force[0];
        sum += error;
        square += error * error;
    }
    cr_assert_float_eq(sum / 20000.0, 0.0, 0.01, "%g", sum / 20000.0);
    cr_assert_float_eq(sqrt(square / 20000.0), 0.25, 0.01, "%g", sqrt(square / 20000.0));
    cr_assert_eq(reading[1], force[1]);
}

Test(imperfections, end_at_the_range_and_say_so)
{
    p.range[1] = 2.0;
    p.range[2] = 4.0;
    measure(0.0);
    cr_assert_eq(reading[1], -2.0);
    cr_assert_eq(reading[2], 3.3);
    cr_assert(saturated);
    p.range[1] = 2.3;
    measure(0.0);
    cr_assert_eq(reading[1], -2.2);
    cr_assert_not(saturated);
}

Test(imperfections, round_to_the_resolution)
{
    p.resolution[0] = 0.25;
    p.resolution[5] = 0.5;
    measure(0.0);
    cr_assert_eq(reading[0], 1.0);
    cr_assert_eq(reading[5], -0.5);
    cr_assert_eq(reading[1], -2.2);
}

/* A converter's last code may lie beyond the range; nothing that is read does. */
Test(imperfections, never_read_beyond_the_range_because_of_rounding)
{
    p.resolution[0] = 0.4;
    p.range[0] = 1.15;
    measure(0.0);
    cr_assert_eq(reading[0], 1.15);
}
