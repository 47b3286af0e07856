/* SPDX-License-Identifier: Apache-2.0 */
/* A delta robot in a world: its channels. What cannot be used is told on stderr. */
#ifndef DELTA_MACHINE_WORLD_H
#define DELTA_MACHINE_WORLD_H

#include <doppel/math/pose3.h>
#include <doppel/sim/channels.h>
#include <doppel/sim/load.h>

#include "delta_geometry.h"

enum { RODS = 2 * DPL_DELTA_ARMS };

struct machine {
    struct dpl_sim_model *model;
    struct dpl_world *world;
    struct dpl_world_channels *channels;
    size_t current[DPL_DELTA_ARMS], position[DPL_DELTA_ARMS], velocity[DPL_DELTA_ARMS];
    size_t rod[RODS], platform, base;
    double dt;
};

/* Parameters of the robot, in the world and here. */
struct params {
    struct dpl_sim_set sets[DPL_DELTA_N_PARAMETERS];
    size_t n;
};

/* With steps of step_s; 0: as the file says. 0 or -1; unload also after that. */
int machine_load(struct machine *machine, const char *file, const struct params *params,
                 double step_s);
void machine_unload(struct machine *machine);

struct dpl_pose3 machine_pose(const struct machine *machine, size_t channel);

/* Angles and speeds of the arms, [DPL_DELTA_ARMS]. */
void machine_read_joints(const struct machine *machine, double *q, double *qd);

#endif
