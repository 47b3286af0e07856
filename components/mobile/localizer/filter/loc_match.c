/* SPDX-License-Identifier: Apache-2.0 */
#include "loc_match.h"

#include <stdlib.h>
#include <string.h>

#define RANGE_SIGMA_M     0.010
#define RANGE_SIGMA_SHARE 0.01
#define SIGMA_MARGIN      1.2
#define KERNEL_SIGMAS     3.0
#define CUT_SIGMAS        12.0
#define LEAST_INCIDENCE   0.17
#define EDGE_M            0.10
#define EDGE_SHARE        0.06
#define FIT_M             0.02
#define LEAST_RELIABILITY 0.5
#define BEHIND_MOST       4
#define ROUNDS            3

bool loc_match_init(struct loc_match *match, const struct dpl_raycast_index *plan,
                    size_t n_surfaces, size_t n_objects)
{
    memset(match, 0, sizeof *match);
    match->plan = plan;
    match->n_surfaces = n_surfaces;
    match->n_objects = n_objects;
    match->surfaces = calloc(n_surfaces + 1, sizeof *match->surfaces);
    match->touched = calloc(n_surfaces + 1, sizeof *match->touched);
    match->reliability = calloc(n_objects + 1, sizeof *match->reliability);
    for (size_t i = 0; match->reliability && i < n_objects; i++) {
        match->reliability[i] = 1.0;
    }
    match->map_error_is_learnt = true;
    match->map_error_m = match->told_error_m = LOC_START_MAP_ERROR_M;
    return match->surfaces && match->touched && match->reliability;
}

void loc_match_finish(struct loc_match *match)
{
    free(match->surfaces);
    free(match->touched);
    free(match->reliability);
}

double loc_match_sigma(double range_m)
{
    return SIGMA_MARGIN * fmax(RANGE_SIGMA_M, RANGE_SIGMA_SHARE * range_m);
}

static bool jumps(const struct dpl_raycast_hit *hit, size_t i, size_t j)
{
    double p = hit[i].range, q = hit[j].range;
    return !(fabs(p - q) <= EDGE_M + EDGE_SHARE * p);
}

bool loc_match_is_edge(const struct loc_scan *scan, const struct dpl_raycast_hit *hit, size_t i,
                       size_t every)
{
    return (i >= every && jumps(hit, i, i - every)) ||
           (i + every < scan->n && jumps(hit, i, i + every));
}

/* Where it matters little where exactly the beam hits. */
static bool is_judged(const struct loc_scan *scan, const struct dpl_raycast_hit *hit, size_t i,
                      size_t every)
{
    return !isfinite(hit[i].range) || !loc_match_is_edge(scan, hit, i, every);
}

static double residual(const struct loc_scan *scan, const struct loc_laser *laser,
                       const struct dpl_raycast_hit *hit, size_t i)
{
    return scan->range[i] - (laser->bias + (1.0 + laser->scale) * hit[i].range);
}

static bool is_reliable(const struct loc_match *match, int object)
{
    return object < 0 || (size_t)object >= match->n_objects ||
           match->reliability[object] >= LEAST_RELIABILITY;
}

/* What is behind the object that was met: on from there without it. Objects overlap seldom. */
static void look_behind(const struct loc_match *match, struct dpl_raycast_ray ray,
                        struct dpl_raycast_hit *hit)
{
    double x = ray.x, y = ray.y, reach = ray.max_range, way = 0.0;
    for (int k = 0; k < BEHIND_MOST && isfinite(hit->range) && !is_reliable(match, hit->owner);
         k++) {
        way = hit->range;
        ray.x = x + way * ray.dx;
        ray.y = y + way * ray.dy;
        ray.max_range = reach - way;
        ray.owner = hit->owner;
        dpl_raycast_ray(match->plan, &ray, hit);
        hit->range += way;
    }
}

