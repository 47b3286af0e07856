/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two moving poses: errors of position and orientation with their statistics, and the lag
 * of the second behind the first. The lag is estimated from a bank of candidates, as in the
 * Synchronizer: the candidate is chosen whose delayed first pose matches the second best; a
 * parabola through its neighbours refines it. The motions over some samples are compared, so that a
 * constant offset between the poses does not affect the lag. Pure logic; no allocation. Poses: x y
 * z m, roll pitch yaw rad, R = Rz(yaw) Ry(pitch) Rx(roll). */
#ifndef POSE_MONITOR_POSE_METRICS_H
#define POSE_MONITOR_POSE_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/math/six.h>

#define POSE_LAGS 24 /* candidates on each side of zero lag, in samples */
#define POSE_SPAN 24 /* samples over which motion is compared */
#define POSE_BANK (2 * POSE_LAGS + 1)
#define POSE_RING (POSE_BANK + POSE_SPAN)

struct pose_error {
    double position_m;      /* distance of the two origins */
    double orientation_rad; /* angle of the rotation from the first to the second */
};

struct pose_statistics {
    uint64_t n;
    double position_m2, orientation_rad2; /* sums of squares */
    struct pose_error most;
};

/* Candidates for lags of -POSE_LAGS to POSE_LAGS samples. */
struct pose_lag {
    double length_m;                  /* weight of angles: length that counts as a radian */
    double first[POSE_RING][DPL_SIX]; /* rings of the newest poses */
    double second[POSE_RING][DPL_SIX];
    uint64_t n; /* consecutive samples */
    double cost_m2[POSE_BANK];
    double motion_m2; /* of the second pose, squares */
};

/* The error of `second` against `first`. */
struct pose_error pose_error_of(const double first[DPL_SIX], const double second[DPL_SIX]);

void pose_statistics_add(struct pose_statistics *statistics, const struct pose_error *error);

/* Root mean squares; zeros before the first error. */
struct pose_error pose_statistics_rms(const struct pose_statistics *statistics);

void pose_lag_init(struct pose_lag *lag, double length_m);

/* Deletes the samples but keeps the sums: after a gap. */
void pose_lag_break(struct pose_lag *lag);

/* Adds a sample of both poses, one period after the sample before. */
void pose_lag_add(struct pose_lag *lag, const double first[DPL_SIX], const double second[DPL_SIX]);

/* The lag of the second pose in samples (negative: it leads). False: the motion was too small, or
 * the lag is larger than all candidates. */
bool pose_lag_estimate(const struct pose_lag *lag, double *ret_samples);

#endif
