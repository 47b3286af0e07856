/* SPDX-License-Identifier: Apache-2.0 */
/* Kinematics of the reference hexaslide: the inverse compared with reference values; the forward
 * along a motion, without a start pose, and from starts with increasing distance. */
#include "acceptance.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#include <doppel/math/geometry.h>

#include "hexa_fk.h"
#include "hexa_ik.h"
#include "hexa_workspace.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])
#define RATE_HZ      1600.0
#define SAME_POSE    1e-6 /* m, rad: modes differ by centimetres, solutions by 1e-9 */

static const struct dpl_hexa_geometry *const g = &dpl_hexa_reference;

static int n_of(int full)
{
    return asked->quick ? full / 20 : full;
}

static double apart(const double *a, const double *b)
{
    double worst = 0.0;
    for (int j = 0; j < DPL_SIX; j++) {
        worst = fmax(worst, fabs(a[j] - b[j]));
    }
    return worst;
}

/* Uniform in the box of `scale` half-ranges about home. */
static void draw_pose(struct dpl_random *rng, double scale, double *ret_pose)
{
    for (int j = 0; j < DPL_SIX; j++) {
        double half = scale * g->half_range[j];
        ret_pose[j] = g->home[j] + dpl_random_uniform(rng, -half, half);
    }
}

static int inverse(void)
{
    static const struct {
        double m_deg[DPL_SIX];
        double q_m[DPL_AXES_N];
    } golden[] = {
        {{0, 0, 0.54, 0, 0, 0},
         {0.856792452437, -0.699375929539, 0.550247635031, 0.856792452437, -0.699375929539,
          0.550247635031}},
        {{0.1, -0.05, 0.58, 2, -3, 1},
         {0.875543644828, -0.565201310840, 0.614561179586, 0.945697354849, -0.565880634821,
          0.647043811675}},
        {{-0.2, 0.1, 0.50, -4, 6, 2.5},
         {0.753457496739, -0.946501171802, 0.364679215460, 0.611571050801, -0.905553047200,
          0.340170929255}},
    };
    for (size_t i = 0; i < COUNT(golden); i++) {
        double pose[DPL_SIX], q_m[DPL_AXES_N];
        char name[60];
        for (int j = 0; j < DPL_SIX; j++) {
            pose[j] = j < 3 ? golden[i].m_deg[j] : dpl_deg_to_rad(golden[i].m_deg[j]);
        }
        int r = dpl_hexa_ik(g, pose, q_m);
        if (r < 0) {
            return r;
        }
        snprintf(name, sizeof name, "IK golden pose %zu, error m", i + 1);
        row_at_most(name, apart(q_m, golden[i].q_m), 1e-12, "");
    }
    return 0;
}

/* Smallest conditioning on the surface of an ellipsoid; the specification's values come from other
 * samples, hence the tolerance. */
static void conditioning(double scale, double expected)
{
    struct dpl_random rng = dpl_random_seeded(1, 1);
    struct dpl_hexa_survey survey = dpl_hexa_survey_begin();
    char name[60];
    for (int k = 0; k < n_of(20000); k++) {
        double direction[DPL_SIX], pose[DPL_SIX];
        dpl_hexa_direction(&rng, direction);
        dpl_hexa_place(g, direction, scale, pose);
        dpl_hexa_survey_add(&survey, g, pose, 0.25);
    }
    snprintf(name, sizeof name, "least conditioning on the ellipsoid of %.2f", scale);
    row_near(name, survey.least_conditioning, expected, asked->quick ? 0.02 : 0.005);
    snprintf(name, sizeof name, "poses out of reach on the ellipsoid of %.2f", scale);
    row_at_most(name, (double)survey.n_unreachable, 0.0, "");
}

static int workspace(void)
{
    double home = 0.0;
    int r = dpl_hexa_conditioning(g, g->home, 0.25, &home);
    if (r == 0) {
        row_near("conditioning at home", home, 0.370, 5e-4);
        conditioning(0.85, 0.277);
        conditioning(1.0, 0.252);
    }
    return r;
}

/* A platform that moves with sines of 1.3 to 3 Hz and half of each half-range, 1600 solves per
 * second. */
