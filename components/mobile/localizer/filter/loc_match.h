/* SPDX-License-Identifier: Apache-2.0 */
/* How well a scan fits the plan from a guessed pose of the laser, and which way it would fit
 * better: residuals of exact casts, as the information (normal equations) of a least-squares step
 * over the laser's pose, the bias and the scale of its ranges.
 *
 * A range is p, the distance to the surface; moving the laser by d changes it by -n.d / (n.u), with
 * the surface's unit normal n and the beam's direction u (Thrun, Burgard, Fox, Probabilistic
 * Robotics, 2005, section 6.3 has the beam model; the kernel of weights is that of Geman and
 * McClure, 1987). */
#ifndef LOC_MATCH_H
#define LOC_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loc_information.h"
#include "loc_scan.h"

/* Beams on one surface share its error: sums over them. `a` has its lower triangle only. */
struct loc_surface {
    double a[LOC_DIMS][LOC_DIMS], b[LOC_DIMS];
    double g[LOC_DIMS], f, h;
    double across2; /* m^2, variances of the ranges along the normal, of n beams */
    double trust;   /* 0 to 1: the weight of the whole surface */
    size_t n;
    bool touched;
};

/* Shares of judged beams; all 0 when too few beams could be judged. */
struct loc_judgement {
    size_t n_judged;
    double agreement, too_short, too_long;
    double openness; /* agreement / (agreement + too_long): people do not lower it. 1: no beam */
    /* The same as if objects that are known to have moved were not there: whether the place is
     * right. */
    double trusted_agreement, trusted_openness;
};

#define LOC_START_MAP_ERROR_M 0.005 /* deviation of the plan's surfaces, until it is learnt */

struct loc_match {
    const struct dpl_raycast_index *plan;
    size_t n_surfaces, n_objects, n_touched;
    struct loc_surface *surfaces; /* [n_surfaces] by number of outline */
    uint32_t *touched;            /* [n_surfaces] numbers of those that the newest scan met */
    double *reliability;          /* [n_objects] */
    double map_error_m;           /* that the filter counts with */
    double told_error_m;          /* that is told, and published with the pose */
    bool map_error_is_learnt;
    double map_sum, map_weight, told_sum, told_weight; /* of what they are learnt from */
    double uneven_sum, uneven_weight; /* likewise, of how surfaces differ from straight ones */
};

/* What one evaluation may differ in. */
struct loc_kernel {
    size_t every; /* of the beams */
    double widen; /* of the robust kernel, >= 1 */
    /* m, >= 0, by which the guessed pose may be off: a surface that is farther off than this and
     * its own error explain counts little. INFINITY: each surface counts. */
    double pose_error_m;
};

/* False: out of memory; loc_match_finish frees what there is. The plan is borrowed. */
bool loc_match_init(struct loc_match *match, const struct dpl_raycast_index *plan,
                    size_t n_surfaces, size_t n_objects);
void loc_match_finish(struct loc_match *match);

/* Standard deviation of a measured range at distance `range_m`, in m. */
double loc_match_sigma(double range_m);

/* loc_scan_cast, and on behind objects that are known to have moved (scan->hit). */
void loc_match_cast(const struct loc_match *match, struct loc_scan *scan,
                    const struct dpl_pose2 *laser, size_t every);

/* One ray, and on behind objects that are known to have moved. */
void loc_match_ray(const struct loc_match *match, const struct dpl_raycast_ray *ray,
                   struct dpl_raycast_hit *ret_hit);

/* Casts from `laser`, and sums up. The information is that of the beams on reliable
 * objects, with the errors of surfaces marginalized. */
void loc_match_evaluate(struct loc_match *match, struct loc_scan *scan,
                        const struct loc_laser *laser, const struct loc_kernel *kernel,
                        struct loc_information *ret_information);

/* Whether the plan has an edge beside beam i, as newly cast: it may hit either side. `hit` is
 * one of the scan's two. */
bool loc_match_is_edge(const struct loc_scan *scan, const struct dpl_raycast_hit *hit, size_t i,
                       size_t every);

/* Judges each `every`-th beam by the newest casts. */
void loc_match_judge(const struct loc_match *match, const struct loc_scan *scan,
                     const struct loc_laser *laser, size_t every,
                     struct loc_judgement *ret_judgement);

/* Of the beams that loc_match_judge judges, the share of those that go through what the plan has
 * first and end on what it has next: glass and things that are gone make such beams. Costs a cast
 * for each beam that is too long. */
double loc_match_behind(const struct loc_match *match, const struct loc_scan *scan,
                        const struct loc_laser *laser, size_t every);

/* Learns from the newest loc_match_evaluate, which had all beams and the best known pose: the error
 * of the plan's surfaces, and, with `objects`, which objects are where the plan says. */
void loc_match_learn(struct loc_match *match, const struct loc_scan *scan,
                     const struct loc_laser *laser, bool objects);

#endif
