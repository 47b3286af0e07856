/* SPDX-License-Identifier: Apache-2.0 */
/* The last samples of odometry, and motion between two instants along them, by calibrated wheels.
 * A pose is moved back along what the wheels did, not by a mean velocity: that would make the time
 * offset of scans wrong by several milliseconds whenever the robot speeds up. */
#ifndef LOC_HISTORY_H
#define LOC_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/math/geometry.h>

#include "measurements.h"

#define LOC_HISTORY_SAMPLES       1024
#define LOC_HISTORY_EXTRAPOLATE_S 0.1
#define LOC_HISTORY_GAP_S         0.25 /* between samples: a gap */

/* What makes motion of travel: true over measured travel, and the true distance of the wheels. */
struct loc_wheels {
    double left, right, axle_m;
};

struct loc_history {
    struct localizer_odometry samples[LOC_HISTORY_SAMPLES]; /* a ring; travel without jumps */
    size_t next, n;
    struct localizer_odometry last;   /* as it came */
    double left_m, right_m, gyro_rad; /* what jumps have to be taken off */
    double period_s;                  /* usual, between samples; 0: not known */
};

/* Difference of two samples. `turn_rad` is the gyro's; has_gyro: at both ends. */
struct loc_travel {
    double left_m, right_m, turn_rad;
    bool has_gyro;
};

void loc_history_init(struct loc_history *history);

/* False: the sample is not finite, or not newer than the last; it is left out. A step that no wheel
 * makes (faster than 10 m/s) is taken off it and all later ones. Of samples that follow within 4 ms
 * the last is kept. */
bool loc_history_add(struct loc_history *history, const struct localizer_odometry *sample);

/* Stamps of the newest and the oldest sample; NAN: none. */
double loc_history_newest(const struct loc_history *history);
double loc_history_oldest(const struct loc_history *history);

/* Stamp of the first sample after `stamp_s`, or the newest stamp when there is none. */
double loc_history_after(const struct loc_history *history, double stamp_s);

/* Whether at an instant before the newest sample none came for so long (0.25 s and three usual
 * periods) that the way within that time is not known, only its sum. */
bool loc_history_is_in_gap(const struct loc_history *history, double at_s);

/* Travel from one instant to another, linear between samples. Before the oldest sample nothing has
 * moved; after the newest all goes on as it did last, for at most LOC_HISTORY_EXTRAPOLATE_S. */
struct loc_travel loc_history_travel(const struct loc_history *history, double from_s, double to_s);

/* Base at `to_s` in the frame of base at `from_s`; to_s may be the earlier one. Arcs between
 * samples. */
struct dpl_pose2 loc_history_move(const struct loc_history *history,
                                  const struct loc_wheels *wheels, double from_s, double to_s);

/* Velocity of base at an instant, from 10 ms before to 10 ms after. */
struct dpl_twist2 loc_history_twist(const struct loc_history *history,
                                    const struct loc_wheels *wheels, double at_s);

/* Motion of base on an arc, from travel of the wheels (Thrun, Burgard, Fox, Probabilistic Robotics,
 * 2005, section 5.4; the chord by its middle direction). */
struct dpl_pose2 loc_wheels_move(const struct loc_wheels *wheels, double left_m, double right_m);

#endif
