/* SPDX-License-Identifier: Apache-2.0 */
/* Where robot and avatar were, and what the laser saw, by the files of a run's folder. */
#ifndef DOPPEL_RECORDED_FOLDER_POSES_H
#define DOPPEL_RECORDED_FOLDER_POSES_H

#include "bag_new.h"
#include "recording.h"
#include "table.h"

struct json_t;

/* Columns of a pose in the plane. */
struct folder_pose {
    int x, y, theta; /* x below 1: there is none */
    char topic[256];
};

struct folder_poses {
    const struct table *trace;        /* borrowed */
    struct folder_pose robot, avatar; /* in the world */
    char scan[256], odometry[256];    /* topics of scans.csv */
};

/* The robot is where its localizer, else its odometry says; the avatar where its world has it. */
void folder_poses_find(struct folder_poses *ret_poses, const struct table *trace,
                       const struct json_t *record);
/* Those of a row, as doppel.PoseEstimate and with a transform from "map" to "base_link" or
 * "avatar/base_link". */
void folder_poses_put(const struct folder_poses *poses, size_t row, dpl_ns stamp,
                      struct bag_new *bag);
/* A scan with its odometry; without a trace the odometry is where the robot was. */
void folder_poses_scan(const struct folder_poses *poses, const struct recording *scans,
                       size_t number, struct bag_new *bag);

#endif
