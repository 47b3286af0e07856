/* SPDX-License-Identifier: Apache-2.0 */
#include "ways.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The columns TAG.PREFIXx, TAG.PREFIXy, TAG.PREFIXtheta. */
static void find(const struct table *trace, const char *tag, const char *prefix, int columns[3])
{
    static const char *const leaves[] = {"x", "y", "theta"};
    for (int i = 0; i < 3; i++) {
        char leaf[ROBOT_NAME_SIZE];
        snprintf(leaf, sizeof leaf, "%s%s", prefix, leaves[i]);
        columns[i] = robots_column(trace, tag, leaf);
    }
}

static bool has(const int columns[3])
{
    return columns[0] >= 0 && columns[1] >= 0 && columns[2] >= 0;
}

static struct dpl_pose2 pose_at(const struct table *trace, size_t row, const int columns[3])
{
    return (struct dpl_pose2){table_at(trace, row, columns[0]), table_at(trace, row, columns[1]),
                              table_at(trace, row, columns[2])};
}

/* Whether the row tells the frame. */
static bool frame_of(const struct ways *ways, size_t row, struct dpl_pose2 *ret_frame)
{
    struct dpl_pose2 real = pose_at(ways->trace, row, ways->real);
    struct dpl_pose2 odometry = pose_at(ways->trace, row, ways->odometry);
    if (!dpl_pose2_is_finite(real) || !dpl_pose2_is_finite(odometry)) {
        return false;
    }
    *ret_frame = dpl_pose2_compose(real, dpl_pose2_relative(odometry, (struct dpl_pose2){0}));
    return true;
}

bool ways_known(const struct ways *ways, size_t row)
{
    static const char *const unknown[] = {"INIT", "AMBIGUOUS", "LOST", "MAP_WRONG"};
    char state[16];
    if (!ways->localized || row >= ways->trace->n_rows) {
        return true;
    }
    table_word(ways->trace, row, ways->state, state, sizeof state);
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        if (strcmp(state, unknown[i]) == 0) {
            return false;
        }
    }
    return true;
}

bool ways_unknown(const struct ways *ways, size_t row)
{
    char state[16];
    table_word(ways->trace, row, ways->sync_state, state, sizeof state);
    return strcmp(state, "UNKNOWN") == 0;
}

double ways_unknown_s(const struct ways *ways, bool *ret_at_end)
{
    double sum = 0.0;
    *ret_at_end = false;
    for (size_t row = 0; row < ways->trace->n_rows; row++) {
        double t = table_at(ways->trace, row, ways->t);
        double step = row > 0 ? t - table_at(ways->trace, row - 1, ways->t) : 0.0;
        *ret_at_end = ways_unknown(ways, row);
        sum += *ret_at_end && isfinite(step) ? step : 0.0;
    }
    return sum;
}

/* A counter of the trace is another than in the row before. */
static bool counts(const struct table *trace, size_t row, int column)
{
    return row > 0 && table_at(trace, row, column) > table_at(trace, row - 1, column);
}

void ways_break_robot(const struct ways *ways, double *x)
{
    for (size_t row = 0; row < ways->trace->n_rows; row++) {
        if (!ways_known(ways, row) || counts(ways->trace, row, ways->relocations)) {
            x[row] = (double)NAN;
        }
    }
}

void ways_break_avatar(const struct ways *ways, double *x)
{
    for (size_t row = 0; row < ways->trace->n_rows; row++) {
        if (counts(ways->trace, row, ways->teleports)) {
            x[row] = (double)NAN;
        }
    }
}

/* The state of a Localizer is told. */
static bool has_state(const struct ways *ways)
{
    for (size_t row = 0; row < ways->trace->n_rows; row++) {
        char state[16];
        table_word(ways->trace, row, ways->state, state, sizeof state);
        if (*state && strcmp(state, "none") != 0 && strcmp(state, "nan") != 0) {
            return true;
        }
    }
    return false;
}

