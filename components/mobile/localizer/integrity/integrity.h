/* SPDX-License-Identifier: Apache-2.0 */
/* The integrity monitor: whether the localized pose may be used, and how far it is off at most. It
 * reads scans, odometry, plan and what the estimator says of itself; it never touches the pose.
 * Terms: protection level, alert limit, time to alert (RTCA DO-229). Pure, one thread; only create
 * allocates. */
#ifndef INTEGRITY_H
#define INTEGRITY_H

#include "continuity.h"
#include "evidence.h"
#include "loc_search.h"
#include "local_map.h"
#include "protection.h"
#include "rivals.h"
#include "rules.h"
#include "strike.h"

struct integrity_config {
    const struct dpl_raycast_index *plan;       /* borrowed, as all of these */
    const struct dpl_raycast_outline *outlines; /* [n_outlines] only for create */
    size_t n_outlines, n_objects, beams_max;
    const struct loc_search *search; /* with the plan's field and free space */
    struct rules_config rules;
    double least_map_m; /* 1 sigma of the plan's surfaces, at least */
};

/* A scan that the estimator has used or could not use. */
struct integrity_scan {
    const struct loc_scan *scan;
    struct loc_laser laser;     /* the estimated one, in the plan */
    struct dpl_pose2 moved;     /* the laser in the frame of that at the scan before, by odometry */
    struct drift_step odometry; /* what `moved` may be off by */
    double position[3];         /* covariance of the filter's position: xx xy yy */
    double bias_variance, scale_variance;
    double nis, innovation_m;
    double map_error_m;        /* learnt */
    const double *reliability; /* [n_objects] */
    bool placed;               /* it follows one place */
    uint64_t relocations;
};

#define INTEGRITY_RIVALS 8

struct integrity_verdict {
    enum integrity_state state;
    enum integrity_reason reason;
    enum integrity_basis basis;
    double level_m; /* protection level; INFINITY: anywhere */
    /* of the newest scan */
    struct protection_result protection;
    double continuity, fit, lead; /* lead: nats, NAN: not known */
    /* other places that the newest search did not exclude: in the plan, each as the motion from the
     * followed pose */
    struct dpl_pose2 rivals[INTEGRITY_RIVALS];
    size_t n_rivals;
};

struct integrity;

/* 0 or -ENOMEM. */
int integrity_create(const struct integrity_config *config, struct integrity **ret_integrity);
/* NULL: nothing. */
void integrity_destroy(struct integrity *integrity);

void integrity_scan(struct integrity *integrity, const struct integrity_scan *scan);

/* Once a cycle: time without scans, and a slice of the search. `laser`: as in the newest scan. */
void integrity_step(struct integrity *integrity, double now_s);

void integrity_verdict(const struct integrity *integrity, struct integrity_verdict *ret_verdict);

#endif
