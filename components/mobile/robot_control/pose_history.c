/* SPDX-License-Identifier: Apache-2.0 */
/* Ring of stamped poses with interpolation. */
#include "pose_history.h"

static const struct dpl_nav_stamped_pose *recent(const struct dpl_nav_pose_history *history,
                                                 size_t back)
{
    return &history->entries[(history->next + 2 * DPL_NAV_POSES - 1 - back) % DPL_NAV_POSES];
}

void dpl_nav_pose_history_add(struct dpl_nav_pose_history *history, double time_s,
                              struct dpl_pose2 pose)
{
    if (history->count > 0 && time_s < recent(history, 0)->time_s) {
        history->count = 0;
    }
    history->entries[history->next] = (struct dpl_nav_stamped_pose){time_s, pose};
    history->next = (history->next + 1) % DPL_NAV_POSES;
    history->count += history->count < DPL_NAV_POSES;
}

static struct dpl_pose2 between(const struct dpl_nav_stamped_pose *a,
                                const struct dpl_nav_stamped_pose *b, double time_s)
{
    double span = b->time_s - a->time_s, part = span > 0.0 ? (time_s - a->time_s) / span : 1.0;
    double turn = dpl_wrap_angle(b->pose.theta - a->pose.theta);
    return (struct dpl_pose2){a->pose.x + part * (b->pose.x - a->pose.x),
                              a->pose.y + part * (b->pose.y - a->pose.y),
                              dpl_wrap_angle(a->pose.theta + part * turn)};
}

bool dpl_nav_pose_history_at(const struct dpl_nav_pose_history *history, double time_s,
                             struct dpl_pose2 *ret_pose)
{
    if (history->count == 0) {
        return false;
    }
    if (time_s >= recent(history, 0)->time_s) {
        *ret_pose = recent(history, 0)->pose;
        return true;
    }
    for (size_t back = 1; back < history->count; back++) {
        if (time_s >= recent(history, back)->time_s) {
            *ret_pose = between(recent(history, back), recent(history, back - 1), time_s);
            return true;
        }
    }
    *ret_pose = recent(history, history->count - 1)->pose;
    return true;
}
