/* SPDX-License-Identifier: Apache-2.0 */
/* The map that moves with the robot. */
#include "local_map.h"

#include <criterion/criterion.h>

#define BEAMS 1080

static struct dpl_nav_map map;
static struct dpl_nav_beams beams;
static struct dpl_nav_points points;
static float ranges[BEAMS];

/* A scan of a round wall of radius `range` from (x, y). */
static void see(double x, double y, float range)
{
    for (int i = 0; i < BEAMS; i++) {
        ranges[i] = range;
    }
    struct dpl_nav_scan scan = {.ranges_m = ranges,
                                .count = BEAMS,
                                .step_rad = 2.0 * DPL_PI / BEAMS,
                                .range_min_m = 0.02,
                                .range_max_m = 5.6};
    struct dpl_pose2 laser = {x, y, 0.0};
    dpl_nav_beams_prepare(&beams, &scan);
    dpl_nav_points_from_scan(&points, &scan, &beams, laser);
    dpl_nav_map_update(&map, &scan, &beams, laser, &points);
}

static bool is_occupied(double x, double y)
{
    return dpl_nav_map_is_occupied(&map, dpl_nav_map_cell(x, y));
}

Test(local_map, what_the_laser_sees_is_occupied_and_the_rest_is_not)
{
    dpl_nav_map_clear(&map);
    see(0.05, 0.05, 2.0F);
    cr_assert(is_occupied(2.05, 0.05));
    cr_assert_not(is_occupied(1.0, 0.05));
    cr_assert_not(is_occupied(3.0, 0.05));
}

Test(local_map, what_is_seen_through_for_some_scans_is_free_again)
{
    dpl_nav_map_clear(&map);
    see(0.05, 0.05, 2.0F);
    for (int i = 0; i < 15; i++) {
        see(0.05, 0.05, 4.0F);
    }
    cr_assert_not(is_occupied(2.05, 0.05));
    cr_assert(is_occupied(4.05, 0.05));
}

Test(local_map, what_leaves_the_window_is_forgotten_and_does_not_reappear_elsewhere)
{
    dpl_nav_map_clear(&map);
    see(0.05, 0.05, 2.0F);
    double width = DPL_NAV_MAP_CELLS * DPL_NAV_MAP_CELL_M;
    for (double x = 0.05; x < 8.0; x += 0.5) {
        see(x, 0.05, 0.0F);
    }
    cr_assert(is_occupied(2.05, 0.05));
    cr_assert_not(is_occupied(-1.95, 0.05));
    cr_assert_not(is_occupied(-1.95 + width, 0.05));
    see(1000.0, -1000.0, 0.0F);
    cr_assert_not(is_occupied(2.05, 0.05));
}

Test(local_map, places_without_bound_do_no_harm)
{
    dpl_nav_map_clear(&map);
    see(1e300, -1e300, 1.0F);
    cr_assert_not(is_occupied(0.0, 0.0));
}
