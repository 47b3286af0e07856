/* SPDX-License-Identifier: Apache-2.0 */
/* Blended moves and the cubic B-spline: weights, continuity, hull, exactness at rest. */
#include <math.h>

#include <criterion/criterion.h>

#include <doppel/math/random.h>

#include "splines.h"

static struct dpl_random rng = {1};

static void draw(double pose[6])
{
    for (int i = 0; i < 6; i++) {
        pose[i] = dpl_random_uniform(&rng, -1.0, 1.0);
    }
}

static struct dpl_blend random_blend(void)
{
    struct dpl_blend blend;
    for (int i = 0; i < 3; i++) {
        draw(blend.pose[i]);
    }
    return blend;
}

static struct dpl_spline random_spline(void)
{
    struct dpl_spline spline;
    for (int i = 0; i < 4; i++) {
        draw(spline.knot[i]);
    }
    return spline;
}

Test(blend, weighs_the_poses_as_the_quadratic_b_spline)
{
    static const struct {
        double part, weights[3];
    } rows[] = {{0.0, {0.5, 0.5, 0.0}}, {0.5, {0.125, 0.75, 0.125}}, {1.0, {0.0, 0.5, 0.5}}};
    struct dpl_blend blend = random_blend();
    for (int row = 0; row < 3; row++) {
        double pose[6];
        dpl_blend_at(&blend, rows[row].part, pose);
        for (int i = 0; i < 6; i++) {
            double expected = 0.0;
            for (int k = 0; k < 3; k++) {
                expected += rows[row].weights[k] * blend.pose[k][i];
            }
            cr_assert_float_eq(pose[i], expected, 1e-15);
        }
    }
}

Test(blend, goes_on_where_the_last_move_ended)
{
    struct dpl_blend blend = random_blend();
    for (int k = 0; k < 100; k++) {
        double end[6], begin[6], next[6];
        dpl_blend_at(&blend, 1.0, end);
        draw(next);
        dpl_blend_push(&blend, next);
        dpl_blend_at(&blend, 0.0, begin);
        for (int i = 0; i < 6; i++) {
            cr_assert_float_eq(begin[i], end[i], 1e-15);
        }
    }
}

Test(blend, rests_exactly)
{
    double pose[6], out[6];
    struct dpl_blend blend;
    draw(pose);
    dpl_blend_reset(&blend, pose);
    for (int s = 0; s <= 10; s++) {
        dpl_blend_at(&blend, 0.1 * s, out);
        cr_assert_arr_eq(out, pose, sizeof pose);
    }
}

Test(spline, weighs_the_knots_at_the_begin_of_a_segment)
{
    struct dpl_spline spline = random_spline();
    struct dpl_spline_point point;
    dpl_spline_at(&spline, 0.0, &point);
    for (int i = 0; i < 6; i++) {
        double a = spline.knot[0][i], b = spline.knot[1][i], c = spline.knot[2][i];
        cr_assert_float_eq(point.position[i], (a + 4.0 * b + c) / 6.0, 1e-15);
        cr_assert_float_eq(point.rate[i], 0.5 * (c - a), 1e-15);
        cr_assert_float_eq(point.curvature[i], a - 2.0 * b + c, 1e-14);
    }
}

Test(spline, has_the_derivatives_of_its_position)
{
    struct dpl_spline spline = random_spline();
    const double h = 1e-4;
    for (int s = 1; s < 10; s++) {
        struct dpl_spline_point before, at, after;
        dpl_spline_at(&spline, 0.1 * s - h, &before);
        dpl_spline_at(&spline, 0.1 * s, &at);
        dpl_spline_at(&spline, 0.1 * s + h, &after);
        for (int i = 0; i < 6; i++) {
            double rate = (after.position[i] - before.position[i]) / (2.0 * h);
            double curvature = (after.rate[i] - before.rate[i]) / (2.0 * h);
            cr_assert_float_eq(at.rate[i], rate, 1e-7);
            cr_assert_float_eq(at.curvature[i], curvature, 1e-7);
        }
    }
}

Test(spline, is_continuous_to_the_second_derivative)
{
    struct dpl_spline spline = random_spline();
    for (int k = 0; k < 100; k++) {
        struct dpl_spline_point end, begin;
        double next[6];
        dpl_spline_at(&spline, 1.0, &end);
        draw(next);
        dpl_spline_push(&spline, next);
        dpl_spline_at(&spline, 0.0, &begin);
        for (int i = 0; i < 6; i++) {
            cr_assert_float_eq(begin.position[i], end.position[i], 1e-14);
            cr_assert_float_eq(begin.rate[i], end.rate[i], 1e-14);
            cr_assert_float_eq(begin.curvature[i], end.curvature[i], 1e-14);
        }
    }
}

Test(spline, stays_between_its_knots)
{
    for (int k = 0; k < 1000; k++) {
        struct dpl_spline spline = random_spline();
        struct dpl_spline_point point;
        dpl_spline_at(&spline, dpl_random_uniform(&rng, 0.0, 1.0), &point);
        for (int i = 0; i < 6; i++) {
            double low = HUGE_VAL, high = -HUGE_VAL;
            for (int j = 0; j < 4; j++) {
                low = fmin(low, spline.knot[j][i]);
                high = fmax(high, spline.knot[j][i]);
            }
            cr_assert(point.position[i] >= low - 1e-15 && point.position[i] <= high + 1e-15);
        }
    }
}

Test(spline, rests_exactly)
{
    double knot[6];
    struct dpl_spline spline;
    struct dpl_spline_point point;
    draw(knot);
    dpl_spline_reset(&spline, knot);
    for (int s = 0; s <= 10; s++) {
        dpl_spline_at(&spline, 0.1 * s, &point);
        cr_assert_arr_eq(point.position, knot, sizeof knot);
        cr_assert_eq(point.rate[0], 0.0);
        cr_assert_eq(point.curvature[5], 0.0);
    }
}
