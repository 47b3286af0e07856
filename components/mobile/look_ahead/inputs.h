/* SPDX-License-Identifier: Apache-2.0 */
/* What a look is asked about: from the ports of LookAhead. */
#ifndef LOOK_AHEAD_INPUTS_H
#define LOOK_AHEAD_INPUTS_H

#include "tables.h"

/* The command that is looked at: the newest one that the commander has asked about, or the one that
 * the base has. */
struct dpl_twist2 look_command(struct dpl_component *self, dpl_ns now);

/* What the base is commanded, and whether its bumper is pressed. */
void look_read_base(struct dpl_component *self, struct dpl_twist2 *ret_command, bool *ret_pressed);

/* The newest odometry's pose, not moved on. False: there is none. */
bool look_odometry(struct dpl_component *self, struct dpl_pose2 *ret_pose);

/* Whether the Localizer, if there is one, knows where the robot is. */
bool look_is_localized(struct dpl_component *self);

/* Fills the request of the run. */
void look_fill_request(struct dpl_component *self, dpl_ns now);

#endif