static int follow(const char *what, dpl_hexa_fk_solver *solver, bool extrapolate)
{
    struct dpl_hexa_tracker tracker;
    int n = n_of(200000), failed = 0, iterations = 0, most = 0;
    double worst = 0.0;
    char name[80];
    dpl_hexa_tracker_init(&tracker, g);
    tracker.solver = solver;
    tracker.extrapolate = extrapolate;
    for (int k = 0; k < n; k++) {
        double truth[DPL_SIX], q_m[DPL_AXES_N], pose[DPL_SIX] = {0.0};
        for (int j = 0; j < DPL_SIX; j++) {
            double angle = 2.0 * DPL_PI * (1.3 + 0.34 * j) * k / RATE_HZ;
            truth[j] = g->home[j] + 0.5 * g->half_range[j] * sin(angle);
        }
        int r = dpl_hexa_ik(g, truth, q_m);
        if (r < 0) {
            return r;
        }
        failed += dpl_hexa_tracker_step(&tracker, q_m, pose) != 0;
        worst = fmax(worst, apart(pose, truth));
        if (k >= 3) { /* at first there are no past poses to extrapolate */
            iterations += tracker.report.iterations;
            most = tracker.report.iterations > most ? tracker.report.iterations : most;
        }
    }
    double expected = extrapolate ? 1.0 : 2.0;
    snprintf(name, sizeof name, "%s: failures", what);
    row_at_most(name, failed, 0.0, "");
    snprintf(name, sizeof name, "%s: error m, rad", what);
    row_at_most(name, worst, extrapolate ? 1e-9 : 1e-11, "");
    snprintf(name, sizeof name, "%s: mean iterations", what);
    row_near(name, (double)iterations / (n - 3), expected, 0.005);
    snprintf(name, sizeof name, "%s: most iterations", what);
    row_at_most(name, most, 2.0, "");
    return 0;
}

/* From home to anywhere in the box of 0.7 half-ranges. */
static int cold(const char *what, dpl_hexa_fk_solver *solver)
{
    struct dpl_random rng = dpl_random_seeded(1, 2);
    int n = n_of(200000), correct = 0, iterations = 0, most = 0;
    char name[60];
    for (int k = 0; k < n; k++) {
        double truth[DPL_SIX], q_m[DPL_AXES_N], pose[DPL_SIX];
        struct dpl_hexa_fk_report report;
        draw_pose(&rng, 0.7, truth);
        int r = dpl_hexa_ik(g, truth, q_m);
        if (r < 0) {
            return r;
        }
        for (int j = 0; j < DPL_SIX; j++) {
            pose[j] = g->home[j];
        }
        r = solver(g, &dpl_hexa_fk_defaults, q_m, pose, &report);
        correct += r == 0 && apart(pose, truth) <= 1e-8;
        iterations += report.iterations;
        most = report.iterations > most ? report.iterations : most;
    }
    snprintf(name, sizeof name, "%s from home, correct of %d", what, n);
    row_at_least(name, correct, n, "");
    snprintf(name, sizeof name, "%s from home, mean iterations", what);
    row_near(name, (double)iterations / n, 3.99, 0.02);
    snprintf(name, sizeof name, "%s from home, most iterations", what);
    row_at_most(name, most, 5.0, "");
    return 0;
}

struct fractions {
    double right, other; /* of all starts */
    int wrong;           /* results without an error that are not the true pose */
};

/* Parameters of a row of the convergence table. */
struct scatter {
    dpl_hexa_fk_solver *solver;
    struct dpl_hexa_fk_options options;
    double error_m;
};

/* As `apart`, but angles that differ by whole turns are equal. */
static double apart_wrapped(const double *a, const double *b)
{
    double worst = 0.0;
    for (int j = 0; j < DPL_SIX; j++) {
        double difference = j < 3 ? a[j] - b[j] : dpl_wrap_angle(a[j] - b[j]);
        worst = fmax(worst, fabs(difference));
    }
    return worst;
}

/* Starts with an error of up to `error_m`, and 2.5 rad per metre of it, in each component from true
 * poses on the ellipsoid of 0.7 half-ranges. */
static int scatter(const struct scatter *how, struct fractions *ret_fractions)
{
    struct dpl_random rng = dpl_random_seeded(1, 3);
    struct fractions sum = {0};
    int n = n_of(20000);
    for (int k = 0; k < n; k++) {
        double direction[DPL_SIX], truth[DPL_SIX], q_m[DPL_AXES_N];
        double pose[DPL_SIX];
        struct dpl_hexa_fk_report report;
        dpl_hexa_direction(&rng, direction);
        dpl_hexa_place(g, direction, 0.7, truth);
        int r = dpl_hexa_ik(g, truth, q_m);
        if (r < 0) {
            return r;
        }
        for (int j = 0; j < DPL_SIX; j++) {
            double error = j < 3 ? how->error_m : 2.5 * how->error_m;
            pose[j] = truth[j] + dpl_random_uniform(&rng, -error, error);
        }
        r = how->solver(g, &how->options, q_m, pose, &report);
        bool same = r == 0 && apart_wrapped(pose, truth) <= SAME_POSE;
        sum.right += same / (double)n;
        sum.other += (report.residual_m <= how->options.tolerance_m && !same) / (double)n;
        sum.wrong += r == 0 && apart(pose, truth) > SAME_POSE;
    }
    *ret_fractions = sum;
    return 0;
}

