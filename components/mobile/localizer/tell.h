/* SPDX-License-Identifier: Apache-2.0 */
/* What the Localizer logs. */
#ifndef LOCALIZER_TELL_H
#define LOCALIZER_TELL_H

#include "diagnosis.h"
#include "tables.h"

struct dpl_component;
struct Doppel__Scan;

/* Where it starts. Warns of properties that give another start, which an avatar leaves unused. */
void loc_tell_start(struct dpl_component *self, struct dpl_pose2 from);

/* Warns of a plan in which no beam can hit anything. */
void loc_tell_empty_plan(struct dpl_component *self);

/* Warns once no beam has returned for 3 s, and says when one does again. Once a scan. */
void loc_tell_beams(struct dpl_component *self, const struct Doppel__Scan *scan, double stamp_s);

/* Counts and logs objects of the plan that beams go through now, and did not before. Once a cycle.
 */
void loc_tell_objects(struct dpl_component *self);

/* What of the calibration went, when the robot is found elsewhere: once it is known where. Reads
 * the Localizer. Once a cycle. */
void loc_tell_forgetting(struct dpl_component *self);

/* Counts cycles by state, and logs a change of it. Once a cycle. */
void loc_tell_state(struct dpl_component *self, enum localizer_state before);

void loc_tell_event(struct dpl_component *self, const struct diagnosis_event *event);

#endif
