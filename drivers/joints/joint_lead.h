/* SPDX-License-Identifier: Apache-2.0 */
/* How a joint is led to a set-point by a driver whose drive follows at once: to a position with a
 * limited speed, to a speed with a limited acceleration. Pure. Units are those of the joint. */
#ifndef JOINTS_JOINT_LEAD_H
#define JOINTS_JOINT_LEAD_H

#include <doppel/drv/joints.h>

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
