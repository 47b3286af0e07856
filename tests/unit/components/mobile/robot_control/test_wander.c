/* SPDX-License-Identifier: Apache-2.0 */
/* Choice of the patrol's goals and the memory of visits. */
#include "wander.h"

#include <criterion/criterion.h>

static struct dpl_nav_wander wander;

static struct dpl_nav_sectors closed(void)
{
    return (struct dpl_nav_sectors){{0.0}};
}

static struct dpl_nav_outlook outlook_from(double x, double y, double theta)
{
    return (struct dpl_nav_outlook){
        .pose = {x, y, theta}, .now_s = 10.0, .need_m = 0.5, .view_rad = 2.0, .behind_m = 0.8};
}

Test(wander, with_every_direction_closed_there_is_no_goal)
{
    dpl_nav_wander_init(&wander, 1);
    struct dpl_nav_sectors sectors = closed();
    struct dpl_nav_outlook outlook = outlook_from(0, 0, 0);
    struct dpl_pose2 goal;
    cr_assert_not(dpl_nav_wander_choose(&wander, &sectors, &outlook, &goal));
}

Test(wander, the_goal_is_in_the_open_direction_and_not_beyond_what_is_free)
{
    dpl_nav_wander_init(&wander, 1);
    struct dpl_nav_sectors sectors = closed();
    sectors.free_m[dpl_nav_sector_of(1.0)] = 2.0;
    struct dpl_nav_outlook outlook = outlook_from(1.0, 2.0, 0.5);
    struct dpl_pose2 goal;
    cr_assert(dpl_nav_wander_choose(&wander, &sectors, &outlook, &goal));
    cr_assert_float_eq(atan2(goal.y - 2.0, goal.x - 1.0), 1.5, 0.03);
    cr_assert_lt(hypot(goal.y - 2.0, goal.x - 1.0), 2.0);
}

Test(wander, of_two_open_ways_the_new_one_is_taken)
{
    for (uint64_t seed = 1; seed < 20; seed++) {
        dpl_nav_wander_init(&wander, seed);
        struct dpl_nav_sectors sectors = closed();
        sectors.free_m[dpl_nav_sector_of(1.0)] = sectors.free_m[dpl_nav_sector_of(-1.0)] = 3.0;
        for (double s = 0.0; s < 3.5; s += 0.2) {
            dpl_nav_visits_mark(&wander.visits, s * cos(1.0), s * sin(1.0), 9.0);
        }
        struct dpl_nav_outlook outlook = outlook_from(0, 0, 0);
        struct dpl_pose2 goal;
        cr_assert(dpl_nav_wander_choose(&wander, &sectors, &outlook, &goal));
        cr_assert_lt(goal.y, 0.0);
    }
}

Test(wander, the_same_seed_makes_the_same_choices)
{
    static struct dpl_nav_wander other;
    dpl_nav_wander_init(&wander, 5);
    dpl_nav_wander_init(&other, 5);
    struct dpl_nav_sectors sectors = closed();
    for (size_t i = 0; i < DPL_NAV_SECTORS; i++) {
        sectors.free_m[i] = 3.0;
    }
    struct dpl_nav_outlook outlook = outlook_from(0, 0, 0);
    for (int i = 0; i < 20; i++) {
        struct dpl_pose2 a, b;
        dpl_nav_wander_choose(&wander, &sectors, &outlook, &a);
        dpl_nav_wander_choose(&other, &sectors, &outlook, &b);
        cr_assert(a.x == b.x && a.y == b.y);
    }
}

Test(visits, novelty_grows_again_with_time)
{
    dpl_nav_visits_clear(&wander.visits);
    cr_assert_eq(dpl_nav_visits_novelty(&wander.visits, -3.2, 4.1, 0.0), 1.0);
    dpl_nav_visits_mark(&wander.visits, -3.2, 4.1, 100.0);
    cr_assert_eq(dpl_nav_visits_novelty(&wander.visits, -3.2, 4.1, 100.0), 0.0);
    double later = dpl_nav_visits_novelty(&wander.visits, -3.2, 4.1, 300.0);
    cr_assert(later > 0.2 && later < 1.0);
}

Test(visits, a_far_place_in_the_same_slot_is_another_place)
{
    dpl_nav_visits_clear(&wander.visits);
    dpl_nav_visits_mark(&wander.visits, 0.1, 0.1, 100.0);
    double far_m = DPL_NAV_VISIT_CELLS * DPL_NAV_VISIT_CELL_M;
    cr_assert_eq(dpl_nav_visits_novelty(&wander.visits, 0.1 + far_m, 0.1, 100.0), 1.0);
    dpl_nav_visits_mark(&wander.visits, 1e300, -1e300, 100.0);
}