void loc_match_ray(const struct loc_match *match, const struct dpl_raycast_ray *ray,
                   struct dpl_raycast_hit *ret_hit)
{
    dpl_raycast_ray(match->plan, ray, ret_hit);
    look_behind(match, *ray, ret_hit);
}

void loc_match_cast(const struct loc_match *match, struct loc_scan *scan,
                    const struct dpl_pose2 *laser, size_t every)
{
    loc_scan_cast(scan, match->plan, laser, every);
    for (size_t i = 0; i < scan->n; i += every) {
        if (!is_reliable(match, scan->hit[i].owner)) {
            look_behind(match, loc_scan_ray(scan, laser, i), &scan->hit[i]);
        }
    }
}

/* Direction of a beam in the plan, and the way from the laser at mid-sweep to its start. */
struct beam {
    double ux, uy, x, y;
};

static struct beam beam_of(const struct loc_scan *scan, double c, double s, size_t i)
{
    return (struct beam){
        .ux = c * scan->dx[i] - s * scan->dy[i],
        .uy = s * scan->dx[i] + c * scan->dy[i],
        .x = c * scan->x[i] - s * scan->y[i],
        .y = s * scan->x[i] + c * scan->y[i],
    };
}

/* Change of the expected range with the laser's pose, bias and scale. */
static void jacobian(const struct dpl_raycast_hit *hit, const struct beam *beam, double incidence,
                     double j[LOC_DIMS])
{
    double x = beam->x + hit->range * beam->ux, y = beam->y + hit->range * beam->uy;
    j[LOC_X] = -hit->nx / incidence;
    j[LOC_Y] = -hit->ny / incidence;
    /* The point that is hit turns with the laser, around the laser at mid-sweep. */
    j[LOC_YAW] = (hit->nx * y - hit->ny * x) / incidence;
    j[LOC_BIAS] = 1.0;
    j[LOC_SCALE] = hit->range;
}

static double weight_of(double e, double sigma, double widen)
{
    if (fabs(e) > CUT_SIGMAS * sigma * widen) {
        return 0.0;
    }
    double t = e / (KERNEL_SIGMAS * sigma * widen), k = 1.0 / (1.0 + t * t);
    return k * k / (sigma * sigma);
}

/* The cost of a residual by the kernel, from 0 to 1: 1 is the cost of an infinite residual. */
static double misfit_of(double e, double sigma)
{
    double t = e / (KERNEL_SIGMAS * sigma);
    return t * t / (1.0 + t * t);
}

static struct loc_surface *touch(struct loc_match *match, int outline)
{
    struct loc_surface *surface = &match->surfaces[outline];
    if (!surface->touched) {
        memset(surface, 0, sizeof *surface);
        surface->touched = true;
        match->touched[match->n_touched++] = (uint32_t)outline;
    }
    return surface;
}

static void forget_surfaces(struct loc_match *match)
{
    for (size_t i = 0; i < match->n_touched; i++) {
        match->surfaces[match->touched[i]].touched = false;
    }
    match->n_touched = 0;
}

struct term {
    double j[LOC_DIMS], e, weight, incidence, sigma;
};

static void add_term(struct loc_surface *surface, const struct term *t)
{
    double across = -1.0 / t->incidence; /* change of the range with the surface along its normal */
    for (int r = 0; r < LOC_DIMS; r++) {
        double wj = t->weight * t->j[r];
        surface->b[r] += wj * t->e;
        surface->g[r] += wj * across;
        for (int c = 0; c <= r; c++) {
            surface->a[r][c] += wj * t->j[c];
        }
    }
    surface->h += t->weight * across * across;
    surface->f += t->weight * across * t->e;
    surface->across2 += t->sigma * t->sigma * t->incidence * t->incidence;
    surface->n++;
}

/* The weight of a surface by its offset along the normal, with the laser moved by `shift` (x, y,
 * yaw), by the kernel of beams. Hundreds of beams on a thing that stands a hand before the plan's
 * surface have a small weight each, but together they would outvote a wall, whose beams count as
 * one offset. A lone beam has its weight already. */
