/* SPDX-License-Identifier: Apache-2.0 */
/* Velocity of a robot from its measured poses alone: the reference when nobody commands the robot
 * (it is pushed, or a recording is played) and no model may be used. */
#ifndef DPL_SYNC_MEASURED_TWIST_H
#define DPL_SYNC_MEASURED_TWIST_H

#include "doppel/math/geometry.h"

struct dpl_sync_measured_twist {
    bool started;
    struct dpl_pose2 last;
    double stamp_s;
    struct dpl_twist2 twist;
};

/* Takes a finite pose; one that is not newer than the last is ignored. The velocity is the signed
 * arc between consecutive poses through a first-order low-pass of 0.1 s. */
void dpl_sync_measured_twist_update(struct dpl_sync_measured_twist *measured, struct dpl_pose2 pose,
                                    double stamp_s);

#endif