static bool has_number(const struct table *trace, int column)
{
    for (size_t row = 0; column >= 0 && row < trace->n_rows; row++) {
        if (isfinite(table_at(trace, row, column))) {
            return true;
        }
    }
    return false;
}

/* Without a Synchronizer: where a simulated robot truly is when its odometry begins. */
static void place_by_truth(struct ways *ways, const struct robot *robot)
{
    int own[3] = {ways->real[0], ways->real[1], ways->real[2]};
    find(ways->trace, robot->name, "true_", ways->real);
    if (!has(ways->real)) {
        find(ways->trace, robot->name, "hardware.true_", ways->real);
    }
    for (size_t row = 0; has(ways->real) && row < ways->trace->n_rows && !ways->placed; row++) {
        struct dpl_pose2 truth = pose_at(ways->trace, row, ways->real);
        bool unknown = truth.x == 0.0 && truth.y == 0.0 && truth.theta == 0.0; /* not yet */
        ways->placed = !unknown && frame_of(ways, row, &ways->start);
    }
    memcpy(ways->real, own, sizeof own);
}

void ways_init_robot(struct ways *ways, const struct table *trace, const struct robot *robot)
{
    *ways = (struct ways){.trace = trace, .t = table_column(trace, "t")};
    ways->state = robots_column(trace, robot->sync, "localizer");
    ways->relocations = robots_column(trace, robot->sync, "relocations");
    ways->sync_state = robots_column(trace, robot->sync, "state");
    ways->teleports = robots_column(trace, robot->sync, "teleports");
    find(trace, robot->sync, "real_", ways->real);
    find(trace, robot->sync, "avatar_", ways->avatar);
    find(trace, robot->tag, "", ways->odometry);
    bool both = has(ways->real) && has(ways->avatar) && has(ways->odometry);
    for (size_t row = 0; both && row < trace->n_rows && !ways->in_world; row++) {
        ways->in_world = ways->placed = frame_of(ways, row, &ways->start);
    }
    ways->localized =
        ways->in_world && has_number(trace, robots_column(trace, robot->sync, "error_sigma_mm"));
    ways->searched = ways->localized || has_state(ways);
    if (!ways->in_world && has(ways->odometry)) {
        place_by_truth(ways, robot);
    }
}

void ways_init(struct ways *ways, const struct table *trace)
{
    struct robot robot = {.component = NULL};
    robots_find(trace, NULL, &robot, 1);
    ways_init_robot(ways, trace, &robot);
}

static void advance(struct ways *ways, double t)
{
    while (ways->row + 1 < ways->trace->n_rows &&
           table_at(ways->trace, ways->row + 1, ways->t) <= t) {
        ways->row++;
    }
}

bool ways_known_at(struct ways *ways, double t)
{
    if (ways->t >= 0) {
        advance(ways, t);
    }
    return ways_known(ways, ways->row);
}

struct dpl_pose2 ways_frame_at(struct ways *ways, double t)
{
    struct dpl_pose2 frame = ways->start;
    if (!ways->localized || ways->t < 0) {
        return frame;
    }
    advance(ways, t);
    for (size_t row = ways->row + 1; row > 0 && !frame_of(ways, row - 1, &frame); row--) {
    }
    return frame;
}

double *ways_odometry(const struct ways *ways, double **ret_y)
{
    size_t n = ways->trace->n_rows;
    double *x = malloc((n + 1) * sizeof *x), *y = malloc((n + 1) * sizeof *y);
    if (!x || !y) {
        free(x);
        free(y);
        return NULL;
    }
    for (size_t row = 0; row < n; row++) {
        struct dpl_pose2 odometry = pose_at(ways->trace, row, ways->odometry);
        struct dpl_pose2 pose = dpl_pose2_compose(ways->start, odometry);
        x[row] = pose.x;
        y[row] = pose.y;
    }
    *ret_y = y;
    return x;
}
