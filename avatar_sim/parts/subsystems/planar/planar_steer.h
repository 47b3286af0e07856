/* SPDX-License-Identifier: Apache-2.0 */
/* Kinematics of a base with steered wheels (Ackermann): the axles of all wheels meet in one point,
 * so no wheel slips sideways; in closed form (Siegwart, Nourbakhsh, "Introduction to Autonomous
 * Mobile Robots", 3.2; Rajamani, "Vehicle Dynamics and Control", 2.2). Pure. */
#ifndef DOPPEL_SIM_PLANAR_STEER_H
#define DOPPEL_SIM_PLANAR_STEER_H

#include "planar_drive.h"

struct dpl_planar_steer {
    double axle;     /* x of the wheels that are not steered, m */
    double distance; /* from there to the steered ones, along x, m */
};

/* 0, or -EINVAL with reterr: the wheels of a base with a steering do not make one. */
int dpl__planar_steer_of(const struct dpl_sim_mobile *base, struct dpl_planar_steer *ret_steer,
                         struct dpl_diag *reterr);

/* The motion with the steering at `angle` (of a wheel in the middle, rad) and the motors of the
 * driven wheels, those that have a name, at speeds[n_wheels], rad/s. They drive it as through a
 * differential: the mean of what they roll is the mean of what their motors say. Writes how all
 * wheels turn, ret_rolls[n_wheels], rad/s. */
struct dpl_planar_twist dpl__planar_steered(const struct dpl_sim_mobile *base,
                                            const struct dpl_planar_steer *steer, double angle,
                                            const double *speeds, double *ret_rolls);

#endif
