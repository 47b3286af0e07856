/* SPDX-License-Identifier: Apache-2.0 */
/* What follows if the place that is followed is a wrong one, and whether to look for others.
 *
 * Which part of the calibration a wrong place cannot have taught. Scans of a place that only looks
 * like the robot's teach the filter scales and mounts that are not the robot's, with small
 * deviations. So the parameters are kept from time to time while the place is sure, and the filter
 * goes back to them when the robot is found elsewhere. */
#ifndef LOC_SURE_H
#define LOC_SURE_H

#include <stdbool.h>
#include <stdint.h>

#include "loc_filter.h"

struct loc_sure {
    struct loc_filter kept;  /* parameters that count whatever becomes of the place */
    double kept_s;           /* stamp of their newest scan; NAN: they are those of the start */
    struct loc_filter next;  /* they will be kept if the place stays sure */
    double next_s;           /* NAN: none */
    struct loc_filter tried; /* parameters to look for the robot with */
    struct loc_filter lost;  /* parameters of before a loss that goes on */
    bool is_lost;
    double since_s;  /* stamp of the first scan in this place that agrees well enough; NAN: none */
    double newest_s; /* stamp of the newest scan */
    double agreement_mean; /* over about 10 s */
    uint64_t forgot;       /* times that the filter went back to `kept` */
    double forgot_from_s;  /* the last time: what was learnt after this stamp; NAN: the start */
    double forgot_until_s; /* and up to this one went; NAN: never */
};

/* `filter` has what the start gives. */
void loc_sure_init(struct loc_sure *sure, const struct loc_filter *filter);

/* A scan that the tracked pose was corrected with. `agreement`: with the plan, there. `filter`:
 * after the newest scan that did not speak against the pose. */
void loc_sure_scan(struct loc_sure *sure, double stamp_s, double agreement,
                   const struct loc_filter *filter);

/* The place has been sure for long enough that a small jump is a correction. */
bool loc_sure_holds(const struct loc_sure *sure);

/* The place is in question. `before`: the filter after the last scan that did not speak against
 * it. The first call of a loss counts. */
void loc_sure_lose(struct loc_sure *sure, const struct loc_filter *before);

/* The place is the one of before the loss: what was learnt meanwhile goes. */
void loc_sure_resume(struct loc_sure *sure, struct loc_filter *filter);

/* The first place of an unknown start: nothing goes. */
void loc_sure_settle(struct loc_sure *sure);

/* The place is another one: all goes that was learnt since the old one was sure. */
void loc_sure_forget(struct loc_sure *sure, double stamp_s, struct loc_filter *filter);

/* ---- doubt ---- */

/* Whether a pose that is followed deserves a second look: other places that the scans may have been
 * made at. Counted are all objects of the plan, also those that are known to have moved. From a
 * wrong place much seems to have moved, and without those objects each scan fits. What the second
 * look finds decides; this only says when. */
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
