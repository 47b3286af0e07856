/* SPDX-License-Identifier: Apache-2.0 */
/* Uniform B-splines, one piece at a time: the quadratic one of poses and the cubic one of axis
 * positions. Pure logic. */
#ifndef MOTION_PATH_SPLINES_H
#define MOTION_PATH_SPLINES_H

#include <doppel/math/six.h>

/* Blended triangular moves: velocity profiles with a duration of two move times, one of which
 * begins each move time. Their sum is the quadratic B-spline of the poses. The poses are those of
 * the running move, the oldest first. */
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

/* The cubic B-spline of axis positions. It approximates its knots and does not pass through them:
 * therefore positions stay in the convex hull of the knots, and accelerations within the second
 * differences of the knots. The running segment goes from near knot[1] to near knot[2]; knot[3] is
 * the look-ahead. */
struct dpl_spline {
    double knot[4][DPL_AXES_N]; /* m or rad, the oldest first */
};

/* Position and its derivatives by segments: m, m per segment, m per segment squared. */
struct dpl_spline_point {
    double position[DPL_AXES_N], rate[DPL_AXES_N], curvature[DPL_AXES_N];
};

/* At rest at one position. */
void dpl_spline_reset(struct dpl_spline *spline, const double knot[DPL_AXES_N]);

/* Starts the next segment: `knot` becomes the look-ahead. */
void dpl_spline_push(struct dpl_spline *spline, const double knot[DPL_AXES_N]);

/* The point at `part` of the running segment, 0 to 1. At 0 the weights of the knots are 1/6 4/6 1/6
 * 0: no delay against knot[1], gain (2 + cos(2 pi f h))/3 for knots h seconds apart. Equal knots
 * give exactly their position (de Boor, "A Practical Guide to Splines", IX). */
void dpl_spline_at(const struct dpl_spline *spline, double part,
                   struct dpl_spline_point *ret_point);

#endif
