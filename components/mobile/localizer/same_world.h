/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the plan is of the world that the avatar is in. */
#ifndef LOCALIZER_SAME_WORLD_H
#define LOCALIZER_SAME_WORLD_H

struct dpl_component;

/* Logs a warning if the properties World, ip and port of the Localizer's device name another world
 * than those of the avatar's base, which GetParameter of port Avatar tells. Names are compared, not
 * worlds. A base or a plan that is in no world, and a name of DPL_PARAMETER_VALUE_SIZE bytes or
 * more, are not compared. At start only: calls a service. */
void loc_warn_of_another_world(struct dpl_component *self);

#endif
