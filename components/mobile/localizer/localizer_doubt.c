/* SPDX-License-Identifier: Apache-2.0 */
/* What no covariance of the filter says: two explanations of the same scans, of which it follows
 * one. */
#include "localizer_parts.h"

/* Of an error that is either 0 or so large, as likely the one as the other. */
#define EITHER 0.7071067811865476

/* Ranges that are too long in proportion may be the laser's scale, which the filter takes them for,
 * or a room that is larger than its plan. Then the robot is further from the plan's origin. */
static double by_scale(const struct localizer *l, struct dpl_pose2 pose)
{
    const struct loc_filter *filter = &l->track.filter;
    double variance = filter->p[LOC_STATE_SCALE][LOC_STATE_SCALE];
    double off = filter->x[LOC_STATE_SCALE] - l->config.initial[LOCALIZER_RANGE_SCALE];
    if (!(variance > 0.0)) { /* given as exact */
        return 0.0;
    }
    return EITHER * sqrt(fmax(off * off - variance, 0.0)) * hypot(pose.x, pose.y);
}

/* One window of headings says that the scans are later than they are taken for; a second one will
 * tell. */
static double by_delay(const struct localizer *l, double at_s)
{
    struct loc_wheels wheels = loc_filter_wheels(&l->track.filter);
    struct dpl_twist2 twist = loc_history_twist(&l->history, &wheels, at_s);
    double late_s = l->config.diagnose ? l->diagnosis.maybe_late_s : 0.0;
    return EITHER * fabs(late_s * twist.linear);
}

double localizer__doubt(const struct localizer *l, struct dpl_pose2 pose, double at_s)
{
    return hypot(by_scale(l, pose), by_delay(l, at_s));
}
