/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of tools/map/walls.h: the walls of a simulated room. */
#include "walls.h"

#include "mapper.h"
#include "room.h"

static void find_with(double noise_m, uint32_t min_scans, struct walls *ret_walls)
{
    const struct room_case room = {.n = 150, .odometry_scale = 1.0, .noise_m = noise_m};
    const struct mapper_options options = {0};
    struct recording recording = room_record(&room);
    struct mapper mapper;
    cr_assert_eq(mapper_build(&recording, &options, &mapper, NULL), 0);
    cr_assert_eq(walls_find(&mapper.map, min_scans, ret_walls), 0);
    mapper_finish(&mapper);
    recording_finish(&recording);
}

static void find(uint32_t min_scans, struct walls *ret_walls)
{
    find_with(0.0, min_scans, ret_walls);
}

/* In the room's frame. */
static struct dpl_pose2 in_room(double x, double y)
{
    return dpl_pose2_compose(room_pose(0.0), (struct dpl_pose2){x, y, 0.0});
}

Test(walls, of_a_room_are_its_four_sides_with_closed_corners)
{
    struct walls walls;
    double length = 0.0;
    find(3, &walls);
    cr_assert_geq(walls.n, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct wall *w = &walls.items[i];
        struct dpl_pose2 a = in_room(w->x1, w->y1), b = in_room(w->x2, w->y2);
        double off = fmax(fmin(fabs(fabs(a.x) - ROOM_X), fabs(fabs(a.y) - ROOM_Y)),
                          fmin(fabs(fabs(b.x) - ROOM_X), fabs(fabs(b.y) - ROOM_Y)));
        cr_assert_lt(off, 0.015, "wall %zu: %g m off", i, off);
        length += wall_length(w);
    }
    cr_assert_float_eq(length, 4.0 * (ROOM_X + ROOM_Y), 0.1);
    walls_finish(&walls);
}

Test(walls, whose_ends_scatter_are_not_drawn_twice)
{
    struct walls walls;
    double length = 0.0;
    find_with(0.02, 3, &walls);
    for (size_t i = 0; i < walls.n; i++) {
        length += wall_length(&walls.items[i]);
    }
    cr_assert_float_eq(length, 4.0 * (ROOM_X + ROOM_Y), 1.0, "%zu walls, %g m", walls.n, length);
    walls_finish(&walls);
}

Test(walls, are_the_same_each_time)
{
    struct walls a, b;
    find(3, &a);
    find(3, &b);
    cr_assert_eq(a.n, b.n);
    cr_assert_arr_eq(a.items, b.items, a.n * sizeof *a.items);
    walls_finish(&a);
    walls_finish(&b);
}

Test(walls, need_as_many_scans_as_asked)
{
    struct walls walls;
    find(1000, &walls);
    cr_assert_eq(walls.n, 0);
    cr_assert(isinf(walls_distance(&walls, 0.0, 0.0)));
    walls_finish(&walls);
}
