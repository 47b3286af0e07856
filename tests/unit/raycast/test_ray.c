/* SPDX-License-Identifier: Apache-2.0 */
/* A ray ends to the last bit where the least of all outlines ends it, and tells whose that is. */
#include <math.h>
#include <stdbool.h>

#include <criterion/criterion.h>
#include <doppel/math/geometry.h>
#include <doppel/math/random.h>

#include "brute_force.h"
#include "raycast.h"

enum { OUTLINES = 300, MOVING = 12 };

static struct dpl_raycast_outline outlines[OUTLINES];

static double meet(const struct dpl_raycast_outline *o, const struct dpl_raycast_ray *r)
{
    return range_of_one(o, r->x, r->y, r->dx, r->dy);
}

/* Over all outlines; *ret_outline: the first of the nearest. */
static double brute_force(const struct dpl_raycast_ray *ray, int *ret_outline)
{
    double best = ray->max_range;
    *ret_outline = DPL_RAYCAST_NOTHING;
    for (int i = 0; i < OUTLINES; i++) {
        bool own = ray->owner != DPL_RAYCAST_NO_OWNER && outlines[i].owner == ray->owner;
        double distance = own ? forever : meet(&outlines[i], ray);
        if (distance < best) {
            best = distance;
            *ret_outline = i;
        }
    }
    return *ret_outline == DPL_RAYCAST_NOTHING ? forever : best;
}

static void put_scene(struct dpl_random *rng, double extent)
{
    for (int i = 0; i < OUTLINES; i++) {
        outlines[i] = random_outline(rng, i, extent, i % 2 ? 0.5 * extent : 1.0);
        outlines[i].owner = i / 4;
    }
}

static struct dpl_raycast_index *make_index(void)
{
    struct dpl_raycast_index *index =
        dpl_raycast_index_create(&test_memory, outlines, OUTLINES - MOVING, MOVING);
    cr_assert_not_null(index);
    dpl_raycast_index_move(index, &outlines[OUTLINES - MOVING], MOVING);
    return index;
}

/* That the hit is on the outline it names, with the normal of that outline. */
static void expect_hit_on_outline(const struct dpl_raycast_ray *ray,
                                  const struct dpl_raycast_hit *hit)
{
    const struct dpl_raycast_outline *o = &outlines[hit->outline];
    cr_assert_eq(hit->owner, o->owner);
    cr_assert(meet(o, ray) == hit->range);
    cr_assert_float_eq(hypot(hit->nx, hit->ny), 1.0, 1e-12);
    cr_assert_leq(hit->nx * ray->dx + hit->ny * ray->dy, 1e-15, "away from the origin");
    if (o->radius > 0.0) {
        double x = ray->x + hit->range * ray->dx - o->x, y = ray->y + hit->range * ray->dy - o->y;
        cr_assert_float_eq(fabs(x * hit->nx + y * hit->ny), o->radius, 1e-7);
    } else {
        cr_assert_float_eq(hit->nx * o->dx + hit->ny * o->dy, 0.0, 1e-12 * hypot(o->dx, o->dy));
    }
}

/* Returns whether something is hit. */
static bool expect_brute_force(const struct dpl_raycast_index *index, struct dpl_raycast_ray ray)
{
    struct dpl_raycast_hit hit;
    int outline;
    double expected = brute_force(&ray, &outline);
    dpl_raycast_ray(index, &ray, &hit);
    cr_assert(hit.range == expected, "from %.17g, %.17g to %.17g, %.17g: %.17g, expected %.17g",
              ray.x, ray.y, ray.dx, ray.dy, hit.range, expected);
    if (isinf(expected)) {
        cr_assert_eq(hit.outline, DPL_RAYCAST_NOTHING);
        cr_assert_eq(hit.owner, DPL_RAYCAST_NO_OWNER);
        return false;
    }
    expect_hit_on_outline(&ray, &hit);
    return true;
}

static struct dpl_raycast_ray ray_to(double x, double y, double angle, double max_range)
{
    return (struct dpl_raycast_ray){x, y, cos(angle), sin(angle), max_range, DPL_RAYCAST_NO_OWNER};
}

