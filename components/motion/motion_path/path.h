/* SPDX-License-Identifier: Apache-2.0 */
/* From the planner's poses to axis references, a servo tick at a time: buffer, time base, blended
 * moves, their samples each half move mapped to the axes, and the cubic B-spline through those.
 * Pure logic; one thread owns it. */
#ifndef POSE_BUFFER_PATH_H
#define POSE_BUFFER_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "blend.h"
#include "buffer.h"
#include "spline.h"
#include "time_base.h"

/* From a pose (m, rad) to axis positions: 0 or a negative errno. Borrowed; called on the cycle
 * path, twice a move. A NULL function: the axes are the pose. */
struct dpl_pose_map {
    int (*to_axes)(void *context, const double pose[DPL_POSE_DOF],
                   double ret_axes[DPL_SPLINE_AXES]);
    void *context;
};

struct dpl_path_config {
    double servo_period_s; /* a move is four of them */
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
    int phase;   /* path time since the begin of the move, in units of the time base */
    bool second; /* in the second half of the move */
    bool moving; /* false: at rest until enough poses are there */
    uint64_t age_ticks, seen;
    uint64_t n_map_faults;
};

/* What the servo gets: m, m/s, m/s2 or rad of each axis, exact derivatives of one curve. */
struct dpl_axis_reference {
    double position[DPL_SPLINE_AXES], velocity[DPL_SPLINE_AXES], acceleration[DPL_SPLINE_AXES];
    double factor; /* of the time base */
};

/* At rest in a pose. Returns 0, -EINVAL for a bad configuration or a pose that is not finite, or
 * what the map returns for the pose. */
int dpl_path_reset(struct dpl_path *path, const struct dpl_path_config *config,
                   const double pose[DPL_POSE_DOF]);

/* At rest in another pose, as after a reset, but the numbers of poses and all counts go on: for
 * axes that stand where nobody planned them to. Returns 0, -EINVAL for a pose that is not finite,
 * or what the map returns for it; on error nothing changes. */
int dpl_path_rest_at(struct dpl_path *path, const double pose[DPL_POSE_DOF]);

/* Whether the reference stands still, and will as long as no pose comes that differs. */
bool dpl_path_at_rest(const struct dpl_path *path);

/* One servo tick, to be called after the planner's write of the same instant. Motion begins when
 * one pose more than the wanted distance is there. The spline looks one segment ahead, so a pose is
 * needed half a move before the move that it begins: when there is none the brake synthesises it,
 * until everything stands still; then the path waits as at the begin. Returns 0, or the error of
 * the map for a pose without axis positions: the last knot is then used again and n_map_faults
 * counts. The acceleration leaves out what a change of the time base adds. */
int dpl_path_step(struct dpl_path *path, struct dpl_axis_reference *ret_reference);

#endif
