/* SPDX-License-Identifier: Apache-2.0 */
/* The trajectory planner: takes pose references at 400 Hz and computes poses that the machine can
 * follow. Five stages in this order: condition, sync, workspace, saturation, guard. Each can be
 * switched off. A stage that does not act copies its input, so that a reference within all limits
 * is returned unchanged, bit by bit. Pure logic: state in the caller's struct, no allocation, no
 * blocking. Source: La Mura, Todeschini, Giberti, Robotics 2018, 7(1), 8. */
#ifndef TRAJECTORY_PLANNER_PLANNER_H
#define TRAJECTORY_PLANNER_PLANNER_H

#include <stdbool.h>

#include "axes.h"
#include "reference.h"
#include "saturation.h"
#include "workspace.h"

enum dpl_traj_stage {
    DPL_TRAJ_CONDITION = 1 << 0,
    DPL_TRAJ_SYNC = 1 << 1,
    DPL_TRAJ_WORKSPACE = 1 << 2,
    DPL_TRAJ_SATURATION = 1 << 3,
    DPL_TRAJ_GUARD = 1 << 4,
    DPL_TRAJ_ALL_STAGES = (1 << 5) - 1,
};

struct dpl_traj_config {
    unsigned stages; /* enum dpl_traj_stage of the stages that are on */
    struct dpl_traj_axes axes;
    struct dpl_traj_condition_config condition;
    struct dpl_traj_sync_config sync;
    struct dpl_traj_workspace_config workspace;
    struct dpl_traj_saturation_config saturation;
};

enum dpl_traj_mode {
    DPL_TRAJ_STOPPED, /* before the first start */
    DPL_TRAJ_RUNNING,
    DPL_TRAJ_FAULT, /* braking, then at rest until a restart */
};

struct dpl_traj_planner {
    struct dpl_traj_config config;
    enum dpl_traj_mode mode;
    struct dpl_traj_motion motion; /* the actual output */
    struct dpl_traj_condition condition;
    struct dpl_traj_sync sync;
    struct dpl_traj_workspace workspace;
    struct dpl_traj_saturation saturation;
};

/* Results of a tick: the output of each stage (a copy of its input if it did not act). */
struct dpl_traj_trace {
    unsigned acted; /* enum dpl_traj_stage of the stages that changed something */
    double conditioned[DPL_SIX], synced[DPL_SIX], deflected[DPL_SIX], saturated[DPL_SIX],
        emitted[DPL_SIX];
};

/* The defaults for a machine with workspace `centre` and hard semi-axes `hard` and acceleration
 * limits `accel_max` (shapes [6]; m, rad, m/s2, rad/s2): every stage on, 2.5 ms, policy RESUME. */
void dpl_traj_config_set(struct dpl_traj_config *ret_config, const double *centre,
                         const double *hard, const double *accel_max);

/* NULL, or a sentence about the first error of a configuration. */
const char *dpl_traj_config_check(const struct dpl_traj_config *config);

/* Takes a copy of the configuration. -EINVAL if dpl_traj_config_check returns an error. */
int dpl_traj_planner_init(struct dpl_traj_planner *planner, const struct dpl_traj_config *config);

/* Starts with the machine at rest at `pose`: all stages start again. -EINVAL if the pose is not
 * finite, -ERANGE if the guard is on and the pose is outside the hard ellipsoid. */
int dpl_traj_planner_start(struct dpl_traj_planner *planner, const double *pose);

/* After a fault, an excursion or a change of mode: starts again at the newest output. -EBUSY while
 * the output still moves, -EINVAL before the first start. */
int dpl_traj_planner_restart(struct dpl_traj_planner *planner);

/* For poses of the consumer that are not the planner's own: the consumer's newest pose is `last`,
 * the one before it `before`. The next tick continues from there; no stage starts again. If both
 * poses are the planner's own, the following outputs do not change in any bit. -EINVAL, and nothing
 * changes, for a number that is not finite or before the first start. */
int dpl_traj_planner_resume(struct dpl_traj_planner *planner, const double *last,
                            const double *before);

/* One tick: computes the next output from the newest reference (NULL: none came). `ret_trace` may
 * be NULL. Before the first start the output is all zeros. */
void dpl_traj_planner_step(struct dpl_traj_planner *planner,
                           const struct dpl_traj_reference *reference, dpl_ns now,
                           struct dpl_traj_trace *ret_trace, double *ret_pose);

/* One tick of braking without a reference: for a consumer that needs a pose when the planner was
 * late. The next step continues from it. */
void dpl_traj_planner_brake(struct dpl_traj_planner *planner, double *ret_pose);

/* Whether the active stages allow the machine to stand at this pose: plausible, inside the soft
 * ellipsoid, inside the hard one. A target for which this is false is never reached. */
bool dpl_traj_planner_admits(const struct dpl_traj_planner *planner, const double *pose);

/* Whether the newest output is equal to the one before. */
bool dpl_traj_planner_at_rest(const struct dpl_traj_planner *planner);

#endif
