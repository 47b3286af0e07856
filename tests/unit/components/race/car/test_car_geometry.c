/* SPDX-License-Identifier: Apache-2.0 */
/* Rays, outlines and segments against brute force. */
#include <math.h>

#include <criterion/criterion.h>
#include <doppel/math/random.h>

#include "car_geometry.h"

#define NEAR(value, expected, tolerance)                                                           \
    cr_assert_float_eq(value, expected, tolerance, "%.9g, not %.9g", value, (double)(expected))

static struct dpl_random rng;

static struct car_point random_point(double size)
{
    double x = dpl_random_uniform(&rng, -size, size), y = dpl_random_uniform(&rng, -size, size);
    return (struct car_point){x, y};
}

static struct car_segment random_segment(double size)
{
    struct car_point a = random_point(size), b = random_point(size);
    return (struct car_segment){a, b};
}

/* Walks the wall in small pieces and looks for the piece that the ray passes. */
static double brute_range(struct car_point from, double angle, const struct car_segment *wall)
{
    const int pieces = 20000;
    double c = cos(angle), s = sin(angle), best = (double)INFINITY, before = 0.0;
    for (int i = 0; i <= pieces; i++) {
        double part = (double)i / pieces;
        double dx = wall->a.x + part * (wall->b.x - wall->a.x) - from.x;
        double dy = wall->a.y + part * (wall->b.y - wall->a.y) - from.y;
        double along = c * dx + s * dy, side = c * dy - s * dx;
        if (i > 0 && side * before <= 0.0 && along >= 0.0) {
            best = fmin(best, along);
        }
        before = side;
    }
    return best;
}

Test(car_geometry, measures_rays_as_a_walk_along_the_wall_does)
{
    rng = dpl_random_seeded(1, 1);
    int met = 0;
    for (int i = 0; i < 400; i++) {
        struct car_segment wall = random_segment(3.0);
        struct car_point from = random_point(3.0);
        double angle = dpl_random_uniform(&rng, -DPL_PI, DPL_PI);
        double range = car_ray_range(from, angle, &wall, 1, 100.0);
        double expected = brute_range(from, angle, &wall);
        if (isfinite(range) != isfinite(expected)) {
            NEAR(fmin(range, expected), 0.0, 1e-2); /* a ray from on the wall */
            continue;
        }
        if (isfinite(range)) {
            NEAR(range, expected, 2e-2 * (1.0 + expected));
            met++;
        }
    }
    cr_assert_gt(met, 40, "%d", met);
}

Test(car_geometry, ends_rays_on_walls_of_any_angle_exactly)
{
    rng = dpl_random_seeded(2, 1);
    for (int i = 0; i < 10000; i++) {
        struct car_segment wall = random_segment(3.0);
        struct car_point from = random_point(3.0);
        double angle = dpl_random_uniform(&rng, -DPL_PI, DPL_PI);
        double range = car_ray_range(from, angle, &wall, 1, 100.0);
        if (isfinite(range)) {
            struct car_point end = {from.x + range * cos(angle), from.y + range * sin(angle)};
            cr_assert_lt(car_point_distance(end, &wall), 1e-9);
        }
    }
}

Test(car_geometry, takes_the_nearest_wall_within_reach)
{
    struct car_segment walls[] = {
        {{3, -1}, {3, 1}}, {{1, -1}, {1, 1}}, {{2, -1}, {2, 1}}, {{-0.5, -1}, {-0.5, 1}}};
    struct car_point from = {0, 0};
    NEAR(car_ray_range(from, 0.0, walls, 4, 10.0), 1.0, 1e-12);
    NEAR(car_ray_range(from, DPL_PI, walls, 4, 10.0), 0.5, 1e-12);
    cr_assert(isinf(car_ray_range(from, 0.0, walls, 4, 0.999)));
    cr_assert(isinf(car_ray_range(from, DPL_PI / 2.0, walls, 4, 10.0)));
    cr_assert(isinf(car_ray_range(from, 0.0, walls, 0, 10.0)));
}

Test(car_geometry, lets_no_ray_slip_through_where_walls_meet)
{
    rng = dpl_random_seeded(3, 1);
    for (int i = 0; i < 20000; i++) {
        double angle = dpl_random_uniform(&rng, -DPL_PI, DPL_PI);
        struct car_point corner = {2.0 * cos(angle), 2.0 * sin(angle)};
        double before = angle - dpl_random_uniform(&rng, 0.1, 3.0);
        double after = angle + dpl_random_uniform(&rng, 0.1, 3.0);
        struct car_segment walls[] = {{{3 * cos(before), 3 * sin(before)}, corner},
                                      {corner, {3 * cos(after), 3 * sin(after)}}};
        NEAR(car_ray_range((struct car_point){0, 0}, angle, walls, 2, 10.0), 2.0, 1e-9);
    }
}

