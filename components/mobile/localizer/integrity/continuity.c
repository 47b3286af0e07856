/* SPDX-License-Identifier: Apache-2.0 */
#include "continuity.h"

#include <stdlib.h>
#include <string.h>

#define WITHIN_M     0.050
#define WITHIN_SHARE 0.015
#define STILL_BELOW  0.8 /* then it may have stood */
#define SPREAD       1   /* beams to either side that a point foretells */
#define LOOK         2   /* and that a beam looks at */

/* drift */
#define FORGETS_M  1.0
#define DEVIATIONS 4.0
#define SCANS      2.0 /* deviations of one scan: they repeat their errors */
#define LEAST_M    0.05
#define LEAST_RAD  0.035

bool continuity_init(struct continuity *continuity, size_t n_max)
{
    *continuity = (struct continuity){.n_max = n_max};
    continuity->point = calloc(n_max, sizeof *continuity->point);
    continuity->seen = calloc(n_max, sizeof *continuity->seen);
    continuity->foretold = calloc(n_max, sizeof *continuity->foretold);
    return continuity->point && continuity->seen && continuity->foretold;
}

void continuity_finish(struct continuity *continuity)
{
    free(continuity->point);
    free(continuity->seen);
    free(continuity->foretold);
}

void continuity_forget(struct continuity *continuity)
{
    continuity->n = 0;
}

/* The beam that points to (x, y); -1: none does. */
static long beam_to(const struct loc_scan *scan, double x, double y)
{
    double half = 0.5 * (double)(scan->n - 1) * scan->step_angle;
    double off = dpl_wrap_angle(atan2(y, x) - scan->start_angle - half) + half;
    double beam = round(off / scan->step_angle);
    return beam >= 0.0 && beam < (double)scan->n ? (long)beam : -1;
}

static void foretell(struct continuity *continuity, const struct loc_scan *scan,
                     struct dpl_pose2 moved)
{
    struct dpl_pose2 back = dpl_pose2_relative(moved, (struct dpl_pose2){0});
    double c = cos(back.theta), s = sin(back.theta);
    for (size_t i = 0; i < scan->n; i++) {
        continuity->foretold[i] = (double)INFINITY;
    }
    for (size_t k = 0; k < continuity->n; k++) {
        const double *p = continuity->point[k];
        double x = back.x + c * p[0] - s * p[1], y = back.y + s * p[0] + c * p[1];
        double range = hypot(x, y);
        long beam = beam_to(scan, x, y);
        for (long i = beam - SPREAD; beam >= 0 && i <= beam + SPREAD; i++) {
            if (i >= 0 && i < (long)scan->n) {
                continuity->foretold[i] = fmin(continuity->foretold[i], range);
            }
        }
    }
}

/* 1: the point is where one was foretold; 0: elsewhere; -1: nothing was foretold there. */
static int compare(const struct continuity *continuity, const struct loc_scan *scan,
                   const double at[2])
{
    double range = hypot(at[0], at[1]), within = WITHIN_M + WITHIN_SHARE * range;
    long beam = beam_to(scan, at[0], at[1]);
    int result = -1;
    for (long i = beam - LOOK; beam >= 0 && i <= beam + LOOK; i++) {
        if (i >= 0 && i < (long)scan->n && isfinite(continuity->foretold[i])) {
            bool near = fabs(continuity->foretold[i] - range) <= within;
            result = result == 1 || near ? 1 : 0;
        }
    }
    return result;
}

static struct continuity_result count(struct continuity *continuity, const struct loc_scan *scan,
                                      struct dpl_pose2 moved, size_t n)
{
    size_t compared = 0, fits = 0;
    foretell(continuity, scan, moved);
    for (size_t i = 0; i < n; i++) {
        int result = compare(continuity, scan, continuity->seen[i]);
        compared += result >= 0;
        fits += result > 0;
    }
    return (struct continuity_result){
        .n_compared = compared,
        .share = compared > 0 ? (double)fits / (double)compared : 1.0,
    };
}

static size_t list_points(struct continuity *continuity, const struct loc_scan *scan)
{
    size_t n = 0;
    for (size_t i = 0; i < scan->n && i < continuity->n_max; i++) {
        if (scan->range[i] > 0.0) {
            double *at = continuity->seen[n++];
            at[0] = scan->x[i] + scan->range[i] * scan->dx[i];
            at[1] = scan->y[i] + scan->range[i] * scan->dy[i];
        }
    }
    return n;
}

/* Wheels may turn in vain, or the scan may be later than is known: a robot that sees the same again
 * was not carried. */
void continuity_scan(struct continuity *continuity, const struct loc_scan *scan,
                     struct dpl_pose2 moved, struct continuity_result *ret_result)
{
    size_t n = list_points(continuity, scan);
    *ret_result = count(continuity, scan, moved, n);
    if (ret_result->share < STILL_BELOW) {
        struct continuity_result still = count(continuity, scan, (struct dpl_pose2){0}, n);
        *ret_result = still.share > ret_result->share ? still : *ret_result;
    }
    double(*kept)[2] = continuity->point;
    continuity->point = continuity->seen;
    continuity->seen = kept;
    continuity->n = n;
}

/* ---- drift ---- */

void drift_forget(struct drift *drift)
{
    *drift = (struct drift){.has_laser = false};
}

static void add(struct drift *drift, struct dpl_pose2 laser, struct dpl_pose2 moved,
                const struct drift_step *step)
{
    struct dpl_pose2 expected = dpl_pose2_compose(drift->laser, moved);
    const double pulled[3] = {laser.x - expected.x, laser.y - expected.y,
                              dpl_wrap_angle(laser.theta - expected.theta)};
    double keep = exp(-step->way_m / FORGETS_M);
    for (int i = 0; i < 3; i++) {
        drift->pulled[i] = keep * drift->pulled[i] + pulled[i];
    }
    for (int i = 0; i < 2; i++) {
        drift->variance[i] = keep * keep * drift->variance[i] + step->variance[i];
        drift->systematic[i] = keep * drift->systematic[i] + step->systematic[i];
    }
}

static double bound(const struct drift *drift, int i, double sigma, double least)
{
    double usual = DEVIATIONS * sqrt(drift->variance[i]) + drift->systematic[i] + SCANS * sigma;
    return fmax(least, usual);
}

bool drift_scan(struct drift *drift, struct dpl_pose2 laser, struct dpl_pose2 moved,
                const struct drift_step *step, const double sigma[2])
{
    if (drift->has_laser) {
        add(drift, laser, moved, step);
    }
    drift->laser = laser;
    drift->has_laser = true;
    return hypot(drift->pulled[0], drift->pulled[1]) > bound(drift, 0, sigma[0], LEAST_M) ||
           fabs(drift->pulled[2]) > bound(drift, 1, sigma[1], LEAST_RAD);
}
