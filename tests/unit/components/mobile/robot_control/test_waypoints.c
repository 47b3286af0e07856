/* SPDX-License-Identifier: Apache-2.0 */
/* Order, arrival and time limits of waypoints. */
#include "waypoints.h"

#include <criterion/criterion.h>

static struct dpl_nav_route_config config = {
    .waypoints = {{1.0, 0.0}, {1.0, 1.0}},
    .count = 2,
    .tolerance_m = 0.1,
    .patience_s = 10.0,
    .speed_m_s = 0.2,
};

static enum dpl_nav_route_event at(struct dpl_nav_route *route, double x, double y, double now_s)
{
    return dpl_nav_route_step(route, (struct dpl_pose2){x, y, 0.0}, now_s);
}

Test(waypoints, they_are_reached_in_order_and_then_it_is_done)
{
    struct dpl_nav_route route;
    dpl_nav_route_init(&route, &config);
    cr_assert_eq(at(&route, 0.0, 0.0, 0.0), DPL_NAV_ROUTE_GOING);
    cr_assert_eq(at(&route, 0.95, 0.0, 5.0), DPL_NAV_ROUTE_REACHED);
    cr_assert_eq(dpl_nav_route_goal(&route)->y, 1.0);
    cr_assert_eq(at(&route, 1.0, 0.95, 9.0), DPL_NAV_ROUTE_REACHED);
    cr_assert_eq(at(&route, 1.0, 0.95, 9.1), DPL_NAV_ROUTE_DONE);
    cr_assert_null(dpl_nav_route_goal(&route));
    cr_assert_eq(route.reached, 2);
}

Test(waypoints, a_loop_begins_again)
{
    struct dpl_nav_route_config loop = config;
    loop.loop = true;
    struct dpl_nav_route route;
    dpl_nav_route_init(&route, &loop);
    at(&route, 1.0, 0.0, 0.0);
    at(&route, 1.0, 1.0, 1.0);
    cr_assert_eq(route.index, 0);
    cr_assert_eq(at(&route, 1.0, 1.0, 2.0), DPL_NAV_ROUTE_GOING);
}

Test(waypoints, one_that_takes_too_long_is_abandoned_and_counted)
{
    struct dpl_nav_route route;
    dpl_nav_route_init(&route, &config);
    at(&route, 0.0, 0.0, 0.0); /* 10 s and four times 1 m at 0.2 m/s */
    cr_assert_eq(at(&route, 0.0, 0.0, 29.9), DPL_NAV_ROUTE_GOING);
    cr_assert_eq(at(&route, 0.0, 0.0, 30.0), DPL_NAV_ROUTE_ABANDONED);
    cr_assert_eq(route.abandoned, 1);
    cr_assert_eq(route.index, 1);
}

Test(waypoints, standing_by_order_does_not_count)
{
    struct dpl_nav_route route;
    dpl_nav_route_init(&route, &config);
    at(&route, 0.0, 0.0, 0.0);
    dpl_nav_route_pause(&route, 100.0);
    cr_assert_eq(at(&route, 0.0, 0.0, 120.0), DPL_NAV_ROUTE_GOING);
}

Test(waypoints, an_empty_list_is_done)
{
    struct dpl_nav_route_config empty = {.tolerance_m = 0.1, .patience_s = 1.0, .speed_m_s = 0.2};
    struct dpl_nav_route route;
    empty.loop = true;
    dpl_nav_route_init(&route, &empty);
    cr_assert_eq(at(&route, 0.0, 0.0, 0.0), DPL_NAV_ROUTE_DONE);
}
