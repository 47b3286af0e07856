/* SPDX-License-Identifier: Apache-2.0 */
/* Designs, against GSL's sequence and by what they promise. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <criterion/criterion.h>

#include "design.h"
#include "statistics.h"

#ifdef HAS_GSL
#include <gsl/gsl_qrng.h>
#endif

enum { POINTS = 256 };

static double *points_of(struct sweep_design *design, enum sweep_design_type type)
{
    design->type = type;
    double *points = calloc(design->n_points * design->n_dimensions + 1, sizeof *points);
    cr_assert_eq(sweep_design_points(design, points), 0);
    return points;
}

Test(design, sobol_is_that_of_gsl)
{
#ifdef HAS_GSL
    gsl_qrng *oracle = gsl_qrng_alloc(gsl_qrng_sobol, SWEEP_SOBOL_MAX);
    for (uint32_t i = 1; i <= 5000; i++) { /* GSL leaves out the origin */
        double expected[SWEEP_SOBOL_MAX];
        gsl_qrng_get(oracle, expected);
        for (size_t d = 0; d < SWEEP_SOBOL_MAX; d++) {
            cr_assert_eq(sweep_sobol(i, d), expected[d], "element %u, dimension %zu: %g, not %g", i,
                         d, sweep_sobol(i, d), expected[d]);
        }
    }
    gsl_qrng_free(oracle);
#else
    cr_skip_test("libgsl-dev is not there");
#endif
}

Test(design, each_stratum_of_a_latin_hypercube_has_one_point)
{
    struct sweep_design design = {.seed = 3, .n_points = 100, .n_dimensions = 7};
    double *points = points_of(&design, SWEEP_LHS);
    for (size_t d = 0; d < 7; d++) {
        unsigned counts[100] = {0};
        for (size_t i = 0; i < 100; i++) {
            counts[(size_t)(points[i * 7 + d] * 100.0)]++;
        }
        for (size_t i = 0; i < 100; i++) {
            cr_assert_eq(counts[i], 1);
        }
    }
    free(points);
}

Test(design, a_grid_has_each_combination_once_and_the_last_changes_fastest)
{
    struct sweep_design design = {.n_points = 6, .n_dimensions = 2, .levels = {2, 3}};
    double *points = points_of(&design, SWEEP_GRID);
    for (size_t i = 0; i < 6; i++) {
        cr_assert_float_eq(points[2 * i], ((double)(i / 3) + 0.5) / 2.0, 1e-12);
        cr_assert_float_eq(points[2 * i + 1], ((double)(i % 3) + 0.5) / 3.0, 1e-12);
    }
    free(points);
}

/* Of 256 even points at most a few lie far from where a uniform distribution has them. */
Test(design, sequences_are_even_in_every_dimension_and_never_at_an_edge)
{
    static const enum sweep_design_type types[] = {SWEEP_SOBOL, SWEEP_HALTON};
    for (int t = 0; t < 2; t++) {
        struct sweep_design design = {.seed = 5, .n_points = POINTS, .n_dimensions = 15};
        double *points = points_of(&design, types[t]);
        for (size_t d = 0; d < 15; d++) {
            double values[POINTS];
            for (size_t i = 0; i < POINTS; i++) {
                values[i] = points[i * 15 + d];
                cr_assert(values[i] > 0.0 && values[i] < 1.0);
            }
            sweep_quantile(values, POINTS, 0.5, 0.9, 1); /* sorts */
            for (size_t i = 0; i < POINTS; i++) {
                double off = fabs(values[i] - ((double)i + 0.5) / POINTS);
                cr_assert_lt(off, types[t] == SWEEP_SOBOL ? 0.01 : 0.12, "%d %zu: %g", t, d, off);
            }
        }
        free(points);
    }
}

Test(design, points_depend_on_the_seed_alone_and_not_on_their_number)
{
    struct sweep_design few = {.seed = 9, .n_points = 10, .n_dimensions = 3}, many = few;
    many.n_points = 50;
    static const enum sweep_design_type types[] = {SWEEP_RANDOM, SWEEP_SOBOL, SWEEP_HALTON};
    for (int t = 0; t < 3; t++) {
        double *a = points_of(&few, types[t]), *b = points_of(&many, types[t]);
        cr_assert_arr_eq(a, b, 30 * sizeof *a);
        few.seed = 10;
        double *c = points_of(&few, types[t]);
        cr_assert_neq(a[0], c[0]);
        few.seed = 9;
        free(a);
        free(b);
        free(c);
    }
}

Test(design, too_many_dimensions_are_refused)
{
    struct sweep_design design = {.type = SWEEP_SOBOL, .n_points = 1, .n_dimensions = 21};
    double points[32];
    cr_assert_eq(sweep_design_points(&design, points), -EINVAL);
}

Test(design, seeds_of_runs_and_streams_differ)
{
    cr_assert_neq(sweep_seed(1, 1, "run"), sweep_seed(1, 2, "run"));
    cr_assert_neq(sweep_seed(1, 1, "run"), sweep_seed(2, 1, "run"));
    cr_assert_neq(sweep_seed(1, 1, "run"), sweep_seed(1, 1, "point"));
    cr_assert_eq(sweep_seed(1, 1, "run"), sweep_seed(1, 1, "run"));
    cr_assert_lt(sweep_seed(1, 1, "run"), UINT64_C(1) << 53);
}
