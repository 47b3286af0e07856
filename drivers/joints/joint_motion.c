/* SPDX-License-Identifier: Apache-2.0 */
#include "joint_motion.h"

#include <math.h>

static double limited(double value, double limit)
{
    return fmin(fmax(value, -limit), limit);
}

/* The part of a distance that is gone in one step. */
static double gain(double lag_s, double period_s)
{
    return lag_s > 0.0 ? -expm1(-period_s / lag_s) : 1.0;
}

static void follow_position(struct mock_joint *joint, const struct mock_joint_properties *p,
                            double target, double period_s)
{
    double way = gain(p->lag_s, period_s) * (target - joint->position);
    way = limited(way, p->max_speed * period_s);
    joint->velocity = way / period_s;
    joint->position += way;
}

/* With the speed v(t) = target + (v - target) exp(-t / lag) the way is the integral of it. */
static void follow_velocity(struct mock_joint *joint, const struct mock_joint_properties *p,
                            double target, double period_s)
{
    double wanted = limited(target, p->max_speed);
    double before = limited(joint->velocity, p->max_speed);
    double fades = gain(p->lag_s, period_s);
    joint->position += wanted * period_s + (before - wanted) * p->lag_s * fades;
    joint->velocity = before + fades * (wanted - before);
}

void mock_joint_step(struct mock_joint *joint, const struct mock_joint_properties *properties,
                     enum dpl_joints_mode mode, double setpoint, double period_s)
{
    if (period_s <= 0.0) {
        return;
    }
    switch (mode) {
    case DPL_JOINTS_POSITION: follow_position(joint, properties, setpoint, period_s); break;
    case DPL_JOINTS_VELOCITY: follow_velocity(joint, properties, setpoint, period_s); break;
    case DPL_JOINTS_EFFORT:
        follow_velocity(joint, properties, setpoint / properties->friction, period_s);
        break;
    }
    joint->effort = mode == DPL_JOINTS_EFFORT ? setpoint : properties->friction * joint->velocity;
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
