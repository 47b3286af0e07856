/* SPDX-License-Identifier: Apache-2.0 */
/* A joint with lag: see mock_joint.h. */
#include "mock_joint.h"

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
