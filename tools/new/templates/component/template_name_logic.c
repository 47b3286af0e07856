/* The way of a robot. */
#include "template_name_logic.h"

#include <math.h>

bool template_name_update(struct template_name_way *way, double least_m, struct dpl_pose2 pose,
                          double t_s)
{
    if (!way->started) {
        way->started = true;
        way->last = pose;
        way->last_t_s = t_s;
        return false;
    }
    double step_m = hypot(pose.x - way->last.x, pose.y - way->last.y);
    if (step_m < least_m || t_s <= way->last_t_s) {
        return false;
    }
    double speed_m_s = step_m / (t_s - way->last_t_s);
    way->way_m += step_m;
    way->fastest_m_s = fmax(way->fastest_m_s, speed_m_s);
    way->last = pose;
    way->last_t_s = t_s;
    return true;
}
