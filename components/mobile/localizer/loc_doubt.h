/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a pose that is followed deserves a second look: other places that the scans may have been
 * made at. Counted are all objects of the plan, also those that are known to have moved. From a
 * wrong place much seems to have moved, and without those objects each scan fits. What the second
 * look finds decides; this only says when. */
#ifndef LOC_DOUBT_H
#define LOC_DOUBT_H

#include <stdbool.h>

#include "loc_match.h"

struct loc_doubt {
    double agreement, openness; /* means over about a second */
    double newest_s;            /* stamp of the newest scan; NAN: none yet */
    double due_s;               /* not before this stamp; NAN: at once */
    double wait_s;              /* after the next look that changes nothing */
};

/* As of a new place: what was seen before says nothing of it. */
void loc_doubt_init(struct loc_doubt *doubt);

/* Takes what a scan says at `stamp_s`. True: a second look is due, something does not fit. */
bool loc_doubt_scan(struct loc_doubt *doubt, const struct loc_judgement *judged, double stamp_s);

/* The place may well be wrong: beams go through much that should be there. People do not make it
 * so. */
bool loc_doubt_is_strong(const struct loc_doubt *doubt);

/* A second look has found no better place: the next one is later each time. */
void loc_doubt_allay(struct loc_doubt *doubt);

#endif
