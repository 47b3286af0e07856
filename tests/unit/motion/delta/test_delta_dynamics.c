/* SPDX-License-Identifier: Apache-2.0 */
/* Dynamics of a delta: golden torques, peaks of the path, balance of power. */
#include "delta_dynamics.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/math/geometry.h>

#include "pick_place.h"

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

/* Arms 1 and 2 are equal on the path. */
static const struct row {
    double t, x, z, q[2], qd[2], qdd[2], torque[2], points[2];
} path[] = {
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

#define FOR_EACH_ROW(row)                                                                          \
    for (const struct row *row = path; row < path + sizeof path / sizeof path[0]; row++)

Test(delta_dynamics, path_has_the_golden_positions)
{
    FOR_EACH_ROW(row)
    {
        struct dpl_delta_motion m = on_path(d, row->t);
        cr_assert_float_eq(m.p[0], row->x, 1e-6);
        cr_assert_eq(m.p[1], 0.0);
        cr_assert_float_eq(m.p[2], row->z, 1e-6);
    }
}

Test(delta_dynamics, joints_move_on_the_path_as_the_golden_ones)
{
    FOR_EACH_ROW(row)
    {
        struct dpl_delta_motion m = on_path(d, row->t);
        for (int k = 0; k < 3; k++) {
            int g = k > 0;
            cr_assert_float_eq(m.q[k], row->q[g], 1e-7, "%g s: %.9f", row->t, m.q[k]);
            cr_assert_float_eq(m.qd[k], row->qd[g], 1e-5, "%g s: %.7f", row->t, m.qd[k]);
            cr_assert_float_eq(m.qdd[k], row->qdd[g], 1e-3, "%g s: %.5f", row->t, m.qdd[k]);
        }
    }
}

Test(delta_dynamics, torques_on_the_path_are_the_golden_ones)
{
    FOR_EACH_ROW(row)
    {
        struct dpl_delta_motion m = on_path(d, row->t);
        double torque[3], points[3];
        cr_assert_eq(dpl_delta_torque(d, &m, torque), 0);
        cr_assert_eq(dpl_delta_torque_point_mass(d, &m, 2.0 / 3.0, points), 0);
        for (int k = 0; k < 3; k++) {
            int g = k > 0;
            cr_assert_float_eq(torque[k], row->torque[g], 1e-5, "%g s: %.7f", row->t, torque[k]);
            cr_assert_float_eq(points[k], row->points[g], 1e-4, "%g s: %.6f", row->t, points[k]);
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
