/* SPDX-License-Identifier: Apache-2.0 */
/* The velocity of a base that an operator drives: limits of speed and acceleration. Pure logic. */
#ifndef TELEOP_VELOCITY_H
#define TELEOP_VELOCITY_H

#include <stdbool.h>

#include <doppel/math/geometry.h>

struct teleop_limits {
    double linear_m_s, angular_rad_s;
    double linear_m_s2, angular_rad_s2;
};

struct teleop_wish {
    bool held;            /* the dead-man's switch */
    double forward, turn; /* -1 to 1; values beyond count as these */
    double share;         /* of the largest speeds, 0 to 1 */
};

/* The velocity after `dt_s`. Without the dead-man's switch it is zero at once: the base then stops
 * with its own deceleration. */
struct dpl_twist2 teleop_velocity(const struct teleop_limits *limits, struct dpl_twist2 before,
                                  const struct teleop_wish *wish, double dt_s);

#endif
