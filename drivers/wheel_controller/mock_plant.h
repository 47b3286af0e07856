/* SPDX-License-Identifier: Apache-2.0 */
/* Mock plant: a differential-drive robot with faults, for tests and experiments. It is simulated in
 * steps of 1 ms, on demand, up to the requested time; the true pose is available for the last two
 * seconds. The same seed and the same calls give the same numbers, bit by bit. Pure: no allocation,
 * clock, input or output; the caller owns the state (about 70 kB). */
#ifndef DPL_MOCK_PLANT_H
#define DPL_MOCK_PLANT_H

#include "doppel/math/geometry.h"
#include "doppel/math/random.h"

#include <stdint.h>

/* stored true poses, one per millisecond; a power of two */
#define DPL_MOCK_HISTORY            2048
/* A measured pose is one from the history. */
#define DPL_MOCK_DELAY_MAX_S        1.5
#define DPL_MOCK_DELAY_JITTER_MAX_S 0.4
#define DPL_MOCK_COMMANDS           256 /* commands that have not acted yet; a power of two */

/* A time interval is empty when `to_s` is not after `from_s`. Properties of the driver have the
 * same names, with their units (WheelScaleLeft, LatencyMs ...). */
struct dpl_mock_plant_config {
    double wheel_diameter, axle_distance, maximum_velocity; /* nominal: m, m, m/s */
    double maximum_angular;                                 /* rad/s */
    double wheel_scale_left, wheel_scale_right, axle_scale; /* true over nominal */
    double latency_s, latency_jitter_s; /* of a command; plus U(0, jitter), in order */
    double lag_s;                       /* time constant of the motors */
    double acceleration;                /* m/s^2 of each wheel */
    double dead_band;                   /* m/s: a smaller wheel setpoint is zero */
    double slip_ratio;                  /* part of the forward speed that is lost */
    double slip_noise;   /* deviation of the slowly varying part, separate for each wheel */
    double slip_noise_s; /* its correlation time */
    double skid;         /* sideways speed over -v w, s */
    double slip_from_s, slip_to_s, slip_patch; /* slippery patch: more slip in this interval */
    double block_from_s, block_to_s;           /* the body cannot move */
    double jump_at_s;                          /* negative: never */
    double jump_x, jump_y, jump_theta;         /* added to the true pose, world frame */
    double pose_noise_m, pose_noise_rad;       /* deviations of a measured pose */
    double pose_delay_s, pose_delay_jitter_s;  /* age of a measured pose; plus U(0, jitter) */
    double pose_drop_rate;                     /* probability that a reading has no new pose */
    double stamp_bias_s;                       /* added to every stamp */
    double outage_from_s, outage_to_s;         /* readings have no new pose */
    struct dpl_pose2 start;
    uint64_t seed;
};

struct dpl_mock_pending {
    double at_s;
    struct dpl_twist2 command;
};

struct dpl_mock_wheels {
    double left, right;
};

/* Read-only outside mock_plant.c. */
struct dpl_mock_plant {
    struct dpl_mock_plant_config config;
    struct dpl_random latency_noise, slip_noise, pose_noise;
    int64_t step; /* whole milliseconds simulated */
    struct dpl_twist2 command;
    struct dpl_mock_pending pending[DPL_MOCK_COMMANDS];
    unsigned first_pending, n_pending;
    double last_effect_s;
    struct dpl_mock_wheels setpoint, speed, slip, travel; /* m/s, m/s, ratio, m at the rim */
    double lag_gain, slip_keep, slip_kick;
    struct dpl_twist2 twist; /* true */
    struct dpl_pose2 pose;   /* true, heading not wrapped */
    bool jumped, has_reading;
    struct dpl_pose2 reading;
    double reading_stamp_s;
    struct dpl_pose2 history[DPL_MOCK_HISTORY];
};

/* An ideal robot with the geometry of the RILS paper: no lag, latency, noise or fault. */
struct dpl_mock_plant_config dpl_mock_plant_config_default(void);

/* At rest at time 0, at the configured start. -EINVAL for a value that is not finite or not
 * physical (a scale, a time or a deviation below zero ...). */
int dpl_mock_plant_init(struct dpl_mock_plant *plant, const struct dpl_mock_plant_config *config);

/* Simulates up to `to_s`; earlier times have no effect. Cost: about 0.1 us per ms. */
void dpl_mock_plant_advance(struct dpl_mock_plant *plant, double to_s);

/* Velocity command in m/s and rad/s, clamped to the limits; acts after the latency. One that is not
 * finite is ignored. When DPL_MOCK_COMMANDS are waiting, the oldest acts at once. */
void dpl_mock_plant_command(struct dpl_mock_plant *plant, double now_s, double linear,
                            double angular);

/* True pose at `at_s`, interpolated, from the last two seconds (older: the oldest known). Simulates
 * up to `at_s` if it is in the future. The heading is wrapped. */
struct dpl_pose2 dpl_mock_plant_pose_at(struct dpl_mock_plant *plant, double at_s);

/* True pose and twist now, at the last simulated millisecond. */
struct dpl_pose2 dpl_mock_plant_true_pose(const struct dpl_mock_plant *plant);
struct dpl_twist2 dpl_mock_plant_true_twist(const struct dpl_mock_plant *plant);

/* Measured pose with its stamp: noisy, delayed; the last one again when the reading is dropped.
 * False (nothing written) before the first one. */
bool dpl_mock_plant_read(struct dpl_mock_plant *plant, double now_s, struct dpl_pose2 *ret_pose,
                         double *ret_stamp_s);

/* Angles of the wheels since the start, as measured by encoders, rad. */
struct dpl_mock_wheels dpl_mock_plant_encoders(const struct dpl_mock_plant *plant);

/* Moves the robot to a pose at `now_s`; wheels continue to turn, older poses do not change. */
void dpl_mock_plant_set_pose(struct dpl_mock_plant *plant, double now_s, struct dpl_pose2 pose);

#endif
