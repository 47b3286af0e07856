/* SPDX-License-Identifier: Apache-2.0 */
/* Contact of a disc with points on lines and arcs. */
#include "clearance.h"

#include <criterion/criterion.h>

#include <doppel/math/random.h>

static struct dpl_nav_points points;

static void one_point(double x, double y)
{
    points.count = 0;
    dpl_nav_points_add(&points, x, y);
}

Test(clearance, nearest_finds_the_nearest_point_and_its_index)
{
    one_point(3.0, 0.0);
    dpl_nav_points_add(&points, 0.0, -0.5);
    size_t index;
    cr_assert_float_eq(dpl_nav_nearest(&points, 5.0, &index), 0.5, 1e-12);
    cr_assert_eq(index, 1);
}

Test(clearance, nearest_without_points_is_what_the_caller_says)
{
    points.count = 0;
    size_t index;
    cr_assert_float_eq(dpl_nav_nearest(&points, 5.0, &index), 5.0, 1e-12);
    cr_assert_eq(index, 0);
}

static const struct {
    const char *name;
    double x, y; /* of the only point */
    double curvature;
    bool back;
    double free_m;
} arcs[] = {
    {"straight ahead ends a radius before the point", 1.0, 0.0, 0.0, false, 0.8},
    {"straight passes what is farther aside than the radius", 1.0, 0.21, 0.0, false, 2.0},
    {"straight never touches what is behind", -0.5, 0.0, 0.0, false, 2.0},
    {"straight back does", -0.5, 0.0, 0.0, true, 0.3},
    {"a point inside the disc blocks the way towards it", 0.1, 0.05, 0.5, false, 0.0},
    {"a point inside the disc does not block the way from it", 0.1, 0.05, 0.0, true, 2.0},
};

Test(clearance, a_way_of_a_disc_ends_where_it_touches_a_point)
{
    for (size_t i = 0; i < sizeof arcs / sizeof arcs[0]; i++) {
        one_point(arcs[i].x, arcs[i].y);
        double path = dpl_nav_free_arc(&points, 0.2, arcs[i].curvature, arcs[i].back, 2.0);
        cr_assert_float_eq(path, arcs[i].free_m, 1e-12, "%s: %g", arcs[i].name, path);
    }
}

Test(clearance, an_arc_agrees_with_small_steps_along_it)
{
    struct dpl_random rng = dpl_random_seeded(7, 0);
    int touched = 0;
    for (int n = 0; n < 2000; n++) {
        one_point(dpl_random_uniform(&rng, -1.0, 1.5), dpl_random_uniform(&rng, -1.2, 1.2));
        double curvature = dpl_random_uniform(&rng, -4.0, 4.0), radius = 0.2, s = 0.0;
        if (hypot(points.x[0], points.y[0]) < radius + 0.01) {
            continue;
        }
        for (; s < 1.5; s += 0.0005) {
            double x = sin(curvature * s) / curvature, y = (1 - cos(curvature * s)) / curvature;
            if (hypot(points.x[0] - x, points.y[0] - y) < radius) {
                touched++;
                break;
            }
        }
        double path = dpl_nav_free_arc(&points, radius, curvature, false, 1.5);
        cr_assert_float_eq(path, fmin(s, 1.5), 0.02, "case %d: %g, by steps %g", n, path, s);
    }
    cr_assert_gt(touched, 50);
}

Test(clearance, stopping_distance_and_admissible_speed_are_inverse)
{
    double distance = dpl_nav_stopping_distance(0.2, 0.25, 0.5);
    cr_assert_float_eq(distance, 0.05 + 0.04, 1e-12);
    cr_assert_float_eq(dpl_nav_admissible_speed(distance, 0.25, 0.5), 0.2, 1e-12);
    cr_assert_eq(dpl_nav_admissible_speed(-0.1, 0.25, 0.5), 0.0);
    cr_assert_eq(dpl_nav_admissible_speed((double)NAN, 0.25, 0.5), 0.0);
}
