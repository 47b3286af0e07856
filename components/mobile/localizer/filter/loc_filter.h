/* SPDX-License-Identifier: Apache-2.0 */
/* Extended Kalman filter over the pose of base and the calibration: x y theta, then the parameters
 * in the order of enum localizer_parameter, scales as logarithms of true over nominal. The state
 * stands at an instant on odometry's clock. A scan updates it in the information form, so that a
 * direction that the scan does not show costs nothing. */
#ifndef LOC_FILTER_H
#define LOC_FILTER_H

#include <stdbool.h>

#include "loc_history.h"
#include "loc_match.h"
#include "parameters.h"

enum {
    LOC_STATE_X,
    LOC_STATE_Y,
    LOC_STATE_THETA,
    LOC_STATE_PARAMETERS,
    LOC_STATE_LEFT = LOC_STATE_PARAMETERS + LOCALIZER_SCALE_LEFT,
    LOC_STATE_RIGHT = LOC_STATE_PARAMETERS + LOCALIZER_SCALE_RIGHT,
    LOC_STATE_AXLE = LOC_STATE_PARAMETERS + LOCALIZER_AXLE_SCALE,
    LOC_STATE_OFFSET = LOC_STATE_PARAMETERS + LOCALIZER_TIME_OFFSET,
    LOC_STATE_MOUNT_X = LOC_STATE_PARAMETERS + LOCALIZER_MOUNT_X,
    LOC_STATE_MOUNT_Y = LOC_STATE_PARAMETERS + LOCALIZER_MOUNT_Y,
    LOC_STATE_MOUNT_YAW = LOC_STATE_PARAMETERS + LOCALIZER_MOUNT_YAW,
    LOC_STATE_BIAS = LOC_STATE_PARAMETERS + LOCALIZER_RANGE_BIAS,
    LOC_STATE_SCALE = LOC_STATE_PARAMETERS + LOCALIZER_RANGE_SCALE,
    LOC_STATES = LOC_STATE_PARAMETERS + LOCALIZER_N_PARAMETERS
};

struct loc_filter {
    double time_s; /* NAN: none yet */
    double x[LOC_STATES], p[LOC_STATES][LOC_STATES];
    double axle_m;      /* nominal */
    double wheel_noise; /* m^2 per m of a wheel's travel */
    bool drifts;        /* parameters do a random walk */
    /* The pose's rows of the transition since loc_filter_begin_way; of a filter that identifies. */
    bool has_way;
    double way[LOC_STATE_PARAMETERS][LOC_STATES];
    /* Velocity over ground that the wheels do not tell, forward and to the left of base, and where
     * there is no gyro its turn rate: of a robot that slips or is pushed, or of wheels that lie. It
     * holds until unsaid_until_s, on odometry's clock. */
    double unsaid_m_s[2], unsaid_rad_s, unsaid_until_s;
};

struct loc_moment {
    struct dpl_pose2 pose;
    double covariance[3][3];
};

/* What a start looks like; the fields of struct localizer_config. */
struct loc_start {
    double axle_m, odometry_noise;
    enum localizer_calibrate calibrate;
    struct dpl_pose2 pose;
    double sigma_m, sigma_rad;
    double initial[LOCALIZER_N_PARAMETERS], initial_sigma[LOCALIZER_N_PARAMETERS];
};

void loc_filter_init(struct loc_filter *filter, const struct loc_start *start);

/* Puts the pose, uncorrelated with the parameters. */
void loc_filter_place(struct loc_filter *filter, struct dpl_pose2 pose, double sigma_m,
                      double sigma_rad);

/* Keeps the pose, with these deviations, and takes all parameters from another filter. */
void loc_filter_forget(struct loc_filter *filter, const struct loc_filter *parameters,
                       double sigma_m, double sigma_rad);

struct dpl_pose2 loc_filter_pose(const struct loc_filter *filter);
struct loc_wheels loc_filter_wheels(const struct loc_filter *filter);

