/* SPDX-License-Identifier: Apache-2.0 */
/* Six filtered channels and what becomes of samples that are not to be believed: pure logic. */
#ifndef FORCE_FILTER_SMOOTHER_H
#define FORCE_FILTER_SMOOTHER_H

#include <stdbool.h>
#include <stdint.h>

#include "butterworth.h"

#define SMOOTHER_AXES 6

/* Zero-initialise, then smoother_reset. */
struct smoother {
    struct dpl_butterworth filter;
    struct dpl_butterworth_state states[SMOOTHER_AXES];
    double held[SMOOTHER_AXES]; /* the newest good sample */
    int64_t invalid_most;       /* in a row, until the output is invalid too */
    int64_t invalid_in_a_row;
    int64_t n_invalid, n_outages;
};

/* At rest, without force. The counters stay. */
void smoother_reset(struct smoother *smoother);

/* Takes the sample of this period and gives the filtered one. A sample that is invalid, not finite
 * or missing (NULL) is counted, and the filter goes on with the newest good one. After more than
 * invalid_most of them in a row the output is zero and the return value false, until a good one
 * comes, which finds the filter at rest: what follows the filter sees no jump. */
bool smoother_step(struct smoother *smoother, const double sample[SMOOTHER_AXES], bool valid,
                   double ret_filtered[SMOOTHER_AXES]);

#endif
