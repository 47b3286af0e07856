/* SPDX-License-Identifier: Apache-2.0 */
/* Leading of a joint: see joint_lead.h. */
#include "joint_lead.h"

#include <math.h>

static double limited(double value, double limit)
{
    return fmin(fmax(value, -limit), limit);
}

struct joint_lead joint_lead_step(const struct joint_lead *from,
                                  const struct joint_lead_limits *limits, enum dpl_joints_mode mode,
                                  double setpoint, double period_s)
{
    double velocity;
    if (mode == DPL_JOINTS_POSITION) {
        double way = setpoint - from->position;
        if (fabs(way) <= limits->speed * period_s) { /* exactly there */
            return (struct joint_lead){setpoint, way / period_s};
        }
        velocity = copysign(limits->speed, way);
    } else {
        double change = limited(setpoint, limits->speed) - from->velocity;
        velocity = from->velocity + limited(change, limits->acceleration * period_s);
    }
    return (struct joint_lead){from->position + velocity * period_s, velocity};
}
