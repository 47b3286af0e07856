/* SPDX-License-Identifier: Apache-2.0 */
/* What a run gives over time: its measures at samples, and whether it is stopped. */
#ifndef DOPPEL_SWEEP_OVER_TIME_H
#define DOPPEL_SWEEP_OVER_TIME_H

#include "study.h"

#define SWEEP_STOPPED "stopped" /* the verdict of a run that a condition has ended */

struct sweep_over_time {
    const struct sweep_study *study;
    double now[SWEEP_MEASURES_MAX];  /* in the newest sample; NAN: no number */
    double kept[SWEEP_MEASURES_MAX]; /* sums, or the least or largest value */
    double n[SWEEP_MEASURES_MAX];    /* samples that had a number */
    const char *stopped;             /* the condition that has ended the run; NULL: none */
};

/* Whether samples tell anything of this study. */
bool sweep_over_time_matters(const struct sweep_study *study);

void sweep_over_time_begin(struct sweep_over_time *over, const struct sweep_study *study);

/* Takes the sample in `over->now`, at `time_s` of the run. True: a condition holds, the run ends.
 */
bool sweep_over_time_take(struct sweep_over_time *over, double time_s);

/* Replaces the measures that are over time; NAN: no sample had a number. */
void sweep_over_time_end(const struct sweep_over_time *over, double *measures);

#endif
