/* SPDX-License-Identifier: Apache-2.0 */
/* What the robots can do: from the properties of the Synchronizer, or from the drivers of their
 * bases. */
#ifndef SYNCHRONIZER_ROBOT_LIMITS_H
#define SYNCHRONIZER_ROBOT_LIMITS_H

#include "tables.h"

struct dpl_component;

/* Takes over the limits that are given (above 0); the others keep the value of the config. */
void sync_limits_given(struct dpl_sync_config *inout_config, const struct sync_properties *props);

/* Asks the drivers, by GetParameter of the two service ports, for the limits that are not given,
 * and logs what is used. What a driver of the real robot does not tell keeps the value of the
 * config, and is told as a warning; so is an avatar that is too slow to catch up with the real
 * robot. At start only: calls services. */
void sync_limits_ask(struct dpl_component *self, unsigned real_port, unsigned avatar_port,
                     struct dpl_sync_config *inout_config);

#endif
