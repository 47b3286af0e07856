/* SPDX-License-Identifier: Apache-2.0 */
/* Continuity without the plan: the scan before, moved by odometry alone, foretells the next one. A
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

#endif
