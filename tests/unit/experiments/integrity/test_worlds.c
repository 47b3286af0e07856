/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the worlds that are drawn by chance. */
#include "worlds.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "route.h"

static struct world *world, *again;
static struct route *route;

static void begin(void)
{
    world = calloc(2, sizeof *world);
    route = calloc(1, sizeof *route);
    cr_assert(world && route);
    again = world + 1;
}

static void end(void)
{
    free(world);
    free(route);
}

Test(worlds, seed_gives_the_same_world_and_a_way_through_it, .init = begin, .fini = end)
{
    for (int kind = 0; kind < WORLD_KINDS; kind++) {
        world_draw(world, (enum world_kind)kind, 7);
        world_draw(again, (enum world_kind)kind, 7);
        cr_expect_eq(memcmp(world, again, sizeof *world), 0, "%d", kind);
        cr_expect_gt(world->room.n, 3);
        cr_expect_eq(world->room.n, world->plan.n);
        route_init(route, &world->room, 0.3, dpl_random_seeded(7, 1));
        cr_assert_leq(route->nx * route->ny, ROUTE_CELLS_MAX, "%s",
                      world_name((enum world_kind)kind));
        struct dpl_pose2 start = route_start(route);
        cr_expect(route_is_free(route, start.x, start.y));
    }
}

Test(worlds, copy_of_the_copy_is_the_place, .init = begin, .fini = end)
{
    static const enum world_kind kinds[] = {WORLD_SYMMETRIC, WORLD_EQUAL};
    for (size_t i = 0; i < 2; i++) {
        world_draw(world, kinds[i], 3);
        cr_assert(world->has_copy);
        struct dpl_pose2 at = {1.5, 2.5, 0.4};
        struct dpl_pose2 copy = world_copy(world, at), back = world_copy(world, copy);
        cr_expect_gt(dpl_pose2_distance(at, copy), 0.5);
        cr_expect_lt(dpl_pose2_distance(at, back), 1e-9);
        cr_expect_lt(fabs(dpl_wrap_angle(at.theta - back.theta)), 1e-9);
    }
}

Test(worlds, surfaces_of_a_plan_are_off_by_little, .init = begin, .fini = end)
{
    for (uint64_t seed = 1; seed < 6; seed++) {
        world_draw(world, WORLD_ROUND, seed);
        for (size_t i = 0; i + 1 < world->room.n; i++) {
            const struct dpl_raycast_outline *a = &world->room.objects[i].outlines[0];
            const struct dpl_raycast_outline *b = &world->plan.objects[i].outlines[0];
            cr_expect_lt(hypot(a->x - b->x, a->y - b->y), 5.0 * world->survey_m + 1e-9);
        }
    }
}
