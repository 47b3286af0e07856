/* SPDX-License-Identifier: Apache-2.0 */
#include "match.h"

#include <math.h>

#include <doppel/math/linear.h>

#define ITERATIONS 14
#define COARSE     6 /* of them with the wide reach */
#define REACH_WIDE 0.3
#define REACH      0.1
#define BLOB_SIGMA 0.02
#define BESIDE     0.05 /* more score than the prior's start has */

/* The sums of the normal equations A x = b for (x, y, theta). */
struct equations {
    double a[3][3], b[3];
};

/* The surface within reach with the least d^2 / sqrt(ends): of two layers that a drift has drawn
 * apart, the one that more beams support. */
static const struct surfel *nearest(const struct surfels *map, const double at[2],
                                    const double view[2], double reach)
{
    const struct surfel *best = NULL;
    double least = (double)INFINITY;
    int32_t cx = surfels_index(map, at[0]), cy = surfels_index(map, at[1]);
    int32_t wide = (int32_t)ceil(reach / map->size);
    for (int32_t ring = 0; ring <= wide && (!best || ring <= 2); ring++) {
        for (int32_t dx = -ring; dx <= ring; dx++) {
            int32_t step = dx == -ring || dx == ring || ring == 0 ? 1 : 2 * ring;
            for (int32_t dy = -ring; dy <= ring; dy += step) {
                const struct surfel *s = surfels_at(map, cx + dx, cy + dy);
                if (!s || (s->has_normal && s->nx * view[0] + s->ny * view[1] < 0.1)) {
                    continue;
                }
                double ex = at[0] - s->x, ey = at[1] - s->y, d = ex * ex + ey * ey;
                double badness = d / sqrt(s->own.n);
                if (d < reach * reach && badness < least) {
                    least = badness;
                    best = s;
                }
            }
        }
    }
    return best;
}

static void add_row(struct equations *eq, const double j[3], double e, double w)
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            eq->a[r][c] += w * j[r] * j[c];
        }
        eq->b[r] -= w * j[r] * e;
    }
}

static double weight(double e, double scale, double sigma)
{
    double q = 1.0 + (e / scale) * (e / scale);
    return 1.0 / (q * q * sigma * sigma);
}

/* Adds the equation of one point; counts it in *match. */
static void add_point(const struct surfels *map, const struct scan_point *p, double reach,
                      struct match *match, struct equations *eq)
{
    double c = cos(match->pose.theta), s = sin(match->pose.theta);
    double rx = c * p->x - s * p->y, ry = s * p->x + c * p->y;
    double at[2] = {match->pose.x + rx, match->pose.y + ry};
    double vx = p->ox - p->x, vy = p->oy - p->y;
    double view[2] = {(c * vx - s * vy) / p->range, (s * vx + c * vy) / p->range};
    const struct surfel *surface = nearest(map, at, view, reach);
    if (!surface) {
        return;
    }
    double sigma = fmax(0.010, 0.010 * p->range), scale = (reach > REACH ? 6.0 : 3.0) * sigma;
    double ex = at[0] - surface->x, ey = at[1] - surface->y;
    double along[3] = {surface->nx, surface->ny, -surface->nx * ry + surface->ny * rx};
    double e = ex * along[0] + ey * along[1];
    if (!surface->has_normal) { /* a blob: both directions count, each for less */
        sigma = hypot(sigma, BLOB_SIGMA);
        e = hypot(ex, ey);
        add_row(eq, (double[3]){1.0, 0.0, -ry}, ex, weight(e, scale, sigma));
        add_row(eq, (double[3]){0.0, 1.0, rx}, ey, weight(e, scale, sigma));
    } else {
        add_row(eq, along, e, weight(e, scale, sigma));
    }
    match->used++;
    match->score += weight(e, 3.0 * sigma, 1.0);
    match->share += e < 3.0 * sigma && e > -3.0 * sigma;
}

static void add_prior(const struct match_prior *prior, struct dpl_pose2 pose, struct equations *eq)
{
    double w = 1.0 / (prior->sigma_m * prior->sigma_m);
    add_row(eq, (double[3]){1.0, 0.0, 0.0}, pose.x - prior->pose.x, w);
    add_row(eq, (double[3]){0.0, 1.0, 0.0}, pose.y - prior->pose.y, w);
    add_row(eq, (double[3]){0.0, 0.0, 1.0}, dpl_wrap_angle(pose.theta - prior->pose.theta),
            1.0 / (prior->sigma_rad * prior->sigma_rad));
}

/* Gauss-Newton from `start`, with every `stride`-th point. */
static struct match match_from(const struct surfels *map, const struct scan_point *points, size_t n,
                               const struct match_prior *prior, struct dpl_pose2 start,
                               size_t stride)
{
    struct match match = {.pose = start};
    double wide = fmin(REACH_WIDE, REACH + 3.0 * (prior->sigma_m + 3.0 * prior->sigma_rad));
    for (int i = 0; i < ITERATIONS; i++) {
        struct equations eq = {0};
        double dx[3];
        match = (struct match){.pose = match.pose};
        for (size_t k = 0; k < n; k += stride) {
            add_point(map, &points[k], i < COARSE ? wide : REACH, &match, &eq);
        }
        add_prior(prior, match.pose, &eq);
        dpl_cholesky(eq.a[0], 3, 1e-12); /* positive definite, by the prior */
        dpl_cholesky_solve(eq.a[0], 3, eq.b, dx);
        match.pose.x += dx[0];
        match.pose.y += dx[1];
        match.pose.theta = dpl_wrap_angle(match.pose.theta + dx[2]);
    }
    double all = n > 0 ? (double)((n + stride - 1) / stride) : 1.0;
    match.share /= all;
    match.score /= all;
    return match;
}

struct match match_scan(const struct surfels *map, const struct scan_point *points, size_t n,
                        const struct match_prior *prior)
{
    return match_from(map, points, n, prior, prior->pose, 1);
}

struct match match_scan_around(const struct surfels *map, const struct scan_point *points, size_t n,
                               const struct match_prior *prior)
{
    static const double off_m[] = {0.0, -0.1, 0.1, -0.2, 0.2};
    static const double off_deg[] = {0.0, -5.0, 5.0, -10.0, 10.0};
    struct match first = match_scan(map, points, n, prior), best = {.pose = first.pose};
    for (int i = 0; i < 125; i++) {
        struct dpl_pose2 off = {off_m[i % 5], off_m[i / 5 % 5], dpl_deg_to_rad(off_deg[i / 25])};
        struct match match =
            match_from(map, points, n, prior, dpl_pose2_compose(prior->pose, off), 6);
        best = match.score > best.score ? match : best;
    }
    best = match_from(map, points, n, prior, best.pose, 1);
    return best.score > first.score + BESIDE ? best : first;
}
