/* SPDX-License-Identifier: Apache-2.0 */
/* Notices that the robot does not get on, and finds a way out of a dead end. */
#ifndef DPL_NAV_RECOVERY_H
#define DPL_NAV_RECOVERY_H

#include <doppel/math/random.h>

#include "sectors.h"

struct dpl_nav_recovery {
    struct dpl_random random;
    struct dpl_pose2 anchor; /* where the robot was when it last got on */
    double anchor_s;
    bool anchored;
    bool active;
    struct dpl_pose2 way_out; /* goal of the recovery, in the frame of the poses */
    double until_s;
    unsigned attempts; /* in a row, without getting on */
};

void dpl_nav_recovery_init(struct dpl_nav_recovery *recovery, uint64_t seed);

/* True if the robot has been at the same place for too long. */
bool dpl_nav_recovery_is_stuck(struct dpl_nav_recovery *recovery, struct dpl_pose2 pose,
                               double now_s);

/* Begins to leave the place: by the widest way there is, less likely the one it looks at; with no
 * way at all it turns a third of a turn to see more. */
void dpl_nav_recovery_begin(struct dpl_nav_recovery *recovery,
                            const struct dpl_nav_sectors *sectors, struct dpl_pose2 pose,
                            double now_s);

/* Ends the recovery when the way out is reached or its time is over; true while it lasts. */
bool dpl_nav_recovery_step(struct dpl_nav_recovery *recovery, struct dpl_pose2 pose, double now_s);

/* The robot stands by order: that is not being stuck. */
void dpl_nav_recovery_rest(struct dpl_nav_recovery *recovery);

#endif
