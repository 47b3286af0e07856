/* SPDX-License-Identifier: Apache-2.0 */
/* The series of a map, with the memory that they borrow. Private to maps. */
#ifndef DOPPEL_REPORT_MAP_SERIES_H
#define DOPPEL_REPORT_MAP_SERIES_H

#include "report_plan.h"
#include "result.h"
#include "svg.h"
#include "ways.h"

enum { MAP_SERIES_MAX = 6 + ROBOTS_MAX * 10, MAP_LABEL_SIZE = ROBOT_NAME_SIZE + 48 };

struct map {
    const struct result *result;
    const struct report_plan *plan; /* NULL: none */
    struct series series[MAP_SERIES_MAX];
    size_t n;
    struct series errors[ROBOTS_MAX]; /* avatar minus robot, in m */
    size_t n_errors, n_true_errors;   /* by the true poses of the robots */
    char labels[MAP_SERIES_MAX][MAP_LABEL_SIZE];
    bool has_avatar, has_outlines, has_looks, has_gaps;
    double ghost_s; /* time between outlines */
};

/* A way of a robot or an avatar: rows of the trace. Allocated; NULL: there is none. */
struct way {
    double *x, *y, *theta; /* theta NULL: unknown */
    size_t n;
};

struct robot_ways {
    struct way robot, avatar, odometry, truth;
    bool localized;
    bool lost; /* at times nobody knew where the robot was */
};

/* Reads the ways of a robot, in one frame. */
struct robot_ways robot_ways_read(const struct result *result, const struct robot *robot);
void robot_ways_finish(struct robot_ways *ways);

/* Whether a way has two different places. */
bool way_moves(const struct way *way);

/* Takes the arrays x and y, which map_finish frees. The label is copied; NULL: none. */
struct series *map_add(struct map *map, const char *label, double *x, double *y, size_t n);
void map_finish(struct map *map);

/* The ways, outlines, marks and the error of one robot. */
void map_add_robot(struct map *map, size_t robot);

/* The paths of looks ahead, where the run has kept some. They are in the frame of the world. */
void map_add_looks(struct map *map);

#endif
