/* SPDX-License-Identifier: Apache-2.0 */
/* Measures of the driving in a race, in addition to its verdict: pure logic.
 *
 * clearance: the smallest distance of the car's outline from a wall, at the ends of the ticks, m.
 * path: the sum of the distances between the positions after the ticks, from the first row on, m.
 * roughness: the change of the turning. The yaw rate of tick k is w_k = wrap(a_k - a_{k-1}) / T,
 *     with headings a after the ticks and the time T between them; the roughness is the root of the
 *     mean of ((w_k - w_{k-1}) / T)^2, rad/s^2: the effective yaw acceleration. At a constant speed
 *     v and wheel base L a steered car's is v / L times the effective rate of the steering. The
 *     tick in which the race ends is not counted: its move may be shorter.
 * wrong side: the time of the ticks after which the car was nearer to the wall of the other side
 *     than to that of the side it keeps to, at right angles to its heading. Only where there
 *     are both walls. */
#ifndef REFEREE_MEASURE_H
#define REFEREE_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/math/geometry.h>
#include <doppel/time.h>

enum measure_side {
    MEASURE_ANY_SIDE,
    MEASURE_LEFT,
    MEASURE_RIGHT,
};

/* Limits of the measures; one of which there is no value is not within its limit. */
struct measure_limits {
    double min_clearance_m;           /* 0: none */
    double max_path_m, max_roughness; /* 0: none; rad/s^2 */
    double max_wrong_side_s;          /* below 0: none */
    int64_t max_refused;              /* below 0: none */
};

struct measure {
    enum measure_side keep_to;

    double clearance_m; /* infinite: no wall, or no tick yet */
    double path_m;
    double roughness; /* rad/s^2 */
    double wrong_side_s;
    int64_t refused; /* calls that the controller's board refused; below 0: not counted */

    struct dpl_pose2 pose; /* after the newest tick */
    dpl_ns at;
    double rate, square_sum;
    size_t n_headings, n_changes, n_sides; /* number of values used */
    bool begun;
};

/* A tick, after its move. */
struct measure_tick {
    dpl_ns at;
    struct dpl_pose2 pose;
    double from_x, from_y;               /* m, start of the tick's move */
    double clearance_m, left_m, right_m; /* see doppel.CarState */
    bool ends;                           /* the race ends in this tick */
};

/* A new race. */
void measure_begin(struct measure *measure, enum measure_side keep_to);

void measure_add(struct measure *measure, const struct measure_tick *tick);

/* Whether all measures are within their limits. If not, ret_text has the others with value and
 * limit, as the end of a sentence: "; clearance 12 mm, at least 50 mm expected", or "; clearance
 * not measured, at least 50 mm expected". As snprintf. */
bool measure_holds(const struct measure *measure, const struct measure_limits *limits,
                   char *ret_text, size_t size);

#endif
