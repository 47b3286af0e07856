/* SPDX-License-Identifier: Apache-2.0 */
/* The standard acceleration of gravity (CGPM 1901). Header only. */
#ifndef DOPPEL_MATH_GRAVITY_H
#define DOPPEL_MATH_GRAVITY_H

#define DPL_STANDARD_GRAVITY_M_S2 9.80665

#endif
