/* SPDX-License-Identifier: Apache-2.0 */
/* What odometry alone says of the next scan and of the pose.
 *
 * Continuity without the plan: the scan before, moved by odometry alone, foretells the next one. A
 * robot that was carried in between sees something else at once. */
#ifndef INTEGRITY_CONTINUITY_H
#define INTEGRITY_CONTINUITY_H

#include "loc_scan.h"

struct continuity {
    size_t n_max, n;    /* beams; points of the scan before, 0: none */
    double (*point)[2]; /* [n_max] of the scan before, in the frame of its laser */
    double *foretold;   /* [n_max] m, the nearest in each beam's direction; INFINITY: none */
    double (*seen)[2];  /* [n_max] of the newest scan */
};

struct continuity_result {
    size_t n_compared;
    double share; /* of the compared beams: foretold. 1: none is compared */
};

/* False: out of memory; continuity_finish frees what there is. */
bool continuity_init(struct continuity *continuity, size_t n_max);
void continuity_finish(struct continuity *continuity);

/* The next scan is the first. */
void continuity_forget(struct continuity *continuity);

/* `moved`: the laser in the frame of the laser at the scan before; or it stood. Keeps the scan. */
void continuity_scan(struct continuity *continuity, const struct loc_scan *scan,
                     struct dpl_pose2 moved, struct continuity_result *ret_result);

/* ---- drift ---- */

/* How far scans have pulled the pose from odometry over the last metre. Each step may be small: a
 * robot that is pushed slowly, or a pose that slides along where the plan looks the same. A
 * calibrated robot's odometry does not err so. (A sum that forgets, against its own deviation.) */
struct drift {
    double pulled[3];       /* m, m, rad: in the plan */
    double variance[2];     /* m^2, rad^2: of noise */
    double systematic[2];   /* m, rad: of what is not known of the wheels */
    struct dpl_pose2 laser; /* at the scan before */
    bool has_laser;
};

/* What odometry may err by between two scans. */
struct drift_step {
    double way_m;
    double variance[2];   /* m^2, rad^2 */
    double systematic[2]; /* m, rad */
};

/* The next scan is the first. */
void drift_forget(struct drift *drift);

/* `laser` is the estimated one, `moved` by odometry since the scan before; sigma: of one scan.
 * True: pulled by more than odometry and scans explain. */
bool drift_scan(struct drift *drift, struct dpl_pose2 laser, struct dpl_pose2 moved,
                const struct drift_step *step, const double sigma[2]);

#endif
