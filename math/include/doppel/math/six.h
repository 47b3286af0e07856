/* SPDX-License-Identifier: Apache-2.0 */
/* The number six. A machine that moves a platform in all six degrees of freedom has one linear axis
 * for each of them. Therefore both numbers are equal, but their meanings differ. */
#ifndef DOPPEL_MATH_SIX_H
#define DOPPEL_MATH_SIX_H

/* Degrees of freedom of a rigid body: x y z, roll pitch yaw. The length of a pose, of a wrench. */
#define DPL_SIX 6

/* Linear axes of a machine, and legs of a hexaslide: each axis drives one leg. */
#define DPL_AXES_N DPL_SIX

/* The position of the axes at the end of a cycle, and the exact derivatives at that time. */
struct dpl_axes_reference {
    double position_m[DPL_AXES_N], velocity_m_s[DPL_AXES_N], acceleration_m_s2[DPL_AXES_N];
};

#endif
