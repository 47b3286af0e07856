/* SPDX-License-Identifier: Apache-2.0 */
/* Says by name what is wrong with a robot, its laser or its surroundings, from what command,
 * wheels, gyro, laser and plan say about the same second: at most one verdict at a time, which
 * rises when its rule has fitted for some scans in a row and falls when it has not fitted for 1 s.
 * docs/guides/diagnosis.md tells the rules. Pure: no clock, no memory beyond the struct, no
 * allocation; the same calls give the same verdicts. SI units, one clock: that of odometry. */
#ifndef DIAGNOSIS_H
#define DIAGNOSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "command_model.h"
#include "diagnosis_verdict.h"
#include "parameters.h"
#include "residuals.h"
#include "scan_lag.h"
#include "strangers.h"
#include "suspicion.h"
#include "verdicts.h"

struct diagnosis_config {
    double axle_m;        /* nominal distance of the wheels, > 0 */
    double speed_max;     /* of a wheel, m/s; commands beyond are cut. INFINITY: not known */
    double safe_radius_m; /* an avatar farther off is elsewhere; INFINITY: not judged */
    /* The calibration's reference, to which the verdicts RADIUS, LASER, LATENCY compare: given, or
     * the estimate after `reference_s` of a known pose. */
    double reference_s; /* default 60 */
    bool given[LOCALIZER_N_PARAMETERS];
    double reference[LOCALIZER_N_PARAMETERS];
};

/* What is known after a scan. Wheels and gyro: since the call before. */
struct diagnosis_scan {
    double stamp_s;         /* when it was made: its stamp minus the time offset */
    double left_m, right_m; /* calibrated travel */
    struct dpl_pose2 moved; /* of base by it, in its frame at the call before */
    bool has_gyro;
    double gyro_rad;
    bool equal;            /* to the last bit the scan before; what follows is not read */
    bool usable;           /* the scan gave a pose; else the next six are not read */
    struct dpl_pose2 pose; /* of base, from this scan alone */
    bool unobservable;     /* the scan shows nothing along this direction */
    double unobservable_rad;
    double spread[3]; /* m^2 xx xy yy: covariance of the pose's position */
    double agreement;
    double nis;         /* of the scan's pose against the predicted one, */
    double surprise[3]; /* which is so much off, m, m, rad in the world */
    /* The heading that an earlier scan showed, and how far the robot has turned between the one
     * before that and it, as scan_lag_add says. */
    bool has_heading;
    double heading_stamp_s, heading_rad, turned_rad[SCAN_LAGS];
    bool tracks, lost; /* the place is known; it is not any more, or was never */
    uint64_t relocations;
    struct localizer_calibration calibration;
    int moved_object; /* of the plan, that scans contradict last; negative: none */
    struct strangers_view strange;
};

/* Own data of diagnosis.c. */
struct diagnosis {
    struct diagnosis_config config;
    struct command_model command;
    struct residuals_window window;
    struct strangers strangers;
    struct scan_lag lag;
    struct suspicion suspicion;
    double turn_rad_s; /* of the newest usable scan */
    struct residuals residuals;
    struct residuals_step pending; /* travel since the last usable scan */
    struct diagnosis_standing standing;
    double now_s, started_s, arrival_s, stamp_s, period_s;
    bool started, has_scan, has_period, no_laser;
    unsigned equal_scans;
    double equal_m;
    double tracked_s;
    uint64_t relocations;
    bool has_reference[LOCALIZER_N_PARAMETERS];
    double reference[LOCALIZER_N_PARAMETERS], reference_sigma[LOCALIZER_N_PARAMETERS];
    double referred_s[LOCALIZER_N_PARAMETERS]; /* when it was taken; NAN: given */
    double sure_s; /* as tracked_s, since the place was last found to be wrong */
    double avatar_m, avatar_since_s;
    bool starts_late; /* before there is a reference: the scans are late by `start_late_s` */
    double start_late_s;
    double maybe_late_s; /* scans may be this much later than they are taken for; 0: no sign */
};

/* `axle_m` stays to be filled. */
void diagnosis_config_init(struct diagnosis_config *ret_config);

void diagnosis_init(struct diagnosis *diagnosis, const struct diagnosis_config *config);

/* The twist that the drive was sent. Without any, BLOCKED and ENCODER are never seen, and what they
 * stand for reads as SLIP or PUSH. */
void diagnosis_command(struct diagnosis *diagnosis, double stamp_s, struct dpl_twist2 twist);

void diagnosis_scan(struct diagnosis *diagnosis, const struct diagnosis_scan *scan);

/* A scan that came and says nothing, for want of odometry. `forget`: there was none for so long
 * that nothing can be said of the motion. */
void diagnosis_unused_scan(struct diagnosis *diagnosis, bool forget);

/* The place was wrong. References that were taken after `since_s` (stamp of a scan; NAN: any time)
 * go, and are taken anew after `reference_s` of a known pose. */
void diagnosis_forget(struct diagnosis *diagnosis, double since_s);

/* Distance of the avatar from the localized pose, m; NAN: not known. */
void diagnosis_avatar(struct diagnosis *diagnosis, double distance_m);

/* Once a cycle, after the scans. */
void diagnosis_step(struct diagnosis *diagnosis, double now_s);

/* The verdict that holds. */
const struct diagnosis_verdict *diagnosis_active(const struct diagnosis *diagnosis);

/* Takes the oldest event that was not taken; false: none. At most 16 are kept, then the oldest is
 * lost. */
bool diagnosis_take_event(struct diagnosis *diagnosis, struct diagnosis_event *ret_event);

/* How often a verdict has risen; NONE: all of them. */
uint64_t diagnosis_rises(const struct diagnosis *diagnosis, enum verdict verdict);

/* Whether the wheels do not tell the robot's motion: SLIP, ENCODER or PUSH holds, or may rise with
 * the next scans. Nothing must be learnt of them then. */
bool diagnosis_doubts_wheels(const struct diagnosis *diagnosis);

/* Whether the newest scans contradict the wheels, though no rule fits (yet). */
bool diagnosis_suspects_wheels(const struct diagnosis *diagnosis);

#endif
