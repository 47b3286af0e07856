/* SPDX-License-Identifier: Apache-2.0 */
/* A scan gives to the last bit the least of what each outline alone gives, for any table of beams
 * and wherever the sensor is. */
#include <math.h>
#include <stdlib.h>

#include <criterion/criterion.h>
#include <doppel/math/geometry.h>
#include <doppel/math/random.h>

#include "brute_force.h"
#include "raycast.h"

enum { BEAMS = 1081, OUTLINES = 4 * 60 };

static double cosines[BEAMS], sines[BEAMS], ranges[BEAMS];
static struct dpl_raycast_outline outlines[OUTLINES];

static double brute_force(size_t n, const struct dpl_raycast_scan *scan, size_t beam)
{
    double yaw_c = cos(scan->yaw), yaw_s = sin(scan->yaw), best = scan->max_range;
    double c = yaw_c * cosines[beam] - yaw_s * sines[beam];
    double s = yaw_s * cosines[beam] + yaw_c * sines[beam];
    for (size_t k = 0; k < n; k++) {
        const struct dpl_raycast_outline *o = &outlines[k];
        best = fmin(best, range_of_one(o, scan->x, scan->y, c, s));
    }
    return best < scan->max_range ? best : forever;
}

static void expect_brute_force(size_t n, size_t n_beams, struct dpl_raycast_scan scan)
{
    struct dpl_raycast_fan *fan = dpl_raycast_fan_create(&test_memory, cosines, sines, n_beams);
    struct dpl_raycast_index *index = dpl_raycast_index_create(&test_memory, outlines, n, 0);
    dpl_raycast_scan_fan(index, fan, &scan, ranges);
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

static void put_box(struct dpl_raycast_outline *o, double x, double y, double yaw, double size)
{
    double c = 0.5 * size * cos(yaw), s = 0.5 * size * sin(yaw);
    double corners[5][2] = {{c - s, s + c}, {-c - s, c - s}, {s - c, -s - c}, {c + s, s - c}};
    corners[4][0] = corners[0][0];
    corners[4][1] = corners[0][1];
    for (int i = 0; i < 4; i++) {
        o[i] = (struct dpl_raycast_outline){.x = x + corners[i][0],
                                            .y = y + corners[i][1],
                                            .dx = corners[i + 1][0] - corners[i][0],
                                            .dy = corners[i + 1][1] - corners[i][1],
                                            .owner = DPL_RAYCAST_NO_OWNER};
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
            outlines[n++] = (struct dpl_raycast_outline){
                .x = x, .y = y, .radius = 0.5 * size, .owner = DPL_RAYCAST_NO_OWNER};
        } else {
            put_box(&outlines[n], x, y, n % 3 ? dpl_random_uniform(rng, -3.0, 3.0) : 0.0, size);
            n += 4;
        }
    }
    return n;
}

static struct dpl_raycast_scan random_scan(struct dpl_random *rng, double extent, double max_range)
{
    return (struct dpl_raycast_scan){.x = dpl_random_uniform(rng, -extent, extent),
                                     .y = dpl_random_uniform(rng, -extent, extent),
                                     .yaw = dpl_random_uniform(rng, -7.0, 7.0),
                                     .max_range = max_range};
}

Test(raycast_scan, beams_of_a_scanner_are_the_brute_force_minimum_to_the_last_bit)
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

Test(raycast_scan, beams_of_any_table_come_out_at_their_own_places)
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

Test(raycast_scan, sensor_at_corners_on_walls_and_in_line_with_them_sees_what_brute_force_sees)
{
    struct dpl_random rng = dpl_random_seeded(5, 0);
    put_scanner();
    for (int scene = 0; scene < 10; scene++) {
        size_t n = put_scene(&rng, 4.0);
        for (size_t k = 0; k < n; k += 3) {
            static const double along[] = {0.0, 0.5, 1.0, -1.0, 1.0 + 1e-9, 3.0};
            const struct dpl_raycast_outline *o = &outlines[k];
            double share = along[k / 3 % 6], beside = k % 2 ? 0.0 : 1e-12;
            struct dpl_raycast_scan scan = {.x = o->x + share * o->dx + o->radius + beside,
                                            .y = o->y + share * o->dy,
                                            .yaw = dpl_random_uniform(&rng, -3.0, 3.0),
                                            .max_range = 30.0};
            expect_brute_force(n, BEAMS, scan);
        }
    }
}

Test(raycast_scan, far_from_the_origin_nothing_is_missed)
{
    struct dpl_random rng = dpl_random_seeded(6, 0);
    put_scanner();
    for (int scene = 0; scene < 20; scene++) {
        size_t n = put_scene(&rng, 20.0);
        struct dpl_raycast_scan scan = random_scan(&rng, 20.0, 60.0);
        for (size_t k = 0; k < n; k++) {
            outlines[k].x += 1e5;
            outlines[k].y -= 3e4;
        }
        scan.x += 1e5;
        scan.y -= 3e4;
        expect_brute_force(n, BEAMS, scan);
    }
}

Test(raycast_scan, what_is_no_number_or_overflows_does_no_harm)
{
    static const double bad[] = {(double)NAN, (double)INFINITY, -1.7e308, 1e200};
    struct dpl_random rng = dpl_random_seeded(8, 0);
    put_scanner();
    struct dpl_raycast_fan *fan = dpl_raycast_fan_create(&test_memory, cosines, sines, BEAMS);
    for (size_t i = 0; i < 4; i++) {
        size_t n = put_scene(&rng, 10.0);
        for (size_t k = 0; k < n; k += 9) {
            outlines[k].x = k % 2 ? bad[i] : outlines[k].x;
            outlines[k].dy = k % 4 ? bad[i] : outlines[k].dy;
            outlines[k].radius = k % 27 ? outlines[k].radius : bad[i];
        }
        struct dpl_raycast_index *index = dpl_raycast_index_create(&test_memory, outlines, n, 0);
        struct dpl_raycast_scan scans[] = {
            {.max_range = 30.0},
            {.x = bad[i], .max_range = 30.0},
            {.y = 1.0, .yaw = bad[i], .max_range = 30.0},
            {.max_range = bad[i]},
        };
        for (size_t k = 0; k < 4; k++) {
            dpl_raycast_scan_fan(index, fan, &scans[k], ranges);
        }
    }
}
