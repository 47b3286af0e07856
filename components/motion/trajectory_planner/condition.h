/* SPDX-License-Identifier: Apache-2.0 */
/* First stage of the planner: accepts only plausible and recent references. Pure logic. */
#ifndef TRAJECTORY_PLANNER_CONDITION_H
#define TRAJECTORY_PLANNER_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/time.h>

#include "axes.h"

/* A reference and its time, on the same clock as the planner's `now`. */
struct dpl_traj_reference {
    double pose[DPL_SIX];
    dpl_ns stamp;
};

struct dpl_traj_condition_config {
    double absurd; /* a reference with a larger component, in m or rad, is rejected; above zero */
    /* an older reference, or one as far in the future, is rejected; above zero */
    dpl_ns expire_after;
    uint32_t n_fault; /* this many consecutive rejections are a fault; 0: never */
};

struct dpl_traj_condition {
    double last[DPL_SIX]; /* the newest accepted reference, or the start pose */
    uint32_t n_row;       /* consecutive rejections */
    uint64_t n_rejected;  /* rejections since the start */
};

/* Starts at `pose`, which is used until the first accepted reference. */
void dpl_traj_condition_begin(struct dpl_traj_condition *condition, const double *pose);

/* True if `reference` (NULL: none came) is accepted; it is then the newest. Otherwise it is counted
 * and the newest one stays. Does not allocate or block. */
bool dpl_traj_condition_accept(struct dpl_traj_condition *condition,
                               const struct dpl_traj_condition_config *config,
                               const struct dpl_traj_reference *reference, dpl_ns now);

/* Whether there were so many consecutive rejections that the planner must stop. */
bool dpl_traj_condition_failed(const struct dpl_traj_condition *condition,
                               const struct dpl_traj_condition_config *config);

#endif
