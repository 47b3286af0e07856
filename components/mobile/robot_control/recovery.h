/* SPDX-License-Identifier: Apache-2.0 */
/* Detects that the robot makes no progress, and finds a way out of a dead end. */
#ifndef DPL_NAV_RECOVERY_H
#define DPL_NAV_RECOVERY_H

#include <doppel/math/random.h>

#include "sectors.h"

struct dpl_nav_recovery {
    struct dpl_random random;
    struct dpl_pose2 anchor; /* pose of the robot at its last progress */
    double anchor_s;
    bool anchored;
    bool active;
    struct dpl_pose2 way_out; /* goal of the recovery, in the frame of the poses */
    double until_s;
    unsigned attempts; /* consecutive, without progress */
};

void dpl_nav_recovery_init(struct dpl_nav_recovery *recovery, uint64_t seed);

/* True if the robot has been at the same place for too long. */
bool dpl_nav_recovery_is_stuck(struct dpl_nav_recovery *recovery, struct dpl_pose2 pose,
                               double now_s);

/* Begins to leave the place in the widest free direction; the direction ahead has a lower weight.
 * With no free direction, the robot turns by a third of a turn to see more. */
void dpl_nav_recovery_begin(struct dpl_nav_recovery *recovery,
                            const struct dpl_nav_sectors *sectors, struct dpl_pose2 pose,
                            double now_s);

/* Ends the recovery when the way out is reached or its time is over; true while the recovery
 * continues. */
bool dpl_nav_recovery_step(struct dpl_nav_recovery *recovery, struct dpl_pose2 pose, double now_s);

/* The robot stands by command: this does not count as stuck. */
void dpl_nav_recovery_rest(struct dpl_nav_recovery *recovery);

#endif
