/* SPDX-License-Identifier: Apache-2.0 */
/* Beams end exactly where a test of every outline ends them. */
#include <math.h>
#include <stdlib.h>

#include <criterion/criterion.h>
#include <doppel/math/random.h>

#include "laser_index.h"

enum { BEAMS = 720, OUTLINES = 400 };

static double cosines[BEAMS], sines[BEAMS], ranges[BEAMS];

static struct dpl_heap *heap;

static void begin(void)
{
    heap = dpl__heap_create((size_t)256 << 20);
    cr_assert_not_null(heap);
}

static void end(void)
{
    dpl__heap_destroy(heap);
}

TestSuite(laser_index, .init = begin, .fini = end);

static struct dpl_laser_fan *make_beams(void)
{
    for (int i = 0; i < BEAMS; i++) {
        cosines[i] = cos(i * 2.0 * 3.14159265358979 / BEAMS);
        sines[i] = sin(i * 2.0 * 3.14159265358979 / BEAMS);
    }
    struct dpl_laser_fan *fan = dpl__laser_fan_create(heap, cosines, sines, BEAMS);
    cr_assert_not_null(fan);
    return fan;
}

/* By substitution into the equations, without a grid: the distance, or INFINITY. */
static double meet(const struct dpl_laser_outline *o, double x, double y, double c, double s)
{
    double wx = o->x - x, wy = o->y - y;
    if (o->radius > 0.0) {
        double b = wx * c + wy * s, d = b * b - (wx * wx + wy * wy - o->radius * o->radius);
        if (d < 0.0 || b + sqrt(d) < 0.0) {
            return (double)INFINITY;
        }
        return b - sqrt(d) >= 0.0 ? b - sqrt(d) : b + sqrt(d);
    }
    double det = c * o->dy - s * o->dx;
    double t = (wx * o->dy - wy * o->dx) / det, u = (wx * s - wy * c) / det;
    return det != 0.0 && t >= 0.0 && u >= 0.0 && u <= 1.0 ? t : (double)INFINITY;
}

static void random_scene(struct dpl_random *rng, struct dpl_laser_outline *outlines, double extent)
{
    for (int i = 0; i < OUTLINES; i++) {
        double length = i % 10 == 0 ? extent : 1.0;
        outlines[i] = (struct dpl_laser_outline){
            .x = dpl_random_uniform(rng, -extent, extent),
            .y = dpl_random_uniform(rng, -extent, extent),
            .dx = i % 7 == 0 ? 0.0 : dpl_random_uniform(rng, -length, length),
            .dy = i % 11 == 0 ? 0.0 : dpl_random_uniform(rng, -length, length),
            .radius = i % 3 == 0 ? dpl_random_uniform(rng, 0.05, 1.0) : 0.0,
            .owner = i >= OUTLINES - 20 ? i % 4 : DPL_LASER_NO_OWNER,
        };
    }
}

static void expect_exact(const struct dpl_laser_index *index, struct dpl_laser_fan *fan,
                         const struct dpl_laser_outline *outlines, struct dpl_laser_scan scan)
{
    double yaw_c = cos(scan.yaw), yaw_s = sin(scan.yaw);
    dpl__laser_index_scan(index, fan, &scan, ranges);
    for (size_t i = 0; i < BEAMS; i++) {
        double c = yaw_c * cosines[i] - yaw_s * sines[i];
        double s = yaw_s * cosines[i] + yaw_c * sines[i];
        double best = scan.max_range;
        for (int k = 0; k < OUTLINES; k++) {
            if (outlines[k].owner == DPL_LASER_NO_OWNER || outlines[k].owner != scan.owner) {
                best = fmin(best, meet(&outlines[k], scan.x, scan.y, c, s));
            }
        }
        best = best < scan.max_range ? best : (double)INFINITY;
        if (isinf(best)) {
            cr_assert(isinf(ranges[i]), "beam %zu: %.12g, nothing is there", i, ranges[i]);
        } else {
            cr_assert_float_eq(ranges[i], best, 1e-9, "beam %zu: %.12g, expected %.12g", i,
                               ranges[i], best);
        }
    }
}

