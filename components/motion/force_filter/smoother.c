/* SPDX-License-Identifier: Apache-2.0 */
/* Six filtered channels: good samples, gaps, outages. */
#include "smoother.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

void smoother_reset(struct smoother *smoother)
{
    for (int i = 0; i < DPL_SIX; i++) {
        dpl_butterworth_reset(&smoother->filter, &smoother->states[i], 0.0);
    }
    memset(smoother->held, 0, sizeof smoother->held);
    smoother->invalid_in_a_row = 0;
}

static bool is_good(const double sample[DPL_SIX], bool valid)
{
    bool good = valid && sample;
    for (int i = 0; good && i < DPL_SIX; i++) {
        good = isfinite(sample[i]);
    }
    return good;
}

/* Returns whether there is an outage. */
static bool count_invalid(struct smoother *smoother)
{
    smoother->n_invalid++;
    smoother->invalid_in_a_row++;
    if (smoother->invalid_in_a_row != smoother->invalid_most + 1) {
        return smoother->invalid_in_a_row > smoother->invalid_most;
    }
    int64_t in_a_row = smoother->invalid_in_a_row;
    smoother_reset(smoother);
    smoother->invalid_in_a_row = in_a_row;
    smoother->n_outages++;
    return true;
}

bool smoother_step(struct smoother *smoother, const double sample[DPL_SIX], bool valid,
                   double ret_filtered[DPL_SIX])
{
    if (is_good(sample, valid)) {
        smoother->invalid_in_a_row = 0;
        memcpy(smoother->held, sample, sizeof smoother->held);
    } else if (count_invalid(smoother)) {
        memset(ret_filtered, 0, DPL_SIX * sizeof ret_filtered[0]);
        return false;
    }
    for (int i = 0; i < DPL_SIX; i++) {
        ret_filtered[i] =
            dpl_butterworth_step(&smoother->filter, &smoother->states[i], smoother->held[i]);
    }
    return true;
}
