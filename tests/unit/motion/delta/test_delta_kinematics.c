/* SPDX-License-Identifier: Apache-2.0 */
/* Kinematics of a delta: golden poses, round trips, derivatives by differences. */
#include "delta_kinematics.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/math/geometry.h>

#include "some_delta.h"

static const struct dpl_delta *const d = &dpl_delta_reference;

static double distance(const double *a, const double *b)
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

Test(delta_kinematics, agrees_with_the_golden_poses)
{
    static const struct {
        double p[3], q[3], condition;
    } golden[] = {
        {{0, 0, -0.38}, {0.05919415, 0.05919415, 0.05919415}, 1.3998},
        {{0, 0, -0.45}, {0.31059158, 0.31059158, 0.31059158}, 1.4857},
        {{0, 0, -0.5}, {0.47430012, 0.47430012, 0.47430012}, 1.6072},
        {{0, 0, -0.6}, {0.80398200, 0.80398200, 0.80398200}, 2.0373},
        {{0.15, 0, -0.5}, {0.11720930, 0.76862974, 0.76862974}, 1.8826},
        {{-0.15, 0, -0.5}, {0.94421692, 0.34831152, 0.34831152}, 1.8734},
        {{0.1, 0.1, -0.5}, {0.26134414, 0.45237488, 0.90467603}, 1.8512},
        {{-0.08, 0.13, -0.42}, {0.57300687, -0.23234459, 0.55088639}, 1.6859},
        {{0.05, -0.15, -0.58}, {0.71063773, 1.18196997, 0.56226729}, 2.3337},
        {{-0.1525, 0, -0.475}, {0.89324517, 0.25768619, 0.25768619}, 1.7974},
    };
    for (size_t i = 0; i < sizeof golden / sizeof golden[0]; i++) {
        double q[3], condition;
        cr_assert_eq(dpl_delta_ik(d, golden[i].p, q), 0);
        cr_assert_eq(dpl_delta_condition(d, golden[i].p, q, &condition), 0);
        for (int k = 0; k < 3; k++) {
            cr_assert_float_eq(q[k], golden[i].q[k], 1e-7, "row %zu arm %d: %.9f", i, k, q[k]);
        }
        cr_assert_float_eq(condition, golden[i].condition, 1e-4, "row %zu: %.5f", i, condition);
    }
}

Test(delta_kinematics, agrees_with_the_golden_jacobian)
{
    static const double golden[3][3] = {{-0.20309621, 0.12192481, 0.13834429},
                                        {0.00982591, -0.19207906, 0.24311000},
                                        {-0.14525966, -0.11674717, -0.02720277}};
    const double p[3] = {0.1, 0.1, -0.5};
    double q[3], jacobian[3][3];
    cr_assert_eq(dpl_delta_ik(d, p, q), 0);
    cr_assert_eq(dpl_delta_jacobian(d, p, q, jacobian), 0);
    for (int i = 0; i < 9; i++) {
        cr_assert_float_eq(jacobian[i / 3][i % 3], golden[i / 3][i % 3], 1e-8);
    }
}

Test(delta_kinematics, forward_undoes_inverse)
{
    struct dpl_random rng = dpl_random_seeded(12, 1);
    double worst = 0.0;
    for (int k = 0; k < 2000; k++) {
        double p[3], q[3], back[3];
        cr_assert(some_position(d, &rng, p));
        cr_assert_eq(dpl_delta_ik(d, p, q), 0);
        cr_assert_eq(dpl_delta_fk(d, q, back), 0);
        worst = fmax(worst, distance(p, back));
    }
    cr_assert_lt(worst, 1e-14, "%g m", worst);
}

/* Distances of the joints of each rod, from the places of all hinges, elbows and ends. */
static double worst_rod(const struct dpl_delta *delta, const double *p, const double *q)
{
    double worst = 0.0;
    for (int i = 0; i < 6; i++) {
        double phi = dpl_deg_to_rad(120.0 * (i / 2)), side = i % 2 ? 1.0 : -1.0;
        double half = side * delta->half_pair_m, out = delta->arm_m * cos(q[i / 2]);
        double elbow[3] = {(delta->base_radius_m + out) * cos(phi) - half * sin(phi),
                           (delta->base_radius_m + out) * sin(phi) + half * cos(phi),
                           -delta->arm_m * sin(q[i / 2])};
        double end[3] = {p[0] + delta->platform_radius_m * cos(phi) - half * sin(phi),
                         p[1] + delta->platform_radius_m * sin(phi) + half * cos(phi), p[2]};
        worst = fmax(worst, fabs(distance(elbow, end) - delta->rod_m));
    }
    return worst;
}

