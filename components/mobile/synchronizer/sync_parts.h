/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of one tick of the synchronization, which sync.c calls in turn. Internal: only the
 * files sync*.c of this folder include it. */
#ifndef DPL_SYNC_SYNC_PARTS_H
#define DPL_SYNC_SYNC_PARTS_H

#include "sync.h"

enum { SYNC_REAL, SYNC_AVATAR };

/* What is known of the pair now. */
struct sync_situation {
    double now_s;
    bool ready, missing;
    double real_age_s, avatar_age_s, trust;
    double hidden_delay_s; /* the real robot is ahead of its poses by this */
    double doubt_m; /* 1 sigma: it may be ahead of `real`, by a delay that is not taken for one */
    struct dpl_sync_sigma growth;          /* of the error, since the newest poses of both robots */
    struct dpl_sync_estimate real, avatar; /* now */
    struct dpl_pose2 found;                /* the real robot, without smoothing */
    struct dpl_pose2 error;
};

struct sync_situation sync_situation_of(const struct dpl_sync *sync);

/* sync_poses.c: brings the poses of both robots into one frame and gives them to their observers.
 * May ask for a place of the avatar. */
void sync_update_poses(struct dpl_sync *sync, const struct dpl_sync_input *input,
                       struct dpl_sync_output *output);

/* sync_poses.c: whether the odometry still waits for the Localizer's first word. */
bool sync_is_waiting(const struct dpl_sync *sync);

/* Asks for a place of the avatar, in its own frame. */
void sync_put_avatar(struct dpl_sync *sync, struct dpl_pose2 pose, struct dpl_sync_output *output);

/* sync_drive.c: the commands for the avatar, within its limits. */
void sync_drive(struct dpl_sync *sync, const struct sync_situation *now,
                struct dpl_sync_output *output);

/* sync.c: what is told of it all. */
void sync_publish(const struct dpl_sync *sync, const struct sync_situation *now,
                  struct dpl_sync_status *status);

#endif
