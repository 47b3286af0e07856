/* SPDX-License-Identifier: Apache-2.0 */
/* Instants of beams, and poses between steps: see laser_sweep.h. */
#include "laser_sweep.h"

#include <math.h>

dpl_ns dpl__laser_beam_time(const struct dpl_sim_laser *laser, double scan_time, dpl_ns middle,
                            size_t beam)
{
    double beams_after = (double)beam - 0.5 * (double)dpl_sim_laser_beams(laser);
    return middle + (dpl_ns)llround(beams_after * scan_time * 1e9 / laser->steps);
}

struct dpl_pose2 dpl__laser_pose_at(const struct dpl__laser_sweep *sweep, dpl_ns now,
                                    struct dpl_pose2 pose, dpl_ns at)
{
    const struct dpl_pose2 *from = &sweep->from;
    if (now <= sweep->from_time || at >= now) {
        return pose;
    }
    double share = (double)(at - sweep->from_time) / (double)(now - sweep->from_time);
    share = share > 0.0 ? share : 0.0;
    return (struct dpl_pose2){
        from->x + share * (pose.x - from->x),
        from->y + share * (pose.y - from->y),
        from->theta + share * dpl_wrap_angle(pose.theta - from->theta),
    };
}
