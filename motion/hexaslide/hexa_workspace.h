/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of the workspace of a geometry: conditioning of poses on an ellipsoid, extent of the
 * workspace in each direction, and the largest ellipsoid in it. For tools and configuration, not
 * for a servo period; deterministic for a seed. */
#ifndef DPL_HEXA_WORKSPACE_H
#define DPL_HEXA_WORKSPACE_H

#include <stddef.h>

#include <doppel/math/random.h>

#include "hexa_geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Smallest singular value divided by the largest one, of dq/dx at a pose. The angles are scaled by
 * `arm_m` (m/rad) so that all six columns are lengths. 0: singular, 1: best. Returns 0, or -EDOM as
 * dpl_hexa_ik. */
int dpl_hexa_conditioning(const struct dpl_hexa_geometry *geometry, const double *pose,
                          double arm_m, double *ret_ratio);

/* A random direction, uniform on the unit sphere of six dimensions. */
void dpl_hexa_direction(struct dpl_random *rng, double *ret_direction);

/* home + scale * direction * half-range. */
void dpl_hexa_place(const struct dpl_hexa_geometry *geometry, const double *direction, double scale,
                    double *ret_pose);

/* Results of samples on a surface. */
struct dpl_hexa_survey {
    size_t n, n_unreachable;   /* the other fields are for the reachable samples only */
    double least_conditioning; /* 1e300 when no sample is reachable */
    double least_reach;        /* smallest |link along the rail| / L */
    double low_m[DPL_AXES_N];  /* used travel */
    double high_m[DPL_AXES_N];
};

/* A survey without samples. */
struct dpl_hexa_survey dpl_hexa_survey_begin(void);

/* Adds one pose. */
void dpl_hexa_survey_add(struct dpl_hexa_survey *survey, const struct dpl_hexa_geometry *geometry,
                         const double *pose, double arm_m);

/* Conditions for poses of the workspace: reachable with the reserve and the branches of the
 * geometry, and these. */
struct dpl_hexa_limits {
    double arm_m;              /* of the conditioning */
    double least_conditioning; /* 0: any */
    bool within_travel;        /* sliders between their ends */
};

bool dpl_hexa_allowed(const struct dpl_hexa_geometry *geometry,
                      const struct dpl_hexa_limits *limits, const double *pose);

/* The distance from home along `direction`, in half-ranges and at most `most`, up to which all
 * poses are allowed: steps of 0.1, the end bisected to 1e-4. 0 when home is not allowed. */
double dpl_hexa_extent(const struct dpl_hexa_geometry *geometry,
                       const struct dpl_hexa_limits *limits, const double *direction, double most);

/* The ellipsoid around home that contains none of n points of the workspace's border. Coordinate
 * search for the largest volume, starting from the half-ranges, each axis within a factor of 4 of
 * them. The result is a local optimum for the given points; between them the border may be nearer.
 * `border`: n x 6, in half-ranges, n > 0; `ret_semi_axes`: 6, in half-ranges. Returns the largest
 * multiple of the half-ranges themselves that contains no point. */
double dpl_hexa_fit(const double *border, size_t n, double *ret_semi_axes);

#ifdef __cplusplus
}
#endif

#endif