/* The laser in base, and in the plan with base at `base`. */
struct dpl_pose2 loc_filter_mount(const struct loc_filter *filter, struct dpl_pose2 nominal);
struct loc_laser loc_filter_laser(const struct loc_filter *filter, struct dpl_pose2 base,
                                  struct dpl_pose2 nominal);

/* How the way is known without scans. */
struct loc_motion {
    const struct loc_history *history;
    bool by_gyro; /* turns from the gyro where there is one */
    /* With by_gyro: whose encoder lies, -1 left, 1 right; 0: none. Where there is a gyro, the other
     * wheel and the turn tell its way. */
    int lying;
};

/* Moves the state to a later instant along odometry, at most to its newest sample; an earlier one
 * changes nothing. The first call sets the instant. */
void loc_filter_advance(struct loc_filter *filter, const struct loc_motion *motion, double to_s);

/* From here on the way is the identity. */
void loc_filter_begin_way(struct loc_filter *filter);

/* ---- a scan ---- */

struct loc_observation {
    struct loc_match *match;
    struct loc_scan *scan;
    const struct loc_history *history;
    double revolution_s, correlation;
    size_t every;
    bool pose_alone;   /* the parameters keep their values and variances (Schmidt, 1966): the pose
                        * stays correlated with them, so that later scans do not take it for a
                        * measurement of its own */
    bool looks_behind; /* loc_match_behind is wanted */
    bool looks_alone;  /* what the scan alone says far from the guess is wanted */
};

/* What the wheels do not tell turns the robot by this much for each metre that it moves it. */
#define LOC_UNSAID_RAD_M 0.26

/* The laser by a scan alone, without a prediction. */
struct loc_alone {
    struct dpl_pose2 pose;
    struct loc_information information; /* there; of the whole scan, as that of an update */
    bool unobservable;
    double unobservable_rad;
};

/* An update as a linear one: the new state is keep times the old one, plus by_b times b of the
 * scan's information as it was used. */
struct loc_change {
    double keep[LOC_STATES][LOC_STATES];
    double by_b[LOC_STATES][LOC_DIMS];
};

struct loc_update {
    bool used;              /* false: too few beams; the filter is unchanged */
    struct loc_laser laser; /* of the newest casts */
    struct loc_judgement judgement;
    double behind;                      /* loc_match_behind; 0 where it was not wanted */
    struct loc_information information; /* of the whole scan: undivided, nothing projected out */
    double map_ratio; /* of the plan's error as it is told to the one that `information` has */
    double nis;
    double
        usual_nis; /* the same for comparison with limits: these were chosen for scans that count
                    * as 1 / LOCALIZER_USUAL_CORRELATION; scans that count more have a larger NIS */
    double surprise[3]; /* laser's pose by this scan alone minus the predicted one */
    double unsaid_m; /* deviation that the prediction would have to have, beyond what it says, for
                      * the scan to be no surprise; 0: it is none. Turns: times LOC_UNSAID_RAD_M */
    bool unobservable;
    double unobservable_rad;
    struct loc_alone alone;
    struct loc_change change;
    double correlation; /* b was divided by this */
};

/* Uses a scan; the state stands at its stamp, or at the newest odometry before. Iterated update
 * (Bell and Cathey, The iterated Kalman filter update as a Gauss-Newton method, 1993) in the form
 * dx = P J' (I + A J P J')^-1 (b + A J (x - x0)). */
void loc_filter_update(struct loc_filter *filter, const struct loc_observation *observation,
                       struct loc_update *ret_update);

/* Times what errors of the plan make of a covariance: offsets that are fitted look smaller. */
#define LOC_MAP_SHARE 2.25

/* Covariance of the pose as it is published: that of the filter, and what errors of the plan make
 * of one scan, since they do not become less with more scans. */
void loc_filter_moment(const struct loc_filter *filter, const struct loc_update *update,
                       struct loc_moment *ret_moment);

#endif
