/* SPDX-License-Identifier: Apache-2.0 */
/* What the Localizer publishes. */
#ifndef LOCALIZER_PUBLISH_H
#define LOCALIZER_PUBLISH_H

#include "diagnosis.h"
#include "tables.h"

struct dpl_component;
struct dpl_tick;

/* The estimate of this cycle. */
void loc_publish_pose(struct dpl_component *self);

/* Once a second. */
void loc_publish_calibration(struct dpl_component *self, const struct dpl_tick *tick);

void loc_publish_event(struct dpl_component *self, const struct diagnosis_event *event);

#endif
