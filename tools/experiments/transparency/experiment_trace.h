/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of a run's trace as signals of six degrees of freedom, all of them deflections. */
#ifndef TRANSPARENCY_EXPERIMENT_TRACE_H
#define TRANSPARENCY_EXPERIMENT_TRACE_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/diag.h>

#include "experiment.h"

#define EXPERIMENT_DOF   6    /* x y z m, roll pitch yaw rad */
#define EXPERIMENT_ARM_M 0.25 /* what an angle is worth where it is compared with a length */

/* A value of each degree of freedom; of signals a row an instant. */
typedef double experiment_six[EXPERIMENT_DOF];

enum experiment_signal {
    SIGNAL_FORCE,  /* N and Nm, as applied */
    SIGNAL_IDEAL,  /* the model's exact answer to it */
    SIGNAL_STAGES, /* the first of N_STAGES */
    N_SIGNALS = SIGNAL_STAGES + N_STAGES,
};

/* A part of a trace, a row a servo period. */
struct experiment_trace {
    const char *file;  /* borrowed, for errors too */
    double natural_hz; /* of the model */
    double start_s;
    size_t n; /* rows; by windows: a whole number of windows */
    experiment_six *signals[N_SIGNALS];
    double *acted; /* what the planner says of its stages */
};

/* Reads rows from start_s on; stages become deflections, from home or (`by_windows`) from where
 * they were at the begin of each window. The caller has set the first four members; the rest is to
 * be finished whatever this returns. 0, or a negative errno with reterr: no such trace, a column
 * that is missing, rows that are not one servo period apart, too few of them. Allocates. */
int experiment_trace_read(struct experiment_trace *trace, bool by_windows, struct dpl_diag *reterr);
void experiment_trace_finish(struct experiment_trace *trace);

#endif
