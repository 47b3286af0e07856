/* SPDX-License-Identifier: Apache-2.0 */
/* What LookAhead publishes. */
#ifndef LOOK_AHEAD_PUBLISH_H
#define LOOK_AHEAD_PUBLISH_H

#include "tables.h"

void look_publish(struct dpl_component *self);

#endif
