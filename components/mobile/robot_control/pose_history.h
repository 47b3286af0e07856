/* SPDX-License-Identifier: Apache-2.0 */
/* The last poses of the robot, for the pose at the time of a scan. */
#ifndef DPL_NAV_POSE_HISTORY_H
#define DPL_NAV_POSE_HISTORY_H

#include <stddef.h>

#include <doppel/math/geometry.h>

#define DPL_NAV_POSES 32

/* Ring, the oldest is overwritten first. Zero-initialised: empty. */
struct dpl_nav_pose_history {
    struct dpl_nav_stamped_pose {
        double time_s;
        struct dpl_pose2 pose;
    } entries[DPL_NAV_POSES];
    size_t count, next;
};

/* Adds the pose of `time_s`; times must not decrease (an earlier one empties the history first). */
void dpl_nav_pose_history_add(struct dpl_nav_pose_history *history, double time_s,
                              struct dpl_pose2 pose);

/* The pose at `time_s`, interpolated; before the first or after the last time, the nearest pose.
 * False if the history is empty. */
bool dpl_nav_pose_history_at(const struct dpl_nav_pose_history *history, double time_s,
                             struct dpl_pose2 *ret_pose);

#endif
