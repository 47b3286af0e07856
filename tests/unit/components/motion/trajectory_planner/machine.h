/* SPDX-License-Identifier: Apache-2.0 */
/* The machine that the trajectory planner's tests plan for, and poses for it. */
#ifndef TESTS_TRAJECTORY_PLANNER_MACHINE_H
#define TESTS_TRAJECTORY_PLANNER_MACHINE_H

#include <math.h>

#include "planner.h"

static const double machine_centre[DPL_SIX] = {0.0, 0.0, 0.54, 0.0, 0.0, 0.0};
static const double machine_hard[DPL_SIX] = {0.25, 0.15, 0.15, 0.0873, 0.1396, 0.0524};
static const double machine_accel[DPL_SIX] = {10.0, 10.0, 10.0, 20.0, 20.0, 20.0};

static inline struct dpl_traj_config machine_config(double scale)
{
    struct dpl_traj_config config;
    double accel[DPL_SIX];
    for (int i = 0; i < DPL_SIX; i++) {
        accel[i] = scale * machine_accel[i];
    }
    dpl_traj_config_set(&config, machine_centre, machine_hard, accel);
    return config;
}

/* The centre moved by x along x. */
static inline struct dpl_traj_motion machine_at(double x, double dx)
{
    struct dpl_traj_motion motion = {{0}, {0}};
    dpl_traj_copy(motion.y, machine_centre);
    motion.y[0] += x;
    motion.d[0] = dx;
    return motion;
}

#endif
