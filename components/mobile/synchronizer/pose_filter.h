/* SPDX-License-Identifier: Apache-2.0 */
/* Pose filter: an extended Kalman filter over pose and velocity bias, (x, y, theta, dv, dw), whose
 * motion comes from the command profile through the motion map. Its state stands at the time
 * stamp of the last pose; any later time is predicted from there. */
#ifndef DPL_SYNC_POSE_FILTER_H
#define DPL_SYNC_POSE_FILTER_H

#include "localization.h"
#include "motion_map.h"
#include "outlier_gate.h"
#include "profile_model.h"

enum dpl_sync_fix {
    DPL_SYNC_FIX_USED,
    DPL_SYNC_FIX_OUTLIER,  /* did not fit at all; left out */
    DPL_SYNC_FIX_RESTARTED /* the filter started, or started again, from this pose */
};

/* Everything the filter needs to know about the robot's motion; borrowed for one call. */
struct dpl_sync_motion_model {
    const struct dpl_sync_profile *profile;
    const struct dpl_sync_map *map;
    int lag;
};

/* How the velocity bias moves: with a command it is a small error that fades; of a robot that is
 * held back it is what the command promises, for as long as that lasts; without a command it is the
 * whole velocity. The last two must not fade. */
struct dpl_sync_bias_model {
    double fade_s;
    double linear_density, angular_density; /* process noise, (m/s)^2/s and (rad/s)^2/s */
    double max_linear, max_angular;
};

extern const struct dpl_sync_bias_model dpl_sync_bias_commanded, dpl_sync_bias_held_back,
    dpl_sync_bias_measured;

struct dpl_sync_filter {
    bool started;
    double time_s;
    struct dpl_pose2 pose;
    struct dpl_twist2 bias;
    double p[5][5];
    double position_variance, heading_variance;
    double nis, nis_average; /* normalised innovation squared, 3 degrees of freedom */
    double speed;            /* promised, at the time of the state, m/s */
    struct dpl_sync_outlier_gate gate;
};

struct dpl_sync_estimate {
    struct dpl_pose2 pose;
    struct dpl_twist2 twist, bias;
};

/* Noise of one measured pose: standard deviations in m and rad, with floors of 0.3 mm and
 * 0.0005 rad so that the filter never trusts a pose blindly. */
void dpl_sync_filter_init(struct dpl_sync_filter *filter, double position_noise,
                          double heading_noise);

/* Puts the pose at `time_s` without touching the velocity bias (start, teleport, jump). */
void dpl_sync_filter_reset(struct dpl_sync_filter *filter, struct dpl_pose2 pose, double time_s);

/* Moves mean and covariance to a later time; nothing happens for an earlier one. */
void dpl_sync_filter_advance(struct dpl_sync_filter *filter,
                             const struct dpl_sync_motion_model *model,
                             const struct dpl_sync_bias_model *bias, double to_s);

/* Takes a finite pose measured at the filter's present time. */
enum dpl_sync_fix dpl_sync_filter_update(struct dpl_sync_filter *filter, struct dpl_pose2 pose,
                                         const struct dpl_sync_bias_model *bias, double elapsed_s);

/* Standard deviation of the position along one axis, m, at the time of the state. */
double dpl_sync_filter_position_sigma(const struct dpl_sync_filter *filter);

/* How much less certain the pose is at a time not before the state's: deviations of the position,
 * as far as it is off in any direction (m), and of the heading (rad). *ret_pose: where it is then.
 * Changes nothing. */
struct dpl_sync_sigma dpl_sync_filter_growth(const struct dpl_sync_filter *filter,
                                             const struct dpl_sync_motion_model *model,
                                             const struct dpl_sync_bias_model *bias, double to_s,
                                             struct dpl_pose2 *ret_pose);

/* Estimate at a time not before the state's; changes nothing. */
struct dpl_sync_estimate dpl_sync_filter_predict(const struct dpl_sync_filter *filter,
                                                 const struct dpl_sync_motion_model *model,
                                                 const struct dpl_sync_bias_model *bias,
                                                 double to_s);

#endif
