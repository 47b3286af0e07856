/* SPDX-License-Identifier: Apache-2.0 */
/* Dynamics of a delta: golden torques, balance of power, and Lagrange's equations by differences
 * with a model of six rods and three arms that shares no code with the implementation. */
#include "delta_dynamics.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/math/geometry.h>
#include <doppel/math/linear.h>

#include "pick_place.h"
#include "some_delta.h"

static const struct dpl_delta *const d = &dpl_delta_reference;

static struct dpl_delta_motion on_path(const struct dpl_delta *delta, double at_s)
{
    struct dpl_delta_motion motion;
    dpl_pick_place_at(&dpl_pick_place_reference, at_s, motion.p, motion.v, motion.a);
    cr_assert_eq(dpl_delta_motion_of_joints(delta, &motion), 0);
    return motion;
}

Test(delta_dynamics, agrees_with_the_golden_holding_torques)
{
    static const struct {
        double p[3], torque[3];
    } golden[] = {
        {{0, 0, -0.38}, {-0.769651, -0.769651, -0.769651}},
        {{0, 0, -0.45}, {-0.803841, -0.803841, -0.803841}},
        {{0, 0, -0.5}, {-0.789819, -0.789819, -0.789819}},
        {{0, 0, -0.6}, {-0.671595, -0.671595, -0.671595}},
        {{0.15, 0, -0.5}, {-1.071500, -0.555143, -0.555143}},
        {{-0.15, 0, -0.5}, {-0.336919, -0.926388, -0.926388}},
        {{0.1, 0.1, -0.5}, {-0.980891, -0.844319, -0.382552}},
        {{-0.08, 0.13, -0.42}, {-0.581952, -0.996633, -0.599654}},
        {{0.05, -0.15, -0.58}, {-0.797802, -0.189999, -0.932990}},
        {{-0.1525, 0, -0.475}, {-0.355787, -0.928714, -0.928714}},
    };
    for (size_t i = 0; i < sizeof golden / sizeof golden[0]; i++) {
        struct dpl_delta_motion rest = {0};
        double torque[3], points[3];
        memcpy(rest.p, golden[i].p, sizeof rest.p);
        cr_assert_eq(dpl_delta_holding_torque(d, golden[i].p, torque), 0);
        cr_assert_eq(dpl_delta_motion_of_joints(d, &rest), 0);
        cr_assert_eq(dpl_delta_torque_point_mass(d, &rest, 0.5, points), 0);
        for (int k = 0; k < 3; k++) {
            cr_assert_float_eq(torque[k], golden[i].torque[k], 1e-6, "row %zu: %.7f", i, torque[k]);
            cr_assert_float_eq(points[k], torque[k], 1e-14, "halves are exact at rest");
        }
    }
}

