/* SPDX-License-Identifier: Apache-2.0 */
/* What is remembered outside of the laser's view. */
#include "obstacle_memory.h"

#include <criterion/criterion.h>

#define BEAMS 682

static float ranges[BEAMS];
static struct dpl_nav_memory memory;
static struct dpl_nav_beams beams;
static struct dpl_nav_points around;

static struct dpl_nav_scan scan_at(double stamp_s)
{
    return (struct dpl_nav_scan){.ranges_m = ranges,
                                 .count = BEAMS,
                                 .start_rad = -340.0 * 2.0 * DPL_PI / 1024.0,
                                 .step_rad = 2.0 * DPL_PI / 1024.0,
                                 .range_min_m = 0.02,
                                 .range_max_m = 5.6,
                                 .stamp_s = stamp_s};
}

/* Sees one leg `range` ahead (0: nothing) from a robot with the heading `theta`. */
static void see(float leg, float rest, double theta, double stamp_s)
{
    for (int i = 0; i < BEAMS; i++) {
        ranges[i] = i >= 338 && i <= 342 ? leg : rest;
    }
    struct dpl_nav_scan scan = scan_at(stamp_s);
    dpl_nav_beams_prepare(&beams, &scan);
    dpl_nav_memory_update(&memory, &scan, &beams, (struct dpl_pose2){0.0, 0.0, theta});
    dpl_nav_memory_around(&memory, (struct dpl_pose2){0.0, 0.0, 0.0}, 3.0, &around);
}

static bool knows(double x, double y)
{
    for (size_t i = 0; i < around.count; i++) {
        if (hypot(around.x[i] - x, around.y[i] - y) < 0.03) {
            return true;
        }
    }
    return false;
}

Test(obstacle_memory, what_leaves_the_view_by_turning_is_remembered)
{
    dpl_nav_memory_clear(&memory);
    see(0.5F, 0.0F, 0.0, 1.0);
    cr_assert(knows(0.5, 0.0));
    see(0.0F, 0.0F, DPL_PI, 1.1);
    cr_assert(knows(0.5, 0.0));
    see(0.0F, 0.0F, DPL_PI, 30.0);
    cr_assert(knows(0.5, 0.0));
}

Test(obstacle_memory, what_is_seen_through_is_forgotten_at_once)
{
    dpl_nav_memory_clear(&memory);
    see(0.5F, 3.0F, 0.0, 1.0);
    see(3.0F, 3.0F, 0.0, 1.1);
    cr_assert_not(knows(0.5, 0.0));
}

Test(obstacle_memory, a_lost_answer_does_not_make_an_obstacle_vanish)
{
    dpl_nav_memory_clear(&memory);
    see(0.5F, 3.0F, 0.0, 1.0);
    see(0.0F, 3.0F, 0.0, 1.1);
    cr_assert(knows(0.5, 0.0));
    see(0.0F, 3.0F, 0.0, 4.0);
    cr_assert_not(knows(0.5, 0.0));
}

Test(obstacle_memory, what_is_behind_is_forgotten_after_a_minute)
{
    dpl_nav_memory_clear(&memory);
    see(0.5F, 0.0F, 0.0, 1.0);
    see(0.0F, 0.0F, DPL_PI, 1.1);
    see(0.0F, 0.0F, DPL_PI, 62.0);
    cr_assert_not(knows(0.5, 0.0));
}

Test(obstacle_memory, far_obstacles_are_not_remembered)
{
    dpl_nav_memory_clear(&memory);
    see(2.0F, 0.0F, 0.0, 1.0);
    see(0.0F, 0.0F, DPL_PI, 1.1);
    cr_assert_not(knows(2.0, 0.0));
}

Test(obstacle_memory, turning_many_times_does_not_fill_it_up)
{
    dpl_nav_memory_clear(&memory);
    for (int i = 0; i < 400; i++) {
        see(0.5F, 0.5F, 0.1 * i, 1.0 + 0.1 * i);
    }
    cr_assert_lt(memory.count, DPL_NAV_MAX_REMEMBERED / 2);
}
