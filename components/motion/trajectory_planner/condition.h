/* SPDX-License-Identifier: Apache-2.0 */
/* First stage of the planner: only sane and fresh references get through. Pure logic. */
#ifndef TRAJECTORY_PLANNER_CONDITION_H
#define TRAJECTORY_PLANNER_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/time.h>

#include "axes.h"

/* A reference and when it was made, on the clock that the planner's `now` is read from. */
struct dpl_traj_reference {
    double pose[DPL_TRAJ_DOF];
    dpl_ns stamp;
};

struct dpl_traj_condition_config {
    double absurd;       /* a component beyond this, in m or rad, is no reference; above zero */
    dpl_ns expire_after; /* older than this, or as far ahead, is no reference; above zero */
    uint32_t n_fault;    /* so many rejections in a row are a fault; 0: never */
};

struct dpl_traj_condition {
    double last[DPL_TRAJ_DOF]; /* the newest good reference, or where it began */
    uint32_t n_row;            /* rejections in a row */
    uint64_t n_rejected;       /* rejections since the beginning */
};

/* Begins at `pose`, which stands in until the first good reference. */
void dpl_traj_condition_begin(struct dpl_traj_condition *condition, const double *pose);

/* True if `reference` (NULL: none came) is good; it is then the newest. Otherwise counts it; the
 * newest stays. Neither allocates nor blocks. */
bool dpl_traj_condition_take(struct dpl_traj_condition *condition,
                             const struct dpl_traj_condition_config *config,
                             const struct dpl_traj_reference *reference, dpl_ns now);

/* Whether so many were rejected in a row that the planner has to stop. */
bool dpl_traj_condition_failed(const struct dpl_traj_condition *condition,
                               const struct dpl_traj_condition_config *config);

#endif
