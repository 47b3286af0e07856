/* SPDX-License-Identifier: Apache-2.0 */
/* Fits the model of a drive to a recording: see drive_fit.h. */
#include "drive_fit.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/math/geometry.h>
#include <doppel/math/linear.h>

#include "drive_parts.h"
#include "drive_plant.h"

#define WINDOW_S      0.1
#define GAP_S         0.5 /* a longer window says nothing */
/* In a window that is longer than this, and than SILENCE_RATIO of the one before, the base was
 * silent. It got no commands either: what it does then, and for SETTLE_S afterwards, tells nothing.
 */
#define SILENCE_S     0.25
#define SILENCE_RATIO 2.5
#define SETTLE_S      1.0
#define MOVING_M      0.002 /* a window with more travel of a wheel counts as motion */
#define MOVING_MIN_S  5.0
#define NOISE_MIN_M   2e-5
#define ITERATIONS    30
/* What the grid and a real drive differ from the model by, whatever the noise: s. */
#define TIME_ERROR_S  0.001
#define SHORTEST_RAMP 0.02  /* a shorter one shows nothing */
#define SHORT_RAMP    0.2   /* of the nominal one: as good as none */
#define HELD          1e-6  /* sigma of a parameter that is not fitted */
#define LEAST_PIVOT   1e-30 /* the prior makes the matrix positive definite */
#define N             DRIVE_N_PARAMETERS

/* The last is the duration of a ramp over that with the nominal acceleration: the travel is linear
 * in it, and a drive without a ramp is at its end and not at infinity. */
const double drive_prior_sigma[N] = {0.2, 0.2, 0.2, 0.2, 1.0};

static const double nominal[N] = {1.0, 1.0, 0.05, 0.05, 1.0};

/* Between two measurements. */
struct window {
    double from_s, to_s;
    double travel[DRIVE_N_WHEELS];
};

struct problem {
    struct drive_plant plant;
    struct window *windows;
    size_t n;
    double acceleration; /* nominal */
    double *error;       /* [n * DRIVE_N_WHEELS], measured minus model */
    double *shifted[N];  /* the same with one parameter changed */
    double noise_m;      /* of one error: scale of the weights */
    double prior[N];     /* sigma of the parameters before the fit */
};

/* ---- windows ---- */

static bool is_usable(const struct window *window, const struct drive_config *config)
{
    double duration_s = window->to_s - window->from_s;
    double most_m =
        2.0 * (config->max_linear + 0.5 * config->axle_m * config->max_angular) * duration_s + 0.02;
    return duration_s <= GAP_S && fabs(window->travel[DRIVE_LEFT]) <= most_m &&
           fabs(window->travel[DRIVE_RIGHT]) <= most_m;
}

static double add_windows(const struct drive_sample *samples, size_t n,
                          const struct drive_config *config, struct problem *problem)
{
    const struct drive_sample *from = &samples[0];
    double moving_s = 0.0, usual_s = GAP_S, settled_s = -(double)INFINITY;
    for (size_t i = 1; i < n; i++) {
        const struct drive_sample *to = &samples[i];
        struct window window = {from->measured_s,
                                to->measured_s,
                                {to->left_m - from->left_m, to->right_m - from->right_m}};
        double duration_s = window.to_s - window.from_s;
        if (duration_s < WINDOW_S - 1e-6) {
            continue;
        }
        from = to;
        if (duration_s > fmax(SILENCE_S, SILENCE_RATIO * usual_s)) {
            settled_s = window.to_s + SETTLE_S;
        }
        usual_s = duration_s;
        if (window.from_s >= settled_s && is_usable(&window, config)) {
            problem->windows[problem->n++] = window;
            bool moves = fmax(fabs(window.travel[0]), fabs(window.travel[1])) > MOVING_M;
            moving_s += moves ? duration_s : 0.0;
        }
    }
    return moving_s;
}

static void problem_finish(struct problem *problem)
{
    drive_plant_finish(&problem->plant);
    free(problem->windows);
    free(problem->error);
    for (int i = 0; i < N; i++) {
        free(problem->shifted[i]);
    }
}

