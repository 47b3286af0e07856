/* SPDX-License-Identifier: Apache-2.0 */
/* Velocity from poses. */
#include "measured_twist.h"

#include "motion_map.h"

#define SMOOTHING_S 0.1
#define MAX_GAP_S   0.5

void dpl_sync_measured_twist_update(struct dpl_sync_measured_twist *measured, struct dpl_pose2 pose,
                                    double stamp_s)
{
    double dt = stamp_s - measured->stamp_s;
    if (measured->started && dt <= 0.0) {
        return;
    }
    if (measured->started && dt <= MAX_GAP_S) {
        struct dpl_twist2 arc = dpl_sync_arc_between(measured->last, pose);
        double gain = 1.0 - exp(-dt / SMOOTHING_S);
        measured->twist.linear += gain * (arc.linear / dt - measured->twist.linear);
        measured->twist.angular += gain * (arc.angular / dt - measured->twist.angular);
    } else {
        measured->twist = (struct dpl_twist2){0.0, 0.0};
    }
    measured->started = true;
    measured->last = pose;
    measured->stamp_s = stamp_s;
}
