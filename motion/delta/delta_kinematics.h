/* SPDX-License-Identifier: Apache-2.0 */
/* Kinematics of a delta in closed form. Source: R. Clavel, "Conception d'un robot parallele rapide
 * a 4 degres de liberte", EPFL 1991; the formulas are derived here from |p - E| = L2 and its first
 * two derivatives (delta_chain.h). */
#ifndef DPL_DELTA_KINEMATICS_H
#define DPL_DELTA_KINEMATICS_H

#include "delta_geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Position, velocity and acceleration of platform (m) and joints (rad) at one time. */
struct dpl_delta_motion {
    double p[3], v[3], a[3];
    double q[DPL_DELTA_ARMS], qd[DPL_DELTA_ARMS], qdd[DPL_DELTA_ARMS];
};

/* The joint angles for a platform position, in (-pi, pi]. Of the two solutions of an arm it is the
 * one with the larger cosine: the elbow is outside. Returns 0, or -EDOM: an arm does not reach the
 * position, or it is not finite; dpl_delta_ik_faults tells the arms. The joint range is not
 * checked. */
int dpl_delta_ik(const struct dpl_delta *delta, const double *p, double *ret_q);

/* The arms that do not reach the position: bit i for arm i; 0: none. */
unsigned dpl_delta_ik_faults(const struct dpl_delta *delta, const double *p);

/* The platform position for joint angles: of the two points at the length of a rod from the three
 * reduced elbows, the lower one. Returns 0, or -EDOM: there is no such point, the points are at the
 * same height, or an angle is not finite. */
int dpl_delta_fk(const struct dpl_delta *delta, const double *q, double *ret_p);

/* dp/dq, m/rad: `ret_jacobian[row][arm]` with rows x y z. `q` must belong to `p`. Returns 0, or
 * -ERANGE: the pose is singular. */
int dpl_delta_jacobian(const struct dpl_delta *delta, const double *p, const double *q,
                       double ret_jacobian[3][DPL_DELTA_ARMS]);

/* The largest singular value of dp/dq divided by the smallest one: 1 is the best. Returns 0, or
 * -ERANGE as dpl_delta_jacobian. */
int dpl_delta_condition(const struct dpl_delta *delta, const double *p, const double *q,
                        double *ret_condition);

/* Computes q, qd, qdd from p, v, a. Returns 0, -EDOM as dpl_delta_ik, or -ERANGE as
 * dpl_delta_jacobian; then the motion is unchanged. */
int dpl_delta_motion_of_joints(const struct dpl_delta *delta, struct dpl_delta_motion *motion);

/* Computes p, v, a from q, qd, qdd. Returns 0, -EDOM as dpl_delta_fk, or -ERANGE as
 * dpl_delta_jacobian; then the motion is unchanged. */
int dpl_delta_motion_of_platform(const struct dpl_delta *delta, struct dpl_delta_motion *motion);

#ifdef __cplusplus
}
#endif

#endif
