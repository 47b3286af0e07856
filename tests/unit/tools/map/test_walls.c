/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of tools/map/walls.h: the walls of a simulated room. */
#include "walls.h"

#include "mapper.h"
#include "room.h"

static void find_in(const struct room_case *room, uint32_t min_scans, struct walls *ret_walls)
{
    const struct mapper_options options = {0};
    struct recording recording = room_record(room);
    struct mapper mapper;
    cr_assert_eq(mapper_build(&recording, &options, &mapper, NULL), 0);
    cr_assert_eq(walls_find(&mapper.map, min_scans, ret_walls), 0);
    mapper_finish(&mapper);
    recording_finish(&recording);
}

static void find(uint32_t min_scans, struct walls *ret_walls)
{
    find_in(&(struct room_case){.n = 150, .odometry_scale = 1.0}, min_scans, ret_walls);
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

static double length_of(const struct walls *walls)
{
    double length = 0.0;
    for (size_t i = 0; i < walls->n; i++) {
        length += wall_length(&walls->items[i]);
    }
    return length;
}

Test(walls, whose_ends_scatter_are_not_drawn_twice)
{
    struct walls walls;
    find_in(&(struct room_case){.n = 150, .odometry_scale = 1.0, .noise_m = 0.02}, 3, &walls);
    cr_assert_eq(walls.n, 4, "%zu walls", walls.n);
    cr_assert_float_eq(length_of(&walls), 4.0 * (ROOM_X + ROOM_Y), 0.2, "%g m", length_of(&walls));
    walls_finish(&walls);
}

/* The shortest distance between the middle of the frame's face and a wall that looks as it does. */
static double off_frame(const struct walls *walls)
{
    double least = (double)INFINITY;
    for (size_t i = 0; i < walls->n; i++) {
        const struct wall *w = &walls->items[i];
        struct dpl_pose2 a = in_room(w->x1, w->y1), b = in_room(w->x2, w->y2);
        double middle = 0.5 * (FRAME_X1 + FRAME_X2);
        bool is_before = fmin(a.x, b.x) < middle && fmax(a.x, b.x) > middle;
        double y = a.y + (b.y - a.y) * (middle - a.x) / (b.x - a.x);
        least = is_before ? fmin(least, fabs(y - FRAME_Y)) : least;
    }
    return least;
}

Test(walls, what_stands_before_a_wall_is_a_thing_of_its_own)
{
    struct walls walls;
    find_in(&(struct room_case){.n = 150, .odometry_scale = 1.0, .has_frame = true}, 3, &walls);
    cr_assert_lt(off_frame(&walls), 0.015, "%g m from the frame", off_frame(&walls));
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