static int problem_create(const struct drive_sample *samples, size_t n,
                          const struct drive_config *config, struct problem *problem)
{
    *problem = (struct problem){.acceleration = config->acceleration};
    memcpy(problem->prior, drive_prior_sigma, sizeof problem->prior);
    problem->windows = calloc(n, sizeof *problem->windows);
    problem->error = calloc(n * DRIVE_N_WHEELS, sizeof(double));
    bool good = problem->windows && problem->error;
    for (int i = 0; i < N; i++) {
        problem->shifted[i] = calloc(n * DRIVE_N_WHEELS, sizeof(double));
        good = good && problem->shifted[i];
    }
    if (!good) {
        return -ENOMEM;
    }
    if (add_windows(samples, n, config, problem) < MOVING_MIN_S) {
        return -ENODATA;
    }
    return drive_plant_create(samples, n, config, &problem->plant);
}

/* ---- errors ---- */

static void run_plant(struct problem *problem, const double p[N])
{
    drive_plant_run(&problem->plant, fmax(p[DRIVE_LAG], 0.0),
                    problem->acceleration / p[DRIVE_RAMP]);
}

/* Without running the plant: gain and latency need no other run. */
static void find_errors(const struct problem *problem, const double p[N], double *ret_error)
{
    for (size_t i = 0; i < problem->n; i++) {
        const struct window *w = &problem->windows[i];
        for (int wheel = 0; wheel < DRIVE_N_WHEELS; wheel++) {
            const struct drive_plant *plant = &problem->plant;
            double model = drive_plant_travel(plant, wheel, w->to_s - p[DRIVE_LATENCY]) -
                           drive_plant_travel(plant, wheel, w->from_s - p[DRIVE_LATENCY]);
            ret_error[i * DRIVE_N_WHEELS + (size_t)wheel] =
                w->travel[wheel] - p[DRIVE_GAIN_LEFT + wheel] * model;
        }
    }
}

/* Weight of an error after Geman and McClure: blocked wheels and slip count little. */
static double weight(const struct problem *problem, double error)
{
    double q = error / (3.0 * problem->noise_m);
    return 1.0 / ((1.0 + q * q) * (1.0 + q * q));
}

/* The loss whose slope has these weights, and the prior. */
static double cost_of(const struct problem *problem, const double p[N])
{
    double sum = 0.0;
    for (size_t i = 0; i < problem->n * DRIVE_N_WHEELS; i++) {
        double q = problem->error[i] / (3.0 * problem->noise_m);
        sum += 9.0 * q * q / (1.0 + q * q);
    }
    for (int i = 0; i < N; i++) {
        double off = (p[i] - nominal[i]) / problem->prior[i];
        sum += off * off;
    }
    return sum;
}

