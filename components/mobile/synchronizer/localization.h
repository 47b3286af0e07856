/* SPDX-License-Identifier: Apache-2.0 */
/* What a Localizer says of the real robot: where it stands in the avatar's world, how sure that is,
 * and how well the scan fits there and at the avatar. */
#ifndef DPL_SYNC_LOCALIZATION_H
#define DPL_SYNC_LOCALIZATION_H

#include <stdbool.h>
#include <stdint.h>

#include "doppel/math/geometry.h"

/* A message of the Localizer that is older says nothing of now. */
#define DPL_SYNC_LOCALIZATION_S 1.0

/* As in components/mobile/mobile.proto. */
enum dpl_sync_localizer_state {
    DPL_SYNC_LOCALIZER_INIT,
    DPL_SYNC_LOCALIZER_TRACKING,
    DPL_SYNC_LOCALIZER_DEGRADED,
    DPL_SYNC_LOCALIZER_COASTING,
    DPL_SYNC_LOCALIZER_AMBIGUOUS,
    DPL_SYNC_LOCALIZER_LOST,
    DPL_SYNC_LOCALIZER_MAP_WRONG
};

struct dpl_sync_localization {
    bool expected; /* there is a Localizer, though it may say nothing yet */
    bool valid;    /* it says something of now: the rest counts */
    enum dpl_sync_localizer_state state;
    struct dpl_pose2 correction; /* C: pose of the odometry's frame in the world */
    uint64_t relocations;
    double covariance[6]; /* of the robot's pose in the world: xx xy yy xt yt tt, m and rad */
    double doubt_m;       /* the robot may be so much elsewhere, 1 sigma, beyond it */
    double level_m;       /* it is farther from its pose once in 1000 times; counts while decided */
    double map_error_m;   /* the share of it that is not noise but the world's error */
    double scan_age_s;    /* since the newest scan that was used; NaN: none was */
    double agreement;     /* share of beams that fit at the robot's pose; 0: not known */
    double avatar_agreement; /* the same at the avatar's true pose; NaN: not known */
};

/* Deviations of the pose, m and rad. */
struct dpl_sync_sigma {
    double position, heading;
};

/* Why a message can be none: its numbers are not finite, its covariance is none (a variance or an
 * eigenvalue is negative), or its state is none of the above. A static text, such as "its heading
 * has a negative variance"; NULL: it can be one. Looks neither at `expected` nor at the scan's
 * fields. */
const char *dpl_sync_localization_flaw(const struct dpl_sync_localization *localization);

/* Whether the Localizer knows where the robot is: TRACKING or DEGRADED. In the other states its
 * pose is a guess. */
bool dpl_sync_localization_is_decided(const struct dpl_sync_localization *localization);

/* Largest deviation over all directions in the plane (square root of the larger eigenvalue), and of
 * the heading. */
struct dpl_sync_sigma dpl_sync_localization_sigma(const struct dpl_sync_localization *localization);

/* Noise of the pose, without the world's error, which is the same from pose to pose: at least
 * `floor`, and at most 20 mm and 1 degree. What is less certain than this is so for seconds, and
 * the odometry that carries it from pose to pose is not. */
struct dpl_sync_sigma dpl_sync_localization_noise(const struct dpl_sync_localization *localization,
                                                  struct dpl_sync_sigma floor);

#endif
