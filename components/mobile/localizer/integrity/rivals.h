/* SPDX-License-Identifier: Apache-2.0 */
/* How much better the followed place explains the local map than any other: of the whole plan (by
 * a search), of those that were followed along before, and its own neighbours. In slices of about
 * 0.2 ms. */
#ifndef INTEGRITY_RIVALS_H
#define INTEGRITY_RIVALS_H

#include "evidence.h"
#include "loc_search.h"

#define RIVALS_FOUND      40
#define RIVALS_KEPT       12
#define RIVALS_NEIGHBOURS 8
#define RIVALS_MAX        (RIVALS_FOUND + RIVALS_KEPT + RIVALS_NEIGHBOURS)
#define RIVALS_REFINED    8

enum rivals_phase { RIVALS_IDLE, RIVALS_SEARCHES, RIVALS_WEIGHS, RIVALS_REFINES };

struct rival {
    struct dpl_pose2 place; /* of the odometry's frame, in the plan */
    double evidence;
    bool refined;
    bool possible; /* of those kept: evidence does not exclude it */
};

struct rivals {
    struct loc_search search;  /* borrows field and free space */
    struct dpl_pose2 searched; /* the laser of the searched scan, in the odometry's frame */
    struct local_map_view view;
    struct rival list[RIVALS_MAX], kept[RIVALS_KEPT], followed;
    size_t n, n_kept, next, n_refined;
    enum rivals_phase phase;
    /* m: how far those beside the followed place are that evidence does not exclude; 0: none */
    double near_m;
};

struct rivals_input {
    const struct evidence_plan *plan;
    const struct local_map *map;
    double length_m;        /* of the local map, at most */
    struct loc_laser laser; /* the followed one, now */
};

/* Other places that the newest search did not exclude, the likeliest first, as poses of the laser
 * where the followed one is `laser`, at `odometry`. At most `max`; how many. */
size_t rivals_possible(const struct rivals *rivals, struct dpl_pose2 laser,
                       struct dpl_pose2 odometry, size_t max, struct dpl_pose2 *ret_lasers);

/* `search` has the plan's field and free space, and lives longer. */
void rivals_init(struct rivals *rivals, const struct loc_search *search);

/* Begins with the newest scan: against the whole plan, or against those that are followed along. */
void rivals_begin(struct rivals *rivals, const struct loc_scan *scan,
                  const struct rivals_input *input, bool whole);

/* What is under way says nothing any more. `places`: those that were kept do not either. */
void rivals_stop(struct rivals *rivals, bool places);

/* One slice. True: done; the lead of the followed place, nats. */
bool rivals_step(struct rivals *rivals, const struct rivals_input *input, double *ret_lead);

#endif
