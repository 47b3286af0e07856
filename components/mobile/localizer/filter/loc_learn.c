/* SPDX-License-Identifier: Apache-2.0 */
/* What scans teach about the plan: by how much its surfaces are off, and which objects are gone. */
#include "loc_match.h"

#include <string.h>

#define WELL_SEEN_M      0.005 /* 1 sigma of a surface's offset, as one scan shows it */
#define LEARNING_SCANS   50.0
#define LEAST_MAP_M      0.002
#define LEAST_TOLD_M     0.001
#define MOST_MAP_M       0.050
#define POSE_DEGREES     3.0 /* so many of a scan's offsets the pose takes up */
#define HUBER            1.5
#define HUBER_SHARE      0.7785
#define RELIABILITY_GAIN 0.02
#define FIT_M            0.03 /* along the normal */
#define LEAST_STEEPNESS  0.17
#define FITS_SIGMAS      3.0 /* and FIT_M: a beam that ends on the surface */
#define LEAST_RUN        20  /* beams side by side on one surface */

/* What an offset says of the variance of the plan's errors: offsets beyond HUBER deviations are
 * things that were moved, and count as if they were at that bound (Huber, Robust Estimation of a
 * Location Parameter, 1964, proposal 2: HUBER_SHARE makes it exact for normal errors). */
static double variance_by(double offset, double noise2, double map_error_m)
{
    double most = HUBER * HUBER * (map_error_m * map_error_m + noise2);
    return fmin(offset * offset, most) / HUBER_SHARE - noise2;
}

/* The variance of the offsets of the surfaces that the scan shows well, less what the noise of
 * ranges makes of it; a mean over scans that forgets. The pose lies where the offsets are small: of
 * n offsets, n - 3 are free. What is told counts with these. The filter goes on with what is left
 * of the offsets: with the larger one it is no nearer to the truth (docs/design/localizer.md). */
static void learn_map_error(struct loc_match *match)
{
    double sum = 0.0, n = 0.0;
    for (size_t i = 0; i < match->n_touched; i++) {
        const struct loc_surface *s = &match->surfaces[match->touched[i]];
        if (s->h * WELL_SEEN_M * WELL_SEEN_M > 1.0) {
            double offset = s->f / s->h;
            sum += variance_by(offset, 1.0 / s->h, match->map_error_m);
            n += 1.0;
        }
    }
    double keep = 1.0 - 1.0 / LEARNING_SCANS;
    match->map_sum = keep * match->map_sum + sum;
    match->map_weight = keep * match->map_weight + n;
    if (n > POSE_DEGREES) {
        match->told_sum = keep * match->told_sum + sum;
        match->told_weight = keep * match->told_weight + n - POSE_DEGREES;
    }
    if (match->map_weight > 0.0) {
        double square = fmax(match->map_sum / match->map_weight, 0.0);
        match->map_error_m = dpl_clamp(sqrt(square), LEAST_MAP_M, MOST_MAP_M);
    }
}

/* What is told: errors of whole surfaces, and what is uneven in them. The pose lies between what
 * the surfaces say, so that their own offsets do not show the second one. */
static void tell_map_error(struct loc_match *match)
{
    double square = LOC_START_MAP_ERROR_M * LOC_START_MAP_ERROR_M;
    if (match->told_weight > 0.0) {
        square = fmax(match->told_sum / match->told_weight, 0.0);
    }
    if (match->uneven_weight > 0.0) {
        square += fmax(match->uneven_sum / match->uneven_weight, 0.0);
    }
    match->told_error_m = dpl_clamp(sqrt(square), LEAST_TOLD_M, MOST_MAP_M);
}

/* How steeply beam i meets the surface: 1 along its normal. */
static double incidence(const struct loc_scan *scan, const struct loc_laser *laser,
                        const struct dpl_raycast_hit *hit, size_t i)
{
    struct dpl_raycast_ray ray = loc_scan_ray(scan, &laser->pose, i);
    return fabs(hit->nx * ray.dx + hit->ny * ray.dy);
}

/* Neighbouring beams on one surface: sums of their offsets along the normal. */
struct run {
    int outline;
    double n, sum, squares, products, first, last;
};

/* What neighbours have in common is the surface's, what they have not is noise: the covariance of
 * offsets and their neighbours' (for long runs; the mean that is taken off has its own noise). */
