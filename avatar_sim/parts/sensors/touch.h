/* SPDX-License-Identifier: Apache-2.0 */
/* A sensor of a body's contacts: the number of contacts that began, by the name of the other
 * object, and the sectors in which there are contacts. It has no settings. */
#ifndef DOPPEL_SIM_TOUCH_H
#define DOPPEL_SIM_TOUCH_H

#include <stdint.h>

#include <doppel/sim/devices.h>
#include <doppel/sim/entry.h>

extern const struct dpl_sim_entry_class dpl_touch;

/* Reads the first touch sensor of a robot; both results are 0 if it has none. `ret_sectors`: see
 * struct dpl_world_robot. */
void dpl__touch_get(const struct dpl_world *world, int robot, uint64_t *ret_contacts,
                    uint32_t *ret_sectors);

#endif
