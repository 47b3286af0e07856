/* SPDX-License-Identifier: Apache-2.0 */
/* Covariance of the error of a linear estimator for the gains that it used, optimal or not: with
 * F = I - K u' an error e becomes F e + K n for the noise n of a window, so that its covariance
 * becomes F P F' + r K K' (Joseph's form; Bar-Shalom, Li, Kirubarajan, Estimation with Applications
 * to Tracking and Navigation, 2001, section 5.2). The noise of a window is its own part and the
 * difference of the noises of its two poses. The next window has one of these with the other sign,
 * hence the cross terms. Both variances come from moments of what was left unexplained: its square,
 * and the square of a fading sum of it, in which the poses' noise cancels and other noise, also one
 * that is alike in several windows, adds up. */
#include "row_error.h"

#include <math.h>
#include <string.h>

#define SUM_S       1.0 /* memory of the sum: longer than slip is alike, shorter than the estimator's */
#define NOISE_S     20.0 /* memory of the moments */
#define SETTLE_S    4.0  /* what is left before this is of a row that was not learned yet */
#define ENOUGH_S    8.0
#define SLOWNESS_S  6.0  /* as the lag bank's */
#define HALF_AXLE_M 0.15 /* about */
#define FIRST_NOISE 1e-5 /* m^2 or rad^2, before any is known */
#define LEAST_NOISE 1e-14
#define CANDIDATE_S 0.05 /* latencies and lags of the bank are about so far from each other */

/* F P F' for F = I - K u'. */
static void propagate(struct dpl_sync_covariance *p, const struct dpl_sync_row_step *step)
{
    double f11 = 1.0 - step->gain[0] * step->u[0], f12 = -step->gain[0] * step->u[1];
    double f21 = -step->gain[1] * step->u[0], f22 = 1.0 - step->gain[1] * step->u[1];
    struct dpl_sync_covariance old = *p;
    double r11 = f11 * old.a11 + f12 * old.a12, r12 = f11 * old.a12 + f12 * old.a22;
    double r21 = f21 * old.a11 + f22 * old.a12, r22 = f21 * old.a12 + f22 * old.a22;
    p->a11 = r11 * f11 + r12 * f12;
    p->a12 = r11 * f21 + r12 * f22;
    p->a22 = r21 * f21 + r22 * f22;
}

/* Squared way of the wheels in a window: slip, and what else is a window's own, grows with it. */
static double way2(const struct dpl_sync_row_step *step)
{
    double turn_m = HALF_AXLE_M * step->u[1];
    return step->u[0] * step->u[0] + turn_m * turn_m;
}

static void add(struct dpl_sync_covariance *p, double scale, const double a[2], const double b[2])
{
    p->a11 += scale * 2.0 * a[0] * b[0];
    p->a12 += scale * (a[0] * b[1] + a[1] * b[0]);
    p->a22 += scale * 2.0 * a[1] * b[1];
}

/* What 1 s more of latency, of lag leaves of a window: not all of what it does to the window, for
 * the row has been led astray by it, too. */
static void leaves(const struct dpl_sync_row_error *error, const struct dpl_sync_row_step *step,
                   double ret[2])
{
    for (int i = 0; i < 2; i++) {
        const double *by = error->slower[i];
        ret[i] = step->slower[i] - (step->u[0] * by[0] + step->u[1] * by[1]);
    }
}

static void spread_slowness(struct dpl_sync_row_error *error, const struct dpl_sync_row_step *step)
{
    double left[2];
    leaves(error, step, left);
    for (int i = 0; i < 2; i++) {
        error->slower[i][0] += step->gain[0] * left[i];
        error->slower[i][1] += step->gain[1] * left[i];
    }
}

static void spread(struct dpl_sync_row_error *error, const struct dpl_sync_row_step *step)
{
    const double *k = step->gain;
    propagate(&error->start, step);
    propagate(&error->own, step);
    propagate(&error->pose, step);
    add(&error->own, 0.5 * way2(step), k, k);
    add(&error->pose, 1.0, k, k); /* of both poses */
    if (step->joined) {
        double along = step->u[0] * error->last_gain[0] + step->u[1] * error->last_gain[1];
        double shared[2] = {error->last_gain[0] - k[0] * along, error->last_gain[1] - k[1] * along};
        add(&error->pose, -1.0, shared, k);
    }
    spread_slowness(error, step);
    memcpy(error->last_gain, k, sizeof error->last_gain);
}

static double noise_of(const struct dpl_sync_row_error *error)
{
    return error->noise.n > 0.0 ? fmax(error->noise.square / error->noise.n, LEAST_NOISE)
                                : FIRST_NOISE;
}

void dpl_sync_slowness_age(struct dpl_sync_slowness *slowness, double duration_s)
{
    double keep = exp(-duration_s / SLOWNESS_S);
    for (int i = 0; i < 3; i++) {
        slowness->square[i] *= keep;
    }
    slowness->left[0] *= keep;
    slowness->left[1] *= keep;
}

void dpl_sync_slowness_add(struct dpl_sync_slowness *slowness,
                           const struct dpl_sync_row_error *error,
                           const struct dpl_sync_row_step *step)
{
    double by[2], weight = 1.0 / noise_of(error);
    leaves(error, step, by);
    slowness->square[0] += weight * by[0] * by[0];
    slowness->square[1] += weight * by[0] * by[1];
    slowness->square[2] += weight * by[1] * by[1];
    slowness->left[0] += weight * by[0] * step->left;
    slowness->left[1] += weight * by[1] * step->left;
}

