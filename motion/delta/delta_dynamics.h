/* SPDX-License-Identifier: Apache-2.0 */
/* Torques and energy of a delta, without friction. Source: Lagrange's equations with the kinetic
 * energy m/6 (v1^2 + v1.v2 + v2^2) of a uniform thin rod whose ends move with v1 and v2. Gravity is
 * standard gravity, along -z. */
#ifndef DPL_DELTA_DYNAMICS_H
#define DPL_DELTA_DYNAMICS_H

#include "delta_kinematics.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The torques at the arms (Nm, positive with q) for a motion. All its fields must agree: use one of
 * the dpl_delta_motion_of_ functions. The torque of a motor is this divided by the gear ratio.
 * Exact for uniform rods. Returns 0, or -ERANGE as dpl_delta_jacobian. */
int dpl_delta_torque(const struct dpl_delta *delta, const struct dpl_delta_motion *motion,
                     double *ret_torque_nm);

/* As dpl_delta_torque, but each rod is two points: `share` of its mass (0 to 1) at the elbow, the
 * rest at the platform. The usual model of controllers; not exact, except at rest with a share of
 * 1/2. */
int dpl_delta_torque_point_mass(const struct dpl_delta *delta,
                                const struct dpl_delta_motion *motion, double share,
                                double *ret_torque_nm);

/* The torques that hold the platform at rest at `p`. Returns 0, -EDOM as dpl_delta_ik, or -ERANGE
 * as dpl_delta_jacobian. */
int dpl_delta_holding_torque(const struct dpl_delta *delta, const double *p, double *ret_torque_nm);

/* Joule. Potential energy is 0 for a mass at z = 0. */
struct dpl_delta_energy {
    double kinetic, potential;
};

/* The energy of a motion; uses p, v, q and qd. */
struct dpl_delta_energy dpl_delta_energy(const struct dpl_delta *delta,
                                         const struct dpl_delta_motion *motion);

#ifdef __cplusplus
}
#endif

#endif
