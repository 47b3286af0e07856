/* SPDX-License-Identifier: Apache-2.0 */
/* Computes axis references from the planner's poses, one servo tick at a time: buffer, time base,
 * blended moves, samples of them every half move mapped to the axes, and the cubic B-spline through
 * the samples. Pure logic; one thread owns it. */
#ifndef POSE_BUFFER_PATH_H
#define POSE_BUFFER_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "buffer.h"
#include "splines.h"
#include "time_base.h"

/* Maps a pose (m, rad) to axis positions: 0 or a negative errno. Borrowed; called on the cycle
 * path, twice per move. A NULL function: the axis positions are the pose. */
struct dpl_pose_map {
    int (*to_axes)(void *context, const double pose[DPL_SIX], double ret_axes[DPL_AXES_N]);
    void *context;
};

struct dpl_path_config {
    double servo_period_s; /* a move has four of them */
    struct dpl_time_base_config time_base;
    struct dpl_brake brake; /* mandatory */
    struct dpl_pose_map map;
};

struct dpl_path {
    struct dpl_path_config config;
    struct dpl_pose_buffer buffer; /* the planner's side uses it directly */
    struct dpl_time_base time_base;
    struct dpl_blend blend;
    struct dpl_spline spline;
    int phase;   /* path time since the start of the move, in units of the time base */
    bool second; /* in the second half of the move */
    bool moving; /* false: at rest until there are enough poses */
    uint64_t age_ticks, seen;
    uint64_t n_map_faults;
};

/* Reference for the servo: m, m/s, m/s2 or rad for each axis, exact derivatives of one curve. */
struct dpl_axis_reference {
    double position[DPL_AXES_N], velocity[DPL_AXES_N], acceleration[DPL_AXES_N];
    double factor; /* of the time base */
};

/* At rest at a pose. Returns 0, -EINVAL for a bad configuration or a pose that is not finite, or
 * the error of the map for the pose. */
int dpl_path_reset(struct dpl_path *path, const struct dpl_path_config *config,
                   const double pose[DPL_SIX]);

/* At rest at another pose, as after a reset, but the numbers of poses and all counters continue:
 * for axes that are not at a planned pose. Returns 0, -EINVAL for a pose that is not finite, or the
 * error of the map for it; on error nothing changes. */
int dpl_path_rest_at(struct dpl_path *path, const double pose[DPL_SIX]);

/* Whether the reference is constant, and stays constant as long as no different pose comes. */
bool dpl_path_at_rest(const struct dpl_path *path);

/* One servo tick. Call it after the planner's write of the same time. Motion begins when the buffer
 * has one pose more than the wanted distance. The spline uses one segment ahead, so a pose is
 * needed half a move before the start of its move. If there is none, the brake synthesises poses
 * until everything is at rest; then the path waits as at the start. Returns 0, or the error of the
 * map for a pose without axis positions: then the last knot is used again and n_map_faults is
 * incremented. The acceleration does not include the part from a change of the time base. */
int dpl_path_step(struct dpl_path *path, struct dpl_axis_reference *ret_reference);

#endif
