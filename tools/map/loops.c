/* SPDX-License-Identifier: Apache-2.0 */
#include "loops.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define BEFORE_M   5.0 /* of way: what was seen since then has drifted with the scan */
#define EVERY_M    0.2 /* of way a scan is looked for */
#define NEAR_M     2.0 /* from the nearest of the old scans */
#define LEAST_USED 0.7 /* of the points, near an old surface */
#define LEAST_FIT  0.6 /* of the points, on it */
#define REACH_M    0.3 /* drift that is looked for, 1 sigma */
#define REACH_RAD  0.1
#define STEP_M     0.004 /* of a match, 1 sigma, and of the way */
#define STEP_SHARE 0.02
#define STEP_RAD   0.004
#define LOOP_M     0.02 /* of a place that was met again */
#define LOOP_RAD   0.008

struct search {
    const struct loops_source *source;
    const struct dpl_pose2 *poses;
    struct surfels old;
    size_t n_old; /* scans that are in it */
};

static int add_old(struct search *s, size_t i)
{
    const struct loops_scan *scans = s->source->scans;
    while (s->n_old < i && scans[s->n_old].way_m + BEFORE_M <= scans[i].way_m) {
        size_t k = s->n_old++, n;
        const struct scan_point *points =
            s->source->points(s->source->context, scans[k].number, &n);
        int err = surfels_add_scan(&s->old, points, n, s->poses[k], (uint32_t)k);
        if (err < 0) {
            return err;
        }
    }
    return 0;
}

/* The old scan that was made nearest to a place; n_old: none near. */
static size_t nearest_old(const struct search *s, size_t i)
{
    size_t best = s->n_old;
    double least = NEAR_M;
    for (size_t k = 0; k < s->n_old; k++) {
        double d = dpl_pose2_distance(s->poses[k], s->poses[i]);
        best = d < least ? k : best;
        least = fmin(least, d);
    }
    return best;
}

static bool is_met(const struct match *match, size_t n)
{
    return (double)match->used >= LEAST_USED * (double)n && match->share >= LEAST_FIT;
}

static bool find_loop(struct search *s, size_t i, struct pose_graph_edge *ret_edge)
{
    size_t n, from = nearest_old(s, i);
    if (from == s->n_old) {
        return false;
    }
    const struct scan_point *points =
        s->source->points(s->source->context, s->source->scans[i].number, &n);
    struct match_prior prior = {s->poses[i], REACH_M, REACH_RAD};
    struct match match = match_scan(&s->old, points, n, &prior);
    if (!is_met(&match, n)) {
        match = match_scan_around(&s->old, points, n, &prior);
    }
    if (!is_met(&match, n)) {
        return false;
    }
    *ret_edge = (struct pose_graph_edge){
        .from = from,
        .to = i,
        .relative = dpl_pose2_relative(s->poses[from], match.pose),
        .sigma_m = LOOP_M,
        .sigma_rad = LOOP_RAD,
        .may_be_wrong = true,
    };
    return true;
}

static struct pose_graph_edge chain(const struct dpl_pose2 *poses, size_t i)
{
    struct dpl_pose2 moved = dpl_pose2_relative(poses[i - 1], poses[i]);
    return (struct pose_graph_edge){
        .from = i - 1,
        .to = i,
        .relative = moved,
        .sigma_m = STEP_M + STEP_SHARE * hypot(moved.x, moved.y),
        .sigma_rad = STEP_RAD + STEP_SHARE * fabs(moved.theta),
    };
}

static int find_edges(struct search *s, struct pose_graph_edge *edges, size_t *ret_n)
{
    const struct loops_scan *scans = s->source->scans;
    double looked_m = 0.0;
    size_t n = 0;
    for (size_t i = 1; i < s->source->n; i++) {
        edges[n++] = chain(s->poses, i);
        if (scans[i].way_m < looked_m + EVERY_M) {
            continue;
        }
        looked_m = scans[i].way_m;
        int err = add_old(s, i);
        if (err < 0) {
            return err;
        }
        n += find_loop(s, i, &edges[n]);
    }
    *ret_n = n;
    return 0;
}

int loops_close(const struct loops_source *source, struct dpl_pose2 *poses, size_t *ret_found)
{
    struct search s = {.source = source, .poses = poses};
    size_t n = 0;
    *ret_found = 0;
    if (source->n < 2) {
        return 0;
    }
    struct pose_graph_edge *edges = calloc(2 * source->n, sizeof *edges);
    int err = surfels_init(&s.old, source->cell_m);
    err = err == 0 && edges ? find_edges(&s, edges, &n) : -ENOMEM;
    if (err == 0 && n > source->n - 1) {
        *ret_found = n - (source->n - 1);
        err = pose_graph_solve(poses, source->n, edges, n);
    }
    surfels_finish(&s.old);
    free(edges);
    return err;
}
