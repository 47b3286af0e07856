/* SPDX-License-Identifier: Apache-2.0 */
/* Hulls of points as files have them: rounded, turned, far from their origin. */
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>

#include <doppel/math/geometry.h>
#include <doppel/math/random.h>
#include <doppel/math/vector3.h>
#include <doppel/sim/solid.h>

enum { MOST = DPL_SOLID_HULL_MAX };

static struct dpl_vector3 points[MOST];
static unsigned faces[2 * MOST][3];
static size_t n;

static void add(double x, double y, double z)
{
    cr_assert_lt(n, (size_t)MOST);
    points[n++] = (struct dpl_vector3){x, y, z};
}

/* A prism of so many sides with radius 1 and height 2h, and points inside of its ends and sides.
 * Returns its volume. */
static double prism(int sides, double h, int more)
{
    n = 0;
    for (int i = 0; i < sides; i++) {
        double angle = 2.0 * DPL_PI * i / sides, next = 2.0 * DPL_PI * (i + 1) / sides;
        add(cos(angle), sin(angle), -h);
        add(cos(angle), sin(angle), h);
        for (int k = 1; k <= more; k++) {
            double share = (double)k / (more + 1);
            add(share * cos(angle), share * sin(angle), h);
            add(cos(angle) + share * (cos(next) - cos(angle)),
                sin(angle) + share * (sin(next) - sin(angle)), h * (2.0 * share - 1.0));
        }
    }
    return sides * sin(2.0 * DPL_PI / sides) * h;
}

static double round_to(double value, double digit)
{
    return digit > 0.0 ? digit * round(value / digit) : (double)(float)value;
}

/* Scales, turns and moves the points, and rounds them to a digit; 0: to single precision. */
static void write_down(struct dpl_random *random, double scale, double away, double digit)
{
    struct dpl_pose3 pose = {{away * scale, -0.3 * away * scale, 0.7 * away * scale},
                             dpl_quaternion_from_rpy(dpl_random_uniform(random, -3.0, 3.0),
                                                     dpl_random_uniform(random, -1.5, 1.5),
                                                     dpl_random_uniform(random, -3.0, 3.0))};
    for (size_t i = 0; i < n; i++) {
        struct dpl_pose3 at = {dpl_vector3_times(points[i], scale), {.w = 1.0}};
        struct dpl_vector3 p = dpl_pose3_compose(pose, at).position;
        points[i] = (struct dpl_vector3){round_to(p.x, digit * scale), round_to(p.y, digit * scale),
                                         round_to(p.z, digit * scale)};
    }
}

/* Closed, with all points inside or nearly, and with this volume, within what lies that near to the
 * surface. */
static void expect_hull(double volume, double surface, double off, const char *what, int number)
{
    int n_faces = dpl_hull_faces(points, n, faces);
    cr_assert_gt(n_faces, 0, "%s %d: %d", what, number, n_faces);
    bool is_corner[MOST] = {false};
    int n_corners = 0;
    double sum = 0.0, outside = 0.0;
    for (int i = 0; i < n_faces; i++) {
        struct dpl_vector3 a = points[faces[i][0]];
        struct dpl_vector3 b = dpl_vector3_minus(points[faces[i][1]], a);
        struct dpl_vector3 c = dpl_vector3_minus(points[faces[i][2]], a);
        struct dpl_vector3 normal = dpl_vector3_cross(b, c);
        double area = dpl_vector3_length(normal);
        sum += dpl_vector3_dot(dpl_vector3_minus(a, points[0]), normal) / 6.0;
        for (size_t k = 0; k < n; k++) {
            double height = dpl_vector3_dot(normal, dpl_vector3_minus(points[k], a));
            outside = fmax(outside, height / area);
        }
        for (int k = 0; k < 3; k++) {
            n_corners += !is_corner[faces[i][k]];
            is_corner[faces[i][k]] = true;
        }
    }
    cr_expect_eq(n_faces, 2 * n_corners - 4, "%s %d: %d faces, %d corners", what, number, n_faces,
                 n_corners);
    cr_expect_leq(outside, off, "%s %d: %g outside", what, number, outside);
    cr_expect_leq(fabs(sum - volume), off * surface, "%s %d: %g, not %g", what, number, sum,
                  volume);
}

/* Each of the digits that programs write, from single precision to a thousandth. */
Test(hull, of_rounded_prisms_is_closed_and_holds_them)
{
    static const double digits[] = {0.0, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3};
    struct dpl_random random = dpl_random_seeded(3, 0);
    for (int round = 0; round < 40; round++) {
        for (size_t k = 0; k < sizeof digits / sizeof *digits; k++) {
            for (int sides = 3; sides <= 24; sides += 3) {
                double h = pow(10.0, dpl_random_uniform(&random, -1.0, 1.0));
                double scale = pow(10.0, dpl_random_uniform(&random, -3.0, 2.0));
                double volume = prism(sides, h, round % 4) * scale * scale * scale;
                write_down(&random, scale, round % 3 ? 1.0 : 0.0, digits[k]);
                double off = (3.0 * digits[k] + 1e-5 * (1.0 + h)) * scale;
                expect_hull(volume, 2.0 * DPL_PI * (1.0 + 2.0 * h) * scale * scale, off,
                            "digit, sides", (int)(100 * k) + sides);
            }
        }
    }
}

/* Points on a face are no corners. */
Test(hull, merges_what_rounding_lifts_from_a_face)
{
    struct dpl_random random = dpl_random_seeded(5, 0);
    for (int round = 0; round < 50; round++) {
        bool is_corner[MOST] = {false};
        int n_corners = 0;
        prism(4, 0.7, 3);
        write_down(&random, 0.1, 0.5, 0.0);
        int n_faces = dpl_hull_faces(points, n, faces);
        for (int i = 0; i < 3 * n_faces; i++) {
            unsigned corner = faces[i / 3][i % 3];
            n_corners += !is_corner[corner];
            is_corner[corner] = true;
        }
        cr_expect_eq(n_corners, 8, "%d: %d corners", round, n_corners);
    }
}

Test(hull, of_points_in_a_plane_is_none_however_they_are_turned)
{
    struct dpl_random random = dpl_random_seeded(9, 0);
    for (int round = 0; round < 200; round++) {
        prism(3 + round % 20, 0.0, round % 3);
        write_down(&random, 0.2, round % 2 ? 3.0 : 0.0, 0.0);
        cr_expect_eq(dpl_hull_faces(points, n, faces), -EINVAL, "%d", round);
        n = 0;
        for (int i = 0; i < 30; i++) { /* in a line */
            add(0.1 * i, 0.0, 0.0);
        }
        write_down(&random, 0.2, 1.0, 0.0);
        cr_expect_eq(dpl_hull_faces(points, n, faces), -EINVAL, "%d", round);
    }
}

/* Sheet metal of 0.1 mm and a metre is no plane. */
Test(hull, of_a_thin_sheet_is_there)
{
    struct dpl_random random = dpl_random_seeded(12, 0);
    for (int round = 0; round < 50; round++) {
        double volume = prism(8, 5e-5, 0);
        write_down(&random, 1.0, 0.0, 0.0);
        expect_hull(volume, 2.0 * DPL_PI, 1e-6, "sheet", round);
    }
}
