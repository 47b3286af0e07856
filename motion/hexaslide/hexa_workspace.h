/* SPDX-License-Identifier: Apache-2.0 */
/* What the workspace of a geometry is like: how well poses on an ellipsoid are conditioned, how far
 * the workspace reaches in each direction, and the ellipsoid that fits into it. For tools and
 * configuration, not for a servo period; deterministic for a seed. */
#ifndef DPL_HEXA_WORKSPACE_H
#define DPL_HEXA_WORKSPACE_H

#include <stddef.h>

#include <doppel/math/random.h>

#include "hexa_geometry.h"

/* Least over greatest singular value of dq/dx at a pose, its angles scaled by `arm_m` (m/rad) so
 * that all six columns are lengths: 0 singular, 1 the best. Returns 0, or -EDOM as dpl_hexa_ik. */
int dpl_hexa_conditioning(const struct dpl_hexa_geometry *geometry, const double *pose,
                          double arm_m, double *ret_ratio);

/* A direction uniform on the unit sphere of six dimensions. */
void dpl_hexa_direction(struct dpl_random *rng, double *ret_direction);

/* home + scale * direction * half-range. */
void dpl_hexa_place(const struct dpl_hexa_geometry *geometry, const double *direction, double scale,
                    double *ret_pose);

/* What samples of a surface have shown. */
struct dpl_hexa_survey {
    size_t n, n_unreachable;     /* the rest is of the reachable ones */
    double least_conditioning;   /* 1e300 when there is none */
    double least_reach;          /* least |link along the rail| / L */
    double low_m[DPL_HEXA_LEGS]; /* travel that was used */
    double high_m[DPL_HEXA_LEGS];
};

/* Nothing seen yet. */
struct dpl_hexa_survey dpl_hexa_survey_begin(void);

/* Adds one pose. */
void dpl_hexa_survey_add(struct dpl_hexa_survey *survey, const struct dpl_hexa_geometry *geometry,
                         const double *pose, double arm_m);

/* Which poses count as workspace: reachable with the reserve and the branches of the geometry, and
 * these. */
struct dpl_hexa_limits {
    double arm_m;              /* of the conditioning */
    double least_conditioning; /* 0: any */
    bool within_travel;        /* sliders between their ends */
};

bool dpl_hexa_allowed(const struct dpl_hexa_geometry *geometry,
                      const struct dpl_hexa_limits *limits, const double *pose);

/* How far from home along `direction`, in half-ranges and at most `most`, all poses are allowed:
 * stepped by 0.1, the end bisected to 1e-4. 0 when home is not allowed. */
double dpl_hexa_extent(const struct dpl_hexa_geometry *geometry,
                       const struct dpl_hexa_limits *limits, const double *direction, double most);

/* The ellipsoid about home that holds none of n points of the workspace's border: a search by
 * coordinates for the greatest volume, from the shape of the half-ranges, each axis within a factor
 * of 4 of it. A local optimum, of the points given: between them the border may come nearer.
 * `border`: n x 6, in half-ranges, n > 0; `ret_semi_axes`: 6, in half-ranges. Returns the greatest
 * multiple of the half-ranges themselves that holds none. */
double dpl_hexa_fit(const double *border, size_t n, double *ret_semi_axes);

#endif
