/* SPDX-License-Identifier: Apache-2.0 */
/* Kinematics of a base on wheels, in closed form and without slip: from speeds of wheels to the
 * motion of the base, and along an arc. Pure. */
#ifndef DOPPEL_SIM_PLANAR_DRIVE_H
#define DOPPEL_SIM_PLANAR_DRIVE_H

#include <doppel/sim/mobile.h>

/* Motion of the base's frame, as its heading sees it: m/s ahead and to the left, rad/s. */
struct dpl_planar_twist {
    double ahead, left, turn;
};

/* What 1 rad/s of each wheel adds to the motion, ret_shares[n_wheels]. A plain wheel rolls along
 * its heading and does not slip sideways; one with rollers rolls square to their axes only
 * (Siegwart, Nourbakhsh, "Introduction to Autonomous Mobile Robots", 3.2.3). Where wheels disagree,
 * the sum of the squares of what they slip is least. 0; -EDOM: the wheels do not hold the base in
 * all directions. */
int dpl__planar_shares(const struct dpl_sim_mobile *base, struct dpl_planar_twist *ret_shares);

/* Where a base is that has moved so for `time_s`: exact (an arc, or a line). */
struct dpl_pose2 dpl__planar_along(struct dpl_pose2 from, const struct dpl_planar_twist *twist,
                                   double time_s);

#endif