Test(delta_kinematics, holds_for_other_geometries)
{
    struct dpl_random rng = dpl_random_seeded(12, 2);
    int n = 0;
    for (int k = 0; k < 3000; k++) {
        struct dpl_delta delta = some_delta(&rng);
        double p[3], q[3], back[3];
        if (!some_position(&delta, &rng, p)) {
            continue;
        }
        cr_assert_eq(dpl_delta_ik(&delta, p, q), 0);
        cr_assert_lt(worst_rod(&delta, p, q), 1e-14);
        cr_assert_eq(dpl_delta_fk(&delta, q, back), 0);
        cr_assert_lt(distance(p, back), 5e-14, "delta %d: %g m", k, distance(p, back));
        n++;
    }
    cr_assert_gt(n, 2500);
}

Test(delta_kinematics, elbows_are_outside)
{
    /* The line from the hinge to the platform's joint, seen along the hinge, mirrors one solution
     * into the other. */
    struct dpl_random rng = dpl_random_seeded(12, 3);
    for (int k = 0; k < 1000; k++) {
        struct dpl_delta delta = k % 2 ? *d : some_delta(&rng);
        double p[3], q[3];
        if (!some_position(&delta, &rng, p)) {
            continue;
        }
        cr_assert_eq(dpl_delta_ik(&delta, p, q), 0);
        for (int arm = 0; arm < 3; arm++) {
            double phi = dpl_deg_to_rad(120.0 * arm), other[3] = {q[0], q[1], q[2]};
            double out = p[0] * cos(phi) + p[1] * sin(phi) + delta.platform_radius_m;
            other[arm] = 2.0 * atan2(-p[2], out - delta.base_radius_m) - q[arm];
            cr_assert_lt(worst_rod(&delta, p, other), 1e-14, "it is a solution");
            cr_assert_geq(cos(q[arm]), cos(other[arm]), "arm %d of point %d", arm, k);
        }
    }
}

Test(delta_kinematics, is_a_solution_or_an_error_for_any_position)
{
    struct dpl_random rng = dpl_random_seeded(12, 9);
    int n_solved = 0;
    for (int k = 0; k < 100000; k++) {
        struct dpl_delta delta = some_delta(&rng);
        double p[3], q[3];
        for (int c = 0; c < 3; c++) {
            p[c] = dpl_random_uniform(&rng, -1.5, 1.5);
        }
        if (dpl_delta_ik(&delta, p, q) != 0) {
            cr_assert_neq(dpl_delta_ik_faults(&delta, p), 0);
            continue;
        }
        cr_assert_eq(dpl_delta_ik_faults(&delta, p), 0);
        cr_assert_lt(worst_rod(&delta, p, q), 1e-13, "%g", worst_rod(&delta, p, q));
        n_solved++;
    }
    cr_assert_gt(n_solved, 5000, "%d", n_solved);
}

Test(delta_kinematics, out_of_reach_is_an_error_with_its_arms)
{
    const double far[3] = {0.0, 0.0, -0.8}, aside[3] = {0.75, 0.0, -0.3};
    const double inside[3] = {0.0, 0.0, -0.10}, nan[3] = {0.0, (double)NAN, -0.5};
    const double infinite[3] = {(double)INFINITY, 0.0, -0.5}, huge[3] = {0.0, 1e200, -0.5};
    double q[3] = {1.0, 2.0, 3.0};
    cr_assert_eq(dpl_delta_ik(d, far, q), -EDOM);
    cr_assert_eq(dpl_delta_ik_faults(d, far), 7u);
    cr_assert_eq(dpl_delta_ik(d, aside, q), -EDOM);
    cr_assert_eq(dpl_delta_ik_faults(d, aside), 6u);
    cr_assert_eq(dpl_delta_ik(d, inside, q), -EDOM);
    cr_assert_eq(dpl_delta_ik(d, nan, q), -EDOM);
    cr_assert_eq(dpl_delta_ik(d, infinite, q), -EDOM);
    cr_assert_eq(dpl_delta_ik(d, huge, q), -EDOM);
    cr_assert(q[0] == 1.0 && q[1] == 2.0 && q[2] == 3.0);
}

