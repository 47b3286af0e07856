/* SPDX-License-Identifier: Apache-2.0 */
/* Inverse kinematics in closed form, and the derivative of the sliders by the pose. Nothing here
 * allocates, blocks or keeps state. Poses: x y z m, roll pitch yaw rad. */
#ifndef DPL_HEXA_IK_H
#define DPL_HEXA_IK_H

#include "hexa_geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Computes the slider positions for a pose. With D from the rail's origin to the joint, q is the
 * root of |D - q u| = L that the branch selects. `ret_q_m`: 6. Returns 0, or -EDOM when a leg does
 * not reach, reaches with less than its reserve, or the pose is not finite; dpl_hexa_ik_faults
 * returns the legs. The travel of the sliders is not checked. */
int dpl_hexa_ik(const struct dpl_hexa_geometry *geometry, const double *pose, double *ret_q_m);

/* The legs for which dpl_hexa_ik refuses the pose: bit i for leg i; 0: none. */
unsigned dpl_hexa_ik_faults(const struct dpl_hexa_geometry *geometry, const double *pose);

/* Whether all links are on the side given by their branches, for a pose and its slider positions:
 * then the pose belongs to the assembly mode of the machine. False for NaN. */
bool dpl_hexa_branch_ok(const struct dpl_hexa_geometry *geometry, const double *pose,
                        const double *q_m);

/* dq/dx at a pose: `ret_rate[j][i]` is the change of slider i by pose component j (m/m or m/rad;
 * the angles' columns are by roll, pitch and yaw, not by angular velocity). Returns 0, or -EDOM as
 * dpl_hexa_ik. */
int dpl_hexa_jacobian(const struct dpl_hexa_geometry *geometry, const double *pose,
                      double ret_rate[DPL_SIX][DPL_AXES_N]);

/* The component of each link along its rail, positive towards increasing q: |.|/L near 0 is the
 * limit of reach. `ret_m`: 6. Returns 0, or -EDOM as dpl_hexa_ik. */
int dpl_hexa_reach(const struct dpl_hexa_geometry *geometry, const double *pose, double *ret_m);

#ifdef __cplusplus
}
#endif

#endif
