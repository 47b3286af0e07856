/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of what a scan foretells of the next one. */
#include "continuity.h"

#include <criterion/criterion.h>

#include "plan.h"

static struct continuity continuity;
static struct loc_scan scan;
static const struct dpl_raycast_index *plan;
static double stamp_s;

static void begin(void)
{
    plan = plan_index(plan_room, 9);
    cr_assert(continuity_init(&continuity, PLAN_BEAMS) && loc_scan_init(&scan, PLAN_BEAMS));
}

static void end(void)
{
    continuity_finish(&continuity);
    loc_scan_finish(&scan);
}

static struct continuity_result see(struct dpl_pose2 laser, struct dpl_pose2 moved)
{
    struct continuity_result result;
    bool equal;
    struct localizer_scan taken = plan_scan(plan, laser, stamp_s += 0.1);
    cr_assert(loc_scan_take(&scan, &taken, &equal));
    continuity_scan(&continuity, &scan, moved, &result);
    return result;
}

Test(continuity, first_scan_is_compared_with_nothing, .init = begin, .fini = end)
{
    struct continuity_result r = see((struct dpl_pose2){2, 1.4, 0.3}, (struct dpl_pose2){0});
    cr_expect_eq(r.n_compared, 0);
    cr_expect_eq(r.share, 1.0);
}

Test(continuity, motion_that_odometry_tells_is_foretold, .init = begin, .fini = end)
{
    struct dpl_pose2 at = {2, 1.4, 0.3}, moved = {0.05, 0.01, 0.12};
    see(at, (struct dpl_pose2){0});
    for (int i = 0; i < 10; i++) {
        at = dpl_pose2_compose(at, moved);
        struct continuity_result r = see(at, moved);
        cr_expect_gt(r.n_compared, 200);
        cr_expect_gt(r.share, 0.95, "step %d: %g", i, r.share);
    }
}

Test(continuity, robot_that_was_carried_or_turned_is_not, .init = begin, .fini = end)
{
    static const struct dpl_pose2 others[] = {{2.4, 1.8, 0.3}, {3, 2.0, 0.3}, {2, 1.4, 0.9}};
    for (size_t i = 0; i < 3; i++) {
        continuity_forget(&continuity);
        see((struct dpl_pose2){2, 1.4, 0.3}, (struct dpl_pose2){0});
        struct continuity_result r = see(others[i], (struct dpl_pose2){0});
        cr_expect_lt(r.share, 0.6, "%zu: %g of %zu", i, r.share, r.n_compared);
    }
}

Test(continuity, robot_whose_wheels_turn_in_vain_was_not_carried, .init = begin, .fini = end)
{
    struct dpl_pose2 at = {2, 1.4, 0.3};
    see(at, (struct dpl_pose2){0});
    at.x += 1e-5;
    struct continuity_result r = see(at, (struct dpl_pose2){0.05, 0, 0.2});
    cr_expect_gt(r.share, 0.95);
}
