/* SPDX-License-Identifier: Apache-2.0 */
/* Six filtered channels, and the handling of invalid samples: pure logic. */
#ifndef FORCE_FILTER_SMOOTHER_H
#define FORCE_FILTER_SMOOTHER_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/math/six.h>

#include "butterworth.h"

/* Zero-initialise, then smoother_reset. */
struct smoother {
    struct dpl_butterworth filter;
    struct dpl_butterworth_state states[DPL_SIX];
    double held[DPL_SIX]; /* the newest valid sample */
    int64_t invalid_most; /* consecutive invalid samples, after which the output is invalid too */
    int64_t invalid_in_a_row;
    int64_t n_invalid, n_outages;
};

/* Sets the state of rest with zero force. The counters stay. */
void smoother_reset(struct smoother *smoother);

/* Takes the sample of this period and computes the filtered one. A sample that is invalid, not
 * finite or missing (NULL) is counted, and the filter uses the newest valid one instead. After more
 * than invalid_most consecutive such samples, the output is zero and the return value false, until
 * a valid sample comes. The filter then starts at rest, so that the output does not jump. */
bool smoother_step(struct smoother *smoother, const double sample[DPL_SIX], bool valid,
                   double ret_filtered[DPL_SIX]);

#endif
