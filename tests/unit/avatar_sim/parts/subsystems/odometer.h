/* SPDX-License-Identifier: Apache-2.0 */
/* A sensor that avatar_sim does not know: how far a body has travelled. It is all that adding a
 * sensor takes: this table, and a place in a list of classes. */
#ifndef DOPPEL_TEST_ODOMETER_H
#define DOPPEL_TEST_ODOMETER_H

#include <doppel/sim/entry.h>

/* <odometer name="" scale="1"/>; channel `travelled`, m times scale. */
extern const struct dpl_sim_entry_class odometer_class;

#endif
