/* SPDX-License-Identifier: Apache-2.0 */
/* Detection of a stuck robot, and the way out. */
#include "recovery.h"

#define GOT_ON_M    0.20
#define STUCK_S     8.0
#define LEAVE_M     0.9
#define NO_WAY_M    0.25
#define REACHED_M   0.15
#define TIME_S      8.0
#define WEIGHT_TURN 0.2
#define CHANCE      0.3

void dpl_nav_recovery_init(struct dpl_nav_recovery *recovery, uint64_t seed)
{
    *recovery = (struct dpl_nav_recovery){.random = dpl_random_seeded(seed, 2)};
}

static void drop_anchor(struct dpl_nav_recovery *recovery, struct dpl_pose2 pose, double now_s)
{
    recovery->anchor = pose;
    recovery->anchor_s = now_s;
    recovery->anchored = true;
}

bool dpl_nav_recovery_is_stuck(struct dpl_nav_recovery *recovery, struct dpl_pose2 pose,
                               double now_s)
{
    if (!recovery->anchored || dpl_pose2_distance(pose, recovery->anchor) > GOT_ON_M) {
        drop_anchor(recovery, pose, now_s);
        recovery->attempts = 0;
        return false;
    }
    return now_s - recovery->anchor_s > STUCK_S;
}

void dpl_nav_recovery_begin(struct dpl_nav_recovery *recovery,
                            const struct dpl_nav_sectors *sectors, struct dpl_pose2 pose,
                            double now_s)
{
    double best = -HUGE_VAL, angle = 2.0 * DPL_PI / 3.0, length = NO_WAY_M;
    for (size_t i = 0; i < DPL_NAV_SECTORS; i++) {
        double candidate = dpl_nav_sector_angle(i), free_m = fmin(sectors->free_m[i], LEAVE_M);
        double chance = dpl_random_uniform(&recovery->random, 0.0, CHANCE);
        double score =
            free_m + WEIGHT_TURN * fabs(candidate) / DPL_PI + chance * (1.0 + recovery->attempts);
        if (free_m > NO_WAY_M && score > best) {
            best = score;
            angle = candidate;
            length = free_m;
        }
    }
    double heading = dpl_wrap_angle(pose.theta + angle);
    recovery->way_out =
        (struct dpl_pose2){pose.x + length * cos(heading), pose.y + length * sin(heading), heading};
    recovery->active = true;
    recovery->until_s = now_s + TIME_S;
    recovery->attempts += recovery->attempts < 8;
    drop_anchor(recovery, pose, now_s);
}

bool dpl_nav_recovery_step(struct dpl_nav_recovery *recovery, struct dpl_pose2 pose, double now_s)
{
    if (recovery->active &&
        (now_s >= recovery->until_s || dpl_pose2_distance(pose, recovery->way_out) < REACHED_M)) {
        recovery->active = false;
    }
    return recovery->active;
}

void dpl_nav_recovery_rest(struct dpl_nav_recovery *recovery)
{
    recovery->anchored = false;
}
