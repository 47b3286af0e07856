/* SPDX-License-Identifier: Apache-2.0 */
/* A scan gives to the last bit the least of what each outline alone gives, for any table of beams
 * and wherever the sensor is. */
#include <math.h>
#include <stdlib.h>

#include <criterion/criterion.h>
#include <doppel/math/geometry.h>
#include <doppel/math/random.h>

#include "laser_index.h"

enum { BEAMS = 1081, OUTLINES = 4 * 60 };

static const double forever = (double)INFINITY;
static double cosines[BEAMS], sines[BEAMS], ranges[BEAMS];
static struct dpl_laser_outline outlines[OUTLINES];

/* One outline, one beam: the arithmetic that the index promises. */
static double meet_segment(const struct dpl_laser_outline *o, double x, double y, double c,
                           double s)
{
    double wx = o->x - x, wy = o->y - y;
    double denominator = c * o->dy - s * o->dx;
    double along_segment = wx * s - wy * c, along_beam = wx * o->dy - wy * o->dx;
    if (denominator < 0.0) {
        denominator = -denominator;
        along_segment = -along_segment;
        along_beam = -along_beam;
    }
    bool hit = denominator > 0.0 && along_segment >= 0.0 && along_segment <= denominator &&
               along_beam >= 0.0;
    return hit ? along_beam / denominator : forever;
}

static double meet_circle(const struct dpl_laser_outline *o, double x, double y, double c, double s)
{
    double wx = o->x - x, wy = o->y - y;
    double middle = wx * c + wy * s, aside = wx * s - wy * c;
    double half = sqrt(o->radius * o->radius - aside * aside); /* NaN: passes by */
    double distance = middle - half >= 0.0 ? middle - half : middle + half;
    return distance >= 0.0 ? distance : forever;
}

static double brute_force(size_t n, const struct dpl_laser_scan *scan, size_t beam)
{
    double yaw_c = cos(scan->yaw), yaw_s = sin(scan->yaw), best = scan->max_range;
    double c = yaw_c * cosines[beam] - yaw_s * sines[beam];
    double s = yaw_s * cosines[beam] + yaw_c * sines[beam];
    for (size_t k = 0; k < n; k++) {
        const struct dpl_laser_outline *o = &outlines[k];
        best = fmin(best, o->radius > 0.0 ? meet_circle(o, scan->x, scan->y, c, s)
                                          : meet_segment(o, scan->x, scan->y, c, s));
    }
    return best < scan->max_range ? best : forever;
}

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

TestSuite(laser_scan, .init = begin, .fini = end);

static void expect_brute_force(size_t n, size_t n_beams, struct dpl_laser_scan scan)
{
    struct dpl_laser_fan *fan = dpl__laser_fan_create(heap, cosines, sines, n_beams);
    struct dpl_laser_index *index = dpl__laser_index_create(heap, outlines, n, 0);
    dpl__laser_index_scan(index, fan, &scan, ranges);
    for (size_t i = 0; i < n_beams; i++) {
        double expected = brute_force(n, &scan, i);
        cr_assert(ranges[i] == expected, "from %.17g, %.17g, %.17g beam %zu: %.17g, expected %.17g",
                  scan.x, scan.y, scan.yaw, i, ranges[i], expected);
    }
}

static void put_beam(size_t i, double angle)
{
    cosines[i] = cos(angle);
    sines[i] = sin(angle);
}

/* A scanner of three quarters of a turn. */
static void put_scanner(void)
{
    for (int i = 0; i < BEAMS; i++) {
        put_beam(i, (i - BEAMS / 2) * DPL_PI / 720.0);
    }
}

static void put_box(struct dpl_laser_outline *o, double x, double y, double yaw, double size)
{
    double c = 0.5 * size * cos(yaw), s = 0.5 * size * sin(yaw);
    double corners[5][2] = {{c - s, s + c}, {-c - s, c - s}, {s - c, -s - c}, {c + s, s - c}};
    corners[4][0] = corners[0][0];
    corners[4][1] = corners[0][1];
    for (int i = 0; i < 4; i++) {
        o[i] = (struct dpl_laser_outline){.x = x + corners[i][0],
                                          .y = y + corners[i][1],
                                          .dx = corners[i + 1][0] - corners[i][0],
                                          .dy = corners[i + 1][1] - corners[i][1],
                                          .owner = DPL_LASER_NO_OWNER};
    }
}

/* Boxes, upright ones among them, and circles, from a hand's width to a room's. */
static size_t put_scene(struct dpl_random *rng, double extent)
{
    size_t n = 0;
    while (n + 4 <= OUTLINES) {
        double x = dpl_random_uniform(rng, -extent, extent);
        double y = dpl_random_uniform(rng, -extent, extent);
        double size = n % 32 ? dpl_random_uniform(rng, 0.05, 1.0) : extent;
        if (n % 5 == 0) {
            outlines[n++] = (struct dpl_laser_outline){
                .x = x, .y = y, .radius = 0.5 * size, .owner = DPL_LASER_NO_OWNER};
        } else {
            put_box(&outlines[n], x, y, n % 3 ? dpl_random_uniform(rng, -3.0, 3.0) : 0.0, size);
            n += 4;
        }
    }
    return n;
}

