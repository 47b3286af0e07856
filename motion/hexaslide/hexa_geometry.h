/* SPDX-License-Identifier: Apache-2.0 */
/* Geometry of a hexaslide (6-PUS): six sliders, each on a straight rail, push a platform through
 * links of fixed length. A pose is six numbers everywhere in this folder: x y z in metres, roll
 * pitch yaw in radians, rotation matrix Rz(yaw) Ry(pitch) Rx(roll). Arrays of legs have one row per
 * coordinate, so that a compiler can compute two or more legs in parallel. */
#ifndef DPL_HEXA_GEOMETRY_H
#define DPL_HEXA_GEOMETRY_H

#include <stdbool.h>

#include <doppel/math/six.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Leg i: platform joint a (frame of the tool centre point), rail b + q u, link of length L. */
struct dpl_hexa_geometry {
    double joint_m[3][DPL_AXES_N]; /* a */
    double rail_m[3][DPL_AXES_N];  /* b: position of the slider at q = 0 */
    double axis[3][DPL_AXES_N];    /* u: unit vector, direction of increasing q */
    double branch[DPL_AXES_N];     /* +1: slider ahead of its joint along u; -1: behind */
    double link_m[DPL_AXES_N];     /* L > 0 */
    double low_m[DPL_AXES_N];      /* smallest and largest slider position */
    double high_m[DPL_AXES_N];
    double reserve;             /* a leg has a fault when its reach along u is below reserve * L */
    double home[DPL_SIX];       /* pose */
    double half_range[DPL_SIX]; /* semi-axes of the workspace around home: m, rad */
};

/* HX-A, the reference machine: designed for this project, not the geometry of a real one. */
extern const struct dpl_hexa_geometry dpl_hexa_reference;

/* Checks a geometry: finite numbers, unit axes, branch +1 or -1, positive lengths and half-ranges,
 * low < high, reserve in [0, 1). Returns 0, or -EINVAL with `*reterr_what` (static text; may be
 * NULL) naming the first error. dpl_hexa_ik checks whether home is reachable. */
int dpl_hexa_geometry_check(const struct dpl_hexa_geometry *geometry, const char **reterr_what);

/* Whether all sliders are between their ends; false for NaN. `q_m`: 6. */
bool dpl_hexa_travel_ok(const struct dpl_hexa_geometry *geometry, const double *q_m);

#ifdef __cplusplus
}
#endif

#endif