Test(delta_dynamics, agrees_with_the_golden_path)
{
    /* Arms 1 and 2 are equal on the path. */
    static const struct {
        double t, x, z, q[2], qd[2], qdd[2], torque[2], points[2];
    } golden[] = {
        {0.000,
         -0.152500,
         -0.500000,
         {0.9526537, 0.3477453},
         {0.00000, 0.00000},
         {0.000, 0.000},
         {-0.32768, -0.92814},
         {-0.3449, -0.8934}},
        {0.025,
         -0.152500,
         -0.497412,
         {0.9463590, 0.3385046},
         {-0.63954, -0.94226},
         {-33.743, -50.413},
         {-0.91156, -2.31919},
         {-0.9422, -2.2679}},
        {0.050,
         -0.152500,
         -0.487500,
         {0.9225688, 0.3029573},
         {-1.11346, -1.68760},
         {1.069, -0.678},
         {-0.32999, -0.94007},
         {-0.3438, -0.9066}},
        {0.075,
         -0.147604,
         -0.477588,
         {0.8822871, 0.2684233},
         {-2.51419, -0.79784},
         {-97.224, 64.629},
         {-5.03277, 1.73121},
         {-5.0668, 1.7486}},
        {0.100,
         -0.120928,
         -0.475000,
         {0.7843312, 0.2699180},
         {-5.49227, 0.84030},
         {-140.497, 44.368},
         {-6.19250, 0.96771},
         {-6.2599, 1.0530}},
        {0.125,
         -0.068562,
         -0.475000,
         {0.6089992, 0.3087648},
         {-8.22852, 2.40819},
         {-67.843, 77.148},
         {-3.70090, 1.03988},
         {-3.7837, 1.1884}},
        {0.150,
         0.000000,
         -0.475000,
         {0.3932247, 0.3932247},
         {-8.57618, 4.28809},
         {40.587, 62.443},
         {-0.17399, 0.04166},
         {-0.1635, 0.1706}},
        {0.175,
         0.068562,
         -0.475000,
         {0.2008966, 0.5135990},
         {-6.50173, 5.04219},
         {113.849, -8.508},
         {2.34335, -1.90269},
         {2.5275, -1.8805}},
        {0.200,
         0.120928,
         -0.475000,
         {0.0757281, 0.6283881},
         {-3.50938, 3.82205},
         {115.206, -83.798},
         {2.97226, -3.58458},
         {3.2425, -3.6653}},
        {0.225,
         0.147604,
         -0.477588,
         {0.0312134, 0.7012777},
         {0.02008, 2.11225},
         {133.872, -56.510},
         {3.61009, -2.61687},
         {3.8306, -2.7293}},
        {0.250,
         0.152500,
         -0.487500,
         {0.0623630, 0.7406785},
         {1.90237, 1.27434},
         {-1.388, 0.643},
         {-1.08970, -0.55443},
         {-1.0418, -0.5501}},
        {0.275,
         0.152500,
         -0.497412,
         {0.1022965, 0.7677768},
         {1.05489, 0.72507},
         {-56.631, -38.435},
         {-2.69922, -1.41841},
         {-2.6399, -1.4104}},
        {0.450,
         -0.000000,
         -0.475000,
         {0.3932247, 0.3932247},
         {8.57618, -4.28809},
         {40.587, 62.443},
         {-0.17399, 0.04166},
         {-0.1635, 0.1706}},
    };
    for (size_t i = 0; i < sizeof golden / sizeof golden[0]; i++) {
        struct dpl_delta_motion m = on_path(d, golden[i].t);
        double torque[3], points[3];
        cr_assert_eq(dpl_delta_torque(d, &m, torque), 0);
        cr_assert_eq(dpl_delta_torque_point_mass(d, &m, 2.0 / 3.0, points), 0);
        cr_assert_float_eq(m.p[0], golden[i].x, 1e-6);
        cr_assert_eq(m.p[1], 0.0);
        cr_assert_float_eq(m.p[2], golden[i].z, 1e-6);
        for (int k = 0; k < 3; k++) {
            int g = k > 0;
            double t = golden[i].t;
            cr_assert_float_eq(m.q[k], golden[i].q[g], 1e-7, "%g s: %.9f", t, m.q[k]);
            cr_assert_float_eq(m.qd[k], golden[i].qd[g], 1e-5, "%g s: %.7f", t, m.qd[k]);
            cr_assert_float_eq(m.qdd[k], golden[i].qdd[g], 1e-3, "%g s: %.5f", t, m.qdd[k]);
            cr_assert_float_eq(torque[k], golden[i].torque[g], 1e-5, "%g s: %.7f", t, torque[k]);
            cr_assert_float_eq(points[k], golden[i].points[g], 1e-4, "%g s: %.6f", t, points[k]);
        }
    }
}

/* Largest magnitudes and mean squares along one cycle. */
struct peaks {
    double v, a, qd, low_q, high_q, torque[3], square[3], off_two_thirds, off_half;
};

static double length_of(const double *x)
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

static struct peaks peaks_of(const struct dpl_delta *delta)
{
    struct peaks peaks = {.low_q = 10.0, .high_q = -10.0};
    const int n = 6000;
    for (int i = 0; i < n; i++) {
        struct dpl_delta_motion m = on_path(delta, 0.6 * i / n);
        double torque[3], a[3], b[3];
        cr_assert_eq(dpl_delta_torque(delta, &m, torque), 0);
        cr_assert_eq(dpl_delta_torque_point_mass(delta, &m, 2.0 / 3.0, a), 0);
        cr_assert_eq(dpl_delta_torque_point_mass(delta, &m, 0.5, b), 0);
        peaks.v = fmax(peaks.v, length_of(m.v));
        peaks.a = fmax(peaks.a, length_of(m.a));
        for (int k = 0; k < 3; k++) {
            peaks.qd = fmax(peaks.qd, fabs(m.qd[k]));
            peaks.low_q = fmin(peaks.low_q, m.q[k]);
            peaks.high_q = fmax(peaks.high_q, m.q[k]);
            peaks.torque[k] = fmax(peaks.torque[k], fabs(torque[k]));
            peaks.square[k] += torque[k] * torque[k] / n;
            peaks.off_two_thirds = fmax(peaks.off_two_thirds, fabs(a[k] - torque[k]));
            peaks.off_half = fmax(peaks.off_half, fabs(b[k] - torque[k]));
        }
    }
    return peaks;
}

