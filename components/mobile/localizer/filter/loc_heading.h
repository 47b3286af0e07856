/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a heading by scans is the robot's, or that of a laser that has turned on it. Two things
 * tell: the course, and a turn that scans show and neither wheels nor gyro know of. The second
 * needs a gyro, and shows a laser that turns slowly or on a robot that stands. With a gyro the
 * course alone is not enough for some metres: a robot that is carried sideways has not turned. */
#ifndef LOC_HEADING_H
#define LOC_HEADING_H

#include <stdbool.h>

#include "loc_filter.h"

/* ---- the course ---- */

/* The course over ground against the heading. A robot on wheels goes where it heads. If scans say
 * again and again, over metres of straight way, that it went to one side, then they have its
 * heading wrong: the laser is turned on the robot by that angle, and the filter has taken its turn
 * for one of the robot. A laser that turns while nothing else happens is found at once
 * (loc_track.c); this finds one that turned while wheels were not believed, or by more than a scan
 * is matched over.
 *
 * The direction of the steps by scans, weighted by those by wheels, which forget with the way. */

/* Zeroed: nothing is known. */
struct loc_course {
    double wheels;      /* sum of squares of the steps by wheels, m^2 */
    double ahead, left; /* sums of steps by scans times steps by wheels, m^2 */
    double way_m;       /* that they are from; forgets likewise */
};

/* From scan to scan: how far the wheels went ahead (m; < 0: back), how far ahead and to the left of
 * that the scan has the base, and how far the robot turned (rad). Steps in turns and steps of more
 * than 0.5 m are left out. `memory_m`: of way, > 0. */
void loc_course_add(struct loc_course *course, double memory_m, double ahead_m,
                    const double beyond_m[2], double turn_rad);

/* Enough way was straight. */
bool loc_course_is_known(const struct loc_course *course, double memory_m);

/* Whether the course is off the heading by more than noise and what is known of the mount explain,
 * and the robot went as far as its wheels. A turned laser changes no length; a robot that slips, is
 * stuck or is pushed does. *ret_rad, > 0: to the left. `position_m`: standard deviation of a
 * position by scans. */
bool loc_course_is_off(const struct loc_course *course, double memory_m,
                       const struct loc_filter *filter, double position_m, double *ret_rad);

/* Turns the base in the filter by `rad`, and the mount back: the laser stays where it is. Both are
 * then as uncertain as the course was. The mount's place is that of `mount` (m, in base). */
void loc_course_take(struct loc_filter *filter, struct dpl_pose2 mount, double rad);

/* ---- both ---- */

/* Zeroed: nothing is known. */
struct loc_heading {
    struct loc_course course; /* while wheels are believed */
    struct loc_course whole;  /* always: a push does not last so long */
    unsigned n;               /* scans, up to as many as settle a start */
    bool was_right;           /* the course has confirmed the heading */
    double since_rad;         /* turn of the laser beyond that of the gyro; forgets as it does */
    double denied_m;          /* way with a course that the gyro does not confirm */
    double beyond_gyro_rad, beyond_wheels_rad; /* the same of about the last 15 s */
    double base_rad;                           /* of it, what the filter took for the base's */
};

/* From scan to scan. */
struct loc_heading_step {
    double gap_s;
    double ahead_m, turned_rad; /* by the wheels */
    double beyond_m[2];         /* what the scan moved the robot by beyond them: ahead, left */
    double beyond_wheels_rad;   /* what it turned the laser by beyond them, */
    double beyond_gyro_rad;     /* and beyond the gyro, */
    double base_rad;            /* and of this the base */
    bool has_gyro;
    bool knew_heading;  /* before the scan: the laser's direction, to about a degree */
    bool doubts_wheels; /* they do not tell the way */
};

/* After a scan that was used. Puts the turn of the laser that is found, if any, into the mount:
 * `mount` is where the laser is on the robot now. `position_m`: deviation of a position by scans.
 */
void loc_heading_step(struct loc_heading *heading, const struct loc_heading_step *step,
                      struct loc_filter *filter, struct dpl_pose2 mount, double position_m);

#endif