Test(laser_index, beams_are_exact_on_random_scenes_with_moving_outlines)
{
    struct dpl_laser_fan *fan = make_beams();
    static struct dpl_laser_outline outlines[OUTLINES];
    struct dpl_random rng = dpl_random_seeded(7, 0);
    for (int scene = 0; scene < 40; scene++) {
        double extent = scene % 4 == 0 ? 3.0 : 5.0 * (scene % 5 + 1);
        random_scene(&rng, outlines, extent);
        struct dpl_laser_index *index = dpl__laser_index_create(heap, outlines, OUTLINES - 20, 20);
        cr_assert_not_null(index);
        dpl__laser_index_move(index, &outlines[OUTLINES - 20], 20);
        for (int pose = 0; pose < 5; pose++) {
            expect_exact(index, fan, outlines,
                         (struct dpl_laser_scan){
                             .x = dpl_random_uniform(&rng, -1.5 * extent, 1.5 * extent),
                             .y = dpl_random_uniform(&rng, -1.5 * extent, 1.5 * extent),
                             .yaw = pose ? dpl_random_uniform(&rng, -3.0, 3.0) : 0.0,
                             .max_range = pose % 2 ? 8.0 : 100.0,
                             .owner = pose % 4,
                         });
        }
    }
}

static double single_range(const struct dpl_laser_index *index, double x, double y, double max)
{
    double c = 1.0, s = 0.0, range = -1.0;
    struct dpl_laser_fan *fan = dpl__laser_fan_create(heap, &c, &s, 1);
    dpl__laser_index_scan(
        index, fan, &(struct dpl_laser_scan){.x = x, .y = y, .max_range = max, .owner = 0}, &range);
    return range;
}

Test(laser_index, moved_outline_is_seen_where_it_is_now)
{
    struct dpl_laser_outline wall = {.x = 10.0, .y = -5.0, .dy = 10.0, .owner = DPL_LASER_NO_OWNER};
    struct dpl_laser_index *index = dpl__laser_index_create(heap, &wall, 1, 4);
    struct dpl_laser_outline ball = {.x = 4.0, .radius = 0.5, .owner = 1};
    dpl__laser_index_move(index, &ball, 1);
    cr_assert_float_eq(single_range(index, 0.0, 0.0, 30.0), 3.5, 1e-12);
    ball.x = 6.0;
    dpl__laser_index_move(index, &ball, 1);
    cr_assert_float_eq(single_range(index, 0.0, 0.0, 30.0), 5.5, 1e-12);
    ball.y = 3.0;
    dpl__laser_index_move(index, &ball, 1);
    cr_assert_float_eq(single_range(index, 0.0, 0.0, 30.0), 10.0, 1e-12);
    ball = (struct dpl_laser_outline){.x = 200.0, .radius = 1.0, .owner = 1};
    dpl__laser_index_move(index, &ball, 1);
    cr_assert_float_eq(single_range(index, 20.0, 0.0, 300.0), 179.0, 1e-12);
}

Test(laser_index, nothing_within_the_maximum_is_infinite)
{
    struct dpl_laser_outline wall = {.x = 10.0, .y = -5.0, .dy = 10.0, .owner = DPL_LASER_NO_OWNER};
    struct dpl_laser_index *index = dpl__laser_index_create(heap, &wall, 1, 0);
    cr_assert(isinf(single_range(index, 0.0, 0.0, 9.9)));
    cr_assert(isinf(single_range(index, 11.0, 0.0, 30.0)));
    cr_assert(isinf(single_range(index, 0.0, 6.0, 30.0)));
}

Test(laser_index, empty_scene_and_very_wide_scene_are_handled)
{
    struct dpl_laser_index *index = dpl__laser_index_create(heap, NULL, 0, 0);
    cr_assert(isinf(single_range(index, 0.0, 0.0, 1000.0)));
    struct dpl_laser_outline wide = {
        .x = 9000.0, .y = -9000.0, .dy = 18000.0, .owner = DPL_LASER_NO_OWNER};
    index = dpl__laser_index_create(heap, &wide, 1, 0);
    cr_assert_float_eq(single_range(index, -9000.0, 0.0, 20000.0), 18000.0, 1e-9);
}
