/* SPDX-License-Identifier: Apache-2.0 */
/* Planar poses and twists: the formulas that pure-logic files need. Header only, no state. Every
 * folder may include doppel/math headers; these include only C standard headers. */
#ifndef DOPPEL_MATH_GEOMETRY_H
#define DOPPEL_MATH_GEOMETRY_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_PI 3.14159265358979323846

/* Position in metres and heading in radians, counter-clockwise from +x. */
struct dpl_pose2 {
    double x, y, theta;
};

/* Body velocity of a planar robot: linear along its heading in m/s, angular in rad/s. */
struct dpl_twist2 {
    double linear, angular;
};

static inline double dpl_deg_to_rad(double deg)
{
    return deg * (DPL_PI / 180.0);
}

static inline double dpl_rad_to_deg(double rad)
{
    return rad * (180.0 / DPL_PI);
}

static inline double dpl_clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

/* The whole number nearest to a value, within +-2^53; 0 for a value that is not a number. */
static inline int64_t dpl_whole(double value)
{
    return isnan(value) ? 0 : (int64_t)llround(dpl_clamp(value, -0x1p53, 0x1p53));
}

/* The same angle in (-pi, pi]. NaN and infinities give NaN. */
static inline double dpl_wrap_angle(double rad)
{
    double wrapped = remainder(rad, 2.0 * DPL_PI);
    return wrapped <= -DPL_PI ? DPL_PI : wrapped;
}

/* The pose `child`, given in the frame of `parent`, expressed in the frame that `parent` is in. */
static inline struct dpl_pose2 dpl_pose2_compose(struct dpl_pose2 parent, struct dpl_pose2 child)
{
    double c = cos(parent.theta), s = sin(parent.theta);
    return (struct dpl_pose2){
        .x = parent.x + c * child.x - s * child.y,
        .y = parent.y + s * child.x + c * child.y,
        .theta = dpl_wrap_angle(parent.theta + child.theta),
    };
}

/* `pose`, given in the same frame as `origin`, expressed in the frame of `origin`. */
static inline struct dpl_pose2 dpl_pose2_relative(struct dpl_pose2 origin, struct dpl_pose2 pose)
{
    double c = cos(origin.theta), s = sin(origin.theta);
    double dx = pose.x - origin.x, dy = pose.y - origin.y;
    return (struct dpl_pose2){
        .x = c * dx + s * dy,
        .y = -s * dx + c * dy,
        .theta = dpl_wrap_angle(pose.theta - origin.theta),
    };
}

static inline double dpl_pose2_distance(struct dpl_pose2 a, struct dpl_pose2 b)
{
    return hypot(a.x - b.x, a.y - b.y);
}

static inline bool dpl_pose2_is_finite(struct dpl_pose2 p)
{
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.theta);
}

#ifdef __cplusplus
}
#endif

#endif
