/* SPDX-License-Identifier: Apache-2.0 */
/* A sensor and an actuator that are not built in: the examples of docs/guides/own-parts.md. */
#ifndef TESTS_SIM_INCLINOMETER_H
#define TESTS_SIM_INCLINOMETER_H

#include <doppel/sim/entry.h>

extern const struct dpl_sim_entry_class inclinometer_class, damper_class;

#endif