Test(car_geometry, sees_a_wall_along_the_ray_from_its_nearer_end)
{
    struct car_segment wall = {{2, 0}, {1, 0}};
    NEAR(car_ray_range((struct car_point){0, 0}, 0.0, &wall, 1, 10.0), 1.0, 1e-12);
    NEAR(car_ray_range((struct car_point){1.5, 0}, 0.0, &wall, 1, 10.0), 0.0, 1e-12);
    cr_assert(isinf(car_ray_range((struct car_point){3, 0}, 0.0, &wall, 1, 10.0)));
    cr_assert(isinf(car_ray_range((struct car_point){0, 0.1}, 0.0, &wall, 1, 10.0)));
}

Test(car_geometry, finds_where_a_way_meets_a_segment)
{
    struct car_segment path = {{0, 0}, {4, 0}}, other = {{1, -1}, {1, 1}}, point = {{2, 0}, {2, 0}};
    double part = -1.0;
    cr_assert(car_segments_meet(&path, &other, &part));
    NEAR(part, 0.25, 1e-12);
    other = (struct car_segment){{4, 0}, {4, 1}};
    cr_assert(car_segments_meet(&path, &other, &part));
    NEAR(part, 1.0, 1e-12);
    other = (struct car_segment){{4.001, -1}, {4.001, 1}};
    cr_assert_not(car_segments_meet(&path, &other, &part));
    other = (struct car_segment){{1, 0.001}, {1, 1}};
    cr_assert_not(car_segments_meet(&path, &other, &part));
    cr_assert(car_segments_meet(&point, &path, &part));
    NEAR(part, 0.0, 0.0);
    point.a.y = point.b.y = 0.1;
    cr_assert_not(car_segments_meet(&point, &path, &part));
}

Test(car_geometry, clips_segments_to_a_box)
{
    struct car_point low = {0, 0}, high = {2, 1};
    struct car_segment part;
    struct car_segment through = {{-10, 0.5}, {10, 0.5}}, above = {{-10, 1.5}, {10, 1.5}};
    cr_assert(car_segment_clip(&through, low, high, &part));
    NEAR(part.a.x, 0.0, 1e-12);
    NEAR(part.b.x, 2.0, 1e-12);
    NEAR(part.a.y, 0.5, 1e-12);
    cr_assert_not(car_segment_clip(&above, low, high, &part));
    struct car_segment upwards = {{1, 5}, {1, -5}};
    cr_assert(car_segment_clip(&upwards, low, high, &part));
    NEAR(part.a.y, 1.0, 1e-12);
    NEAR(part.b.y, 0.0, 1e-12);
}

/* Nearest of many points of the segment to many points of the rectangle's edge. */
static double brute_distance(const struct car_footprint *outline, const struct car_segment *s)
{
    double best = (double)INFINITY;
    for (int i = 0; i <= 400; i++) {
        double part = i / 400.0;
        struct car_point p = {s->a.x + part * (s->b.x - s->a.x), s->a.y + part * (s->b.y - s->a.y)};
        bool inside = true;
        for (size_t k = 0; k < outline->n; k++) {
            struct car_segment side = {outline->corners[k], outline->corners[(k + 1) % outline->n]};
            best = fmin(best, car_point_distance(p, &side));
            inside = inside && (side.b.x - side.a.x) * (p.y - side.a.y) -
                                       (side.b.y - side.a.y) * (p.x - side.a.x) >=
                                   0.0;
        }
        best = inside ? 0.0 : best;
    }
    return best;
}

Test(car_geometry, measures_how_far_a_wall_is_from_an_outline)
{
    rng = dpl_random_seeded(4, 1);
    struct car_footprint rectangle = car_footprint_rectangle(0.5, 0.3, 0.1);
    int touching = 0;
    for (int i = 0; i < 3000; i++) {
        struct car_point at = random_point(0.5);
        struct dpl_pose2 pose = {at.x, at.y, dpl_random_uniform(&rng, -DPL_PI, DPL_PI)};
        struct car_footprint outline = car_footprint_at(&rectangle, pose);
        struct car_segment wall = random_segment(0.8);
        double distance = car_footprint_distance(&outline, &wall);
        NEAR(distance, brute_distance(&outline, &wall), 3e-3);
        touching += distance == 0.0;
    }
    cr_assert(touching > 300 && touching < 2700, "%d", touching);
}

Test(car_geometry, places_a_rectangle_by_its_rear_overhang)
{
    struct car_footprint f = car_footprint_rectangle(0.5, 0.3, 0.1);
    NEAR(f.radius, hypot(0.4, 0.15), 1e-12);
    struct car_footprint placed = car_footprint_at(&f, (struct dpl_pose2){1.0, 2.0, DPL_PI / 2.0});
    struct car_segment ahead = {{0, 2.5}, {2, 2.5}}, behind = {{0, 1.8}, {2, 1.8}};
    struct car_segment right = {{1.25, 0}, {1.25, 5}}, inside = {{1.0, 2.1}, {1.01, 2.1}};
    NEAR(car_footprint_distance(&placed, &ahead), 0.1, 1e-12);
    NEAR(car_footprint_distance(&placed, &behind), 0.1, 1e-12);
    NEAR(car_footprint_distance(&placed, &right), 0.1, 1e-12);
    NEAR(car_footprint_distance(&placed, &inside), 0.0, 0.0);
}
