/* SPDX-License-Identifier: Apache-2.0 */
/* Forward kinematics of a moving platform: past poses give the start of each solve. */
#include "hexa_fk.h"

#include <string.h>

void dpl_hexa_tracker_init(struct dpl_hexa_tracker *tracker,
                           const struct dpl_hexa_geometry *geometry)
{
    *tracker = (struct dpl_hexa_tracker){.geometry = geometry,
                                         .options = dpl_hexa_fk_defaults,
                                         .solver = dpl_hexa_fk_newton,
                                         .extrapolate = true};
    dpl_hexa_tracker_restart(tracker, geometry->home);
}

void dpl_hexa_tracker_restart(struct dpl_hexa_tracker *tracker, const double *pose)
{
    memcpy(tracker->last, pose, sizeof tracker->last);
    memcpy(tracker->before, pose, sizeof tracker->before);
    tracker->following = false;
}

int dpl_hexa_tracker_step(struct dpl_hexa_tracker *tracker, const double *q_m, double *ret_pose)
{
    double pose[DPL_SIX];
    for (int j = 0; j < DPL_SIX; j++) {
        double moved = tracker->extrapolate ? tracker->last[j] - tracker->before[j] : 0.0;
        pose[j] = tracker->last[j] + moved;
    }
    int error = tracker->solver(tracker->geometry, &tracker->options, q_m, pose, &tracker->report);
    if (error) {
        dpl_hexa_tracker_restart(tracker, tracker->last);
        return error;
    }
    /* The difference between the restart pose and the first result is not a motion. */
    memcpy(tracker->before, tracker->following ? tracker->last : pose, sizeof tracker->before);
    memcpy(tracker->last, pose, sizeof tracker->last);
    memcpy(ret_pose, pose, sizeof tracker->last);
    tracker->following = true;
    return 0;
}
