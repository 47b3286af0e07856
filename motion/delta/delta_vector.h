/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors of three numbers. Header only; for this folder. */
#ifndef DPL_DELTA_VECTOR_H
#define DPL_DELTA_VECTOR_H

#ifdef __cplusplus
extern "C" {
#endif

static inline double dpl__delta_dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* `ret` is neither a nor b. */
static inline void dpl__delta_cross(const double *a, const double *b, double *ret)
{
    ret[0] = a[1] * b[2] - a[2] * b[1];
    ret[1] = a[2] * b[0] - a[0] * b[2];
    ret[2] = a[0] * b[1] - a[1] * b[0];
}

#ifdef __cplusplus
}
#endif

#endif
