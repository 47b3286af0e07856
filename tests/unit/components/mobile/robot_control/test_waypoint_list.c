/* SPDX-License-Identifier: Apache-2.0 */
/* Waypoints as text. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include "waypoints.h"

static struct dpl_nav_route_config route;
static size_t offset;

static void refuse(const char *text, size_t expected_offset)
{
    cr_assert_eq(dpl_nav_waypoints_parse(&route, text, &offset), -EINVAL, "'%s' was taken", text);
    cr_assert_eq(offset, expected_offset, "'%s': offset %zu", text, offset);
}

Test(waypoint_list, is_empty_for_a_text_without_numbers)
{
    route.count = 5;
    cr_assert_eq(dpl_nav_waypoints_parse(&route, " ;\n; ", &offset), 0);
    cr_assert_eq(route.count, 0);
}

Test(waypoint_list, reads_pairs)
{
    cr_assert_eq(dpl_nav_waypoints_parse(&route, "1 2;-0.5\t1e1 ;\n3. .25;", &offset), 0);
    cr_assert_eq(route.count, 3);
    cr_assert_float_eq(route.waypoints[0].y, 2.0, 1e-12);
    cr_assert_float_eq(route.waypoints[1].x, -0.5, 1e-12);
    cr_assert_float_eq(route.waypoints[1].y, 10.0, 1e-12);
    cr_assert_float_eq(route.waypoints[2].y, 0.25, 1e-12);
}

Test(waypoint_list, says_which_byte_does_not_fit)
{
    refuse("1", 1);
    refuse("1;2", 1);
    refuse("1 2 3", 4);
    refuse("1 2; x 3", 5);
    refuse("1 2; 3 y", 7);
    refuse("1 2m", 2);
    refuse("1,2", 0);
}

Test(waypoint_list, refuses_numbers_that_are_not_decimal_and_finite)
{
    refuse("nan 0", 0);
    refuse("0 inf", 2);
    refuse("0 1e999", 2);
    refuse("0x10 0", 0);
}

Test(waypoint_list, takes_as_many_as_it_says_and_no_more)
{
    static char text[8 * (DPL_NAV_MAX_WAYPOINTS + 1)];
    size_t at = 0;
    for (int i = 0; i < DPL_NAV_MAX_WAYPOINTS; i++) {
        at += (size_t)snprintf(text + at, sizeof text - at, "1 2;");
    }
    cr_assert_eq(dpl_nav_waypoints_parse(&route, text, &offset), 0);
    cr_assert_eq(route.count, DPL_NAV_MAX_WAYPOINTS);
    snprintf(text + at, sizeof text - at, "3 4");
    refuse(text, at);
}