static struct dpl_laser_scan random_scan(struct dpl_random *rng, double extent, double max_range)
{
    return (struct dpl_laser_scan){.x = dpl_random_uniform(rng, -extent, extent),
                                   .y = dpl_random_uniform(rng, -extent, extent),
                                   .yaw = dpl_random_uniform(rng, -7.0, 7.0),
                                   .max_range = max_range};
}

Test(laser_scan, beams_of_a_scanner_are_the_brute_force_minimum_to_the_last_bit)
{
    struct dpl_random rng = dpl_random_seeded(3, 0);
    put_scanner();
    for (int scene = 0; scene < 60; scene++) {
        double extent = 2.0 + scene;
        size_t n = put_scene(&rng, extent);
        expect_brute_force(n, BEAMS, random_scan(&rng, 1.5 * extent, scene % 2 ? 30.0 : forever));
        expect_brute_force(n, BEAMS, random_scan(&rng, 0.2 * extent, 10.0));
    }
}

Test(laser_scan, beams_of_any_table_come_out_at_their_own_places)
{
    struct dpl_random rng = dpl_random_seeded(4, 0);
    for (int scene = 0; scene < 60; scene++) {
        size_t n_beams = scene % 3 ? (size_t)scene : BEAMS, n = put_scene(&rng, 10.0);
        for (size_t i = 0; i < n_beams; i++) {
            double narrow = scene % 4 ? 10.0 : 0.01;
            put_beam(i, i % 7 ? dpl_random_uniform(&rng, -narrow, narrow) : -0.5 * DPL_PI);
        }
        expect_brute_force(n, n_beams, random_scan(&rng, 10.0, 30.0));
    }
}

Test(laser_scan, sensor_at_corners_on_walls_and_in_line_with_them_sees_what_brute_force_sees)
{
    struct dpl_random rng = dpl_random_seeded(5, 0);
    put_scanner();
    for (int scene = 0; scene < 10; scene++) {
        size_t n = put_scene(&rng, 4.0);
        for (size_t k = 0; k < n; k += 3) {
            static const double along[] = {0.0, 0.5, 1.0, -1.0, 1.0 + 1e-9, 3.0};
            const struct dpl_laser_outline *o = &outlines[k];
            double share = along[k / 3 % 6], beside = k % 2 ? 0.0 : 1e-12;
            struct dpl_laser_scan scan = {.x = o->x + share * o->dx + o->radius + beside,
                                          .y = o->y + share * o->dy,
                                          .yaw = dpl_random_uniform(&rng, -3.0, 3.0),
                                          .max_range = 30.0};
            expect_brute_force(n, BEAMS, scan);
        }
    }
}

Test(laser_scan, far_from_the_origin_nothing_is_missed)
{
    struct dpl_random rng = dpl_random_seeded(6, 0);
    put_scanner();
    for (int scene = 0; scene < 20; scene++) {
        size_t n = put_scene(&rng, 20.0);
        struct dpl_laser_scan scan = random_scan(&rng, 20.0, 60.0);
        for (size_t k = 0; k < n; k++) {
            outlines[k].x += 1e5;
            outlines[k].y -= 3e4;
        }
        scan.x += 1e5;
        scan.y -= 3e4;
        expect_brute_force(n, BEAMS, scan);
    }
}

Test(laser_scan, what_is_no_number_or_overflows_does_no_harm)
{
    static const double bad[] = {(double)NAN, (double)INFINITY, -1.7e308, 1e200};
    struct dpl_random rng = dpl_random_seeded(8, 0);
    put_scanner();
    struct dpl_laser_fan *fan = dpl__laser_fan_create(heap, cosines, sines, BEAMS);
    for (size_t i = 0; i < 4; i++) {
        size_t n = put_scene(&rng, 10.0);
        for (size_t k = 0; k < n; k += 9) {
            outlines[k].x = k % 2 ? bad[i] : outlines[k].x;
            outlines[k].dy = k % 4 ? bad[i] : outlines[k].dy;
            outlines[k].radius = k % 27 ? outlines[k].radius : bad[i];
        }
        struct dpl_laser_index *index = dpl__laser_index_create(heap, outlines, n, 0);
        struct dpl_laser_scan scans[] = {
            {.max_range = 30.0},
            {.x = bad[i], .max_range = 30.0},
            {.y = 1.0, .yaw = bad[i], .max_range = 30.0},
            {.max_range = bad[i]},
        };
        for (size_t k = 0; k < 4; k++) {
            dpl__laser_index_scan(index, fan, &scans[k], ranges);
        }
    }
}
