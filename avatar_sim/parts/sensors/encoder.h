/* SPDX-License-Identifier: Apache-2.0 */
/* The encoder of a turning joint. Its settings are a double: counts a turn, 0: exact. */
#ifndef DOPPEL_SIM_ENCODER_H
#define DOPPEL_SIM_ENCODER_H

#include <doppel/sim/entry.h>

extern const struct dpl_sim_entry_class dpl_encoder;

#endif
