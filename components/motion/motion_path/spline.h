/* SPDX-License-Identifier: Apache-2.0 */
/* Uniform cubic B-spline of axis positions, one segment at a time. Pure logic. It approximates its
 * knots and does not pass through them: therefore positions stay in the convex hull of the knots,
 * and accelerations within the second differences of the knots. */
#ifndef POSE_BUFFER_SPLINE_H
#define POSE_BUFFER_SPLINE_H

#include <doppel/math/six.h>

/* The running segment goes from near knot[1] to near knot[2]; knot[3] is the look-ahead. */
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
