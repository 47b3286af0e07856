/* SPDX-License-Identifier: Apache-2.0 */
/* The time for which the acceleration limits have kept the output from its reference. Pure
 * logic. */
#ifndef TRAJECTORY_PLANNER_LAG_H
#define TRAJECTORY_PLANNER_LAG_H

#include <stdbool.h>
#include <stdint.h>

#include "planner.h"

/* A lag continues when the reference is met for a shorter time than this. */
#define DPL_TRAJ_LAG_REST_S 0.1

enum dpl_traj_lag_event {
    DPL_TRAJ_LAG_NOTHING,
    DPL_TRAJ_LAG_BEGINS, /* it has lasted longer than the limit; once per lag */
    DPL_TRAJ_LAG_ENDS,   /* end of a lag with a DPL_TRAJ_LAG_BEGINS */
};

/* Zero-initialised: none. */
struct dpl_traj_lag {
    double lasts_s;   /* time since the saturation control became active; 0: it is not */
    double rests_s;   /* time since it was last active */
    double longest_s; /* of all lags */
    uint64_t n;       /* number of lags longer than the limit */
    int axis;   /* the axis with the largest difference relative to its limit, in the newest tick */
    double off; /* difference of that axis, m or rad */
};

/* One tick of `period_s` with the planner's trace. `limit_s`: a lag must last longer to be an
 * event, 0: no events. Does not allocate or block. */
enum dpl_traj_lag_event dpl_traj_lag_step(struct dpl_traj_lag *lag, double limit_s,
                                          const struct dpl_traj_axes *axes,
                                          const struct dpl_traj_trace *trace);

/* The planner no longer follows a reference: a current lag ends without an event. */
void dpl_traj_lag_stop(struct dpl_traj_lag *lag);

#endif
