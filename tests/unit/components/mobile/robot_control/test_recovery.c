/* SPDX-License-Identifier: Apache-2.0 */
/* Being stuck, and the way out. */
#include "recovery.h"

#include <criterion/criterion.h>

static struct dpl_nav_sectors only(double angle, double free_m)
{
    struct dpl_nav_sectors sectors = {{0.0}};
    sectors.free_m[dpl_nav_sector_of(angle)] = free_m;
    return sectors;
}

Test(recovery, a_robot_that_gets_on_is_never_stuck)
{
    struct dpl_nav_recovery recovery;
    dpl_nav_recovery_init(&recovery, 1);
    for (int i = 0; i < 600; i++) {
        struct dpl_pose2 pose = {0.005 * i, 0.0, 0.0};
        cr_assert_not(dpl_nav_recovery_is_stuck(&recovery, pose, 0.1 * i));
    }
}

Test(recovery, a_robot_that_turns_at_one_place_for_long_is_stuck)
{
    struct dpl_nav_recovery recovery;
    dpl_nav_recovery_init(&recovery, 1);
    bool stuck = false;
    for (int i = 0; i < 200; i++) {
        stuck = dpl_nav_recovery_is_stuck(&recovery, (struct dpl_pose2){0, 0, 0.1 * i}, 0.1 * i);
    }
    cr_assert(stuck);
}

Test(recovery, rest_by_order_is_not_being_stuck)
{
    struct dpl_nav_recovery recovery;
    dpl_nav_recovery_init(&recovery, 1);
    dpl_nav_recovery_is_stuck(&recovery, (struct dpl_pose2){0}, 0.0);
    dpl_nav_recovery_rest(&recovery);
    cr_assert_not(dpl_nav_recovery_is_stuck(&recovery, (struct dpl_pose2){0}, 100.0));
}

Test(recovery, the_only_way_is_taken)
{
    struct dpl_nav_recovery recovery;
    dpl_nav_recovery_init(&recovery, 1);
    struct dpl_nav_sectors sectors = only(2.5, 2.0);
    dpl_nav_recovery_begin(&recovery, &sectors, (struct dpl_pose2){1.0, 1.0, 0.5}, 3.0);
    cr_assert(recovery.active);
    cr_assert_float_eq(recovery.way_out.theta, 3.0, 0.03);
    cr_assert_lt(recovery.way_out.x, 0.5);
}

Test(recovery, with_no_way_at_all_it_looks_elsewhere)
{
    struct dpl_nav_recovery recovery;
    dpl_nav_recovery_init(&recovery, 1);
    struct dpl_nav_sectors sectors = only(0.0, 0.0);
    dpl_nav_recovery_begin(&recovery, &sectors, (struct dpl_pose2){0}, 0.0);
    cr_assert_gt(fabs(recovery.way_out.theta), 1.5);
}

Test(recovery, it_ends_at_the_way_out_or_when_time_is_over)
{
    struct dpl_nav_recovery recovery;
    dpl_nav_recovery_init(&recovery, 1);
    struct dpl_nav_sectors sectors = only(0.0, 1.0);
    dpl_nav_recovery_begin(&recovery, &sectors, (struct dpl_pose2){0}, 0.0);
    cr_assert(dpl_nav_recovery_step(&recovery, (struct dpl_pose2){0}, 1.0));
    cr_assert_not(dpl_nav_recovery_step(&recovery, recovery.way_out, 2.0));
    dpl_nav_recovery_begin(&recovery, &sectors, (struct dpl_pose2){0}, 3.0);
    cr_assert_not(dpl_nav_recovery_step(&recovery, (struct dpl_pose2){0}, 60.0));
}
