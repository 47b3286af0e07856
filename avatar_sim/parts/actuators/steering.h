/* SPDX-License-Identifier: Apache-2.0 */
/* The steering of a mobile base: see steering.c. */
#ifndef DOPPEL_SIM_STEERING_H
#define DOPPEL_SIM_STEERING_H

#include <doppel/sim/entry.h>

extern const struct dpl_sim_entry_class dpl_steering;

#endif
