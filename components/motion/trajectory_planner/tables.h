/* SPDX-License-Identifier: Apache-2.0 */
/* Properties and published variables of the TrajectoryPlanner component. */
#ifndef TRAJECTORY_PLANNER_TABLES_H
#define TRAJECTORY_PLANNER_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/diag.h>
#include <doppel/field.h>
#include <doppel/time.h>

#include "lag.h"
#include "planner.h"

#define TRAJ_N_STAGES 5

struct traj_properties {
    bool stage[TRAJ_N_STAGES];
    char centre[192], hard[192], accel_max[192], home[192], speed_max[192];
    double soft_share;
    double absurd, expire_after_s;
    int64_t n_fault;
    int sync_law; /* enum dpl_traj_sync_law */
    double sync_s, sync_share;
    int policy; /* enum dpl_traj_policy */
    double normal_rad_s, normal_damping, tangential_rad_s, tangential_damping;
    double rest_share, return_s, return_share;
    double kp, kd, ki, kt, windup_clip, braking_share;
    bool integral, braking, feedforward;
    double lag_s;
};

/* The exported variables of the component. */
struct traj_exports {
    double reference[DPL_SIX], pose[DPL_SIX];
    int mode; /* the numbers of PlannerMode */
    int64_t acted;
    double level_hard, greatest_level_hard, greatest_accel_share;
    int64_t n_rejected, n_acted[TRAJ_N_STAGES];
    double behind_s, longest_behind_s;
    int64_t n_behind;
    int64_t n_full, n_foreign, n_faults, n_starts, n_refused;
};

/* The component's state. */
struct traj_state {
    struct traj_exports out;
    struct dpl_traj_planner planner;
    struct dpl_traj_lag lag;
    dpl_ns period;
    bool started;      /* the planner has a start pose */
    bool fresh;        /* the next motion starts again from rest */
    bool told_outside; /* the message that the machine is outside of its workspace was logged */
    bool refuses;      /* the target of the command is refused */
    uint64_t epoch;    /* of the command that is executed */
    uint64_t sequence; /* of the next pose */
    /* number of synthesised poses of the path when the planner last continued from it */
    uint64_t upon;
    /* `sequence` one and two ticks before: a pose may be on the way for two ticks */
    uint64_t due[2];
};

#define TRAJ_N_PROPERTIES 35
#define TRAJ_N_EXPORTS    31
extern const struct dpl_field traj_property_table[TRAJ_N_PROPERTIES];
extern const struct dpl_field traj_export_table[TRAJ_N_EXPORTS];

/* The planner's configuration for a period in s. -EINVAL with reterr. */
int traj_config_from(const struct traj_properties *props, double period_s,
                     struct dpl_traj_config *ret_config, struct dpl_diag *reterr);

#endif
