/* SPDX-License-Identifier: Apache-2.0 */
/* How much an error of the plan has moved the estimate: the influence of each surface's offset
 * along its normal on the state, carried through all scans and ways. The offset of a surface is the
 * same in each scan of it, so what it does to the parameters does not average out, and the filter's
 * covariance, which takes scans for nearly independent, is too small for those that ranges alone
 * show. (Consider analysis: Schmidt, 1966; Bierman, Factorization Methods for Discrete Sequential
 * Estimation, 1977, chapter 8.)
 *
 * For a filter that identifies parameters (LOCALIZER_CALIBRATE_IDENTIFY); 144 products a surface
 * and scan. One thread. */
#ifndef LOC_INFLUENCE_H
#define LOC_INFLUENCE_H

#include "loc_filter.h"

struct loc_influence {
    double (*by)[LOC_STATES]; /* [n]: change of the state by 1 m of a surface's offset */
    bool *seen;               /* [n]: by a scan; the others are 0 */
    size_t n;
    double error_sum, scans; /* m^2, of the plan's error as it is told; how many */
};

/* False: out of memory. loc_influence_finish afterwards in each case. */
bool loc_influence_init(struct loc_influence *influence, size_t n_surfaces);
void loc_influence_finish(struct loc_influence *influence);

/* Call it after each update that `filter` keeps, while `match` has the surfaces of its last casts.
 * Takes the filter's way since the last call. */
void loc_influence_scan(struct loc_influence *influence, const struct loc_match *match,
                        const struct loc_update *update, struct loc_filter *filter);

/* The variance of a state by the plan's errors: those that were told, on the average. 0: no scan.
 */
double loc_influence_variance(const struct loc_influence *influence, int state);

#endif
