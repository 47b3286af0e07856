/* SPDX-License-Identifier: Apache-2.0 */
/* Tracking: one filter that follows scan by scan, doubts what does not fit its prediction, and
 * teaches the plan's errors and the reliability of objects. */
#ifndef LOC_TRACK_H
#define LOC_TRACK_H

#include <stdbool.h>

#include "loc_filter.h"
#include "loc_heading.h"

struct loc_track {
    struct loc_filter filter;
    struct loc_update update;    /* of the newest used scan */
    double agreement_mean;       /* over about 1 s; of scans before the newest */
    double scan_gap_s;           /* between the last two scans */
    double used_stamp_s;         /* of the newest used scan; NAN: none */
    bool has_gyro;               /* since the last used scan */
    double wheels_gyro_rad;      /* turn of the wheels minus turn of the gyro since then */
    double gap_rad;              /* the same, of about the last second */
    double turn_rad_s;           /* by the wheels, since then */
    double used_rad, seen_rad_s; /* heading at the last used scan; turn rate by the last two */
    double way_m;                /* of the wheel that went farther, since then */
    double ahead_m, turned_rad;  /* by the wheels, since then */
    struct loc_heading heading;
    bool has_tried;     /* other guesses with the newest scan: its casts may be theirs */
    bool may_be_late;   /* the time offset was known: that scans contradict it now may be a delay */
    bool doubts_wheels; /* they do not tell the motion: the next scan teaches the pose alone */
    unsigned n_free;    /* scans in a row with that doubt */
    bool suspects_wheels; /* perhaps they do not: the same, but the pose follows the scan only as
                           * far as the scan is a surprise */
};

void loc_track_init(struct loc_track *track, const struct loc_start *start);

/* Moves the filter to the scan's instant and uses the scan. `learn`: teach the plan. */
void loc_track_scan(struct loc_track *track, const struct loc_observation *observation,
                    const struct loc_motion *motion, bool learn);

#endif
