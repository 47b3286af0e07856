/* SPDX-License-Identifier: Apache-2.0 */
/* What a run that ended did, in one line, by its summary. What went wrong is in findings.h. */
#ifndef DOPPEL_REPORT_OUTCOME_H
#define DOPPEL_REPORT_OUTCOME_H

#include <jansson.h>

enum { OUTCOME_BYTES = 256 };

/* Reads the object of summary.json: the duration, the metres that were driven, the contacts in the
 * worlds, the distance of robot and avatar: "ran 40.0 s: drove 7.31 m, no contacts, robot and
 * avatar 4 mm apart RMS, at most 9 mm (true distance)". What was not measured is left out; of
 * several robots the values are those of the one that drove farthest, or was apart the most. Of a
 * test plan: "54 steps passed, 1 failed". */
void outcome_describe(const json_t *summary, char ret_text[OUTCOME_BYTES]);

#endif