Test(raycast_ray, range_is_the_brute_force_minimum_to_the_last_bit)
{
    struct dpl_random rng = dpl_random_seeded(11, 0);
    int hits = 0;
    for (int scene = 0; scene < 40; scene++) {
        double extent = 2.0 + 2.0 * scene;
        put_scene(&rng, extent);
        struct dpl_raycast_index *index = make_index();
        for (int i = 0; i < 500; i++) {
            struct dpl_raycast_ray ray =
                ray_to(dpl_random_uniform(&rng, -1.5 * extent, 1.5 * extent),
                       dpl_random_uniform(&rng, -1.5 * extent, 1.5 * extent),
                       dpl_random_uniform(&rng, -4.0, 4.0), i % 3 ? forever : 5.0);
            ray.owner = i % 4 ? DPL_RAYCAST_NO_OWNER : i % (OUTLINES / 4);
            hits += expect_brute_force(index, ray);
        }
    }
    cr_assert_gt(hits, 10000);
}

Test(raycast_ray, rays_along_the_axes_are_exact)
{
    static const double directions[][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -0.0}, {-0.0, -1}};
    struct dpl_random rng = dpl_random_seeded(12, 0);
    for (int scene = 0; scene < 20; scene++) {
        put_scene(&rng, 10.0);
        struct dpl_raycast_index *index = make_index();
        for (int i = 0; i < 300; i++) {
            struct dpl_raycast_ray ray =
                ray_to(outlines[i].x, outlines[(i * 7) % 300].y, 0.0, 30.0);
            ray.dx = directions[i % 6][0];
            ray.dy = directions[i % 6][1];
            expect_brute_force(index, ray);
        }
    }
}

Test(raycast_ray, rays_that_graze_circles_and_ends_of_segments_are_exact)
{
    struct dpl_random rng = dpl_random_seeded(13, 0);
    for (int scene = 0; scene < 20; scene++) {
        put_scene(&rng, 20.0);
        struct dpl_raycast_index *index = make_index();
        for (int i = 0; i < OUTLINES; i++) {
            const struct dpl_raycast_outline *o = &outlines[i];
            double x = dpl_random_uniform(&rng, -20.0, 20.0);
            double y = dpl_random_uniform(&rng, -20.0, 20.0);
            double away = hypot(o->x - x, o->y - y), aside = o->radius < away ? o->radius : 0.0;
            double end = o->radius > 0.0 ? 0.0 : 1.0; /* of a segment: its far end */
            double to = atan2(o->y + end * o->dy - y, o->x + end * o->dx - x);
            expect_brute_force(index, ray_to(x, y, to + asin(aside / away), 100.0));
            expect_brute_force(index, ray_to(x, y, to - asin(aside / away), 100.0));
        }
    }
}

Test(raycast_ray, rays_that_start_on_outlines_are_exact)
{
    struct dpl_random rng = dpl_random_seeded(14, 0);
    put_scene(&rng, 5.0);
    struct dpl_raycast_index *index = make_index();
    for (int i = 0; i < OUTLINES; i++) {
        const struct dpl_raycast_outline *o = &outlines[i];
        double x = o->x + (o->radius > 0.0 ? o->radius : 0.5 * o->dx);
        double y = o->y + (o->radius > 0.0 ? 0.0 : 0.5 * o->dy);
        for (int k = 0; k < 8; k++) {
            expect_brute_force(index, ray_to(x, y, k * DPL_PI / 4.0, 100.0));
        }
        expect_brute_force(index, ray_to(o->x, o->y, atan2(o->dy, o->dx), 100.0));
    }
}

Test(raycast_ray, inside_of_a_circle_its_far_side_is_hit_with_the_normal_inwards)
{
    struct dpl_raycast_outline ring = {.x = 1.0, .y = 2.0, .radius = 3.0, .owner = 7};
    struct dpl_raycast_index *index = dpl_raycast_index_create(&test_memory, &ring, 1, 0);
    struct dpl_raycast_hit hit;
    struct dpl_raycast_ray ray = ray_to(2.0, 2.0, 0.0, 10.0);
    dpl_raycast_ray(index, &ray, &hit);
    cr_assert_float_eq(hit.range, 2.0, 1e-12);
    cr_assert_float_eq(hit.nx, -1.0, 1e-12);
    cr_assert_float_eq(hit.ny, 0.0, 1e-12);
    cr_assert_eq(hit.outline, 0);
    cr_assert_eq(hit.owner, 7);
}

