/* SPDX-License-Identifier: Apache-2.0 */
/* The last metres of way as scans posed by odometry alone: what a place must explain. Length counts
 * in metres of way, a turn of 60 degrees as one; standing adds nothing. */
#ifndef INTEGRITY_LOCAL_MAP_H
#define INTEGRITY_LOCAL_MAP_H

#include "loc_scan.h"

#define LOCAL_MAP_BEAMS  48
#define LOCAL_MAP_FRAMES 10  /* of a view */
#define LOCAL_MAP_KEPT   112 /* each LOCAL_MAP_STEP_M */
#define LOCAL_MAP_STEP_M 0.05

struct map_beam {
    double x, y, dx, dy; /* start and direction in the frame of the laser */
    double range;        /* 0: no return */
};

struct keyframe {
    struct dpl_pose2 pose; /* of the laser, in the odometry's frame */
    double way_m;          /* since the map was made */
    size_t n;
    struct map_beam beams[LOCAL_MAP_BEAMS];
};

struct local_map {
    struct keyframe frames[LOCAL_MAP_KEPT]; /* a ring */
    size_t next, n;
    double way_m;
    double emptied_m; /* way at which it was emptied */
    double range_max;
    struct dpl_pose2 odometry; /* the newest laser; goes on while the map is emptied */
};

/* Some of its frames, the newest first. */
struct local_map_view {
    struct keyframe frames[LOCAL_MAP_FRAMES];
    size_t n;
    double range_max;
};

void local_map_init(struct local_map *map);

/* The laser moved so since the scan before. */
void local_map_scan(struct local_map *map, const struct loc_scan *scan, struct dpl_pose2 moved);

void local_map_empty(struct local_map *map);

/* How long it is, m. */
double local_map_length(const struct local_map *map);

/* Frames at each tenth of its length, of at most `length_m`. */
void local_map_look(const struct local_map *map, double length_m, struct local_map_view *ret_view);

#endif
