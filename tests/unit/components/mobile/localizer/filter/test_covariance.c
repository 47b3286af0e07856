/* SPDX-License-Identifier: Apache-2.0 */
/* What is published as a covariance is one: symmetric, and nowhere negative, whatever a scan shows
 * and whatever it leaves out. */
#include "loc_filter.h"

#include <string.h>

#include <criterion/criterion.h>
#include <doppel/math/linear.h>
#include <doppel/math/random.h>

#include "loc_information.h"
#include "loc_joseph.h"

static struct dpl_random rng;

/* Its least eigenvalue, as a share of its greatest: -1e-12 is rounding. */
static void expect_covariance(const double c[3][3], const char *of)
{
    double scaled[3][3], values[3], vectors[9];
    for (int i = 0; i < 9; i++) {
        double by = sqrt(c[i / 3][i / 3] * c[i % 3][i % 3]);
        cr_assert(c[i / 3][i % 3] == c[i % 3][i / 3], "%s: not symmetric", of);
        cr_assert_geq(c[i / 3][i / 3], 0.0, "%s: variance %d is %g", of, i / 3, c[i / 3][i / 3]);
        scaled[i / 3][i % 3] = by > 0.0 ? c[i / 3][i % 3] / by : 0.0;
    }
    dpl_symmetric_eigen(&scaled[0][0], 3, values, vectors);
    cr_assert_geq(values[2], -1e-12, "%s: eigenvalue %g", of, values[2]);
}

/* Beams on a straight surface. */
struct surface {
    double normal_rad, from_m, to_m; /* along it, from the foot of its normal */
    double distance_m;               /* of that from the laser */
};

/* Their sums as loc_match makes them, in a plan with errors of `map_m`. */
static void add_surface(struct loc_information *information, const struct surface *s, double map_m)
{
    enum { BEAMS = 40 };
    double a[3][3] = {{0}}, g[3] = {0}, h = 0.0, weight = 1e4;
    double nx = cos(s->normal_rad), ny = sin(s->normal_rad);
    for (int i = 0; i < BEAMS; i++) {
        double along = s->from_m + (s->to_m - s->from_m) * i / (BEAMS - 1.0);
        double x = s->distance_m * nx - along * ny, y = s->distance_m * ny + along * nx;
        double incidence = s->distance_m / hypot(x, y);
        double j[3] = {-nx / incidence, -ny / incidence, (nx * y - ny * x) / incidence};
        h += weight / (incidence * incidence);
        for (int r = 0; r < 3; r++) {
            g[r] -= weight * j[r] / incidence;
            for (int c = 0; c < 3; c++) {
                a[r][c] += weight * j[r] * j[c];
            }
        }
    }
    double share = 1.0 / (h + 1.0 / (map_m * map_m));
    for (int i = 0; i < 9; i++) {
        information->a[i / 3][i % 3] += a[i / 3][i % 3] - g[i / 3] * g[i % 3] * share;
        information->map[i / 3][i % 3] += g[i / 3] * g[i % 3] * share;
    }
}

static struct loc_moment moment_of(const struct surface *surfaces, size_t n, double map_m)
{
    struct loc_filter filter = {0};
    struct loc_update update = {.used = true, .map_ratio = 1.0};
    struct loc_moment moment;
    for (size_t i = 0; i < n; i++) {
        add_surface(&update.information, &surfaces[i], map_m);
    }
    loc_filter_moment(&filter, &update, &moment);
    return moment;
}

/* A corridor's end or a hall larger than the laser's reach: one wall that begins beside the robot.
 * Along it nothing is seen, and by the lever of the wall's middle this is known together with the
 * heading. */
Test(covariance, is_positive_where_one_wall_is_in_sight)
{
    const struct surface wall = {0.4, 1.0, 5.0, 2.0};
    struct loc_moment moment = moment_of(&wall, 1, 0.005);
    expect_covariance((const double(*)[3])moment.covariance, "one wall");
    cr_assert_gt(moment.covariance[2][2], 0.0, "errors of the plan turn it");
}

/* The wall's normal is x: 2.25 times the variance of the wall along it, and nothing across. */
Test(covariance, has_the_errors_of_the_plan_along_the_normal_of_a_wall)
{
    const struct surface wall = {0.0, -3.0, 3.0, 2.0};
    struct loc_moment moment = moment_of(&wall, 1, 0.02);
    cr_assert_float_eq(moment.covariance[0][0], 2.25 * 4e-4, 0.02 * 2.25 * 4e-4, "%g",
                       moment.covariance[0][0]);
    cr_assert_lt(moment.covariance[1][1], 1e-9);
}

/* Where all is shown it is the difference of the two covariances. */
Test(covariance, of_a_room_is_what_errors_of_the_plan_add)
{
    const struct surface room[] = {
        {0.1, -2.0, 1.0, 2.0}, {1.7, -1.0, 3.0, 1.5}, {3.2, -2.0, 2.5, 4.0}};
    struct loc_information seen = {0};
    double with[3][3], without[3][3];
    for (int i = 0; i < 3; i++) {
        add_surface(&seen, &room[i], 0.005);
    }
    loc_invert_pose((const double(*)[LOC_DIMS])seen.a, with);
    for (int i = 0; i < 9; i++) {
        seen.a[i / 3][i % 3] += seen.map[i / 3][i % 3];
    }
    loc_invert_pose((const double(*)[LOC_DIMS])seen.a, without);
    struct loc_moment moment = moment_of(room, 3, 0.005);
    for (int i = 0; i < 9; i++) {
        cr_assert_float_eq(moment.covariance[i / 3][i % 3],
                           2.25 * (with[i / 3][i % 3] - without[i / 3][i % 3]), 1e-12);
    }
}

