/* SPDX-License-Identifier: Apache-2.0 */
/* How a joint moves to its set-point: the joint of the mock, and one whose drive follows at once.
 * Pure. Units are those of the joint: rad or m, rad/s or m/s, N m or N. */
#ifndef JOINTS_JOINT_MOTION_H
#define JOINTS_JOINT_MOTION_H

#include <doppel/drv/joints.h>

struct mock_joint_properties {
    double lag_s;     /* time constant of position and velocity; 0: none */
    double max_speed; /* above 0 */
    double friction;  /* effort per speed, above 0 */
};

/* A joint without a world: a drive with a first-order lag and a limit of speed, against viscous
 * friction. */
struct mock_joint {
    double position, velocity, effort;
};

/* One step of `period_s` (0 or more) towards a setpoint, exact for a constant one below the limit
 * of speed. `velocity` is afterwards that of the end of the step; of mode POSITION the mean one. An
 * effort moves the joint as fast as friction allows. */
void mock_joint_step(struct mock_joint *joint, const struct mock_joint_properties *properties,
                     enum dpl_joints_mode mode, double setpoint, double period_s);

/* How a joint is led to a set-point by a driver whose drive follows at once: to a position with a
 * limited speed, to a speed with a limited acceleration. */
struct joint_lead {
    double position, velocity;
};

struct joint_lead_limits {
    double speed, acceleration; /* above 0 */
};

/* Where it shall be after `period_s` (above 0), and its mean speed until then. `mode` POSITION or
 * VELOCITY. */
struct joint_lead joint_lead_step(const struct joint_lead *from,
                                  const struct joint_lead_limits *limits, enum dpl_joints_mode mode,
                                  double setpoint, double period_s);

#endif