struct found {
    double s[2]; /* latency, lag */
    double p[3]; /* their covariance {11, 12, 22}, s^2 */
};

static struct found find_slowness(const struct dpl_sync_slowness *slowness)
{
    const double before = 1.0 / (CANDIDATE_S * CANDIDATE_S), *left = slowness->left;
    double a = slowness->square[0] + before, b = slowness->square[1];
    double c = slowness->square[2] + before, det = a * c - b * b;
    return (struct found){
        .s = {(c * left[0] - b * left[1]) / det, (a * left[1] - b * left[0]) / det},
        .p = {c / det, -b / det, a / det},
    };
}

static void sum_up(struct dpl_sync_row_noise *noise, double left, double way, double keep)
{
    noise->sum = keep * noise->sum + left;
    /* The newest pose counts once in the sum; with the next window, keep - 1 times. */
    noise->sum_pose =
        keep > 0.0 ? keep * keep * (noise->sum_pose - 1.0) + (keep - 1.0) * (keep - 1.0) + 1.0
                   : 2.0;
    noise->sum_own = keep * keep * noise->sum_own + way;
}

static void hear(struct dpl_sync_row_error *error, const struct dpl_sync_slowness *slowness,
                 const struct dpl_sync_row_step *step)
{
    struct dpl_sync_row_noise *noise = &error->noise;
    struct found slow = find_slowness(slowness);
    double by[2];
    leaves(error, step, by);
    /* Between what is left before and after the correction: it has the variance of the noise. */
    double used = step->u[0] * step->gain[0] + step->u[1] * step->gain[1];
    double left =
        (step->left - slow.s[0] * by[0] - slow.s[1] * by[1]) * sqrt(fmax(0.0, 1.0 - used));
    double fade = exp(-step->duration_s / NOISE_S);
    noise->learned_s += step->duration_s;
    if (noise->learned_s < SETTLE_S) {
        return;
    }
    double way = way2(step);
    sum_up(noise, left, way, step->joined ? exp(-step->duration_s / SUM_S) : 0.0);
    noise->way = fade * noise->way + way;
    noise->n = fade * noise->n + 1.0;
    noise->square = fade * noise->square + left * left;
    noise->sum_square = fade * noise->sum_square + noise->sum * noise->sum;
    noise->own = fade * noise->own + noise->sum_own;
    noise->pose = fade * noise->pose + noise->sum_pose;
}

/* Variances of a window's own noise, for a way of 1 m, and of a pose's: square = way own + 2 pose,
 * and the same for sums. Noise that is alike in several windows adds up to more than its square
 * says: then all is own. */
static void split(const struct dpl_sync_row_noise *noise, double *ret_own, double *ret_pose)
{
    double square = noise->square / noise->n, sum_square = noise->sum_square / noise->n;
    double own = noise->own / noise->n, pose = noise->pose / noise->n, way = noise->way / noise->n;
    double rest = fmax(0.0, sum_square - pose * square / 2.0) / fmax(own - pose * way / 2.0, 1e-12);
    if (rest * way > square) {
        *ret_own = sum_square / own;
        *ret_pose = 0.0;
    } else {
        *ret_own = rest;
        *ret_pose = (square - rest * way) / 2.0;
    }
}

void dpl_sync_row_error_init(struct dpl_sync_row_error *error,
                             const struct dpl_sync_covariance *covariance)
{
    *error = (struct dpl_sync_row_error){.start = *covariance};
}

void dpl_sync_row_error_restart(struct dpl_sync_row_error *error,
                                const struct dpl_sync_covariance *covariance)
{
    struct dpl_sync_row_noise noise = error->noise;
    dpl_sync_row_error_init(error, covariance);
    error->noise = noise;
}

void dpl_sync_row_error_step(struct dpl_sync_row_error *error,
                             const struct dpl_sync_slowness *slowness,
                             const struct dpl_sync_row_step *step)
{
    hear(error, slowness, step);
    spread(error, step);
}

/* What the latency and the lag that are not in the model make of coefficient `i`: what is found of
 * them, and what may be left beside it, squared. */
static double slowness_variance(const struct dpl_sync_row_error *error, const struct found *slow,
                                int i)
{
    double latency = error->slower[0][i], lag = error->slower[1][i];
    double bias = slow->s[0] * latency + slow->s[1] * lag;
    return bias * bias + slow->p[0] * latency * latency + 2.0 * slow->p[1] * latency * lag +
           slow->p[2] * lag * lag;
}

bool dpl_sync_row_error_get(const struct dpl_sync_row_error *error,
                            const struct dpl_sync_slowness *slowness, double ret_variance[2])
{
    double own, pose;
    if (error->noise.learned_s < ENOUGH_S) {
        return false;
    }
    split(&error->noise, &own, &pose);
    struct found slow = find_slowness(slowness);
    ret_variance[0] = error->start.a11 + own * error->own.a11 + pose * error->pose.a11 +
                      slowness_variance(error, &slow, 0);
    ret_variance[1] = error->start.a22 + own * error->own.a22 + pose * error->pose.a22 +
                      slowness_variance(error, &slow, 1);
    return true;
}
