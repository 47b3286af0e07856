/* SPDX-License-Identifier: Apache-2.0 */
/* Rotations as vectors (axis times angle), quaternions (w x y z) and charts of spherical joints. */
#ifndef DOPPEL_SIM_MULTIBODY_ROTATION_H
#define DOPPEL_SIM_MULTIBODY_ROTATION_H

#include "system.h"

/* Writes the axes. */
void dpl__mb_rotation(const double vector[3], struct dpl__mb_frame *ret_frame);
void dpl__mb_rotation_vector(const struct dpl__mb_frame *frame, double ret_vector[3]);
void dpl__mb_axes_of_quaternion(const double q[4], struct dpl__mb_frame *ret_frame);
void dpl__mb_quaternion_of_axes(const struct dpl__mb_frame *frame, double ret_q[4]);

/* The first link of a spherical joint is turned by this before its coordinates turn it. */
void dpl__mb_set_chart(struct dpl__mb *m, const struct dpl__mb_joint *joint,
                       const struct dpl__mb_frame *turned);

#endif
