/* SPDX-License-Identifier: Apache-2.0 */
/* Blended triangular moves: velocity profiles with a duration of two move times, one of which
 * begins each move time. Their sum is the uniform quadratic B-spline of the poses. Pure logic. */
#ifndef POSE_BUFFER_BLEND_H
#define POSE_BUFFER_BLEND_H

#include <doppel/math/six.h>

/* The poses of the running move, the oldest first. */
struct dpl_blend {
    double pose[3][DPL_SIX];
};

/* At rest at a pose. */
void dpl_blend_reset(struct dpl_blend *blend, const double pose[DPL_SIX]);

/* Begins the next move: `pose` becomes the newest. */
void dpl_blend_push(struct dpl_blend *blend, const double pose[DPL_SIX]);

/* The pose at `part` of the running move, 0 to 1: weights 1/2 1/2 0 at its start, 1/8 6/8 1/8 in
 * the middle, 0 1/2 1/2 at its end, where the next move begins. Never outside the convex hull of
 * the three poses; equal poses give exactly that pose. A pose takes effect about 1.5 move times
 * after the start of the move that it started (La Mura et al., Robotics 2018, 7(1), 8; de Boor, "A
 * Practical Guide to Splines", IX). */
void dpl_blend_at(const struct dpl_blend *blend, double part, double ret_pose[DPL_SIX]);

#endif
