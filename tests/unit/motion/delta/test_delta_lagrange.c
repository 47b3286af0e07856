/* SPDX-License-Identifier: Apache-2.0 */
/* Dynamics of a delta against Lagrange's equations by differences, with a model of six rods and
 * three arms that shares no code with the implementation. */
#include "delta_dynamics.h"

#include <math.h>

#include <criterion/criterion.h>
#include <doppel/math/geometry.h>
#include <doppel/math/linear.h>

#include "some_delta.h"

/* Hinge frame of a rod's arm: out along the azimuth, axis of the hinge, up. */
static void turned(double phi, double out, double along, double up, double *ret)
{
    ret[0] = out * cos(phi) - along * sin(phi);
    ret[1] = out * sin(phi) + along * cos(phi);
    ret[2] = up;
}

/* Elbow joint and end joint of rod r (0 to 5), the latter from the platform's centre, and the
 * elbow's velocity: the cross product of qd times the hinge axis and the arm. */
static void rod_ends(const struct dpl_delta *delta, int r, double q, double qd, double *ret_elbow,
                     double *ret_end, double *ret_velocity)
{
    double phi = 2.0 * DPL_PI / 3.0 * (r / 2), half = delta->half_pair_m * (r % 2 ? 1.0 : -1.0);
    double arm[3], axis[3];
    turned(phi, delta->arm_m * cos(q), 0.0, -delta->arm_m * sin(q), arm);
    turned(phi, 0.0, 1.0, 0.0, axis);
    turned(phi, delta->base_radius_m, half, 0.0, ret_elbow);
    turned(phi, delta->platform_radius_m, half, 0.0, ret_end);
    for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        ret_elbow[k] += arm[k];
        ret_velocity[k] = qd * (axis[a] * arm[b] - axis[b] * arm[a]);
    }
}

/* The platform's centre by Newton's method from a guess, and its velocity. Rods 0, 2, 4. */
static void platform_of(const struct dpl_delta *delta, const double *q, const double *qd,
                        double *inout_p, double *ret_v)
{
    for (int round = 0; round < 12; round++) {
        double rows[3][5], x[2][3];
        for (int i = 0; i < 3; i++) {
            double elbow[3], end[3], velocity[3], length2 = 0.0;
            rod_ends(delta, 2 * i, q[i], qd[i], elbow, end, velocity);
            rows[i][4] = 0.0;
            for (int k = 0; k < 3; k++) {
                double rod = inout_p[k] + end[k] - elbow[k];
                length2 += rod * rod;
                rows[i][k] = rod;
                rows[i][4] += rod * velocity[k];
            }
            rows[i][3] = 0.5 * (delta->rod_m * delta->rod_m - length2);
        }
        cr_assert_eq(dpl_eliminate(rows[0], 3, 5, 1e-12), 0);
        for (int side = 0; side < 2; side++) {
            for (int i = 2; i >= 0; i--) {
                x[side][i] = rows[i][3 + side];
                for (int k = i + 1; k < 3; k++) {
                    x[side][i] -= rows[i][k] * x[side][k];
                }
                x[side][i] /= rows[i][i];
            }
        }
        for (int k = 0; k < 3; k++) {
            inout_p[k] += x[0][k];
            ret_v[k] = x[1][k];
        }
    }
}

/* Kinetic minus potential energy. The rods are integrated by two Gauss points each, which is exact
 * for a square of a linear velocity. */
static double lagrangian(const struct dpl_delta *delta, const double *guess, const double *q,
                         const double *qd)
{
    const double g = 9.80665, gauss = 0.5 / sqrt(3.0);
    double p[3] = {guess[0], guess[1], guess[2]}, v[3], sum = 0.0;
    platform_of(delta, q, qd, p, v);
    double carried = delta->platform_kg + delta->payload_kg;
    sum += carried * (0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) - g * p[2]);
    for (int i = 0; i < 3; i++) {
        double centre_speed = delta->arm_centre_m * qd[i], motor = delta->gear * qd[i];
        sum += 0.5 * delta->arm_kg * centre_speed * centre_speed +
               0.5 * delta->arm_inertia_kg_m2 * qd[i] * qd[i] +
               0.5 * delta->rotor_inertia_kg_m2 * motor * motor +
               delta->arm_kg * g * delta->arm_centre_m * sin(q[i]);
    }
    for (int r = 0; r < 6; r++) {
        double elbow[3], end[3], velocity[3];
        rod_ends(delta, r, q[r / 2], qd[r / 2], elbow, end, velocity);
        for (int side = -1; side <= 1; side += 2) {
            double s = 0.5 + side * gauss, square = 0.0;
            for (int k = 0; k < 3; k++) {
                double speed = (1.0 - s) * velocity[k] + s * v[k];
                square += speed * speed;
            }
            double height = (1.0 - s) * elbow[2] + s * (p[2] + end[2]);
            sum += 0.5 * delta->rod_kg * (0.5 * square - g * height);
        }
    }
    return sum;
}

