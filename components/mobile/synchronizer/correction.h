/* SPDX-License-Identifier: Apache-2.0 */
/* Smooth correction of the odometry's frame. A Localizer gives the pose C of the odometry's frame
 * in the world; the robot is at C * odometry. What is used is C_s, which follows C in such a way
 * that the robot's pose C_s * odometry moves smoothly: not C's own translation, since a tenth of a
 * degree at 5 m from the odometry's origin moves it by 9 mm while the robot hardly turns. (Frames
 * world, odometry and robot as in ROS REP 105: jumps are in C alone.)
 *
 * Where wheels turn and the robot does not go, C runs against the odometry for as long as this
 * lasts. No residual of such a robot would ever fade: how fast C runs is learned and made up for as
 * well (docs/design/synchronizer.md). */
#ifndef DPL_SYNC_CORRECTION_H
#define DPL_SYNC_CORRECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "doppel/math/geometry.h"

/* The residual in the robot's frame fades with this time constant, but no faster than this. */
#define DPL_SYNC_CORRECTION_S       0.3
#define DPL_SYNC_CORRECTION_M_S     0.05
#define DPL_SYNC_CORRECTION_RAD_S   (5.0 * DPL_PI / 180.0)
/* A turn that no smooth correction is for: as in the monitor. */
#define DPL_SYNC_CORRECTION_MAX_RAD (35.0 * DPL_PI / 180.0)

/* A pose that is found so near to the one that was followed is that pose. */
#define DPL_SYNC_CORRECTION_HERE_M   0.02
#define DPL_SYNC_CORRECTION_HERE_RAD (1.0 * DPL_PI / 180.0)

/* How fast C runs is learned in this time, */
#define DPL_SYNC_SLIP_S     0.3
/* and made up for from when it is this share of the odometry's speed, wholly from the other on:
 * what wheels miss by their size or on a bad floor is less. */
#define DPL_SYNC_SLIP_FROM  0.2
#define DPL_SYNC_SLIP_WHOLE 0.5

/* How C runs against the odometry: rates in the robot's frame, m/s and rad/s. */
struct dpl_sync_slip {
    struct dpl_pose2 odometry, target; /* of the step before */
    bool has_step;
    double way_m, way_rad; /* of the odometry lately, as far as C has not run against it */
    struct dpl_pose2 run;  /* of the robot, as C moves it */
    struct dpl_pose2 pace; /* of the odometry */
};

struct dpl_sync_correction {
    double safe_radius; /* m; a larger residual is a relocation */
    bool started;
    struct dpl_pose2 target, smooth; /* C, C_s */
    uint64_t told;                   /* relocations that the Localizer has counted */
    bool elsewhere;                  /* it has counted one since the last step */
    bool known;                      /* as told last: the Localizer knows where the robot is */
    bool withheld;                   /* what it guesses is elsewhere: C stays until it knows */
    struct dpl_sync_slip slip;
    unsigned relocations; /* times that C jumped, and C_s with it, to another pose of the robot */
    /* Of the last one: where the robot was found, in the frame of where it was followed. */
    struct dpl_pose2 jump;
    /* Times that C_s jumped to a C that had not: the odometry got too far from it bit by bit. */
    unsigned strayed;
};

void dpl_sync_correction_init(struct dpl_sync_correction *correction, double safe_radius);

/* The first C. `smooth` is the pose of the odometry's frame that held until now. NULL: none did,
 * and C_s is C. */
void dpl_sync_correction_start(struct dpl_sync_correction *correction, struct dpl_pose2 target,
                               uint64_t told, const struct dpl_pose2 *smooth);

/* The newest C, after the start. The robot is found elsewhere, and the next step jumps, when the
 * Localizer has counted a relocation. `known`: the Localizer knows where the robot is. While it
 * does not, C is a guess: it is followed as long as it does not jump, and then not until it is
 * known. */
void dpl_sync_correction_aim(struct dpl_sync_correction *correction, struct dpl_pose2 target,
                             uint64_t told, bool known);

/* Moves C_s for `elapsed_s` at the robot's pose by odometry. True when it jumped. */
bool dpl_sync_correction_step(struct dpl_sync_correction *correction, struct dpl_pose2 odometry,
                              double elapsed_s);

/* The robot's pose that is followed, and where the Localizer has a robot that is followed there. */
struct dpl_pose2 dpl_sync_correction_apply(const struct dpl_sync_correction *correction,
                                           struct dpl_pose2 odometry);
struct dpl_pose2 dpl_sync_correction_unsmoothed(const struct dpl_sync_correction *correction,
                                                struct dpl_pose2 followed);

#endif
