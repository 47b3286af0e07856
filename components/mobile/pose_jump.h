/* SPDX-License-Identifier: Apache-2.0 */
/* Words for where a robot was found, against where it was followed. Header only, pure. */
#ifndef COMPONENTS_MOBILE_POSE_JUMP_H
#define COMPONENTS_MOBILE_POSE_JUMP_H

#include <math.h>
#include <stdio.h>

#include <doppel/math/geometry.h>

#define POSE_JUMP_BYTES  64
#define POSE_JUMP_FAR_M  0.1 /* a place that is farther away is another place */
#define POSE_JUMP_TURNED (2.0 * DPL_PI / 180.0)

/* "in another place, 1.20 m away, turned by 45 deg", "at the same place, turned by 45 deg" or
 * "30 mm and 1.0 deg away". `jump`: the pose that was found in the frame of the one that was
 * followed. Returns ret_text. */
static inline const char *pose_jump_text(struct dpl_pose2 jump, char ret_text[POSE_JUMP_BYTES])
{
    double way_m = hypot(jump.x, jump.y), turn_deg = dpl_rad_to_deg(jump.theta);
    bool is_turned = fabs(jump.theta) >= POSE_JUMP_TURNED;
    if (way_m > POSE_JUMP_FAR_M && is_turned) {
        snprintf(ret_text, POSE_JUMP_BYTES, "in another place, %.2f m away, turned by %.0f deg",
                 way_m, turn_deg);
    } else if (way_m > POSE_JUMP_FAR_M) {
        snprintf(ret_text, POSE_JUMP_BYTES, "in another place, %.2f m away", way_m);
    } else if (is_turned) {
        snprintf(ret_text, POSE_JUMP_BYTES, "at the same place, turned by %.0f deg", turn_deg);
    } else {
        snprintf(ret_text, POSE_JUMP_BYTES, "%.0f mm and %.1f deg away", way_m * 1e3,
                 fabs(turn_deg));
    }
    return ret_text;
}

#endif