static double uniform(double low, double high)
{
    return dpl_random_uniform(&rng, low, high);
}

/* Few surfaces, near and far, straight in front and aside, plans that are good and bad. */
Test(covariance, is_positive_for_any_surfaces)
{
    rng = dpl_random_seeded(30, 1);
    for (int trial = 0; trial < 20000; trial++) {
        struct surface s[4];
        size_t n = (size_t)uniform(1.0, 4.99);
        for (size_t i = 0; i < n; i++) {
            double from = uniform(-6.0, 6.0);
            s[i] = (struct surface){uniform(-DPL_PI, DPL_PI), from, from + uniform(0.02, 6.0),
                                    uniform(0.1, 5.0)};
            s[i].normal_rad =
                i > 0 && trial % 2 == 0 ? s[0].normal_rad + uniform(-0.02, 0.02) : s[i].normal_rad;
        }
        struct loc_moment moment = moment_of(s, n, pow(10.0, uniform(-3.5, -0.5)));
        expect_covariance((const double(*)[3])moment.covariance, "any surfaces");
    }
}

/* Of twelve states that are known as badly as when a robot is lost, or exactly. */
static void draw_prior(double p[LOC_STATES][LOC_STATES])
{
    double b[LOC_STATES][LOC_STATES];
    memset(p, 0, LOC_STATES * sizeof p[0]);
    for (int i = 0; i < LOC_STATES; i++) {
        double size = uniform(0.0, 1.0) < 0.2 ? 0.0 : pow(10.0, uniform(-4.0, 0.7));
        for (int k = 0; k < LOC_STATES; k++) {
            b[i][k] = size * uniform(-1.0, 1.0);
        }
    }
    for (int i = 0; i < LOC_STATES * LOC_STATES * LOC_STATES; i++) {
        int r = i / (LOC_STATES * LOC_STATES), c = i / LOC_STATES % LOC_STATES, k = i % LOC_STATES;
        p[r][c] += b[r][k] * b[c][k];
    }
}

/* The scan shows two directions: J is of the pose and the mount. */
static void correct(double p[LOC_STATES][LOC_STATES], int n_changed, double information)
{
    double pj[LOC_STATES][LOC_DIMS] = {{0}}, j[LOC_DIMS][LOC_STATES] = {{0}};
    double ya[LOC_DIMS][LOC_DIMS] = {{0}}, z[LOC_DIMS][LOC_DIMS] = {{0}};
    double a[LOC_DIMS][LOC_DIMS] = {{0}}, after[LOC_STATES][LOC_STATES];
    enum { N = 3 * LOC_DIMS };
    double rows[LOC_DIMS][N];
    for (int r = 0; r < LOC_DIMS; r++) {
        a[r][r] = r == LOC_X || r == LOC_YAW ? information : 0.0;
        for (int i = 0; i < LOC_STATES; i++) {
            j[r][i] = r < 3 ? uniform(-2.0, 2.0) : i == LOC_STATE_BIAS + r - LOC_BIAS ? 1.0 : 0.0;
        }
        for (int i = 0; i < LOC_STATES; i++) {
            for (int k = 0; k < LOC_STATES; k++) {
                pj[i][r] += p[i][k] * j[r][k];
            }
        }
    }
    for (int r = 0; r < LOC_DIMS; r++) {
        for (int c = 0; c < LOC_DIMS; c++) {
            double m = 0.0;
            for (int k = 0; k < LOC_STATES; k++) {
                m += j[r][k] * pj[k][c];
            }
            rows[r][c] = a[r][r] * m + (r == c ? 1.0 : 0.0);
            rows[r][LOC_DIMS + c] = a[r][c];
            rows[r][2 * LOC_DIMS + c] = r == c ? 1.0 : 0.0;
        }
    }
    cr_assert(loc_solve(&rows[0][0], 2 * LOC_DIMS));
    for (int r = 0; r < LOC_DIMS; r++) {
        memcpy(ya[r], &rows[r][LOC_DIMS], sizeof ya[r]);
        memcpy(z[r], &rows[r][2 * LOC_DIMS], sizeof z[r]);
    }
    struct loc_correction by = {(const double(*)[LOC_DIMS])pj, (const double(*)[LOC_DIMS])ya,
                                (const double(*)[LOC_DIMS])z,  (const double(*)[LOC_STATES])j,
                                (const double(*)[LOC_DIMS])a,  n_changed};
    struct loc_change change;
    loc_joseph((const double(*)[LOC_STATES])p, &by, after, &change);
    memcpy(p, after, sizeof after);
}

/* Many scans of great information after one another, into states that hardly vary any more. */
Test(covariance, of_the_filter_stays_positive)
{
    rng = dpl_random_seeded(30, 2);
    for (int trial = 0; trial < 500; trial++) {
        double p[LOC_STATES][LOC_STATES], pose[3][3];
        draw_prior(p);
        for (int scan = 0; scan < 20; scan++) {
            correct(p, trial % 2 == 0 ? LOC_STATES : LOC_STATE_PARAMETERS,
                    pow(10.0, uniform(2.0, 9.0)));
            for (int i = 0; i < LOC_STATES; i++) {
                cr_assert_geq(p[i][i], 0.0, "trial %d, scan %d, state %d: %g", trial, scan, i,
                              p[i][i]);
            }
            for (int i = 0; i < 9; i++) {
                pose[i / 3][i % 3] = p[i / 3][i % 3];
            }
            cr_assert(pose[0][1] == pose[1][0]);
        }
    }
}
