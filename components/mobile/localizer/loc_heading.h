/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a heading by scans is the robot's, or that of a laser that has turned on it. Two things
 * tell: the course (loc_course.h), and a turn that scans show and neither wheels nor gyro know of.
 * The second needs a gyro, and shows a laser that turns slowly or on a robot that stands. With a
 * gyro the course alone is not enough for some metres: a robot that is carried sideways has not
 * turned. */
#ifndef LOC_HEADING_H
#define LOC_HEADING_H

#include "loc_course.h"

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
