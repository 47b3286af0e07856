/* SPDX-License-Identifier: Apache-2.0 */
/* Points that somebody else knows of. */
#include "obstacle_memory.h"

#include <criterion/criterion.h>

static struct dpl_nav_told told;
static struct dpl_nav_points around;

static void find_around(struct dpl_pose2 origin)
{
    around.count = 0;
    dpl_nav_told_around(&told, origin, 2.0, &around);
}

static void begin(void)
{
    told = (struct dpl_nav_told){0};
}

TestSuite(told, .init = begin);

Test(told, a_point_is_seen_from_where_the_robot_is)
{
    dpl_nav_told_add(&told, 1.0, 1.0, 5.0);
    find_around((struct dpl_pose2){1.0, 0.0, DPL_PI / 2.0});
    cr_assert_eq(around.count, 1);
    cr_assert_float_eq(around.x[0], 1.0, 1e-12);
    cr_assert_float_eq(around.y[0], 0.0, 1e-12);
    find_around((struct dpl_pose2){-1.1, 1.0, 0.0});
    cr_assert_eq(around.count, 0, "beyond the reach");
}

Test(told, a_point_is_forgotten_in_time_and_told_again_lasts_longer)
{
    dpl_nav_told_add(&told, 1.0, 0.0, 5.0);
    dpl_nav_told_add(&told, 0.0, 1.0, 5.0);
    dpl_nav_told_add(&told, 1.02, 0.01, 8.0);
    cr_assert_eq(told.count, 2);
    dpl_nav_told_age(&told, 5.0);
    cr_assert_eq(told.count, 2);
    dpl_nav_told_age(&told, 5.1);
    cr_assert_eq(told.count, 1);
    cr_assert_eq(told.x[0], 1.0);
    dpl_nav_told_age(&told, 8.1);
    cr_assert_eq(told.count, 0);
}

Test(told, when_there_are_too_many_the_oldest_goes)
{
    for (int i = 0; i < DPL_NAV_MAX_TOLD + 1; i++) {
        dpl_nav_told_add(&told, 0.1 * i, 0.0, 5.0);
    }
    cr_assert_eq(told.count, DPL_NAV_MAX_TOLD);
    find_around((struct dpl_pose2){0.0, 0.0, 0.0});
    for (size_t i = 0; i < around.count; i++) {
        cr_assert_gt(around.x[i], 0.05, "the first one is still there");
    }
    dpl_nav_told_age(&told, 0.0);
    dpl_nav_told_add(&told, -1.0, 0.0, 5.0);
    cr_assert_eq(told.count, DPL_NAV_MAX_TOLD);
}

Test(told, a_point_that_is_nowhere_is_ignored)
{
    dpl_nav_told_add(&told, (double)NAN, 0.0, 5.0);
    dpl_nav_told_add(&told, 0.0, (double)INFINITY, 5.0);
    cr_assert_eq(told.count, 0);
}
