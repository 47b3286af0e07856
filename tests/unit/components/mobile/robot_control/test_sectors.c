/* SPDX-License-Identifier: Apache-2.0 */
/* Free travel by direction. */
#include "sectors.h"

#include <criterion/criterion.h>

static struct dpl_nav_points points;
static struct dpl_nav_bearings bearings;
static struct dpl_nav_sectors sectors;

static void build(double radius)
{
    dpl_nav_bearings_build(&bearings, &points);
    dpl_nav_sectors_build(&sectors, &bearings, radius, 4.0);
}

static void wall_ahead(double x, double from, double to)
{
    for (double y = from; y <= to; y += 0.01) {
        dpl_nav_points_add(&points, x, y);
    }
}

Test(sectors, every_direction_belongs_to_the_sector_of_its_angle)
{
    for (size_t i = 0; i < DPL_NAV_SECTORS; i++) {
        cr_assert_eq(dpl_nav_sector_of(dpl_nav_sector_angle(i)), i);
    }
    cr_assert_lt(dpl_nav_sector_of((double)NAN), DPL_NAV_SECTORS);
}

Test(sectors, nothing_around_leaves_the_limit_everywhere)
{
    points.count = 0;
    build(0.3);
    for (size_t i = 0; i < DPL_NAV_SECTORS; i++) {
        cr_assert_eq(sectors.free_m[i], 4.0);
    }
}

Test(sectors, a_point_blocks_the_width_of_the_robot)
{
    points.count = 0;
    dpl_nav_points_add(&points, 1.0, 0.0);
    build(0.3);
    cr_assert_float_eq(sectors.free_m[dpl_nav_sector_of(0.0)], 0.7, 0.01);
    cr_assert_eq(sectors.free_m[dpl_nav_sector_of(asin(0.3) + 0.06)], 4.0);
    cr_assert_lt(sectors.free_m[dpl_nav_sector_of(asin(0.3) - 0.06)], 1.0);
}

Test(sectors, a_point_behind_blocks_across_the_ends_of_the_histogram)
{
    points.count = 0;
    dpl_nav_points_add(&points, -1.0, 0.0);
    build(0.3);
    cr_assert_float_eq(sectors.free_m[0], 0.7, 0.01);
    cr_assert_float_eq(sectors.free_m[DPL_NAV_SECTORS - 1], 0.7, 0.01);
}

Test(sectors, a_point_inside_the_disc_blocks_the_half_circle_towards_it)
{
    points.count = 0;
    dpl_nav_points_add(&points, 0.0, 0.2);
    build(0.3);
    cr_assert_eq(sectors.free_m[dpl_nav_sector_of(DPL_PI / 2.0)], 0.0);
    cr_assert_eq(sectors.free_m[dpl_nav_sector_of(-0.1)], 4.0);
}

Test(sectors, steering_keeps_to_a_free_wish)
{
    points.count = 0;
    build(0.3);
    struct dpl_nav_steering request = {.wish_rad = 0.4, .need_m = 1.0, .most_rad = 1.5};
    double angle = 0.0;
    cr_assert(dpl_nav_sectors_steer(&sectors, &request, &angle));
    cr_assert_float_eq(angle, 0.4, 1e-12);
}

Test(sectors, steering_goes_round_the_nearer_end_of_a_wall)
{
    points.count = 0;
    wall_ahead(1.0, -0.2, 2.0);
    build(0.3);
    struct dpl_nav_steering request = {.need_m = 1.2, .most_rad = 1.5};
    double angle = 0.0;
    cr_assert(dpl_nav_sectors_steer(&sectors, &request, &angle));
    cr_assert_lt(angle, -0.3);
    cr_assert_gt(angle, -0.8);
}

Test(sectors, steering_finds_nothing_in_a_dead_end)
{
    points.count = 0;
    wall_ahead(0.6, -3.0, 3.0);
    build(0.3);
    struct dpl_nav_steering request = {.need_m = 0.8, .most_rad = 0.7};
    double angle = 7.0;
    cr_assert_not(dpl_nav_sectors_steer(&sectors, &request, &angle));
    cr_assert_eq(angle, 7.0);
}

Test(sectors, a_gap_is_open_to_the_disc_that_fits_and_closed_to_the_one_that_does_not)
{
    points.count = 0;
    wall_ahead(1.0, -2.0, -0.25);
    wall_ahead(1.0, 0.25, 2.0);
    build(0.22);
    cr_assert_gt(sectors.free_m[dpl_nav_sector_of(0.01)], 3.0);
    build(0.30);
    cr_assert_lt(sectors.free_m[dpl_nav_sector_of(0.01)], 1.0);
}