static double trust_in(const struct loc_match *match, const struct loc_surface *s,
                       const struct loc_kernel *kernel, const double shift[3])
{
    double n = (double)s->n, map = match->map_error_m;
    double offset = (s->f - s->g[0] * shift[0] - s->g[1] * shift[1] - s->g[2] * shift[2]) / s->h;
    double variance = map * map + s->across2 / n + kernel->pose_error_m * kernel->pose_error_m;
    double sigmas2 = offset * offset / variance * (n - 1.0) / n;
    double bound = KERNEL_SIGMAS * kernel->widen;
    double k = 1.0 / (1.0 + sigmas2 / (bound * bound));
    return k * k;
}

/* Sums up, without what the unknown offset of each surface along its normal explains (Schur
 * complement). `shift` NULL: each surface counts in full. */
static void marginalize(struct loc_match *match, const struct loc_kernel *kernel,
                        const double *shift, struct loc_information *information)
{
    double prior = 1.0 / (match->map_error_m * match->map_error_m);
    memset(information, 0, sizeof *information);
    for (size_t i = 0; i < match->n_touched; i++) {
        struct loc_surface *s = &match->surfaces[match->touched[i]];
        double share = 1.0 / (s->h + prior);
        double trust = s->trust = shift ? trust_in(match, s, kernel, shift) : 1.0;
        information->n_used += s->n;
        for (int r = 0; r < LOC_DIMS; r++) {
            information->b[r] += trust * (s->b[r] - s->g[r] * s->f * share);
            for (int c = 0; c <= r; c++) {
                information->a[r][c] += trust * (s->a[r][c] - s->g[r] * s->g[c] * share);
            }
        }
        for (int k = 0; k < 9; k++) {
            information->map[k / 3][k % 3] += trust * s->g[k / 3] * s->g[k % 3] * share;
        }
    }
    for (int r = 0; r < LOC_DIMS; r++) {
        for (int c = r + 1; c < LOC_DIMS; c++) {
            information->a[r][c] = information->a[c][r];
        }
    }
}

/* Surfaces are judged from where this scan alone would have the laser, and not from the guess: a
 * guess that is off makes all of them look so, and they are right (iteratively reweighted least
 * squares: Holland and Welsch, 1977). */
static void weigh(struct loc_match *match, const struct loc_kernel *kernel,
                  struct loc_information *information)
{
    marginalize(match, kernel, NULL, information);
    for (int round = 0; round < ROUNDS && isfinite(kernel->pose_error_m); round++) {
        double cov[3][3], shift[3] = {0.0};
        loc_invert_pose((const double(*)[LOC_DIMS])information->a, cov);
        for (int i = 0; i < 9; i++) {
            shift[i / 3] += cov[i / 3][i % 3] * information->b[i % 3];
        }
        marginalize(match, kernel, shift, information);
    }
}

void loc_match_evaluate(struct loc_match *match, struct loc_scan *scan,
                        const struct loc_laser *laser, const struct loc_kernel *kernel,
                        struct loc_information *ret_information)
{
    double c = cos(laser->pose.theta), s = sin(laser->pose.theta), misfit = 0.0;
    size_t compared = 0;
    forget_surfaces(match);
    loc_match_cast(match, scan, &laser->pose, kernel->every);
    for (size_t i = 0; i < scan->n; i += kernel->every) {
        const struct dpl_raycast_hit *hit = &scan->hit[i];
        if (!(scan->range[i] > 0.0) || !isfinite(hit->range) || !is_reliable(match, hit->owner) ||
            loc_match_is_edge(scan, scan->hit, i, kernel->every)) {
            continue;
        }
        struct beam beam = beam_of(scan, c, s, i);
        struct term term = {.incidence = hit->nx * beam.ux + hit->ny * beam.uy,
                            .e = residual(scan, laser, scan->hit, i),
                            .sigma = loc_match_sigma(hit->range)};
        term.weight = weight_of(term.e, term.sigma, kernel->widen);
        if (fabs(term.incidence) < LEAST_INCIDENCE) {
            continue;
        }
        misfit += misfit_of(term.e, term.sigma);
        compared++;
        if (term.weight <= 0.0) {
            continue;
        }
        jacobian(hit, &beam, term.incidence, term.j);
        add_term(touch(match, hit->outline), &term);
    }
    weigh(match, kernel, ret_information);
    ret_information->misfit = misfit;
    ret_information->n_compared = compared;
}

