/* SPDX-License-Identifier: Apache-2.0 */
/* The last poses of a robot, for its pose at the time of a scan. Header only, pure. */
#ifndef COMPONENTS_MOBILE_POSE_HISTORY_H
#define COMPONENTS_MOBILE_POSE_HISTORY_H

#include <stddef.h>

#include <doppel/math/geometry.h>

#define POSE_HISTORY_SIZE 128

struct stamped_pose {
    double time_s;
    struct dpl_pose2 pose;
};

/* Ring, the oldest is overwritten first. Zero-initialised: empty. */
struct pose_history {
    struct stamped_pose entries[POSE_HISTORY_SIZE];
    size_t count, next;
};

static inline const struct stamped_pose *pose_history_recent(const struct pose_history *history,
                                                             size_t back)
{
    return &history
                ->entries[(history->next + 2 * POSE_HISTORY_SIZE - 1 - back) % POSE_HISTORY_SIZE];
}

/* Adds the pose of `time_s`; times must not decrease (an earlier one empties the history first). */
static inline void pose_history_add(struct pose_history *history, double time_s,
                                    struct dpl_pose2 pose)
{
    if (history->count > 0 && time_s < pose_history_recent(history, 0)->time_s) {
        history->count = 0;
    }
    history->entries[history->next] = (struct stamped_pose){time_s, pose};
    history->next = (history->next + 1) % POSE_HISTORY_SIZE;
    history->count += history->count < POSE_HISTORY_SIZE;
}

static inline struct dpl_pose2 pose_history_between(const struct stamped_pose *a,
                                                    const struct stamped_pose *b, double time_s)
{
    double span = b->time_s - a->time_s, part = span > 0.0 ? (time_s - a->time_s) / span : 1.0;
    double turn = dpl_wrap_angle(b->pose.theta - a->pose.theta);
    return (struct dpl_pose2){a->pose.x + part * (b->pose.x - a->pose.x),
                              a->pose.y + part * (b->pose.y - a->pose.y),
                              dpl_wrap_angle(a->pose.theta + part * turn)};
}

/* Whether it knows the poses at `time_s` and after it. */
static inline bool pose_history_reaches(const struct pose_history *history, double time_s)
{
    return history->count > 0 && pose_history_recent(history, history->count - 1)->time_s <= time_s;
}

/* The pose at `time_s`, interpolated; before the first or after the last time, the nearest pose.
 * False if the history is empty. */
static inline bool pose_history_at(const struct pose_history *history, double time_s,
                                   struct dpl_pose2 *ret_pose)
{
    if (history->count == 0) {
        return false;
    }
    if (time_s >= pose_history_recent(history, 0)->time_s) {
        *ret_pose = pose_history_recent(history, 0)->pose;
        return true;
    }
    for (size_t back = 1; back < history->count; back++) {
        if (time_s >= pose_history_recent(history, back)->time_s) {
            *ret_pose = pose_history_between(pose_history_recent(history, back),
                                             pose_history_recent(history, back - 1), time_s);
            return true;
        }
    }
    *ret_pose = pose_history_recent(history, history->count - 1)->pose;
    return true;
}

#endif
