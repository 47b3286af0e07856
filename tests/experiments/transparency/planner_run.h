/* SPDX-License-Identifier: Apache-2.0 */
/* A long run of the trajectory planner with one reference, and the largest values of its output. */
#ifndef TRANSPARENCY_PLANNER_RUN_H
#define TRANSPARENCY_PLANNER_RUN_H

#include "planner_reference.h"

struct planner_run {
    double hard_level, soft_level; /* largest of the outputs */
    double accel;                  /* largest second difference divided by its limit */
    uint64_t n_bad;                /* outputs that are not finite */
    /* outputs that differ from the reference, from the end of the ramp on */
    uint64_t n_differ;
    uint64_t n_compared; /* number of compared outputs */
    uint64_t n_guard;    /* ticks in which the guard braked */

    /* The path after the quadratic (moves) and the cubic (segments) B-spline. */
    double served_accel;      /* largest second difference divided by the limit, 1.25 ms apart */
    double served_over_poses; /* the largest of it divided by that of the poses, worst axis */
    double served_level;      /* largest hard level */
};

/* Runs `n` ticks of `kind` after one ramp into it, starting at rest at the centre; restarted
 * whenever it waits for a restart. */
struct planner_run planner_run(const struct dpl_traj_config *config,
                               enum planner_reference_kind kind, uint32_t n);

/* Raises every member of `worst` to at least that of `run`. */
void planner_run_worst(struct planner_run *worst, const struct planner_run *run);

#endif
