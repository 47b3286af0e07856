/* SPDX-License-Identifier: Apache-2.0 */
/* The example of docs/guides/own-parts.md: a subsystem whose robots are tanks of water. */
#ifndef TESTS_SIM_TANK_H
#define TESTS_SIM_TANK_H

#include <doppel/sim/subsystem.h>

extern const struct dpl_subsystem_class dpl_tank_subsystem;

#endif