/* How many beams fit, and how many do not. */
struct tally {
    size_t fit, too_short, too_long;
};

static void count(struct tally *tally, double e, double bound)
{
    tally->fit += fabs(e) <= bound;
    tally->too_short += e < -bound;
    tally->too_long += e > bound;
}

static double share(size_t part, size_t all, double of_none)
{
    return all > 0 ? (double)part / (double)all : of_none;
}

static double bound_of(double range_m)
{
    return 3.0 * loc_match_sigma(range_m) + FIT_M;
}

void loc_match_judge(const struct loc_match *match, const struct loc_scan *scan,
                     const struct loc_laser *laser, size_t every,
                     struct loc_judgement *ret_judgement)
{
    struct tally all = {0}, trusted = {0};
    for (size_t i = 0; i < scan->n; i += every) {
        if (!(scan->range[i] > 0.0)) {
            continue;
        }
        double bound = bound_of(scan->range[i]);
        if (is_judged(scan, scan->first, i, every)) {
            count(&all, residual(scan, laser, scan->first, i), bound);
        }
        if (is_judged(scan, scan->hit, i, every) && is_reliable(match, scan->hit[i].owner)) {
            count(&trusted, residual(scan, laser, scan->hit, i), bound);
        }
    }
    size_t n = all.fit + all.too_short + all.too_long;
    size_t n_trusted = trusted.fit + trusted.too_short + trusted.too_long;
    *ret_judgement = (struct loc_judgement){
        .n_judged = n,
        .agreement = share(all.fit, n, 0.0),
        .too_short = share(all.too_short, n, 0.0),
        .too_long = share(all.too_long, n, 0.0),
        .openness = share(all.fit, all.fit + all.too_long, 1.0),
        .trusted_agreement = share(trusted.fit, n_trusted, 0.0),
        .trusted_openness = share(trusted.fit, trusted.fit + trusted.too_long, 1.0),
    };
}

/* Whether beam i, which goes through what the plan has first, ends on what the plan has next. */
static bool ends_behind(const struct loc_match *match, const struct loc_scan *scan,
                        const struct loc_laser *laser, size_t i)
{
    const struct dpl_raycast_hit *first = &scan->first[i];
    struct dpl_raycast_ray ray = loc_scan_ray(scan, &laser->pose, i);
    struct dpl_raycast_hit next;
    ray.x += first->range * ray.dx;
    ray.y += first->range * ray.dy;
    ray.max_range -= first->range;
    ray.owner = first->owner;
    dpl_raycast_ray(match->plan, &ray, &next);
    double range = first->range + next.range;
    double e = scan->range[i] - (laser->bias + (1.0 + laser->scale) * range);
    return fabs(e) <= bound_of(scan->range[i]);
}

double loc_match_behind(const struct loc_match *match, const struct loc_scan *scan,
                        const struct loc_laser *laser, size_t every)
{
    size_t n = 0, behind = 0;
    for (size_t i = 0; i < scan->n; i += every) {
        if (!(scan->range[i] > 0.0) || !is_judged(scan, scan->first, i, every)) {
            continue;
        }
        bool is_long = residual(scan, laser, scan->first, i) > bound_of(scan->range[i]);
        n++;
        behind += is_long && scan->first[i].owner >= 0 && ends_behind(match, scan, laser, i);
    }
    return share(behind, n, 0.0);
}
