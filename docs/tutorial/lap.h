/* SPDX-License-Identifier: Apache-2.0 */
/* Counts laps: pure logic, no clock and no runtime. The start line lies across the first pose. */
#ifndef TUTORIAL_LAP_H
#define TUTORIAL_LAP_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/math/geometry.h>

struct lap_rules {
    double line_width_m; /* a crossing farther out is none */
    double minimum_s;    /* nor is one so soon after the last: noise on the line */
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

/* Takes the pose measured at `t_s`; true when it ends a lap, that is crosses the line forwards. The
 * instant is interpolated between two poses. */
bool lap_update(struct lap *lap, const struct lap_rules *rules, struct dpl_pose2 pose, double t_s);

#endif