static void end_run(struct loc_match *match, const struct run *run)
{
    if (run->n < LEAST_RUN) {
        return;
    }
    double n = run->n, mean = run->sum / n, variance = run->squares / n - mean * mean;
    double pairs = run->products - mean * (2.0 * run->sum - run->first - run->last);
    double shared = pairs / (n - 1.0) + mean * mean;
    match->uneven_sum += n * (shared + fmax(variance - shared, 0.0) / n);
    match->uneven_weight += n;
}

static void extend_run(struct run *run, double offset)
{
    run->products += run->n > 0.0 ? run->last * offset : 0.0;
    run->first = run->n > 0.0 ? run->first : offset;
    run->last = offset;
    run->n += 1.0;
    run->sum += offset;
    run->squares += offset * offset;
}

/* Plaster, skirting boards and bent walls: within one surface. */
static void learn_unevenness(struct loc_match *match, const struct loc_scan *scan,
                             const struct loc_laser *laser)
{
    double keep = 1.0 - 1.0 / LEARNING_SCANS;
    struct run run = {.outline = -1};
    match->uneven_sum *= keep;
    match->uneven_weight *= keep;
    for (size_t i = 0; i < scan->n; i++) {
        const struct dpl_raycast_hit *hit = &scan->hit[i];
        if (!(scan->range[i] > 0.0) || !isfinite(hit->range) ||
            loc_match_is_edge(scan, scan->hit, i, 1)) {
            continue;
        }
        double e = scan->range[i] - (laser->bias + (1.0 + laser->scale) * hit->range);
        double steepness = incidence(scan, laser, hit, i);
        if (steepness < LEAST_STEEPNESS ||
            fabs(e) > FITS_SIGMAS * loc_match_sigma(hit->range) + FIT_M) {
            continue;
        }
        if (hit->outline != run.outline) {
            end_run(match, &run);
            run = (struct run){.outline = hit->outline};
        }
        extend_run(&run, e * steepness);
    }
    end_run(match, &run);
}

/* A beam that ends before the object was stopped by something else: it says nothing of it. Along a
 * surface a small error of the plan is a long way of the beam: it is no proof that the object is
 * gone. */
static int opinion(const struct loc_match *match, const struct loc_laser *laser, double measured_m,
                   double plan_m, double steepness)
{
    double expected = laser->bias + (1.0 + laser->scale) * plan_m, e = measured_m - expected;
    double sigma = hypot(loc_match_sigma(plan_m), match->map_error_m / steepness);
    double bound = 3.0 * sigma + FIT_M / steepness;
    return e > bound ? -1 : e >= -bound ? 1 : 0;
}

static void teach(struct loc_match *match, const struct loc_scan *scan,
                  const struct dpl_raycast_hit *hit, const struct loc_laser *laser, size_t i)
{
    double measured_m = scan->range[i];
    if (!(measured_m > 0.0) || hit->owner < 0 || (size_t)hit->owner >= match->n_objects) {
        return;
    }
    double steepness = incidence(scan, laser, hit, i);
    if (steepness < LEAST_STEEPNESS) {
        return;
    }
    double *rho = &match->reliability[hit->owner];
    int says = opinion(match, laser, measured_m, hit->range, steepness);
    *rho += says > 0 ? RELIABILITY_GAIN * (1.0 - *rho) : says < 0 ? -RELIABILITY_GAIN * *rho : 0.0;
}

static void learn_objects(struct loc_match *match, const struct loc_scan *scan,
                          const struct loc_laser *laser)
{
    for (size_t i = 0; i < scan->n; i++) {
        const struct dpl_raycast_hit *first = &scan->first[i], *hit = &scan->hit[i];
        if (!loc_match_is_edge(scan, scan->first, i, 1)) {
            teach(match, scan, first, laser, i);
        }
        if (hit->owner != first->owner && /* `first` is of an object that has moved */
            !loc_match_is_edge(scan, scan->hit, i, 1)) {
            teach(match, scan, hit, laser, i);
        }
    }
}

void loc_match_learn(struct loc_match *match, const struct loc_scan *scan,
                     const struct loc_laser *laser, bool objects)
{
    if (match->map_error_is_learnt) {
        learn_map_error(match);
        learn_unevenness(match, scan, laser);
        tell_map_error(match);
    }
    if (objects) {
        learn_objects(match, scan, laser);
    }
}
