/* SPDX-License-Identifier: Apache-2.0 */
#include "delay.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "match.h"
#include "surfels.h"

#define CELL_M    0.05
#define GAP_MAX_S 0.3
#define PAIRS_MIN 20
#define PAIRS_MAX 3000 /* the first ones */
#define LEAST     -0.10
#define STEP      0.01
#define N_STEPS   51
#define OUTLIER   0.05 /* rad: an error counts no more than this */

/* The turn between two scans, by matching, for the scan with the number `scan`. */
struct turn {
    size_t scan;
    double rad;
};

/* ---- odometry at other times ---- */

/* The odometry at a time, interpolated; before the first and after the last scan it stands. `near`:
 * a scan whose time is not far away. */
static struct dpl_pose2 odometry_at(const struct recording *recording, size_t near, double time_s)
{
    const struct recorded_scan *scans = recording->scans;
    size_t i = near;
    while (i > 0 && scans[i].time_s > time_s) {
        i--;
    }
    while (i + 1 < recording->n && scans[i + 1].time_s <= time_s) {
        i++;
    }
    if (i + 1 >= recording->n || time_s <= scans[i].time_s) {
        return scans[i].odometry;
    }
    double part = (time_s - scans[i].time_s) / (scans[i + 1].time_s - scans[i].time_s);
    struct dpl_pose2 moved = dpl_pose2_relative(scans[i].odometry, scans[i + 1].odometry);
    return dpl_pose2_compose(
        scans[i].odometry, (struct dpl_pose2){part * moved.x, part * moved.y, part * moved.theta});
}

static double driven_turn(const struct recording *recording, size_t scan, double delay_s)
{
    const struct recorded_scan *scans = recording->scans;
    struct dpl_pose2 a = odometry_at(recording, scan - 1, scans[scan - 1].time_s - delay_s);
    struct dpl_pose2 b = odometry_at(recording, scan, scans[scan].time_s - delay_s);
    return dpl_wrap_angle(b.theta - a.theta);
}

int delay_apply(struct recording *recording, double delay_s)
{
    struct dpl_pose2 *poses = calloc(recording->n + 1, sizeof *poses);
    if (!poses) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < recording->n; i++) {
        poses[i] = odometry_at(recording, i, recording->scans[i].time_s - delay_s);
    }
    for (size_t i = 0; i < recording->n; i++) {
        recording->scans[i].odometry = poses[i];
    }
    free(poses);
    return 0;
}

/* ---- turns by matching ---- */

struct matching {
    struct surfels map; /* of one scan */
    struct scan_point *points;
    struct turn *turns;
    size_t n, n_turning;
};

/* The scan before is in the map. */
static void match_turn(struct matching *m, const struct recording *recording, size_t scan, size_t n)
{
    const struct recorded_scan *scans = recording->scans;
    if (scans[scan].time_s - scans[scan - 1].time_s > GAP_MAX_S) {
        return;
    }
    struct match_prior prior = {
        .pose = dpl_pose2_relative(scans[scan - 1].odometry, scans[scan].odometry),
        .sigma_m = 0.05,
        .sigma_rad = 0.1,
    };
    struct match match = match_scan(&m->map, m->points, n, &prior);
    if (match.share > 0.8 && match.used > 20 && m->n < PAIRS_MAX) {
        m->turns[m->n++] = (struct turn){scan, match.pose.theta};
        m->n_turning += fabs(match.pose.theta) > dpl_deg_to_rad(1.0);
    }
}

static int match_turns(struct matching *m, const struct recording *recording,
                       const struct scan_points_options *options)
{
    for (size_t i = 0; i < recording->n && m->n < PAIRS_MAX; i++) {
        size_t n = scan_points_of(recording, i, options, m->points);
        if (i > 0) {
            match_turn(m, recording, i, n);
        }
        surfels_clear(&m->map);
        int err = surfels_add_scan(&m->map, m->points, n, (struct dpl_pose2){0}, (uint32_t)i);
        if (err < 0) {
            return err;
        }
    }
    return 0;
}

/* ---- the best delay ---- */

static double cost(const struct matching *m, const struct recording *recording, double delay_s)
{
    double sum = 0.0;
    for (size_t i = 0; i < m->n; i++) {
        double driven = driven_turn(recording, m->turns[i].scan, delay_s);
        double e = fmin(OUTLIER, fabs(dpl_wrap_angle(m->turns[i].rad - driven)));
        sum += e * e;
    }
    return sum;
}

/* The least cost on a grid, then the vertex of the parabola through it and its neighbours. */
static double best_delay(const struct matching *m, const struct recording *recording)
{
    double costs[N_STEPS];
    int best = 0;
    for (int i = 0; i < N_STEPS; i++) {
        costs[i] = cost(m, recording, LEAST + i * STEP);
        best = costs[i] < costs[best] ? i : best;
    }
    if (best == 0 || best == N_STEPS - 1) {
        return LEAST + best * STEP;
    }
    double before = costs[best - 1], after = costs[best + 1];
    double bend = before - 2.0 * costs[best] + after;
    double shift = bend > 0.0 ? 0.5 * (before - after) / bend : 0.0;
    return LEAST + (best + shift) * STEP;
}

int delay_estimate(const struct recording *recording, const struct scan_points_options *options,
                   double *ret_delay_s)
{
    struct matching m = {.points = calloc(RECORDING_BEAMS_MAX, sizeof *m.points)};
    m.turns = calloc(PAIRS_MAX, sizeof *m.turns);
    int err = surfels_init(&m.map, CELL_M);
    err = m.points && m.turns ? err : -ENOMEM;
    err = err < 0 ? err : match_turns(&m, recording, options);
    if (err == 0) {
        *ret_delay_s = m.n_turning >= PAIRS_MIN ? best_delay(&m, recording) : 0.0;
    }
    surfels_finish(&m.map);
    free(m.points);
    free(m.turns);
    return err;
}