static const struct convergence {
    double error_m;
    struct {
        double right, other;
    } jfmd, undamped;
} table[] = {
    {0.1, {1.0000, 0.0}, {1.0000, 0.0}},
    {0.2, {0.966, 0.034}, {0.891, 0.104}},
    {0.3, {0.802, 0.194}, {0.629, 0.358}},
    {0.5, {0.434, 0.534}, {0.269, 0.704}},
};

/* Tolerance: a fraction of 20 000 starts has a deviation of 0.0035, and the specification does not
 * give the positions of its true poses, which changes the fractions by 0.02 between home and a box
 * of 0.7; on this ellipsoid every fraction agrees within 0.007. Undamped steps get 50 iterations;
 * with fewer, 3 % to 8 % more do not converge. */
static int converge(const struct convergence *row)
{
    struct scatter how = {dpl_hexa_fk_jfmd, dpl_hexa_fk_defaults, row->error_m};
    struct fractions jfmd, damped, undamped, fenced;
    char name[80];
    int mm = (int)(1e3 * row->error_m + 0.5);
    int r = scatter(&how, &fenced);
    how.options.fence = 0.0;
    r = r ? r : scatter(&how, &jfmd);
    how.solver = dpl_hexa_fk_newton;
    r = r ? r : scatter(&how, &damped);
    how.options.undamped = true;
    how.options.max_iterations = 50;
    r = r ? r : scatter(&how, &undamped);
    if (r < 0) {
        return r;
    }
    const double tolerance = asked->quick ? 0.05 : 0.01;
    snprintf(name, sizeof name, "JFMD from %d mm, fraction true", mm);
    row_near(name, jfmd.right, row->jfmd.right, tolerance);
    snprintf(name, sizeof name, "JFMD from %d mm, fraction other mode", mm);
    row_near(name, jfmd.other, row->jfmd.other, tolerance);
    snprintf(name, sizeof name, "undamped Newton from %d mm, fraction true", mm);
    row_near(name, undamped.right, row->undamped.right, tolerance);
    snprintf(name, sizeof name, "undamped Newton from %d mm, fraction other mode", mm);
    row_near(name, undamped.other, row->undamped.other, tolerance);
    snprintf(name, sizeof name, "damped Newton less JFMD from %d mm, fraction true", mm);
    row_near(name, damped.right - jfmd.right, 0.0, asked->quick ? 0.0015 : 0.0005);
    snprintf(name, sizeof name, "from %d mm, fenced: change of fraction true", mm);
    row_near(name, fenced.right - jfmd.right, 0.0, 0.02);
    snprintf(name, sizeof name, "from %d mm, fenced: wrong poses not refused", mm);
    row_at_most(name, fenced.wrong, 0.0, "");
    if (mm >= 200) { /* the fence is needed: the branch check accepts other modes */
        snprintf(name, sizeof name, "from %d mm, no fence: wrong poses not refused", mm);
        row_at_least(name, jfmd.wrong, 1.0, "");
    }
    return 0;
}

static int forward(void)
{
    int r = follow("JFMD warm", dpl_hexa_fk_jfmd, false);
    r = r ? r : follow("JFMD extrapolated", dpl_hexa_fk_jfmd, true);
    r = r ? r : follow("Newton warm", dpl_hexa_fk_newton, false);
    r = r ? r : follow("Newton extrapolated", dpl_hexa_fk_newton, true);
    r = r ? r : cold("JFMD", dpl_hexa_fk_jfmd);
    return r ? r : cold("Newton", dpl_hexa_fk_newton);
}

int acceptance_kinematics(void)
{
    puts("K1  inverse kinematics and conditioning of HX-A");
    int r = inverse();
    r = r ? r : workspace();
    if (r == 0) {
        puts("K2  forward kinematics along a motion at 1.6 kHz, and from home");
        r = forward();
    }
    if (r == 0) {
        puts("K3  convergence from starts that are far off, 2.5 rad for each metre");
    }
    for (size_t i = 0; r == 0 && i < COUNT(table); i++) {
        r = converge(&table[i]);
    }
    return r;
}
