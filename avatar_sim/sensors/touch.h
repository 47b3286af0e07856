/* SPDX-License-Identifier: Apache-2.0 */
/* What a body feels of contacts: how often something began to touch it, by the name of what
 * touched, and where it is touched. It has no settings. */
#ifndef DOPPEL_SIM_TOUCH_H
#define DOPPEL_SIM_TOUCH_H

#include <stdint.h>

#include <doppel/sim/entry.h>
#include <doppel/sim/world.h>

extern const struct dpl_sim_entry_class dpl_touch;

/* Of the first touch sensor of a robot; both 0: it has none. `ret_sectors`: see struct
 * dpl_world_robot. */
void dpl__touch_get(const struct dpl_world *world, int robot, uint64_t *ret_contacts,
                    uint32_t *ret_sectors);

#endif
