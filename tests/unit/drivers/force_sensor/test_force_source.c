/* SPDX-License-Identifier: Apache-2.0 */
/* Forces over time: tables, impulses, random forces, and texts that are refused. */
#include <math.h>
#include <stdio.h>

#include <criterion/criterion.h>

#include "force_source.h"

#define PI 3.14159265358979323846

static struct force_row rows[16];
static struct force_source source;
static struct force_error bad;

static void parse_rows(const char *text)
{
    source = (struct force_source){.rows = rows};
    cr_assert_eq(force_rows_parse(text, rows, 16, &source.n_rows, &bad), 0, "%s", bad.what);
}

static double at(double t_s, int axis)
{
    double wrench[DPL_SIX];
    force_source_at(&source, t_s, wrench);
    return wrench[axis];
}

Test(force_source, goes_in_lines_between_rows_and_stays_outside_them)
{
    parse_rows("1 10 0 0 0 0 -1\n2 20 0 0 0 0 -3");
    cr_assert_eq(at(0.0, 0), 10.0);
    cr_assert_eq(at(1.0, 0), 10.0);
    cr_assert_float_eq(at(1.25, 0), 12.5, 1e-12);
    cr_assert_float_eq(at(1.25, 5), -1.5, 1e-12);
    cr_assert_eq(at(2.0, 0), 20.0);
    cr_assert_eq(at(9.0, 5), -3.0);
    cr_assert_eq(at(1.5, 1), 0.0);
}

Test(force_source, steps_where_two_rows_have_one_time)
{
    parse_rows("0 0; 1 0; 1 5; 2 5");
    cr_assert_eq(at(0.999, 0), 0.0);
    cr_assert_eq(at(1.0, 0), 5.0);
    cr_assert_eq(at(1.5, 0), 5.0);
}

Test(force_source, is_nothing_without_rows)
{
    parse_rows("  # nothing\n");
    cr_assert_eq(source.n_rows, 0);
    cr_assert_eq(at(1.0, 0), 0.0);
}

static void refuse_rows(const char *text, size_t room, size_t offset)
{
    size_t n = 77;
    cr_assert_lt(force_rows_parse(text, rows, room, &n, &bad), 0, "\"%s\" was taken", text);
    cr_assert_eq(bad.offset, offset, "\"%s\": %zu", text, bad.offset);
    cr_assert_eq(n, 77);
}

Test(force_source, refuses_bad_rows_and_says_where)
{
    refuse_rows("1", 16, 1);
    refuse_rows("1 2; 0 2", 16, 5);
    refuse_rows("1 2 3 4 5 6 7 8", 16, 14);
    refuse_rows("1 2; 2 x", 16, 7);
    refuse_rows("1 2e9", 16, 0);
    refuse_rows("1 2; 2 2; 3 2", 2, 10);
}

Test(force_source, never_has_more_rows_than_it_says)
{
    cr_assert_geq(force_rows_room("1 2; 3 4\n5 6"), 3);
    cr_assert_geq(force_rows_room(""), 1);
}

Test(force_source, adds_half_sines)
{
    source = (struct force_source){.n_rows = 0};
    cr_assert_eq(force_impulses_parse("1 z 60 20; 1 yaw -2 40", &source, &bad), 0);
    cr_assert_eq(source.n_impulses, 2);
    cr_assert_float_eq(at(1.010, 2), 60.0, 1e-9);
    cr_assert_float_eq(at(1.005, 2), 60.0 * sin(PI / 4.0), 1e-9);
    cr_assert_float_eq(at(1.020, 5), -2.0, 1e-9);
    cr_assert_eq(at(0.9999, 2), 0.0);
    cr_assert_eq(at(1.0201, 2), 0.0);
    cr_assert_eq(at(1.010, 0), 0.0);
}

/* Its area is 2/pi times amplitude and width. */
Test(force_source, gives_an_impulse_the_area_of_a_half_sine)
{
    source = (struct force_source){.n_rows = 0};
    cr_assert_eq(force_impulses_parse("0 x 100 15", &source, &bad), 0);
    double sum = 0.0;
    for (int i = 0; i < 20000; i++) {
        sum += at((i + 0.5) * 1e-6, 0) * 1e-6;
    }
    cr_assert_float_eq(sum, 2.0 / PI * 100.0 * 0.015, 1e-6, "%g", sum);
}

static void refuse_impulses(const char *text, size_t offset)
{
    cr_assert_lt(force_impulses_parse(text, &source, &bad), 0, "\"%s\" was taken", text);
    cr_assert_eq(bad.offset, offset, "\"%s\": %zu", text, bad.offset);
}

Test(force_source, refuses_bad_impulses_and_says_where)
{
    refuse_impulses("1 w 60 20", 2);
    refuse_impulses("1 x 60", 6);
    refuse_impulses("1 x 60 0", 0);
    refuse_impulses("1 x 60 -5", 0);
    refuse_impulses("1 x 60 20 3", 10);
    refuse_impulses("1 x 60 20; x", 11);
    char text[64 * 10 + 16] = "";
    for (size_t i = 0; i <= FORCE_IMPULSES_MAX; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "1 x 1 1;");
    }
    refuse_impulses(text, FORCE_IMPULSES_MAX * 8);
}

static void make_random(uint64_t seed)
{
    const double rms[DPL_SIX] = {10.0, 0.0, 5.0, 0.0, 0.0, 1.0};
    struct dpl_random rng = dpl_random_seeded(seed, 1);
    source = (struct force_source){.n_rows = 0};
    force_random_make(&source, rms, 10.0, &rng);
}

static double rms_of(int axis)
{
    double sum = 0.0;
    for (int i = 0; i < 100000; i++) {
        double value = at(i * 1e-2 / 3.0, axis);
        sum += value * value;
    }
    return sqrt(sum / 100000.0);
}

Test(force_source, has_the_asked_root_mean_square)
{
    static const double asked[DPL_SIX] = {10.0, 0.0, 5.0, 0.0, 0.0, 1.0};
    make_random(1);
    for (int axis = 0; axis < DPL_SIX; axis++) {
        double rms = rms_of(axis);
        cr_assert_leq(fabs(rms - asked[axis]), 0.03 * asked[axis], "axis %d: %g", axis, rms);
    }
}

Test(force_source, keeps_random_forces_within_their_band)
{
    make_random(1);
    for (size_t i = 0; i < FORCE_TONES; i++) {
        double hz = source.random[0].tones[i].rate_rad_s / (2.0 * PI);
        cr_assert(hz >= 0.0 && hz <= 10.0, "%g", hz);
    }
}

Test(force_source, repeats_random_forces_with_the_seed_and_only_then)
{
    make_random(1);
    double first = at(0.7, 0), later = at(0.9, 0);
    make_random(1);
    cr_assert_eq(at(0.9, 0), later);
    cr_assert_eq(at(0.7, 0), first);
    make_random(2);
    cr_assert_neq(at(0.7, 0), first);
}
