/* SPDX-License-Identifier: Apache-2.0 */
#include "mapper.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "loops.h"

#define CELL_M  0.05
#define LOOPS   4    /* times that loops are closed: each finds more */
#define ROUNDS  2    /* after that: with the whole map */
#define BODY_M  0.15 /* where the base has been, this wide there is no wall */
#define START_M 0.25 /* the avatar must fit */
#define FALL    0.1  /* of the score of a match, below those of late */
#define LATELY  0.2  /* share of the newest match in those */

bool mapper_is_held_out(const struct mapper *mapper, size_t scan)
{
    size_t every = mapper->options.hold_out;
    return every > 0 && scan % every == every - 1;
}

struct dpl_pose2 mapper_odometry(const struct recording *recording, size_t scan)
{
    return dpl_pose2_relative(recording->scans[0].odometry, recording->scans[scan].odometry);
}

size_t mapper_points(struct mapper *mapper, size_t scan)
{
    return scan_points_of(mapper->recording, scan, &mapper->options.points, mapper->points);
}

/* Where odometry carries the base from the pose at scan `from`. It errs by a tenth of the way. */
static struct match_prior predict(const struct mapper *mapper, size_t from, size_t to)
{
    const struct recorded_scan *scans = mapper->recording->scans;
    struct dpl_pose2 moved = dpl_pose2_relative(scans[from].odometry, scans[to].odometry);
    return (struct match_prior){
        .pose = dpl_pose2_compose(mapper->poses[from], moved),
        .sigma_m = 0.02 + 0.1 * hypot(moved.x, moved.y),
        .sigma_rad = 0.02 + 0.1 * fabs(moved.theta),
    };
}

/* The last scan before `scan` that is in the map; the first is always. */
static size_t mapped_before(const struct mapper *mapper, size_t scan)
{
    do {
        scan--;
    } while (scan > 0 && mapper_is_held_out(mapper, scan));
    return scan;
}

/* `by_odometry`: the prior is what the wheels say, and they may slip. A scan that fits clearly
 * worse than those before it is looked for around the prior. */
static void match_one(struct mapper *mapper, size_t scan, size_t n, const struct match_prior *prior,
                      bool by_odometry)
{
    struct match match = match_scan(&mapper->map, mapper->points, n, prior);
    if (by_odometry && match.score < mapper->score - FALL) {
        match = match_scan_around(&mapper->map, mapper->points, n, prior);
    }
    mapper->score += (mapper->score > 0.0 ? LATELY : 1.0) * (match.score - mapper->score);
    mapper->poses[scan] = match.pose;
    mapper->shares[scan] = match.share;
}

/* Each scan is visited once at first, once for each round of loops, twice for each round with the
 * whole map, and at last. */
static void visit(struct mapper *mapper, size_t n_scans)
{
    const struct mapper_options *options = &mapper->options;
    size_t total = mapper->recording->n * (2 + LOOPS + 2 * ROUNDS);
    mapper->n_visits += n_scans;
    if (options->progress && total > 0) {
        options->progress(options->progress_user, (double)mapper->n_visits / (double)total);
    }
}

static int map_incrementally(struct mapper *mapper)
{
    for (size_t i = 0; i < mapper->recording->n; i++) {
        visit(mapper, 1);
        if (i > 0 && mapper_is_held_out(mapper, i)) {
            continue;
        }
        size_t n = mapper_points(mapper, i);
        if (i > 0) {
            struct match_prior prior = predict(mapper, mapped_before(mapper, i), i);
            match_one(mapper, i, n, &prior, true);
        }
        int err = surfels_add_scan(&mapper->map, mapper->points, n, mapper->poses[i], (uint32_t)i);
        if (err < 0) {
            return err;
        }
    }
    return 0;
}

/* The first scan keeps its pose: it holds the frame. */
static void match_all(struct mapper *mapper)
{
    visit(mapper, 1);
    for (size_t i = 1; i < mapper->recording->n; i++) {
        visit(mapper, 1);
        if (!mapper_is_held_out(mapper, i)) {
            size_t n = mapper_points(mapper, i);
            struct match_prior prior = {mapper->poses[i], 0.02, 0.01};
            match_one(mapper, i, n, &prior, false);
        }
    }
}

static int map_again(struct mapper *mapper)
{
    surfels_clear(&mapper->map);
    for (size_t i = 0; i < mapper->recording->n; i++) {
        if (i > 0 && mapper_is_held_out(mapper, i)) {
            continue;
        }
        size_t n = mapper_points(mapper, i);
        int err = surfels_add_scan(&mapper->map, mapper->points, n, mapper->poses[i], (uint32_t)i);
        if (err < 0) {
            return err;
        }
    }
    return 0;
}

/* ---- loops ---- */

