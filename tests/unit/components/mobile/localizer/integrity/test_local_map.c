/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the local map: length by way, frames at each tenth. */
#include "local_map.h"

#include <criterion/criterion.h>

#include "plan.h"

static struct local_map map;
static struct local_map_view view;
static struct loc_scan scan;

static void begin(void)
{
    bool equal;
    const struct dpl_raycast_index *plan = plan_index(plan_room, 9);
    cr_assert(loc_scan_init(&scan, PLAN_BEAMS));
    struct localizer_scan taken = plan_scan(plan, (struct dpl_pose2){2, 1.4, 0.3}, 1.0);
    cr_assert(loc_scan_take(&scan, &taken, &equal));
    local_map_init(&map);
}

static void end(void)
{
    loc_scan_finish(&scan);
}

static void go(int steps, double ahead_m, double turn_rad)
{
    for (int i = 0; i < steps; i++) {
        local_map_scan(&map, &scan, (struct dpl_pose2){ahead_m, 0, turn_rad});
    }
}

Test(local_map, standing_adds_nothing, .init = begin, .fini = end)
{
    go(50, 0.0, 0.0);
    local_map_look(&map, 5.0, &view);
    cr_expect_eq(local_map_length(&map), 0.0);
    cr_expect_eq(view.n, 1);
    cr_expect_eq(view.frames[0].n, LOCAL_MAP_BEAMS);
}

Test(local_map, frames_are_a_tenth_of_the_length_apart, .init = begin, .fini = end)
{
    go(200, 0.03, 0.0);
    local_map_look(&map, 1.5, &view);
    cr_assert_eq(view.n, LOCAL_MAP_FRAMES);
    for (size_t i = 0; i + 1 < view.n; i++) {
        double apart_m = view.frames[i].way_m - view.frames[i + 1].way_m;
        cr_expect(apart_m > 0.08 && apart_m < 0.22, "%zu: %g", i, apart_m);
    }
    cr_expect_float_eq(view.frames[0].pose.x - view.frames[9].pose.x, 1.35, 0.1);
}

Test(local_map, turn_of_60_degrees_counts_as_a_metre, .init = begin, .fini = end)
{
    go(10, 0.0, DPL_PI / 30.0);
    cr_expect_float_eq(local_map_length(&map), 1.0, 1e-9);
}

Test(local_map, emptied_map_begins_anew_and_odometry_goes_on, .init = begin, .fini = end)
{
    go(50, 0.03, 0.0);
    local_map_empty(&map);
    local_map_look(&map, 5.0, &view);
    cr_expect_eq(view.n, 0);
    cr_expect_eq(local_map_length(&map), 0.0);
    go(1, 0.03, 0.0);
    local_map_look(&map, 5.0, &view);
    cr_expect_eq(view.n, 1);
    cr_expect_float_eq(view.frames[0].pose.x, 1.53, 1e-9);
}