Test(delta_dynamics, the_peaks_of_the_path_are_the_golden_ones)
{
    struct peaks peaks = peaks_of(d);
    cr_assert_float_eq(peaks.v, 2.859, 1e-3);
    cr_assert_float_eq(peaks.a, 45.3, 0.05);
    cr_assert_float_eq(peaks.qd, 8.77, 0.01);
    cr_assert_float_eq(dpl_rad_to_deg(peaks.low_q), 1.788, 1e-3);
    cr_assert_float_eq(dpl_rad_to_deg(peaks.high_q), 54.583, 1e-3);
    cr_assert_float_eq(peaks.off_two_thirds, 0.270, 1e-3);
    cr_assert_float_eq(peaks.off_half, 0.613, 1e-3);
    static const double torque[3] = {6.192, 3.585, 3.585}, rms[3] = {3.115, 1.780, 1.780};
    static const double loaded[3] = {9.127, 5.130, 5.130};
    struct dpl_delta heavy = *d;
    heavy.payload_kg = 0.25;
    struct peaks more = peaks_of(&heavy);
    for (int k = 0; k < 3; k++) {
        cr_assert_float_eq(peaks.torque[k], torque[k], 1e-3, "%.5f", peaks.torque[k]);
        cr_assert_float_eq(sqrt(peaks.square[k]), rms[k], 1e-3, "%.5f", sqrt(peaks.square[k]));
        cr_assert_float_eq(more.torque[k], loaded[k], 1e-3, "%.5f", more.torque[k]);
    }
}

static double energy_of(const struct dpl_delta *delta, const struct dpl_delta_motion *m)
{
    struct dpl_delta_energy energy = dpl_delta_energy(delta, m);
    return energy.kinetic + energy.potential;
}

static double power_of(const struct dpl_delta *delta, const struct dpl_delta_motion *m)
{
    double torque[3];
    cr_assert_eq(dpl_delta_torque(delta, m, torque), 0);
    return torque[0] * m->qd[0] + torque[1] * m->qd[1] + torque[2] * m->qd[2];
}

Test(delta_dynamics, the_power_of_the_motors_is_the_change_of_energy)
{
    const double h = 1e-4;
    struct dpl_delta_motion m = on_path(d, 0.0);
    double first = energy_of(d, &m), low = first, high = first, work = 0.0, worst = 0.0;
    double before = power_of(d, &m);
    for (int i = 1; i <= 6000; i++) {
        m = on_path(d, h * i);
        double power = power_of(d, &m), energy = energy_of(d, &m);
        work += 0.5 * h * (before + power);
        before = power;
        worst = fmax(worst, fabs(work - (energy - first)));
        low = fmin(low, energy);
        high = fmax(high, energy);
    }
    cr_assert_lt(worst, 5e-6, "%g J", worst);
    cr_assert_float_eq(high - low, 2.351, 1e-3, "%g J", high - low);
}

/* ---- an independent model ---- */

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

Test(delta_dynamics, the_torques_satisfy_lagranges_equations_for_other_geometries)
{
    struct dpl_random rng = dpl_random_seeded(12, 7);
    int n = 0;
    double worst = 0.0;
    for (int k = 0; k < 300; k++) {
        struct dpl_delta delta = k % 3 ? some_delta(&rng) : *d;
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
        double scale = 1.0 + length_of(torque);
        for (int i = 0; i < 3; i++) {
            double other = torque_by_differences(&delta, &m, i);
            worst = fmax(worst, fabs(torque[i] - other) / scale);
        }
        n++;
    }
    cr_assert_gt(n, 250);
    cr_assert_lt(worst, 1e-7, "%g of the torque", worst);
}

Test(delta_dynamics, energy_is_that_of_the_independent_model)
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

Test(delta_dynamics, what_has_no_torque_is_an_error)
{
    const double far[3] = {0.0, 0.0, -2.0};
    double limit = sqrt(0.76 * 0.76 - 0.13 * 0.13), torque[3] = {7.0, 7.0, 7.0};
    const double stretched[3] = {0.0, 0.0, -(limit - 1e-15)};
    cr_assert_eq(dpl_delta_holding_torque(d, far, torque), -EDOM);
    int error = dpl_delta_holding_torque(d, stretched, torque);
    cr_assert(error == -EDOM || error == -ERANGE || isfinite(torque[0]));
    struct dpl_delta_motion flat = {0};
    struct dpl_delta short_rods = *d;
    short_rods.rod_m = 0.37;
    torque[0] = 7.0;
    cr_assert_eq(dpl_delta_torque(&short_rods, &flat, torque), -ERANGE);
    cr_assert_eq(torque[0], 7.0);
}