static double evaluate(struct problem *problem, const double p[N])
{
    run_plant(problem, p);
    find_errors(problem, p, problem->error);
    return cost_of(problem, p);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* From the median of the errors' sizes. */
static void find_noise(struct problem *problem)
{
    size_t n = problem->n * DRIVE_N_WHEELS;
    double *sizes = problem->shifted[0]; /* free at this time */
    for (size_t i = 0; i < n; i++) {
        sizes[i] = fabs(problem->error[i]);
    }
    qsort(sizes, n, sizeof *sizes, by_size);
    problem->noise_m = fmax(1.4826 * sizes[n / 2], NOISE_MIN_M);
}

/* ---- steps ---- */

/* J'WJ + prior into a, J'We + prior into b; the errors are those of p. */
static void find_normal(struct problem *problem, const double p[N], double a[N][N], double b[N])
{
    static const double steps[N] = {1e-4, 1e-4, 1e-3, 1e-3, 1e-2};
    for (int i = 0; i < N; i++) {
        double q[N];
        memcpy(q, p, sizeof q);
        q[i] += steps[i];
        run_plant(problem, q);
        find_errors(problem, q, problem->shifted[i]);
    }
    memset(a, 0, sizeof(double[N][N]));
    for (int i = 0; i < N; i++) {
        double prior = 1.0 / (problem->prior[i] * problem->prior[i]);
        a[i][i] = prior;
        b[i] = prior * (nominal[i] - p[i]);
    }
    for (size_t k = 0; k < problem->n * DRIVE_N_WHEELS; k++) {
        double e = problem->error[k], j[N];
        double w = weight(problem, e) / (problem->noise_m * problem->noise_m);
        for (int i = 0; i < N; i++) {
            j[i] = (e - problem->shifted[i][k]) / steps[i]; /* of the model */
        }
        for (int i = 0; i < N; i++) {
            b[i] += w * j[i] * e;
            for (int m = 0; m < N; m++) {
                a[i][m] += w * j[i] * j[m];
            }
        }
    }
}

static void bound(double p[N])
{
    p[DRIVE_GAIN_LEFT] = dpl_clamp(p[DRIVE_GAIN_LEFT], 0.1, 5.0);
    p[DRIVE_GAIN_RIGHT] = dpl_clamp(p[DRIVE_GAIN_RIGHT], 0.1, 5.0);
    p[DRIVE_LATENCY] = dpl_clamp(p[DRIVE_LATENCY], 0.0, 1.0);
    p[DRIVE_LAG] = dpl_clamp(p[DRIVE_LAG], 0.0, 1.0);
    p[DRIVE_RAMP] = dpl_clamp(p[DRIVE_RAMP], SHORTEST_RAMP, 50.0);
}

/* One step of Levenberg and Marquardt; false: nothing got better. */
static bool improve(struct problem *problem, double p[N], double *inout_cost)
{
    double a[N][N], b[N], tried[N][N], step[N], q[N];
    find_normal(problem, p, a, b);
    for (double damping = 1e-6; damping < 1e4; damping *= 10.0) {
        memcpy(tried, a, sizeof tried);
        for (int i = 0; i < N; i++) {
            tried[i][i] *= 1.0 + damping;
        }
        dpl_cholesky(tried[0], N, LEAST_PIVOT);
        dpl_cholesky_solve(tried[0], N, b, step);
        for (int i = 0; i < N; i++) {
            q[i] = p[i] + step[i];
        }
        bound(q);
        double cost = evaluate(problem, q);
        if (cost < *inout_cost) {
            bool done = *inout_cost - cost < 1e-6 * cost;
            memcpy(p, q, sizeof q);
            *inout_cost = cost;
            return !done;
        }
    }
    evaluate(problem, p);
    return false;
}

/* From several latencies and lags, since the cost has local minima. */
static void find_start(struct problem *problem, double ret_p[N])
{
    static const double latencies[] = {0.0, 0.03, 0.08, 0.15, 0.3, 0.6};
    static const double lags[] = {0.01, 0.05, 0.15, 0.4};
    double best = (double)INFINITY;
    problem->noise_m = 0.005;
    for (size_t i = 0; i < sizeof latencies / sizeof *latencies; i++) {
        for (size_t j = 0; j < sizeof lags / sizeof *lags; j++) {
            double p[N] = {1.0, 1.0, latencies[i], lags[j], 1.0};
            double cost = evaluate(problem, p);
            if (cost < best) {
                best = cost;
                memcpy(ret_p, p, sizeof p);
            }
        }
    }
    evaluate(problem, ret_p);
}

/* ---- certainty ---- */

/* Errors of neighbouring windows that resemble each other count as fewer. */
static double inflation(const struct problem *problem)
{
    double same = 0.0, next = 0.0;
    for (size_t i = 0; i < problem->n * DRIVE_N_WHEELS; i++) {
        double w = weight(problem, problem->error[i]) * problem->error[i];
        same += w * problem->error[i];
        if (i >= DRIVE_N_WHEELS) {
            next += w * problem->error[i - DRIVE_N_WHEELS];
        }
    }
    double r = same > 0.0 ? dpl_clamp(next / same, 0.0, 0.95) : 0.0;
    return (1.0 + r) / (1.0 - r);
}

/* Of the ramp: what an error of TIME_ERROR_S makes that looks like a ramp, and like no other
 * parameter. `latency`: information of the latency alone; `variance`: of the ramp beside all. */
static double least_sigma(int parameter, double latency, double variance)
{
    switch (parameter) {
    case DRIVE_LATENCY:
    case DRIVE_LAG: return TIME_ERROR_S;
    case DRIVE_RAMP: return TIME_ERROR_S * sqrt(latency * variance);
    default: return 0.0;
    }
}

/* Its inverse is what is used: so it is known to a third of itself, or to be short. */
static bool shows_ramp(double ramp, double sigma)
{
    return sigma <= ramp / 3.0 || ramp + 2.0 * sigma <= SHORT_RAMP;
}

static void report(struct problem *problem, const double p[N], struct drive_fit *fit)
{
    double a[N][N], b[N], sum = 0.0;
    find_normal(problem, p, a, b);
    double more = inflation(problem);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            double prior = i == j ? 1.0 / (problem->prior[i] * problem->prior[i]) : 0.0;
            a[i][j] = (a[i][j] - prior) / more + prior;
        }
    }
    double latency = a[DRIVE_LATENCY][DRIVE_LATENCY];
    dpl_cholesky(a[0], N, LEAST_PIVOT);
    for (int i = 0; i < N; i++) {
        double unit[N] = {0.0}, column[N];
        unit[i] = 1.0;
        dpl_cholesky_solve(a[0], N, unit, column);
        fit->value[i] = p[i];
        fit->sigma[i] = hypot(sqrt(column[i]), least_sigma(i, latency, column[i]));
        fit->identified[i] = fit->sigma[i] <= drive_prior_sigma[i] / 3.0;
        memcpy(fit->correlation[i], column, sizeof column);
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            fit->correlation[i][j] =
                i == j ? 1.0 : fit->correlation[i][j] / (fit->sigma[i] * fit->sigma[j]);
        }
    }
    fit->identified[DRIVE_RAMP] =
        fit->identified[DRIVE_RAMP] && shows_ramp(p[DRIVE_RAMP], fit->sigma[DRIVE_RAMP]);
    fit->value[DRIVE_RAMP] /= problem->acceleration;
    fit->sigma[DRIVE_RAMP] /= problem->acceleration;
    for (size_t i = 0; i < problem->n * DRIVE_N_WHEELS; i++) {
        sum += problem->error[i] * problem->error[i];
    }
    fit->rms_m = sqrt(sum / (double)(problem->n * DRIVE_N_WHEELS));
    fit->n_windows = problem->n;
}

