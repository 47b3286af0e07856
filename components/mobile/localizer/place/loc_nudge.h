/* SPDX-License-Identifier: Apache-2.0 */
/* Looks around a pose for one that explains the scans much better: after a start that was too far
 * off for an iterated update, and after a jump. A fixed number of candidates a cycle. */
#ifndef LOC_NUDGE_H
#define LOC_NUDGE_H

#include "loc_track.h"

struct loc_nudge {
    bool running;
    int next;                /* candidate */
    double gain;             /* of agreement, by the best one so far */
    struct dpl_pose2 best;   /* in the frame of the tracked base */
    double most_m, most_rad; /* a shift beyond is not taken */
};

void loc_nudge_begin(struct loc_nudge *nudge, double most_m, double most_rad);

enum loc_nudge_end { LOC_NUDGE_GOES_ON, LOC_NUDGE_NOTHING, LOC_NUDGE_FOUND };

/* One slice; the observation's scan is the newest used one of the track. FOUND: the track's pose
 * has been put, uncertain, to the better place, and *ret_shift says how far that was. */
enum loc_nudge_end loc_nudge_step(struct loc_nudge *nudge, struct loc_track *track,
                                  const struct loc_observation *observation,
                                  struct dpl_pose2 *ret_shift);

#endif
