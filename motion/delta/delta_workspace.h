/* SPDX-License-Identifier: Apache-2.0 */
/* Where the platform of a delta may be. */
#ifndef DPL_DELTA_WORKSPACE_H
#define DPL_DELTA_WORKSPACE_H

#include "delta_geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

enum dpl_delta_place {
    DPL_DELTA_ALLOWED,
    DPL_DELTA_OUT_OF_REACH,    /* an arm does not reach it, or it is not finite */
    DPL_DELTA_BEYOND_RANGE,    /* a joint would be outside of its range */
    DPL_DELTA_OTHER_ASSEMBLY,  /* only with the platform above the plane of the elbows */
    DPL_DELTA_ILL_CONDITIONED, /* singular, or the condition number is above the limit */
};

/* The first of these reasons that applies to a position. `most_condition`: limit of
 * dpl_delta_condition; above 1. */
enum dpl_delta_place dpl_delta_place(const struct dpl_delta *delta, const double *p,
                                     double most_condition);

/* Text for messages: "out of reach"; static. */
const char *dpl_delta_place_name(enum dpl_delta_place place);

#ifdef __cplusplus
}
#endif

#endif
