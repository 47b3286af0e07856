/* SPDX-License-Identifier: Apache-2.0 */
/* How well one moving pose stands for another: errors of position and orientation with their
 * statistics, and how much the second lags behind the first. The lag comes, as the Synchronizer's,
 * from a bank of candidates: the one whose delayed first pose explains the second best, here
 * refined by a parabola through its neighbours. What is compared is how the poses moved over some
 * samples, so that a constant distance between them says nothing about a lag. Pure logic; no
 * allocation. Poses: x y z m, roll pitch yaw rad, R = Rz(yaw) Ry(pitch) Rx(roll). */
#ifndef POSE_MONITOR_POSE_METRICS_H
#define POSE_MONITOR_POSE_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#define POSE_LAGS 24 /* candidates on each side of no lag, in samples */
#define POSE_SPAN 24 /* samples over which motion is compared */
#define POSE_BANK (2 * POSE_LAGS + 1)
#define POSE_RING (POSE_BANK + POSE_SPAN)

struct pose_error {
    double position_m;      /* distance of the two origins */
    double orientation_rad; /* angle of the one rotation that turns the first into the second */
};

struct pose_statistics {
    uint64_t n;
    double position_m2, orientation_rad2; /* sums of squares */
    struct pose_error most;
};

/* A bank over lags of -POSE_LAGS to POSE_LAGS samples. */
struct pose_lag {
    double length_m;            /* a radian counts as this much */
    double first[POSE_RING][6]; /* rings of the newest poses */
    double second[POSE_RING][6];
    uint64_t n; /* samples in a row */
    double cost_m2[POSE_BANK];
    double motion_m2; /* of the second pose, squares */
};

/* The error of `second` against `first`. */
struct pose_error pose_error_of(const double first[6], const double second[6]);

void pose_statistics_add(struct pose_statistics *statistics, const struct pose_error *error);

/* Root mean squares; zeros before the first error. */
struct pose_error pose_statistics_rms(const struct pose_statistics *statistics);

void pose_lag_init(struct pose_lag *lag, double length_m);

/* Forgets the samples but not the evidence: after a gap. */
void pose_lag_break(struct pose_lag *lag);

/* A sample of both, each a period after the one before. */
void pose_lag_add(struct pose_lag *lag, const double first[6], const double second[6]);

/* By how many samples the second pose lags (negative: leads). False: there was too little motion to
 * tell, or the lag is beyond the bank. */
bool pose_lag_estimate(const struct pose_lag *lag, double *ret_samples);

#endif
