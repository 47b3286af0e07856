/* SPDX-License-Identifier: Apache-2.0 */
/* The wheels of a drive that follow a recording of commands, without gain and latency: these two
 * are a factor and a shift of what this gives. */
#ifndef DOPPEL_CALIBRATE_DRIVE_PLANT_H
#define DOPPEL_CALIBRATE_DRIVE_PLANT_H

#include "drive_fit.h"

#define DRIVE_GRID_S 0.002

struct drive_plant {
    double *speed[DRIVE_N_WHEELS];  /* [n] commanded, m/s, on a grid from start_s on */
    double *travel[DRIVE_N_WHEELS]; /* [n] m */
    double start_s;
    size_t n;
};

/* Commands become wheel speeds on the grid. 0, -ENOMEM. Allocates. */
int drive_plant_create(const struct drive_sample *samples, size_t n,
                       const struct drive_config *config, struct drive_plant *ret_plant);
void drive_plant_finish(struct drive_plant *plant);

/* Fills the travel: with a lag of at least 0 s, an acceleration above 0 m/s^2. */
void drive_plant_run(struct drive_plant *plant, double lag_s, double acceleration);

/* The travel at a time, interpolated; before the start 0. */
double drive_plant_travel(const struct drive_plant *plant, int wheel, double time_s);

#endif
