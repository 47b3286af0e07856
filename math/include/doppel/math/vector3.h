/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic of vectors in space. Header only, pure. */
#ifndef DOPPEL_MATH_VECTOR3_H
#define DOPPEL_MATH_VECTOR3_H

#include <math.h>

#include <doppel/math/pose3.h>

#ifdef __cplusplus
extern "C" {
#endif

static inline struct dpl_vector3 dpl_vector3_add(struct dpl_vector3 a, struct dpl_vector3 b)
{
    return (struct dpl_vector3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline struct dpl_vector3 dpl_vector3_minus(struct dpl_vector3 a, struct dpl_vector3 b)
{
    return (struct dpl_vector3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline struct dpl_vector3 dpl_vector3_times(struct dpl_vector3 a, double factor)
{
    return (struct dpl_vector3){a.x * factor, a.y * factor, a.z * factor};
}

static inline double dpl_vector3_dot(struct dpl_vector3 a, struct dpl_vector3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct dpl_vector3 dpl_vector3_cross(struct dpl_vector3 a, struct dpl_vector3 b)
{
    return (struct dpl_vector3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
                                a.x * b.y - a.y * b.x};
}

static inline double dpl_vector3_length(struct dpl_vector3 a)
{
    return sqrt(dpl_vector3_dot(a, a));
}

#ifdef __cplusplus
}
#endif

#endif
