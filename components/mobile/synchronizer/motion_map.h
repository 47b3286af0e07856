/* SPDX-License-Identifier: Apache-2.0 */
/* Motion map: how the motion of a robot follows from the speed its command profile promises,
 * (v, w) = M (vm, wm), and its estimation by recursive least squares with exponential forgetting
 * over windows between two measured poses. */
#ifndef DPL_SYNC_MOTION_MAP_H
#define DPL_SYNC_MOTION_MAP_H

#include "doppel/math/geometry.h"

#include "row_error.h"

#include <stdbool.h>

struct dpl_sync_map {
    double m11, m12, m21, m22;
};

/* Physical reading of a map: scale of each wheel and of the axle against the nominal ones. */
struct dpl_sync_wheels {
    double scale_left, scale_right, axle_m;
};

/* Motion between two poses, measured and promised. Metres, radians, seconds. */
struct dpl_sync_window {
    double duration_s;
    double distance, turn;      /* measured: signed arc length, heading change */
    struct dpl_twist2 promised; /* integral of the command profile */
    bool steady;                /* the profile hardly changed in and shortly before the window */
    /* What `promised` would have more for a drive whose latency, whose lag is 1 s longer. */
    struct dpl_twist2 per_latency, per_lag;
};

struct dpl_sync_map_estimator {
    struct dpl_sync_map map;
    double position_noise, heading_noise;     /* standard deviation of one pose, m and rad */
    double row1[3], row2[3];                  /* {p11, p12, p22} of the two rows, for their gains */
    struct dpl_sync_row_error error1, error2; /* how far the rows may be off */
    struct dpl_sync_slowness slowness;        /* and the drive from the candidate that is chosen */
    struct dpl_sync_window pending; /* learned when the window after it is without contact */
    bool has_pending, after_contact;
    bool joined; /* the pending window begins where the last one that was learned ended */
};

/* How well a map is known. A coefficient that the motion says nothing about (m11 of a robot that
 * only turns) keeps a value, but that is no finding. */
struct dpl_sync_map_certainty {
    /* Standard deviations, in the units of the coefficients. What is not known has that of a noise
     * that is assumed; so has everything in the first seconds of motion. */
    struct dpl_sync_map sigma;
    bool m11, m12, m21, m22; /* the coefficient is known */
    bool clamped; /* a known one is at the end of its range: the true one may lie beyond */
};

extern const struct dpl_sync_map dpl_sync_map_identity;

struct dpl_twist2 dpl_sync_map_apply(const struct dpl_sync_map *map, struct dpl_twist2 twist);

/* The twist that the map turns into `twist`; false (and nothing written) when |det| < 0.3. */
bool dpl_sync_map_invert(const struct dpl_sync_map *map, struct dpl_twist2 twist,
                         struct dpl_twist2 *ret_twist);

/* Wheel scales and effective axle for a nominal axle in m; a map without turn gain gives 0 axle. */
struct dpl_sync_wheels dpl_sync_map_wheels(const struct dpl_sync_map *map, double axle_m);

/* Signed arc length (m) in `linear` and heading change (rad) in `angular` from one pose to another,
 * for a motion of constant curvature with less than half a turn. */
struct dpl_twist2 dpl_sync_arc_between(struct dpl_pose2 from, struct dpl_pose2 to);

/* Starts from `map`, normally the identity or a saved calibration. */
void dpl_sync_map_estimator_init(struct dpl_sync_map_estimator *estimator,
                                 const struct dpl_sync_map *map, double position_noise,
                                 double heading_noise);

enum dpl_sync_learning {
    DPL_SYNC_LEARNED,
    DPL_SYNC_NOT_INFORMATIVE, /* hardly any motion, or a profile that was not steady */
    DPL_SYNC_CONTACT          /* far from the model: contact, or slip */
};

/* Takes one window. It is learned from when the next one comes: a contact that begins or ends
 * within a window looks like a scale, and is known only by its neighbour. The verdict is on
 * `window`. */
enum dpl_sync_learning dpl_sync_map_estimator_update(struct dpl_sync_map_estimator *estimator,
                                                     const struct dpl_sync_window *window);

struct dpl_sync_map_certainty
dpl_sync_map_certainty(const struct dpl_sync_map_estimator *estimator);

/* Forgets the window that waits: what follows does not continue it. */
void dpl_sync_map_estimator_interrupt(struct dpl_sync_map_estimator *estimator);

/* Velocity of a robot from its measured poses alone: the reference when nobody commands the robot
 * (it is pushed, or a recording is played) and no model may be used. */
struct dpl_sync_measured_twist {
    bool started;
    struct dpl_pose2 last;
    double stamp_s;
    struct dpl_twist2 twist;
};

/* Takes a finite pose; one that is not newer than the last is ignored. The velocity is the signed
 * arc between consecutive poses through a first-order low-pass of 0.1 s. */
void dpl_sync_measured_twist_update(struct dpl_sync_measured_twist *measured, struct dpl_pose2 pose,
                                    double stamp_s);

#endif
