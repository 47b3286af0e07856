/* SPDX-License-Identifier: Apache-2.0 */
/* Tracking law for a differential drive: drives the pose error to zero around a reference speed.
 * Source: Kanayama et al., "A stable tracking control method for an autonomous mobile robot", ICRA
 * 1990, with the gains scheduled on the reference speed (Samson 1993) and bounded by the loop's
 * delay. */
#ifndef DPL_SYNC_CONTROL_LAW_H
#define DPL_SYNC_CONTROL_LAW_H

#include "doppel/math/geometry.h"
#include "motion_map.h"

/* What the law is told of the loop that it closes. */
struct dpl_sync_loop {
    double period_s;
    double max_velocity; /* of the robot that is followed, m/s: half of it is for corrections */
};

struct dpl_sync_tracking {
    struct dpl_pose2 error;      /* reference seen from the follower: ex, ey in m, et in rad */
    struct dpl_twist2 reference; /* speed to have, signed */
    struct dpl_sync_loop loop;
    double latency_s, lag_s; /* of the follower */
    double acceleration;     /* of its wheels, m/s^2; 0: not known */
    double doubt_m;          /* deviation of the error's position; 0: not known */
    bool checked; /* no outlier can be in the error: a large one is real, and needs haste */
};

/* Limits of a drive, m/s and rad/s, both positive. */
struct dpl_sync_limits {
    double linear, angular;
};

/* Motion the follower should make now. Finite for finite input. */
struct dpl_twist2 dpl_sync_control(const struct dpl_sync_tracking *tracking);

/* Command that makes a follower with this map and velocity bias move at `wanted`. */
struct dpl_twist2 dpl_sync_control_compensate(struct dpl_twist2 wanted, struct dpl_twist2 bias,
                                              const struct dpl_sync_map *map);

/* What wheels can follow within `horizon_s` from the speeds they have, the turn first: two wheels
 * that both accelerate as hard as they can do not turn as they are told. */
struct dpl_sync_wheels_now {
    double left, right, axle_m, acceleration; /* m/s, m/s, m, m/s^2 */
};
struct dpl_twist2 dpl_sync_control_allocate(struct dpl_twist2 command,
                                            const struct dpl_sync_wheels_now *wheels,
                                            double horizon_s);

/* Clamps each component; `ret_saturated` (may be NULL) tells whether anything was cut. */
struct dpl_twist2 dpl_sync_saturate(struct dpl_twist2 command, const struct dpl_sync_limits *limits,
                                    bool *ret_saturated);

/* Strategy `kanayama`: the tracking law on the raw measured poses. It knows nothing of either
 * drive, so nothing it could have learned wrongly can spoil it: the fallback of `adaptive`. */

/* Command for the avatar from the latest poses of both robots, in one frame, and the speed of the
 * real robot. `trust` in [0, 1] scales the error (1 fresh poses, 0 feed-forward only). */
struct dpl_twist2 dpl_sync_kanayama(struct dpl_pose2 real, struct dpl_pose2 avatar,
                                    struct dpl_twist2 reference, struct dpl_sync_loop loop,
                                    double trust);

/* Strategy `fig12`: the synchronization of the RILS paper, taken literally from the flow chart of
 * its figure 12, with the two things its text leaves open as options. It is the control that the
 * default strategy is compared with: its failures belong to it. */

/* How it is decided that the avatar is the faster one. */
enum dpl_sync_faster {
    DPL_SYNC_FASTER_AHEAD,     /* the avatar is ahead along its own heading */
    DPL_SYNC_FASTER_TRAVELLED, /* the avatar's path is longer */
    DPL_SYNC_FASTER_SPEED      /* the avatar's last step was faster */
};

struct dpl_sync_fig12_config {
    double velocity_step_m_s;
    bool accumulate; /* the corrected speed persists until the application command changes */
    enum dpl_sync_faster faster;
};

struct dpl_sync_fig12 {
    struct dpl_sync_fig12_config config;
    bool started;
    double pre_distance, speed;
    struct dpl_twist2 last_command;
    struct dpl_pose2 last_real, last_avatar;
    double real_path, avatar_path;
};

struct dpl_sync_fig12_drive {
    int n_drive; /* 1 or 2 */
    struct dpl_twist2 drive[2];
};

void dpl_sync_fig12_init(struct dpl_sync_fig12 *fig12, const struct dpl_sync_fig12_config *config);

/* One period. Poses in one frame, whatever their age; angles of rad are taken as speeds of rad/s,
 * as in the figure. */
struct dpl_sync_fig12_drive dpl_sync_fig12_step(struct dpl_sync_fig12 *fig12, struct dpl_pose2 real,
                                                struct dpl_pose2 avatar, struct dpl_twist2 command);

#endif
