/* SPDX-License-Identifier: Apache-2.0 */
/* Where the real robot's odometry has its frame in the avatar's world, over a run. With a Localizer
 * the frame moves as the odometry drifts; else it stays where the Synchronizer aligned it. */
#ifndef DOPPEL_REPORT_WAYS_H
#define DOPPEL_REPORT_WAYS_H

#include <stdbool.h>

#include <doppel/math/geometry.h>

#include "robots.h"
#include "table.h"

struct ways {
    const struct table *trace;
    int t, real[3], avatar[3], odometry[3]; /* columns; -1: none */
    int state, relocations, teleports;      /* of the Localizer and the avatar */
    int sync_state;                         /* of the Synchronizer */
    bool in_world;          /* the trace has the poses of both in the avatar's world */
    bool placed;            /* `start` is of that world, or of the true pose of a simulated robot */
    bool searched;          /* a Localizer ran */
    bool localized;         /* and the real robot's pose is of it at times */
    struct dpl_pose2 start; /* of the frame, when both poses were first known; else 0 */
    size_t row;             /* that ways_frame_at found last */
};

/* Of one robot. Borrows the trace. */
void ways_init_robot(struct ways *ways, const struct table *trace, const struct robot *robot);

/* Of the first robot that columns tell of. */
void ways_init(struct ways *ways, const struct table *trace);

/* Whether the pose of the real robot was known at a row: not while a Localizer searches for it
 * (INIT, AMBIGUOUS, LOST, MAP_WRONG). Without a Localizer always. */
bool ways_known(const struct ways *ways, size_t row);

/* Whether the Synchronizer said that the pose of the real robot is UNKNOWN: what is published then
 * is about the last pose that was known. (Not in the first second, in which nobody knows yet.) */
bool ways_unknown(const struct ways *ways, size_t row);

/* How long that was, in s; whether it was so in the last row. */
double ways_unknown_s(const struct ways *ways, bool *ret_at_end);

/* The same as ways_known at a time that does not decrease from call to call. */
bool ways_known_at(struct ways *ways, double t);

/* Takes out of a way what nobody drove, so that it is drawn with gaps: x becomes NaN where the pose
 * of the robot was not known, or jumped because it was found elsewhere; the way of the avatar where
 * it was put elsewhere. x: rows of the trace. */
void ways_break_robot(const struct ways *ways, double *x);
void ways_break_avatar(const struct ways *ways, double *x);

/* The frame of the odometry at a time that does not decrease from call to call: of the newest row
 * until then that has both poses, or `start`. Without a Localizer always `start`. */
struct dpl_pose2 ways_frame_at(struct ways *ways, double t);

/* The way by odometry in the avatar's world, from `start` on: rows of the trace, which the caller
 * frees. NULL: no memory. */
double *ways_odometry(const struct ways *ways, double **ret_y);

#endif
