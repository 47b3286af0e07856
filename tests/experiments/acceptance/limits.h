/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the acceptance. */
#ifndef DPL_ACCEPTANCE_LIMITS_H
#define DPL_ACCEPTANCE_LIMITS_H

#include "mismatch.h"
#include "scenarios.h"

#define N_RANDOM_LIMITS 6
#define N_TABLE_LIMITS  24

/* Over all runs of one set at one period: mm, degrees, and ratios of pooled RMS. */
struct random_limit {
    enum mismatch_id mismatch;
    double period_s;
    double median_rms, p95_rms, worst_rms, worst_max, worst_heading_rms, over_none, over_fig12;
};

/* Worst RMS in mm of one scenario for each set of the tables. */
struct table_limit {
    double period_s;
    enum scenario_id scenario;
    double worst_rms[N_TABLE_MISMATCHES];
};

extern const struct random_limit random_limits[N_RANDOM_LIMITS];
extern const struct table_limit table_limits[N_TABLE_LIMITS];

#endif