/* dL/dqd of one joint: exact, because L is quadratic in qd. */
static double momentum(const struct dpl_delta *delta, const double *guess, const double *q,
                       const double *qd, int joint)
{
    double low[3] = {qd[0], qd[1], qd[2]}, high[3] = {qd[0], qd[1], qd[2]};
    low[joint] -= 1.0;
    high[joint] += 1.0;
    return 0.5 * (lagrangian(delta, guess, q, high) - lagrangian(delta, guess, q, low));
}

/* d/dt dL/dqd - dL/dq by differences of fourth order. */
static double torque_by_differences(const struct dpl_delta *delta, const struct dpl_delta_motion *m,
                                    int joint)
{
    static const double weights[] = {1.0 / 12.0, -8.0 / 12.0, 0.0, 8.0 / 12.0, -1.0 / 12.0};
    const double h_s = 5e-5, h_rad = 5e-4;
    double rate = 0.0, slope = 0.0;
    for (int k = -2; k <= 2; k++) {
        double q[3], qd[3], moved[3] = {m->q[0], m->q[1], m->q[2]}, t = k * h_s;
        for (int i = 0; i < 3; i++) {
            q[i] = m->q[i] + t * (m->qd[i] + 0.5 * t * m->qdd[i]);
            qd[i] = m->qd[i] + t * m->qdd[i];
        }
        moved[joint] += k * h_rad;
        rate += weights[k + 2] * momentum(delta, m->p, q, qd, joint) / h_s;
        slope += weights[k + 2] * lagrangian(delta, m->p, moved, m->qd) / h_rad;
    }
    return rate - slope;
}

Test(delta_lagrange, the_torques_satisfy_lagranges_equations_for_other_geometries)
{
    struct dpl_random rng = dpl_random_seeded(12, 7);
    int n = 0;
    double worst = 0.0;
    for (int k = 0; k < 300; k++) {
        struct dpl_delta delta = k % 3 ? some_delta(&rng) : dpl_delta_reference;
        struct dpl_delta_motion m;
        double torque[3];
        if (!some_position(&delta, &rng, m.p) || dpl_delta_ik(&delta, m.p, m.q) != 0) {
            continue;
        }
        for (int i = 0; i < 3; i++) {
            m.qd[i] = dpl_random_uniform(&rng, -5.0, 5.0);
            m.qdd[i] = dpl_random_uniform(&rng, -80.0, 80.0);
        }
        cr_assert_eq(dpl_delta_motion_of_platform(&delta, &m), 0);
        cr_assert_eq(dpl_delta_torque(&delta, &m, torque), 0);
        double scale = 1.0 + hypot(hypot(torque[0], torque[1]), torque[2]);
        for (int i = 0; i < 3; i++) {
            double other = torque_by_differences(&delta, &m, i);
            worst = fmax(worst, fabs(torque[i] - other) / scale);
        }
        n++;
    }
    cr_assert_gt(n, 250);
    cr_assert_lt(worst, 1e-7, "%g of the torque", worst);
}

Test(delta_lagrange, energy_is_that_of_the_independent_model)
{
    struct dpl_random rng = dpl_random_seeded(12, 8);
    for (int k = 0; k < 300; k++) {
        struct dpl_delta delta = some_delta(&rng);
        struct dpl_delta_motion m = {0};
        if (!some_position(&delta, &rng, m.p) || dpl_delta_ik(&delta, m.p, m.q) != 0) {
            continue;
        }
        for (int i = 0; i < 3; i++) {
            m.qd[i] = dpl_random_uniform(&rng, -5.0, 5.0);
        }
        cr_assert_eq(dpl_delta_motion_of_platform(&delta, &m), 0);
        struct dpl_delta_energy energy = dpl_delta_energy(&delta, &m);
        double expected = lagrangian(&delta, m.p, m.q, m.qd);
        cr_assert_float_eq(energy.kinetic - energy.potential, expected,
                           1e-11 * (1.0 + energy.kinetic), "%g", expected);
    }
}
