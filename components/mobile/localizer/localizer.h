/* SPDX-License-Identifier: Apache-2.0 */
/* Localizer: finds a robot with two driven wheels and a planar laser in a known plan of its
 * surroundings, and calibrates its odometry and its laser meanwhile. This header is what the
 * component, the tools and the tests use. Pure: knows no runtime. SI units, radians. One thread;
 * the same calls in the same order give the same numbers, to the last bit.
 *
 * Frames: the plan's frame is the world's; base is the middle between the driven wheels, x forward;
 * the laser's mount is given in base. Clock: all stamps are seconds of one clock, that of odometry;
 * the stamps of scans may be late by an unknown, constant time, which is estimated.
 *
 * Order of calls in a cycle: the odometry samples that have come, the scans that have come, then
 * localizer_step. A scan that comes before the odometry of its instant waits for it. After 0.1 s,
 * or when the next scan comes, it is used with the motion of before if no more than 0.1 s is
 * missing. A scan that has waited for 0.5 s, or was made within a longer pause of the odometry, is
 * dropped. */
#ifndef LOCALIZER_H
#define LOCALIZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/math/geometry.h>

#include "measurements.h"
#include "parameters.h"

struct diagnosis; /* diagnosis.h */
struct diagnosis_event;
struct integrity_verdict;   /* integrity.h */
struct dpl_raycast_outline; /* raycast.h: a segment or a circle; `owner` is its object's number */

/* In this order in messages, too. */
enum localizer_state {
    LOCALIZER_INIT,      /* no scan was used yet */
    LOCALIZER_TRACKING,  /* the pose is known */
    LOCALIZER_DEGRADED,  /* the same, but a direction cannot be seen, or sigma > 50 mm or 2 deg */
    LOCALIZER_COASTING,  /* no usable scan: the pose follows odometry, nobody knows how far off */
    LOCALIZER_AMBIGUOUS, /* several poses may explain the scans: the best one is given */
    LOCALIZER_LOST,      /* no pose explains the scans: being searched */
    LOCALIZER_MAP_WRONG, /* the plan has not explained the scans for long: the pose follows odometry
                          */
};

/* localizer_config_init fills everything but the plan with the defaults. */
struct localizer_config {
    const struct dpl_raycast_outline *outlines; /* [n_outlines], copied by create */
    size_t n_outlines;                          /* 0: never a match, the pose follows odometry */
    size_t n_objects;    /* owners of outlines are 0 .. n_objects - 1, or negative: of no object */
    size_t beams_max;    /* of a scan; longer scans are not used. Default 2048 */
    double axle_m;       /* nominal distance of the wheels, > 0 */
    double revolution_s; /* of the laser's mirror, for scans whose beams follow each other in time,
                          * in the order of their numbers; 0 (default): all beams at one instant */
    double map_error_m;  /* 1 sigma of the plan's surfaces; negative (default): learnt */
    /* A scan counts as 1/this, because scans repeat their errors. >= 1; default
     * LOCALIZER_USUAL_CORRELATION. */
    double scan_correlation;
    enum localizer_calibrate calibrate; /* default ON */
    bool search_at_start;               /* the start is unknown; default false: it is `start` */
    struct dpl_pose2 start; /* at the first scan that is used: the robot stands until then */
    double start_sigma_m, start_sigma_rad;        /* default 0.05 m, 2 deg */
    double initial[LOCALIZER_N_PARAMETERS];       /* default: nominal */
    double initial_sigma[LOCALIZER_N_PARAMETERS]; /* 0: this one is exact. Default: see the page */
    double odometry_noise; /* of a wheel's way: m per sqrt(m), 1 sigma, > 0. Default 0.005 */
    bool use_gyro;         /* the base's, if it has one; default true */
    bool diagnose;         /* look for faults, and do not learn of wheels that lie; default true */
    bool diagnose_objects; /* among them MAP_CHANGED and UNKNOWN_OBJECT; default true */
    double speed_max; /* of a wheel, m/s: commands beyond are cut. Default INFINITY: not known */
    double safe_radius_m; /* an avatar farther off is elsewhere. Default INFINITY: not judged */
    bool judged; /* by the integrity monitor, default true; false: the state is the estimator's own,
                  * which a wrong place may deceive (for calibration from a recording) */
    double alert_limit_m; /* of the position: what the application can bear. Default 0.3 */
    bool start_trust; /* the told start is believed until something contradicts it; default true */
};