Test(raycast_ray, normal_of_a_wall_points_to_the_side_that_the_ray_comes_from)
{
    struct dpl_raycast_outline wall = {.x = 2.0, .y = -1.0, .dy = 3.0, .owner = 3};
    struct dpl_raycast_index *index = dpl_raycast_index_create(&test_memory, &wall, 1, 0);
    struct dpl_raycast_hit hit;
    struct dpl_raycast_ray right = ray_to(0.0, 0.0, 0.2, 10.0);
    struct dpl_raycast_ray left = ray_to(5.0, 0.0, DPL_PI, 10.0);
    dpl_raycast_ray(index, &right, &hit);
    cr_assert_float_eq(hit.range, 2.0 / cos(0.2), 1e-12);
    cr_assert_float_eq(hit.nx, -1.0, 1e-12);
    dpl_raycast_ray(index, &left, &hit);
    cr_assert_float_eq(hit.range, 3.0, 1e-12);
    cr_assert_float_eq(hit.nx, 1.0, 1e-12);
}

Test(raycast_ray, an_outline_of_the_ignored_owner_is_not_seen)
{
    struct dpl_raycast_outline walls[] = {{.x = 2.0, .y = -1.0, .dy = 3.0, .owner = 3},
                                          {.x = 4.0, .y = -1.0, .dy = 3.0, .owner = 5}};
    struct dpl_raycast_index *index = dpl_raycast_index_create(&test_memory, walls, 2, 0);
    struct dpl_raycast_hit hit;
    struct dpl_raycast_ray ray = ray_to(0.0, 0.0, 0.0, 10.0);
    ray.owner = 3;
    dpl_raycast_ray(index, &ray, &hit);
    cr_assert_float_eq(hit.range, 4.0, 1e-12);
    cr_assert_eq(hit.outline, 1);
}

Test(raycast_ray, moving_outlines_have_the_numbers_after_those_that_stand)
{
    struct dpl_raycast_outline wall = {.x = 4.0, .y = -1.0, .dy = 3.0, .owner = 3};
    struct dpl_raycast_outline balls[] = {{.x = 9.0, .radius = 0.5, .owner = 8},
                                          {.x = 2.0, .radius = 0.5, .owner = 9}};
    struct dpl_raycast_index *index = dpl_raycast_index_create(&test_memory, &wall, 1, 2);
    struct dpl_raycast_hit hit;
    struct dpl_raycast_ray ray = ray_to(0.0, 0.0, 0.0, 10.0);
    dpl_raycast_index_move(index, balls, 2);
    dpl_raycast_ray(index, &ray, &hit);
    cr_assert_float_eq(hit.range, 1.5, 1e-12);
    cr_assert_eq(hit.outline, 2);
    cr_assert_eq(hit.owner, 9);
}

Test(raycast_ray, an_empty_plan_gives_nothing)
{
    struct dpl_raycast_index *index = dpl_raycast_index_create(&test_memory, NULL, 0, 0);
    struct dpl_raycast_hit hit;
    struct dpl_raycast_ray ray = ray_to(0.0, 0.0, 1.0, forever);
    dpl_raycast_ray(index, &ray, &hit);
    cr_assert(isinf(hit.range));
    cr_assert_eq(hit.outline, DPL_RAYCAST_NOTHING);
}

Test(raycast_ray, what_is_no_number_or_overflows_does_no_harm)
{
    static const double bad[] = {(double)NAN, (double)INFINITY, -1.7e308, 1e200};
    struct dpl_random rng = dpl_random_seeded(15, 0);
    for (size_t i = 0; i < 4; i++) {
        put_scene(&rng, 10.0);
        for (int k = 0; k < OUTLINES; k += 9) {
            outlines[k].x = k % 2 ? bad[i] : outlines[k].x;
            outlines[k].dy = k % 4 ? bad[i] : outlines[k].dy;
        }
        struct dpl_raycast_index *index = make_index();
        struct dpl_raycast_ray rays[] = {ray_to(bad[i], 0.0, 0.3, 30.0),
                                         ray_to(0.0, 0.0, 0.3, bad[i]),
                                         {0.0, 0.0, bad[i], 1.0, 30.0, DPL_RAYCAST_NO_OWNER}};
        for (size_t k = 0; k < 3; k++) {
            struct dpl_raycast_hit hit;
            dpl_raycast_ray(index, &rays[k], &hit);
            cr_assert_geq(hit.outline, DPL_RAYCAST_NOTHING);
            cr_assert_lt(hit.outline, OUTLINES);
        }
    }
}
