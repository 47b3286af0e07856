/* SPDX-License-Identifier: Apache-2.0 */
/* For how long the acceleration limits have kept the planner from its reference. Pure logic. */
#ifndef TRAJECTORY_PLANNER_LAG_H
#define TRAJECTORY_PLANNER_LAG_H

#include <stdbool.h>
#include <stdint.h>

#include "planner.h"

/* A reference that is met for less than this in between is still not followed. */
#define DPL_TRAJ_LAG_REST_S 0.1

enum dpl_traj_lag_event {
    DPL_TRAJ_LAG_NOTHING,
    DPL_TRAJ_LAG_BEGINS, /* it has lasted longer than was asked for; once a lag */
    DPL_TRAJ_LAG_ENDS,   /* of one that had */
};

/* Zero-initialised: none. */
struct dpl_traj_lag {
    double lasts_s;   /* since the saturation control began to act; 0: it does not */
    double rests_s;   /* since it acted last */
    double longest_s; /* of all */
    uint64_t n;       /* how many were longer than was asked for */
    int axis;         /* the one that is farthest off, by its limit, as of the newest tick */
    double off;       /* by how much that one is off, m or rad */
};

/* One tick of `period_s`: what the planner did in it. `limit_s` is what a lag must last to be an
 * event, 0: none is. Neither allocates nor blocks. */
enum dpl_traj_lag_event dpl_traj_lag_step(struct dpl_traj_lag *lag, double limit_s,
                                          const struct dpl_traj_axes *axes,
                                          const struct dpl_traj_trace *trace);

/* The planner follows no reference any more: a lag that lasts ends without an event. */
void dpl_traj_lag_stop(struct dpl_traj_lag *lag);

#endif
