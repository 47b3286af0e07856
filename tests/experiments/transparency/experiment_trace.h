/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of a run's trace as signals of six degrees of freedom, all as deflections. */
#ifndef TRANSPARENCY_EXPERIMENT_TRACE_H
#define TRANSPARENCY_EXPERIMENT_TRACE_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/diag.h>
#include <doppel/math/six.h>

#include "experiment.h"

/* length by which an angle is multiplied for comparison with a length */
#define EXPERIMENT_ARM_M 0.25

/* A value for each degree of freedom; a signal has one row per time. */
typedef double experiment_six[DPL_SIX];

enum experiment_signal {
    SIGNAL_FORCE,  /* N and Nm, as applied */
    SIGNAL_IDEAL,  /* the model's exact answer to it */
    SIGNAL_STAGES, /* the first of N_STAGES */
    N_SIGNALS = SIGNAL_STAGES + N_STAGES,
};

/* A part of a trace, one row per servo period. */
struct experiment_trace {
    const char *file;  /* borrowed, also for errors */
    double natural_hz; /* of the model */
    double start_s;
    size_t n; /* rows; by windows: a multiple of the window length */
    experiment_six *signals[N_SIGNALS];
    double *acted; /* the planner's report of active stages */
};

/* Reads rows from start_s on; stages become deflections, relative to home or (`by_windows`) to
 * their value at the start of each window. The caller has set the first four members; the other
 * members must be finished for every return value. 0, or a negative errno with reterr: no such
 * trace, a missing column, rows that are not one servo period apart, too few of them. Allocates. */
int experiment_trace_read(struct experiment_trace *trace, bool by_windows, struct dpl_diag *reterr);
void experiment_trace_finish(struct experiment_trace *trace);

#endif
