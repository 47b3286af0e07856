/* SPDX-License-Identifier: Apache-2.0 */
/* The quintic 10 u^3 - 15 u^4 + 6 u^5: from 0 to 1 with velocity and acceleration 0 at both ends
 * (Craig, "Introduction to Robotics", 7.3). Header only. */
#ifndef MOTION_PATH_QUINTIC_H
#define MOTION_PATH_QUINTIC_H

#ifdef __cplusplus
extern "C" {
#endif

/* Largest second derivative for u in [0, 1]: 10/sqrt(3). */
#define DPL_QUINTIC_PEAK_ACCELERATION 5.773502691896258

/* Value and derivatives by u. */
struct dpl_quintic {
    double s, ds, dds;
};

static inline double dpl_quintic_s(double u)
{
    return u * u * u * (10.0 + u * (-15.0 + 6.0 * u));
}

/* u below 0 counts as 0, above 1 as 1. */
static inline struct dpl_quintic dpl_quintic_at(double u)
{
    double c = u < 0.0 ? 0.0 : u > 1.0 ? 1.0 : u, r = 1.0 - c;
    return (struct dpl_quintic){
        .s = dpl_quintic_s(c),
        .ds = 30.0 * c * c * r * r,
        .dds = 60.0 * c * r * (1.0 - 2.0 * c),
    };
}

#ifdef __cplusplus
}
#endif

#endif