Test(delta_kinematics, is_a_number_up_to_the_limit_of_reach)
{
    /* On the axis the reach ends where arm and rod are in line: (L1 + L2)^2 = R^2 + z^2. */
    double limit = sqrt(0.76 * 0.76 - 0.13 * 0.13), q[3], p[3] = {0.0, 0.0, 0.0}, back[3];
    for (double gap = 1e-2; gap > 1e-15; gap /= 10.0) {
        p[2] = -(limit - gap);
        if (gap > 2e-15) {
            cr_assert_eq(dpl_delta_ik(d, p, q), 0, "%g", gap);
            cr_assert(isfinite(q[0]) && isfinite(q[1]) && isfinite(q[2]));
            cr_assert_eq(dpl_delta_fk(d, q, back), 0);
            cr_assert_lt(distance(p, back), 1e-14, "%g: %g", gap, distance(p, back));
        }
        p[2] = -(limit + gap);
        cr_assert_eq(dpl_delta_ik(d, p, q), -EDOM, "%g", gap);
    }
}

Test(delta_kinematics, joints_without_a_platform_position_are_an_error)
{
    struct dpl_delta delta = dpl_delta_reference;
    double p[3] = {1.0, 2.0, 3.0};
    const double level[3] = {0.0, 0.0, 0.0}, nan[3] = {0.0, (double)NAN, 0.0};
    const double infinite[3] = {0.0, 0.0, (double)INFINITY};
    delta.rod_m = 0.36; /* level elbows are 0.37 m from the axis */
    cr_assert_eq(dpl_delta_check(&delta, NULL), 0);
    cr_assert_eq(dpl_delta_fk(&delta, level, p), -EDOM);
    cr_assert_eq(dpl_delta_fk(d, nan, p), -EDOM);
    cr_assert_eq(dpl_delta_fk(d, infinite, p), -EDOM);
    /* All elbows at one point: the platform could be anywhere round it. */
    delta = dpl_delta_reference;
    delta.base_radius_m = delta.platform_radius_m;
    const double down[3] = {DPL_PI / 2.0, DPL_PI / 2.0, DPL_PI / 2.0};
    int error = dpl_delta_fk(&delta, down, p);
    cr_assert(error == -EDOM || isfinite(p[0] + p[1] + p[2]));
    cr_assert_eq(dpl_delta_fk(d, level, p), 0);
    cr_assert_lt(p[2], -0.3);
}

Test(delta_kinematics, the_jacobian_is_the_derivative_of_forward_kinematics)
{
    struct dpl_random rng = dpl_random_seeded(12, 4);
    double worst = 0.0, h = 1e-5;
    for (int k = 0; k < 500; k++) {
        double p[3], q[3], jacobian[3][3];
        cr_assert(some_position(d, &rng, p));
        cr_assert_eq(dpl_delta_ik(d, p, q), 0);
        cr_assert_eq(dpl_delta_jacobian(d, p, q, jacobian), 0);
        for (int arm = 0; arm < 3; arm++) {
            double low[3] = {q[0], q[1], q[2]}, high[3] = {q[0], q[1], q[2]}, a[3], b[3];
            low[arm] -= h;
            high[arm] += h;
            cr_assert_eq(dpl_delta_fk(d, low, a), 0);
            cr_assert_eq(dpl_delta_fk(d, high, b), 0);
            for (int row = 0; row < 3; row++) {
                double slope = (b[row] - a[row]) / (2.0 * h);
                worst = fmax(worst, fabs(slope - jacobian[row][arm]));
            }
        }
    }
    cr_assert_lt(worst, 1e-9, "%g m/rad", worst);
}

/* The joints on p(t) = p + v t + a t^2 / 2. */
static void joints_at(const struct dpl_delta *delta, const struct dpl_delta_motion *at, double t,
                      double *ret_q)
{
    double p[3];
    for (int k = 0; k < 3; k++) {
        p[k] = at->p[k] + t * (at->v[k] + 0.5 * t * at->a[k]);
    }
    cr_assert_eq(dpl_delta_ik(delta, p, ret_q), 0);
}

