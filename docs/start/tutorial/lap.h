/* SPDX-License-Identifier: Apache-2.0 */
/* Counts laps: pure logic, no clock and no runtime. The start line lies across the first pose. */
#ifndef TUTORIAL_LAP_H
#define TUTORIAL_LAP_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/math/geometry.h>

struct lap_rules {
    double line_width_m; /* a crossing outside of this width does not count */
    double minimum_s;    /* a crossing sooner after the last one does not count: it is noise */
};

/* Zero-initialise. */
struct lap {
    bool started;
    struct dpl_pose2 line; /* the first pose; the line is its y axis */
    struct dpl_pose2 last; /* in the line's frame */
    double last_t_s, began_s;
    int64_t laps;
    double last_s, best_s; /* of whole laps; 0: none yet */
};

/* Takes the pose measured at `t_s`. Returns true when the pose ends a lap: it is the first one past
 * the line in the forward direction. The time of the crossing is interpolated between two poses. */
bool lap_update(struct lap *lap, const struct lap_rules *rules, struct dpl_pose2 pose, double t_s);

#endif
