/* SPDX-License-Identifier: Apache-2.0 */
/* Ways through the local map. */
#include "planner.h"

#include <criterion/criterion.h>

static struct dpl_nav_map map;
static struct dpl_nav_planner planner;
static struct dpl_nav_plan plan;

static void begin(void)
{
    dpl_nav_map_clear(&map);
    map.placed = true;
    map.i0 = map.j0 = -DPL_NAV_MAP_CELLS / 2;
}

static void occupy(double x1, double y1, double x2, double y2)
{
    for (double part = 0.0; part <= 1.0; part += 0.005) {
        struct dpl_nav_cell cell = dpl_nav_map_cell(x1 + part * (x2 - x1), y1 + part * (y2 - y1));
        const uint32_t mask = DPL_NAV_MAP_CELLS - 1;
        map.evidence[(uint32_t)cell.i & mask][(uint32_t)cell.j & mask] = 9;
    }
}

static bool way(double goal_x, double goal_y, double radius_m)
{
    struct dpl_nav_plan_request request = {
        .robot = {0.05, 0.05, 0.0},
        .goal = {goal_x, goal_y, 0.0},
        .radius_m = radius_m,
        .ahead_m = 2.0,
        .now_s = 10.0,
    };
    return dpl_nav_plan(&planner, &map, &request, &plan);
}

Test(planner, a_near_goal_in_the_open_is_the_place_itself)
{
    begin();
    cr_assert(way(1.5, 0.5, 0.3));
    cr_assert_eq(plan.place.x, 1.5);
    cr_assert_eq(plan.place.y, 0.5);
}

Test(planner, a_far_goal_gives_a_place_towards_it)
{
    begin();
    cr_assert(way(50.0, 0.05, 0.3));
    cr_assert_float_eq(plan.place.x, 2.0, 0.15);
    cr_assert_float_eq(plan.place.y, 0.05, 0.06);
}

Test(planner, a_wall_is_passed_at_its_nearer_end)
{
    begin();
    occupy(1.0, -1.0, 1.0, 4.0);
    cr_assert(way(2.0, 0.05, 0.3));
    cr_assert_lt(plan.place.y, -1.0);
    cr_assert_gt(plan.length_m, 3.0);
}

Test(planner, a_gap_is_a_way_only_for_those_who_fit)
{
    begin();
    occupy(1.0, -6.4, 1.0, -0.3);
    occupy(1.0, 0.3, 1.0, 6.3);
    cr_assert(way(2.0, 0.05, 0.2));
    cr_assert_not(way(2.0, 0.05, 0.4));
}

Test(planner, an_enclosed_goal_has_no_way)
{
    begin();
    occupy(2.0, -1.0, 2.0, 1.0);
    occupy(2.0, 1.0, 4.0, 1.0);
    occupy(4.0, 1.0, 4.0, -1.0);
    occupy(4.0, -1.0, 2.0, -1.0);
    cr_assert_not(way(3.0, 0.0, 0.2));
}

Test(planner, a_barrier_closes_a_gap_until_its_time_is_over)
{
    begin();
    occupy(1.0, -6.4, 1.0, -0.3);
    occupy(1.0, 0.3, 1.0, 6.3);
    dpl_nav_map_add_barrier(&map, 1.0, 0.0, 20.0);
    cr_assert_not(way(2.0, 0.05, 0.2));
    map.barriers[0].until_s = 5.0;
    cr_assert(way(2.0, 0.05, 0.2));
}

Test(planner, a_goal_within_an_obstacle_stands_for_the_places_next_to_it)
{
    begin();
    occupy(2.0, 0.05, 2.0, 0.05);
    cr_assert(way(2.05, 0.05, 0.2));
}

Test(planner, a_robot_too_near_to_an_obstacle_still_finds_a_way_out)
{
    begin();
    occupy(0.25, -0.5, 0.25, 0.5);
    cr_assert(way(-2.0, 0.05, 0.3));
    cr_assert_lt(plan.place.x, -1.0);
}