/* Numbers about the newest used scan are those of the last scan until the next is used. */
struct localizer_estimate {
    enum localizer_state state;
    double stamp_s;      /* of `pose`: the asked time, or the newest odometry when that is older */
    double scan_stamp_s; /* of the newest used scan, as it came; NAN: none */
    struct dpl_pose2 pose; /* of base in the plan's frame */
    double covariance[6];  /* of `pose`: xx xy yy xt yt tt, in m and rad */
    double doubt_m; /* 1 sigma, in any direction, beyond the covariance: what the scans show may be
                     * the laser's scale or the room's size, and whether they are late may be
                     * undecided. 0: none of it */
    double agreement;        /* share of the judged beams that fit; 0: no scan, or too few beams */
    double too_short;        /* share of the judged beams that ended before the plan's surface */
    double too_long;         /* share of the judged beams that went through the plan's surface */
    double nis;              /* normalized innovation squared of the newest scan, 3 degrees */
    double map_error_m;      /* learnt, or as configured */
    bool unobservable;       /* the newest scan does not show the position along the next */
    double unobservable_rad; /* direction in the plan's frame, in (-pi/2, pi/2] */
    unsigned hypotheses;     /* poses that are still possible: 1 when tracking, 0 while searching */
    uint64_t relocations;    /* times that `pose` jumped: there is no motion between */
    struct dpl_pose2 jump;   /* the last of them: the new pose in the frame of the old one */
};

/* What a wrong place may have taught: when the robot is found elsewhere, the calibration goes back
 * to what was learnt while the place was sure. */
struct localizer_forgetting {
    uint64_t times;         /* 0: never */
    double from_s, until_s; /* the last time: stamps of scans between which nothing counts that was
                             * learnt; from_s NAN: since the start */
};

/* How well a pose explains the newest scan. */
struct localizer_view {
    bool valid;             /* false: no scan yet, or too few beams; the others are 0 then */
    double agreement;       /* share of the judged beams that fit at that pose */
    double scan_distance_m; /* sqrt(max(0, q^2 - q0^2)); q: median |measured - exact range| there,
                             * q0: the same at the localized pose */
};

/* An object of the plan, by its owner number. */
struct localizer_object {
    double
        reliability; /* 1: scans agree with it; below 0.5: not used, it was moved or taken away */
};

struct localizer; /* opaque: up to about 4 MB, all taken by create */

/* The defaults; plan and axle stay to be filled. */
void localizer_config_init(struct localizer_config *ret_config);

/* Takes all memory. 0, -ENOMEM, or -EINVAL: a number of the configuration is out of its range. */
int localizer_create(const struct localizer_config *config, struct localizer **ret_localizer);

/* NULL: nothing. */
void localizer_destroy(struct localizer *localizer);

/* None of the following allocates, blocks or fails. What is not finite or not newer than the last
 * of its kind is left out. */

void localizer_odometry(struct localizer *localizer, const struct localizer_odometry *sample);
void localizer_scan(struct localizer *localizer, const struct localizer_scan *scan);

/* For the diagnosis: the twist that the drive was sent, and how far the avatar is from the
 * localized pose (m; NAN: not known). */
void localizer_command(struct localizer *localizer, double stamp_s, struct dpl_twist2 twist);
void localizer_avatar(struct localizer *localizer, double distance_m);

/* Once a cycle, after the inputs: time without scans, and one slice of a search that is running
 * (fixed work; a scan that weighs many hypotheses takes a few ms). */
void localizer_step(struct localizer *localizer, double now_s);

/* The pose at `at_s`, moved along calibrated odometry from the newest used scan. */
void localizer_estimate(const struct localizer *localizer, double at_s,
                        struct localizer_estimate *ret_estimate);

void localizer_calibration(const struct localizer *localizer,
                           struct localizer_calibration *ret_calibration);

void localizer_forgetting(const struct localizer *localizer,
                          struct localizer_forgetting *ret_forgetting);

/* When the newest scan was made, on the clock of odometry: its stamp minus the estimated offset.
 * At this time the avatar's pose is wanted by localizer_view. NAN: no scan yet. */
double localizer_scan_time(const struct localizer *localizer);

/* Casts the newest scan's beams from `avatar`, a pose of base, with the laser as calibrated. Costs
 * one cast a beam. */
void localizer_view(struct localizer *localizer, struct dpl_pose2 avatar,
                    struct localizer_view *ret_view);

/* `object` below the configured number, else reliability 1. */
void localizer_object(const struct localizer *localizer, size_t object,
                      struct localizer_object *ret_object);

/* Whether hardly a beam of the newest scan returned, though the plan has surfaces in sight: a
 * covered or broken laser. Only with the diagnosis. */
bool localizer_sees_nothing(const struct localizer *localizer);

/* What holds and how often it came: diagnosis_active, diagnosis_rises. Borrowed. */
const struct diagnosis *localizer_diagnosis(const struct localizer *localizer);

/* What the monitor says of the pose; where none judges: INIT. */
void localizer_integrity(const struct localizer *localizer, struct integrity_verdict *ret_verdict);

/* The oldest rise or fall of a verdict that was not taken; false: none. */
bool localizer_take_event(struct localizer *localizer, struct diagnosis_event *ret_event);

#endif
