/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of tools/map/surfels.h: which surfaces stand, and which were looked through. */
#include "surfels.h"

#include <criterion/criterion.h>
#include <math.h>

#include <doppel/math/random.h>

#define SCANS 40
#define BEAMS 61
#define LEG_X 2.02
#define LEG_Y 0.02
#define LEG_R 0.012

/* A fan of beams at a wall at x = 4, with the thin leg of a chair before it while it stands. The
 * robot moves by a centimetre a scan across the fan. */
static size_t scan_wall(size_t scan, bool leg, struct scan_point *points)
{
    double y0 = 0.01 * (double)scan - 0.2;
    for (int k = 0; k < BEAMS; k++) {
        double angle = 0.00614 * (k - BEAMS / 2), c = cos(angle), s = sin(angle);
        double along = LEG_X * c + (LEG_Y - y0) * s, across = (LEG_Y - y0) * c - LEG_X * s;
        bool hit = leg && fabs(across) < LEG_R;
        double r = hit ? along : 4.0 / c;
        points[k] = (struct scan_point){r * c, y0 + r * s, 0.0, y0, r};
    }
    return BEAMS;
}

static const struct surfel *leg_after(size_t stands, struct surfels *map)
{
    struct scan_point points[BEAMS];
    cr_assert_eq(surfels_init(map, 0.05), 0);
    for (size_t i = 0; i < SCANS; i++) {
        size_t n = scan_wall(i, i < stands, points);
        cr_assert_eq(surfels_add_scan(map, points, n, (struct dpl_pose2){0}, (uint32_t)i), 0);
    }
    for (size_t i = 0; i < SCANS; i++) {
        size_t n = scan_wall(i, i < stands, points);
        surfels_add_passes(map, points, n, (struct dpl_pose2){0}, (uint32_t)i);
    }
    const struct surfel *cell =
        surfels_at(map, surfels_index(map, LEG_X - LEG_R), surfels_index(map, LEG_Y));
    cr_assert(cell);
    return cell;
}

Test(surfels, beams_beside_a_thin_leg_do_not_look_through_it)
{
    struct surfels map;
    const struct surfel *leg = leg_after(SCANS, &map);
    cr_assert_eq(leg->stops, SCANS);
    cr_assert_eq(leg->passes, 0);
    surfels_finish(&map);
}

Test(surfels, a_leg_that_was_taken_away_is_looked_through)
{
    struct surfels map;
    const struct surfel *leg = leg_after(10, &map);
    cr_assert_eq(leg->stops, 10);
    cr_assert_gt(leg->passes, 20, "%u", leg->passes);
    surfels_finish(&map);
}

/* The fan at the wall, from poses that are wrong by centimetres: they are no noise of the laser. */
static double noise_told(double noise_m)
{
    struct scan_point points[BEAMS];
    struct surfels map;
    struct dpl_random rng = dpl_random_seeded(3, 0);
    cr_assert_eq(surfels_init(&map, 0.05), 0);
    for (size_t i = 0; i < SCANS; i++) {
        struct dpl_pose2 pose = {0.02 * (double)(i % 5), 0.0, 0.0};
        size_t n = scan_wall(i, false, points);
        for (size_t k = 0; k < n; k++) {
            points[k].range += noise_m * dpl_random_normal(&rng);
        }
        cr_assert_eq(surfels_add_scan(&map, points, n, pose, (uint32_t)i), 0);
    }
    double told = surfels_noise(&map);
    surfels_clear(&map);
    cr_assert_eq(surfels_noise(&map), 0.0, "no beam, and a noise");
    surfels_finish(&map);
    return told;
}

Test(surfels, tell_the_noise_of_the_laser_whatever_the_poses)
{
    cr_assert_float_eq(noise_told(0.02), 0.02, 0.0015);
    cr_assert_float_eq(noise_told(0.003), 0.003, 0.0003);
}
