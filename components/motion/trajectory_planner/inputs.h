/* SPDX-License-Identifier: Apache-2.0 */
/* What the TrajectoryPlanner component takes from its ports. */
#ifndef TRAJECTORY_PLANNER_INPUTS_H
#define TRAJECTORY_PLANNER_INPUTS_H

#include "tables.h"

struct dpl_component;
struct dpl_tick;

enum port {
    PORT_REFERENCE,
    PORT_COMMAND,
    PORT_PATH,
    PORT_MEASURED,
    PORT_POSE,
    PORT_STATE,
};

/* The task of a tick. */
struct traj_order {
    bool move;            /* false: come to rest and stay there */
    const double *target; /* target pose; NULL: follow the reference port */
    double target_pose[DPL_SIX];
    uint64_t epoch;
};

/* Without a connected MachineControl the planner follows its reference. */
void traj_read_order(struct dpl_component *self, const struct dpl_tick *tick,
                     struct traj_order *ret_order);

/* The target, or the newest reference; NULL: there is none. */
const struct dpl_traj_reference *traj_read_reference(struct dpl_component *self,
                                                     const struct traj_order *order, dpl_ns now,
                                                     struct dpl_traj_reference *reference);

#endif
