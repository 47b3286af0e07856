/* SPDX-License-Identifier: Apache-2.0 */
/* Beams end exactly where a test of every outline ends them. */
#include <math.h>
#include <stdlib.h>

#include <criterion/criterion.h>
#include <doppel/math/random.h>

#include "brute_force.h"
#include "raycast.h"

enum { BEAMS = 720, OUTLINES = 400 };

static double cosines[BEAMS], sines[BEAMS], ranges[BEAMS];

static struct dpl_raycast_fan *make_beams(void)
{
    for (int i = 0; i < BEAMS; i++) {
        cosines[i] = cos(i * 2.0 * 3.14159265358979 / BEAMS);
        sines[i] = sin(i * 2.0 * 3.14159265358979 / BEAMS);
    }
    struct dpl_raycast_fan *fan = dpl_raycast_fan_create(&test_memory, cosines, sines, BEAMS);
    cr_assert_not_null(fan);
    return fan;
}

/* By substitution into the equations, without a grid: the distance, or INFINITY. */
static double meet(const struct dpl_raycast_outline *o, double x, double y, double c, double s)
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

static void random_scene(struct dpl_random *rng, struct dpl_raycast_outline *outlines,
                         double extent)
{
    for (int i = 0; i < OUTLINES; i++) {
        outlines[i] = random_outline(rng, i, extent, 1.0);
        outlines[i].owner = i >= OUTLINES - 20 ? i % 4 : DPL_RAYCAST_NO_OWNER;
    }
}

static void expect_exact(const struct dpl_raycast_index *index, struct dpl_raycast_fan *fan,
                         const struct dpl_raycast_outline *outlines, struct dpl_raycast_scan scan)
{
    double yaw_c = cos(scan.yaw), yaw_s = sin(scan.yaw);
    dpl_raycast_scan_fan(index, fan, &scan, ranges);
    for (size_t i = 0; i < BEAMS; i++) {
        double c = yaw_c * cosines[i] - yaw_s * sines[i];
        double s = yaw_s * cosines[i] + yaw_c * sines[i];
        double best = scan.max_range;
        for (int k = 0; k < OUTLINES; k++) {
            if (outlines[k].owner == DPL_RAYCAST_NO_OWNER || outlines[k].owner != scan.owner) {
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

Test(raycast_index, beams_are_exact_on_random_scenes_with_moving_outlines)
{
    struct dpl_raycast_fan *fan = make_beams();
    static struct dpl_raycast_outline outlines[OUTLINES];
    struct dpl_random rng = dpl_random_seeded(7, 0);
    for (int scene = 0; scene < 40; scene++) {
        double extent = scene % 4 == 0 ? 3.0 : 5.0 * (scene % 5 + 1);
        random_scene(&rng, outlines, extent);
        struct dpl_raycast_index *index =
            dpl_raycast_index_create(&test_memory, outlines, OUTLINES - 20, 20);
        cr_assert_not_null(index);
        dpl_raycast_index_move(index, &outlines[OUTLINES - 20], 20);
        for (int pose = 0; pose < 5; pose++) {
            expect_exact(index, fan, outlines,
                         (struct dpl_raycast_scan){
                             .x = dpl_random_uniform(&rng, -1.5 * extent, 1.5 * extent),
                             .y = dpl_random_uniform(&rng, -1.5 * extent, 1.5 * extent),
                             .yaw = pose ? dpl_random_uniform(&rng, -3.0, 3.0) : 0.0,
                             .max_range = pose % 2 ? 8.0 : 100.0,
                             .owner = pose % 4,
                         });
        }
    }
}

static double single_range(const struct dpl_raycast_index *index, double x, double y, double max)
{
    double c = 1.0, s = 0.0, range = -1.0;
    struct dpl_raycast_fan *fan = dpl_raycast_fan_create(&test_memory, &c, &s, 1);
    dpl_raycast_scan_fan(index, fan,
                         &(struct dpl_raycast_scan){.x = x, .y = y, .max_range = max, .owner = 0},
                         &range);
    return range;
}

Test(raycast_index, moved_outline_is_seen_where_it_is_now)
{
    struct dpl_raycast_outline wall = {
        .x = 10.0, .y = -5.0, .dy = 10.0, .owner = DPL_RAYCAST_NO_OWNER};
    struct dpl_raycast_index *index = dpl_raycast_index_create(&test_memory, &wall, 1, 4);
    struct dpl_raycast_outline ball = {.x = 4.0, .radius = 0.5, .owner = 1};
    dpl_raycast_index_move(index, &ball, 1);
    cr_assert_float_eq(single_range(index, 0.0, 0.0, 30.0), 3.5, 1e-12);
    ball.x = 6.0;
    dpl_raycast_index_move(index, &ball, 1);
    cr_assert_float_eq(single_range(index, 0.0, 0.0, 30.0), 5.5, 1e-12);
    ball.y = 3.0;
    dpl_raycast_index_move(index, &ball, 1);
    cr_assert_float_eq(single_range(index, 0.0, 0.0, 30.0), 10.0, 1e-12);
    ball = (struct dpl_raycast_outline){.x = 200.0, .radius = 1.0, .owner = 1};
    dpl_raycast_index_move(index, &ball, 1);
    cr_assert_float_eq(single_range(index, 20.0, 0.0, 300.0), 179.0, 1e-12);
}

Test(raycast_index, nothing_within_the_maximum_is_infinite)
{
    struct dpl_raycast_outline wall = {
        .x = 10.0, .y = -5.0, .dy = 10.0, .owner = DPL_RAYCAST_NO_OWNER};
    struct dpl_raycast_index *index = dpl_raycast_index_create(&test_memory, &wall, 1, 0);
    cr_assert(isinf(single_range(index, 0.0, 0.0, 9.9)));
    cr_assert(isinf(single_range(index, 11.0, 0.0, 30.0)));
    cr_assert(isinf(single_range(index, 0.0, 6.0, 30.0)));
}

Test(raycast_index, empty_scene_and_very_wide_scene_are_handled)
{
    struct dpl_raycast_index *index = dpl_raycast_index_create(&test_memory, NULL, 0, 0);
    cr_assert(isinf(single_range(index, 0.0, 0.0, 1000.0)));
    struct dpl_raycast_outline wide = {
        .x = 9000.0, .y = -9000.0, .dy = 18000.0, .owner = DPL_RAYCAST_NO_OWNER};
    index = dpl_raycast_index_create(&test_memory, &wide, 1, 0);
    cr_assert_float_eq(single_range(index, -9000.0, 0.0, 20000.0), 18000.0, 1e-9);
}
