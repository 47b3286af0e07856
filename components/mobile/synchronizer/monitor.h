/* SPDX-License-Identifier: Apache-2.0 */
/* Monitor: judges how well the avatar stands for the real robot (ages, states, alarms, fidelity,
 * statistics). It decides nothing about commands. */
#ifndef DPL_SYNC_MONITOR_H
#define DPL_SYNC_MONITOR_H

#include "fidelity.h"

#define DPL_SYNC_STALE_S    0.5 /* corrections fade out from here ... */
#define DPL_SYNC_DEGRADED_S 1.0 /* ... to here; from then on feed-forward only */
#define DPL_SYNC_LOST_S     3.0
#define DPL_SYNC_BUCKETS    50 /* of 0.1 s: the window of the RMS */

enum dpl_sync_state {
    DPL_SYNC_INIT,
    DPL_SYNC_OK,
    DPL_SYNC_STALE,
    DPL_SYNC_DEGRADED,
    DPL_SYNC_DIVERGED,
    DPL_SYNC_LOST,
    DPL_SYNC_UNKNOWN /* the Localizer does not know where the real robot is */
};

struct dpl_sync_monitor_config {
    double safe_radius;        /* m */
    double variance_distance;  /* m */
    double variance_direction; /* rad */
};

/* One tick. Speeds in m/s: what was promised to each robot by its commands and what it does. */
struct dpl_sync_sighting {
    double now_s, elapsed_s;
    bool ready; /* both robots were seen and the frames are aligned: there is an error to judge */
    struct dpl_pose2 error;
    double doubt_m;                  /* of the real robot, 1 sigma: 0 where nothing is doubtful */
    struct dpl_sync_sigma growth;    /* of the error: what is not known since the newest poses */
    double real_age_s, avatar_age_s; /* of the newest poses, or since the start while none came */
    bool astray;  /* the avatar stands where it was put by a new world: it stands for nothing */
    bool missing; /* a robot does not say where it is, whatever the age of what it said last */
    double real_promised, real_speed, avatar_promised, avatar_speed;
    bool real_pressed, avatar_pressed; /* the bumper; both false where one robot has none */
    const struct dpl_sync_localization *localization; /* of the real robot; NULL: odometry alone */
    bool silent; /* odometry alone, though there is a Localizer: it says nothing usable */
};

struct dpl_sync_bucket {
    int64_t index;
    double square, weight;
};

struct dpl_sync_monitor {
    struct dpl_sync_monitor_config config;
    enum dpl_sync_state state;
    double position_error, heading_error; /* absolute, m and rad; predicted while not `seen` */
    bool seen;     /* in this tick, both, by poses that are not older than DPL_SYNC_DEGRADED_S */
    bool guessed;  /* in this tick: the Localizer does not know where the real robot is */
    bool silent;   /* in this tick: it says nothing usable; then `guessed` as well */
    double rms_5s; /* m; NaN: not measured, as the next two */
    double max_position_error, max_heading_error; /* m and rad, since the start */
    double square_sum, weight_sum;                /* for the RMS since the start, m^2 s and s */
    struct dpl_sync_fidelity fidelity;
    bool warn, diverged, real_blocked, avatar_blocked, was_degraded, measured;
    /* One of the robots is held back and the other is not: its bumper is pressed, or it does far
     * less than its commands say. */
    bool contact_mismatch;
    bool diverged_at_return; /* the divergence was there when a missing pose came back */
    double returned_s;       /* since then; infinite: never */
    double warn_s, diverged_s, clear_s, real_blocked_s, avatar_blocked_s, contact_mismatch_s;
    struct dpl_sync_bucket bucket[DPL_SYNC_BUCKETS];
};

void dpl_sync_monitor_init(struct dpl_sync_monitor *monitor,
                           const struct dpl_sync_monitor_config *config);

void dpl_sync_monitor_step(struct dpl_sync_monitor *monitor,
                           const struct dpl_sync_sighting *sighting);

/* After a step: whether its error counts, in the RMS and the maximum. It does not while the
 * avatar is being put somewhere, and never when it was not seen or the real robot's pose is a
 * guess.
 */
void dpl_sync_monitor_count(struct dpl_sync_monitor *monitor, double now_s, double elapsed_s,
                            bool placing);

/* The avatar was put on the real robot: the divergence is over. */
void dpl_sync_monitor_teleported(struct dpl_sync_monitor *monitor);

/* Whether the error of the last step, predicted or not, is one that driving removes: within the
 * safe radius and 35 degrees. */
bool dpl_sync_monitor_is_near(const struct dpl_sync_monitor *monitor);

/* Whether the last step is DIVERGED, and the heading alone is too far off for OK. */
bool dpl_sync_monitor_diverged_by_heading(const struct dpl_sync_monitor *monitor);

/* RMS of the position error since the start in m, of what counts; NaN before the first error. */
double dpl_sync_monitor_rms(const struct dpl_sync_monitor *monitor);

/* Weight of the pose error for a pose of this age: 1 fresh, 0 from 1 s on. */
double dpl_sync_trust(double age_s);

/* "INIT", "OK" ...: never NULL. */
const char *dpl_sync_state_name(enum dpl_sync_state state);

#endif
