/* SPDX-License-Identifier: Apache-2.0 */
/* Fidelity: whether the avatar stands for the robot. Without a Localizer only the tracking of the
 * measured pose is known, and this is no fidelity: an odometry that drifts takes the avatar with
 * it. With one, the index is the product of three parts: tracking of the localized pose, how
 * certain that pose is, and whether the robot's scan fits at the avatar's pose as well as there. */
#ifndef DPL_SYNC_FIDELITY_H
#define DPL_SYNC_FIDELITY_H

#include "localization.h"

#define DPL_SYNC_SCAN_S  0.35 /* an older scan is a missing one */
#define DPL_SYNC_HELD_S  1.0  /* its agreement then counts for this long */
#define DPL_SYNC_BEGIN_S 1.0  /* a Localizer that has used no scan by then knows nothing */

/* The part that takes most from the index, or from the tracking where there is no index. */
enum dpl_sync_fidelity_cause {
    DPL_SYNC_CAUSE_NONE,     /* nothing takes more than 1 % */
    DPL_SYNC_CAUSE_DISTANCE, /* of the avatar from the pose of the robot */
    DPL_SYNC_CAUSE_HEADING,  /* likewise */
    DPL_SYNC_CAUSE_UNSURE_POSITION,
    DPL_SYNC_CAUSE_UNSURE_HEADING, /* of the localized pose */
    DPL_SYNC_CAUSE_SCAN            /* it fits worse at the avatar */
};

struct dpl_sync_fidelity_config {
    double variance_distance;  /* m: D */
    double variance_direction; /* rad: H / 5 */
};

/* A value that is not known is NaN. */
struct dpl_sync_fidelity {
    struct dpl_sync_fidelity_config config;
    bool started;
    bool begun;        /* the Localizer has left INIT, or should have: DPL_SYNC_BEGIN_S */
    double init_s;     /* the Localizer has been in INIT for so long */
    double tracking;   /* in [0, 1], smoothed; 0 before the first error */
    double index;      /* in [0, 1], smoothed; only with a Localizer */
    double covariance; /* parts of the index, as they are now */
    double agreement;
    enum dpl_sync_fidelity_cause cause; /* as they are now */
    double scan_age_s;
    double error_sigma; /* m: deviation of the position error, in its most uncertain direction */
    /* m: the true position error is beyond it once in 1000 times, and differs by no more than
     * `error_limit` - error from the error: the Localizer's protection level, and what has grown
     * since */
    double error_limit;
    double held, held_s; /* agreement of the newest scan that had one, and for how long */
};

struct dpl_sync_fidelity_input {
    double position_error, heading_error; /* absolute, m and rad */
    double elapsed_s;
    double doubt_m; /* 1 sigma: the real robot may be so much elsewhere, by what delay is taken */
    struct dpl_sync_sigma growth; /* of the errors, since the newest poses of both robots */
    bool lost; /* a pose is lost, or the avatar stands for nothing: the indices fall to 0 */
    const struct dpl_sync_localization *localization; /* NULL: there is no Localizer */
    bool silent; /* there is one, but it says nothing usable: then `localization` is NULL */
};

void dpl_sync_fidelity_init(struct dpl_sync_fidelity *fidelity,
                            const struct dpl_sync_fidelity_config *config);

/* One tick: F = exp(-(ep^2 + Pxx + Pyy) / 2 D^2 - (et^2 + Ptt) / 2 H^2) min(1, Ia / Il), where P
 * has what grew since the newest poses, through a first-order filter of 1 s that starts at the
 * first value; 0 at once where the robot's place is not known, where the Localizer is silent, and
 * before it has used a scan. Without a Localizer it is exp(-ep^2 / 2 D^2
 * - et^2 / 2 H^2), which `tracking` always is. */
void dpl_sync_fidelity_step(struct dpl_sync_fidelity *fidelity,
                            const struct dpl_sync_fidelity_input *input);

/* What warnings go by: the index, or the tracking where there is none. */
double dpl_sync_fidelity_known(const struct dpl_sync_fidelity *fidelity);

#endif
