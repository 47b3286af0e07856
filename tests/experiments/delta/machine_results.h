/* SPDX-License-Identifier: Apache-2.0 */
/* How far a delta robot in its world is from closed forms, and the limits of that. */
#ifndef DELTA_MACHINE_RESULTS_H
#define DELTA_MACHINE_RESULTS_H

#include "delta_control.h"
#include "machine_world.h"

struct sums {
    double square, max;
    long n;
};

struct results {
    struct sums gap, kinematics, joint, platform, tilt, correction;
    double audit_j_s; /* most energy that comes from nowhere, per second */
    double world_j_s; /* the same as `doppel sim --audit` has it */
    double law_m;     /* bound of the gap */
};

void results_add(struct sums *sums, double value);

/* Adds the machine as it stands now, with its arms at q, against the reference. */
void results_measure(const struct machine *machine, const struct dpl_delta_control *control,
                     const struct dpl_delta_motion *reference, const double *q,
                     struct results *results);

/* The table with its limits. 0, or 1: one is missed. */
int results_print(const struct results *r, const struct machine *machine);

#endif
