/* SPDX-License-Identifier: Apache-2.0 */
/* Strategy `fig12`: the synchronization of the RILS paper, taken literally from the flow chart of
 * its figure 12, with the two things its text leaves open as options. It is the control that the
 * default strategy is compared with: its failures belong to it. */
#ifndef DPL_SYNC_FIG12_H
#define DPL_SYNC_FIG12_H

#include "doppel/math/geometry.h"

/* How it is decided that the avatar is the faster one. */
enum dpl_sync_faster {
    DPL_SYNC_FASTER_AHEAD,     /* the avatar is ahead along its own heading */
    DPL_SYNC_FASTER_TRAVELLED, /* the avatar's path is longer */
    DPL_SYNC_FASTER_SPEED      /* the avatar's last step was faster */
};

struct dpl_sync_fig12_config {
    double velocity_step_m_s;
    bool accumulate; /* the corrected speed persists until the application command changes */
    enum dpl_sync_faster faster;
};

struct dpl_sync_fig12 {
    struct dpl_sync_fig12_config config;
    bool started;
    double pre_distance, speed;
    struct dpl_twist2 last_command;
    struct dpl_pose2 last_real, last_avatar;
    double real_path, avatar_path;
};

struct dpl_sync_fig12_drive {
    int n_drive; /* 1 or 2 */
    struct dpl_twist2 drive[2];
};

void dpl_sync_fig12_init(struct dpl_sync_fig12 *fig12, const struct dpl_sync_fig12_config *config);

/* One period. Poses in one frame, whatever their age; angles of rad are taken as speeds of rad/s,
 * as in the figure. */
struct dpl_sync_fig12_drive dpl_sync_fig12_step(struct dpl_sync_fig12 *fig12, struct dpl_pose2 real,
                                                struct dpl_pose2 avatar, struct dpl_twist2 command);

#endif