/* From p on. */
static void minimize(struct problem *problem, double p[N])
{
    for (int i = 0; i < ITERATIONS; i++) {
        if (i % 5 == 0 && i < 15) {
            find_noise(problem);
        }
        double cost = evaluate(problem, p);
        if (!improve(problem, p, &cost) && i >= 10) {
            break;
        }
    }
}

/* Whoever uses the fit keeps the nominal acceleration when the ramp is not identified: latency and
 * lag are those that go with it. */
static void fit_with_nominal_ramp(struct problem *problem, double p[N], struct drive_fit *fit)
{
    double value = fit->value[DRIVE_RAMP], sigma = fit->sigma[DRIVE_RAMP];
    problem->prior[DRIVE_RAMP] = HELD;
    p[DRIVE_RAMP] = nominal[DRIVE_RAMP];
    evaluate(problem, p);
    minimize(problem, p);
    report(problem, p, fit);
    fit->value[DRIVE_RAMP] = value;
    fit->sigma[DRIVE_RAMP] = sigma;
    fit->identified[DRIVE_RAMP] = false;
}

int drive_fit_at_once(const struct drive_sample *samples, size_t n,
                      const struct drive_config *config, bool has_ramp, struct drive_fit *ret_fit)
{
    struct problem problem = {0};
    double p[N];
    int err = n < 2 ? -ENODATA : problem_create(samples, n, config, &problem);
    if (err == 0) {
        find_start(&problem, p);
        minimize(&problem, p);
        report(&problem, p, ret_fit);
        if (!has_ramp || !ret_fit->identified[DRIVE_RAMP]) {
            fit_with_nominal_ramp(&problem, p, ret_fit);
        }
    }
    problem_finish(&problem);
    return err;
}
