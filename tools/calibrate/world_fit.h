/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the scans of a run fitted the world of the Localizer. A run and a recording are judged
 * alike. */
#ifndef DOPPEL_CALIBRATE_WORLD_FIT_H
#define DOPPEL_CALIBRATE_WORLD_FIT_H

#include <stdbool.h>

/* Of the beams, on the average of the second half. */
#define WORLD_FIT_AGREEMENT 0.55

struct world_fit {
    double half_s;    /* when the second half of the run begins */
    double agreement; /* share of beams that fit, times s: sum over the second half */
    double duration_s;
    double unknown_s; /* since when the pose is not known; NAN: it is */
};

/* Of a run between these times. */
struct world_fit world_fit_begin(double from_s, double to_s);

/* `agreement`: the Localizer's, between these times; NAN counts as none. */
void world_fit_add(struct world_fit *fit, double from_s, double to_s, double agreement);

/* Whether the pose is known from this time on. */
void world_fit_know(struct world_fit *fit, double from_s, bool is_known);

/* Share of the beams that fitted in the second half; 0 without any. */
double world_fit_agreement(const struct world_fit *fit);

/* The pose is known at the end (`is_known`), and on the average of the second half
 * WORLD_FIT_AGREEMENT of the beams fitted: in a world that is wrong a pose is found now and then,
 * but it does not last. */
bool world_fit_holds(const struct world_fit *fit, bool is_known);

#endif
