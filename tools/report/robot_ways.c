/* SPDX-License-Identifier: Apache-2.0 */
/* The ways of a robot and its avatar, in one frame. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <doppel/field.h>

#include "map_series.h"

#define JUMP_M     0.25 /* at once: farther than a late pose of a driving robot */
#define JUMP_SPEED 8.0  /* m/s: faster than robots are */

/* Of columns TAG.PREFIXx and so on. */
static struct way way_of(const struct result *result, const char *tag, const char *prefix)
{
    char leaf[3][ROBOT_NAME_SIZE];
    static const char *const ends[] = {"x", "y", "theta"};
    for (int i = 0; i < 3; i++) {
        snprintf(leaf[i], sizeof leaf[i], "%s%s", prefix, ends[i]);
    }
    return (struct way){result_column_of(result, tag, leaf[0]),
                        result_column_of(result, tag, leaf[1]),
                        result_column_of(result, tag, leaf[2]), result->trace.n_rows};
}

static void way_finish(struct way *way)
{
    free(way->x);
    free(way->y);
    free(way->theta);
    *way = (struct way){.n = 0};
}

static bool way_is_there(const struct way *way)
{
    return way->x && way->y;
}

bool way_moves(const struct way *way)
{
    size_t first = 0; /* rows without a pose, as before a start, are left out */
    while (way_is_there(way) && first < way->n && !isfinite(way->x[first] + way->y[first])) {
        first++;
    }
    for (size_t i = first + 1; way_is_there(way) && i < way->n; i++) {
        if (fabs(way->x[i] - way->x[first]) + fabs(way->y[i] - way->y[first]) > 1e-6) {
            return true;
        }
    }
    return false;
}

/* A robot that was carried, or an avatar that was put elsewhere, did not drive there; the counters
 * of the trace may be some rows late. */
static void break_jumps(struct way *way, const double *t)
{
    double x = (double)NAN, y = (double)NAN;
    for (size_t i = 0; way_is_there(way) && t && i < way->n; i++) {
        double far = hypot(way->x[i] - x, way->y[i] - y), time = i > 0 ? t[i] - t[i - 1] : 0.0;
        x = way->x[i];
        y = way->y[i];
        if (far > JUMP_M && far > JUMP_SPEED * time) {
            way->x[i] = (double)NAN;
        }
    }
}

/* A car's heading is in degrees. */
static void add_heading(const struct result *result, const struct robot *robot, struct way *way)
{
    if (!way->theta) {
        way->theta = result_column_of(result, robot->tag, "heading");
        for (size_t i = 0; way->theta && i < way->n; i++) {
            way->theta[i] = dpl_deg_to_rad(way->theta[i]);
        }
    }
}

/* From the frame of the odometry to that of the world. */
static void move(struct way *way, struct dpl_pose2 frame)
{
    for (size_t i = 0; way_is_there(way) && i < way->n; i++) {
        struct dpl_pose2 pose = {way->x[i], way->y[i], way->theta ? way->theta[i] : 0.0};
        pose = dpl_pose2_compose(frame, pose);
        way->x[i] = pose.x;
        way->y[i] = pose.y;
        if (way->theta) {
            way->theta[i] = pose.theta;
        }
    }
}

/* Of an emulated or simulated robot. */
static struct way true_way(const struct result *result, const struct robot *robot)
{
    struct way way = way_of(result, robot->truth, "true_");
    if (!way_is_there(&way)) {
        way_finish(&way);
        way = way_of(result, robot->name, "hardware.true_");
    }
    if (!way_is_there(&way)) {
        way_finish(&way);
        way = way_of(result, robot->name, "true_");
    }
    return way;
}

struct robot_ways robot_ways_read(const struct result *result, const struct robot *robot)
{
    struct ways ways;
    ways_init_robot(&ways, &result->trace, robot);
    bool at_end;
    struct robot_ways all = {.localized = ways.localized,
                             .lost = ways.localized && ways_unknown_s(&ways, &at_end) > 0.0,
                             .truth = true_way(result, robot)};
    if (ways.in_world) {
        all.robot = way_of(result, robot->sync, "real_");
        all.avatar = way_of(result, robot->sync, "avatar_");
    } else {
        all.robot = way_of(result, robot->tag, "");
        all.avatar = way_of(result, robot->tag, "simulation_");
        add_heading(result, robot, &all.robot);
        move(&all.robot, ways.start);
        move(&all.avatar, ways.start);
    }
    if (ways.localized) {
        all.odometry.x = ways_odometry(&ways, &all.odometry.y);
        all.odometry.n = result->trace.n_rows;
    }
    double *t = result_column(result, "t");
    break_jumps(&all.robot, t);
    break_jumps(&all.avatar, t);
    break_jumps(&all.truth, t);
    free(t);
    if (all.robot.x) {
        ways_break_robot(&ways, all.robot.x);
    }
    if (all.avatar.x) {
        ways_break_avatar(&ways, all.avatar.x);
    }
    return all;
}

void robot_ways_finish(struct robot_ways *ways)
{
    struct way *all[] = {&ways->robot, &ways->avatar, &ways->odometry, &ways->truth};
    for (size_t i = 0; i < DPL_COUNT(all); i++) {
        way_finish(all[i]);
    }
}