static const struct scan_point *loop_points(void *context, size_t number, size_t *ret_n)
{
    struct mapper *mapper = context;
    *ret_n = mapper_points(mapper, number);
    return mapper->points;
}

/* The scans that are in the map, and the way until each. */
static size_t list_scans(const struct mapper *mapper, struct loops_scan *ret_scans)
{
    double way_m = 0.0;
    size_t n = 0;
    for (size_t i = 0; i < mapper->recording->n; i++) {
        const struct recorded_scan *scan = &mapper->recording->scans[i];
        way_m += i > 0 ? dpl_pose2_distance(scan[-1].odometry, scan->odometry) : 0.0;
        if (i == 0 || !mapper_is_held_out(mapper, i)) {
            ret_scans[n++] = (struct loops_scan){i, way_m};
        }
    }
    return n;
}

static int close_loops(struct mapper *mapper, struct loops_scan *scans, struct dpl_pose2 *poses)
{
    struct loops_source source = {
        .scans = scans,
        .n = list_scans(mapper, scans),
        .points = loop_points,
        .context = mapper,
        .cell_m = CELL_M,
    };
    for (size_t k = 0; k < source.n; k++) {
        poses[k] = mapper->poses[scans[k].number];
    }
    int err = loops_close(&source, poses, &mapper->met_again);
    for (size_t k = 0; k < source.n && err == 0; k++) {
        mapper->poses[scans[k].number] = poses[k];
    }
    return err == 0 && mapper->met_again > 0 ? map_again(mapper) : err;
}

static int close_all_loops(struct mapper *mapper)
{
    struct loops_scan *scans = calloc(mapper->recording->n, sizeof *scans);
    struct dpl_pose2 *poses = calloc(mapper->recording->n, sizeof *poses);
    int err = scans && poses ? 0 : -ENOMEM;
    for (int round = 0; round < LOOPS && err == 0; round++) {
        err = close_loops(mapper, scans, poses);
        visit(mapper, mapper->recording->n);
    }
    free(scans);
    free(poses);
    return err;
}

/* ---- the end ---- */

/* Also by the ends that stand alone, which tell no place: thin legs of furniture give no others. */
static void add_passes(struct mapper *mapper, size_t scan)
{
    struct scan_points_options options = mapper->options.points;
    options.lone = true;
    size_t n = scan_points_of(mapper->recording, scan, &options, mapper->points);
    surfels_add_passes(&mapper->map, mapper->points, n, mapper->poses[scan], (uint32_t)scan);
}

static void finish_scans(struct mapper *mapper)
{
    for (size_t i = 0; i < mapper->recording->n; i++) {
        visit(mapper, 1);
        if (i > 0 && mapper_is_held_out(mapper, i)) {
            size_t n = mapper_points(mapper, i);
            struct match_prior prior = predict(mapper, mapped_before(mapper, i), i);
            match_one(mapper, i, n, &prior, true);
        } else {
            add_passes(mapper, i);
            surfels_clear_around(&mapper->map, mapper->poses[i].x, mapper->poses[i].y,
                                 i == 0 ? START_M : BODY_M);
        }
    }
}

static int build(struct mapper *mapper)
{
    int err = map_incrementally(mapper);
    err = err < 0 ? err : close_all_loops(mapper);
    for (int round = 0; round < ROUNDS && err == 0; round++) {
        match_all(mapper);
        err = map_again(mapper);
        visit(mapper, mapper->recording->n);
    }
    if (err == 0) {
        finish_scans(mapper);
    }
    return err;
}

int mapper_build(const struct recording *recording, const struct mapper_options *options,
                 struct mapper *ret_mapper, struct dpl_diag *reterr)
{
    struct mapper mapper = {.recording = recording, .options = *options};
    int err = surfels_init(&mapper.map, CELL_M);
    mapper.poses = calloc(recording->n, sizeof *mapper.poses);
    mapper.shares = calloc(recording->n, sizeof *mapper.shares);
    mapper.points = calloc(RECORDING_BEAMS_MAX, sizeof *mapper.points);
    if (err == 0 && mapper.poses && mapper.shares && mapper.points) {
        mapper.shares[0] = 1.0;
        err = build(&mapper);
    } else {
        err = -ENOMEM;
    }
    if (err < 0) {
        mapper_finish(&mapper);
        return dpl_fail(reterr, err, (struct dpl_place){0},
                        err == -ENOSPC ? "the scans cover too large an area: the poses of the "
                                         "recording cannot be right"
                                       : "no memory");
    }
    *ret_mapper = mapper;
    return 0;
}

void mapper_finish(struct mapper *mapper)
{
    surfels_finish(&mapper->map);
    free(mapper->poses);
    free(mapper->shares);
    free(mapper->points);
    *mapper = (struct mapper){0};
}