Test(delta_kinematics, velocities_and_accelerations_are_derivatives_of_inverse_kinematics)
{
    struct dpl_random rng = dpl_random_seeded(12, 5);
    int n = 0;
    for (int k = 0; k < 400; k++) {
        struct dpl_delta delta = k < 200 ? *d : some_delta(&rng);
        struct dpl_delta_motion at;
        if (!some_position(&delta, &rng, at.p)) {
            continue;
        }
        double low[3], high[3], h = 1e-5;
        for (int c = 0; c < 3; c++) {
            at.v[c] = dpl_random_uniform(&rng, -2.0, 2.0);
            at.a[c] = dpl_random_uniform(&rng, -30.0, 30.0);
        }
        cr_assert_eq(dpl_delta_motion_of_joints(&delta, &at), 0);
        joints_at(&delta, &at, -h, low);
        joints_at(&delta, &at, h, high);
        double scale = 0.0;
        for (int i = 0; i < 3; i++) {
            scale = fmax(scale, fabs(at.qd[i]));
        }
        for (int i = 0; i < 3; i++) {
            double qd = (high[i] - low[i]) / (2.0 * h);
            double qdd = (high[i] - 2.0 * at.q[i] + low[i]) / (h * h);
            cr_assert_float_eq(qd, at.qd[i], 1e-5 * (1.0 + scale), "%g %g", qd, at.qd[i]);
            cr_assert_float_eq(qdd, at.qdd[i], 1e-3 * (10.0 + scale * scale + fabs(qdd)), "%g %g",
                               qdd, at.qdd[i]);
        }
        n++;
    }
    cr_assert_gt(n, 350);
}

Test(delta_kinematics, the_motion_of_the_platform_undoes_the_motion_of_the_joints)
{
    struct dpl_random rng = dpl_random_seeded(12, 6);
    for (int k = 0; k < 1000; k++) {
        struct dpl_delta delta = k % 2 ? *d : some_delta(&rng);
        struct dpl_delta_motion at, back;
        if (!some_position(&delta, &rng, at.p)) {
            continue;
        }
        for (int c = 0; c < 3; c++) {
            at.v[c] = dpl_random_uniform(&rng, -3.0, 3.0);
            at.a[c] = dpl_random_uniform(&rng, -50.0, 50.0);
        }
        cr_assert_eq(dpl_delta_motion_of_joints(&delta, &at), 0);
        back = at;
        memset(back.p, 0, sizeof back.p);
        memset(back.v, 0, sizeof back.v);
        memset(back.a, 0, sizeof back.a);
        cr_assert_eq(dpl_delta_motion_of_platform(&delta, &back), 0);
        cr_assert_lt(distance(at.v, back.v), 1e-11);
        cr_assert_lt(distance(at.a, back.a), 1e-9);
    }
}

Test(delta_kinematics, singular_poses_have_no_derivative)
{
    /* The elbows at the height of the platform: the three rods are in a plane. */
    struct dpl_delta flat = *d;
    flat.rod_m = 0.13 + 0.24 * cos(0.5);
    double q[3] = {0.5, 0.5, 0.5}, p[3] = {0.0, 0.0, -0.24 * sin(0.5)}, jacobian[3][3], condition;
    struct dpl_delta_motion motion = {.q = {0.0, 0.0, 0.0}};
    cr_assert_eq(dpl_delta_jacobian(&flat, p, q, jacobian), -ERANGE);
    cr_assert_eq(dpl_delta_condition(&flat, p, q, &condition), -ERANGE);
    /* Arm 0 and its rod in line. */
    double out = 0.13 + 0.76 * cos(0.5), down = -0.76 * sin(0.5);
    const double stretched[3] = {out, 0.0, down};
    const double q_stretched[3] = {0.5, 0.0, 0.0};
    cr_assert_eq(dpl_delta_jacobian(d, stretched, q_stretched, jacobian), -ERANGE);
    motion.q[0] = (double)NAN;
    cr_assert_lt(dpl_delta_motion_of_platform(d, &motion), 0);
}
