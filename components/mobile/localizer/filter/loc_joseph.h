/* SPDX-License-Identifier: Apache-2.0 */
/* The filter's covariance after a scan, in Joseph's form: a sum of squares, whatever the gain is,
 * so that it stays positive (Bar-Shalom, Li, Kirubarajan, Estimation with Applications to Tracking
 * and Navigation, 2001, section 5.2). */
#ifndef LOC_JOSEPH_H
#define LOC_JOSEPH_H

#include "loc_filter.h"

/* A correction with the scan's information A about what J makes of the state; M = J P J'. All
 * borrowed. */
struct loc_correction {
    const double (*pj)[LOC_DIMS];  /* [LOC_STATES]: P J' */
    const double (*ya)[LOC_DIMS];  /* [LOC_DIMS]: (I + A M)^-1 A */
    const double (*z)[LOC_DIMS];   /* [LOC_DIMS]: (I + A M)^-1 */
    const double (*j)[LOC_STATES]; /* [LOC_DIMS] */
    const double (*a)[LOC_DIMS];   /* [LOC_DIMS] */
    int n_changed; /* the states from this one on keep their values (Schmidt, 1966) */
};

/* ret_p = F P F' + K A K' with F = I - P J' (I + A M)^-1 A J and K = P J' (I + A M)^-1; the rows of
 * K and of P J' that do not change count as 0. Equal to P - P J' (I + A M)^-1 A J P where all
 * change. `ret_p` is not `prior`. ret_change: F and K. */
void loc_joseph(const double prior[LOC_STATES][LOC_STATES], const struct loc_correction *by,
                double ret_p[LOC_STATES][LOC_STATES], struct loc_change *ret_change);

#endif
