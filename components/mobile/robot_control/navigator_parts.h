/* SPDX-License-Identifier: Apache-2.0 */
/* The stages of a control step; private to the navigator. */
#ifndef DPL_NAV_NAVIGATOR_PARTS_H
#define DPL_NAV_NAVIGATOR_PARTS_H

#include "navigator.h"

/* perceive.c: processes the pose and, if it is new, the scan. False if the robot must not move. */
bool dpl__nav_perceive(struct dpl_nav *nav, const struct dpl_nav_input *input);

/* Whether scans show nothing for longer than the configuration allows, or have shown nothing yet.
 */
bool dpl__nav_is_blind(const struct dpl_nav *nav);

/* Fills `nav->around` for the time when a command of this step takes effect, and returns the
 * robot's pose at that time. */
struct dpl_pose2 dpl__nav_fill_around(struct dpl_nav *nav, const struct dpl_nav_input *input);

/* steer.c: keeps or changes the goal and chooses the direction of travel. False if there is no
 * goal left. */
bool dpl__nav_steer(struct dpl_nav *nav, struct dpl_pose2 pose, double now_s);

/* pilot.c: the velocity that safely follows the direction of travel. */
struct dpl_twist2 dpl__nav_pilot(struct dpl_nav *nav, struct dpl_pose2 pose);

/* Points farther away do not affect the choice of a direction. */
#define DPL_NAV_REACH_M 4.0

#endif
