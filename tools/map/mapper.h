/* SPDX-License-Identifier: Apache-2.0 */
/* From a recording to the poses of its scans and a map of surfaces. Pure; allocates. */
#ifndef DOPPEL_MAP_MAPPER_H
#define DOPPEL_MAP_MAPPER_H

#include "match.h"
#include "recording.h"
#include "surfels.h"

struct mapper_options {
    struct scan_points_options points;
    size_t hold_out; /* every hold_out-th scan does not take part in the map; 0: all take part */
    void (*progress)(void *user, double share); /* how far a build is, 0 to 1, often; or NULL */
    void *progress_user;
};

struct mapper {
    const struct recording *recording;
    struct mapper_options options;
    struct surfels map;        /* in the frame of the base at the first scan */
    struct dpl_pose2 *poses;   /* [n of the recording] of the base, at each scan */
    double *shares;            /* [n] of the scan's points that lie on the map (match.h) */
    struct scan_point *points; /* [RECORDING_BEAMS_MAX] scratch */
    double score;              /* of the matches of late (match.h); 0: none yet */
    size_t n_visits;           /* of scans, for the progress */
    size_t met_again;          /* scans at places that had been seen long before (loops.h) */
};

/* Builds the map, incrementally: each scan is matched against the map of those before it, starting
 * where odometry says, and added. Loops are closed (loops.h), four times. Then all scans are
 * matched against the whole map and the map is built anew, twice: what was seen later so helps the
 * earlier poses. At last the beams that go through surfaces are counted, what stands where the base
 * has been is taken out, and the scans that were held out are matched. The recording is borrowed
 * until mapper_finish. 0; -ENOMEM, -ENOSPC (too large an area) with reterr. */
int mapper_build(const struct recording *recording, const struct mapper_options *options,
                 struct mapper *ret_mapper, struct dpl_diag *reterr);
void mapper_finish(struct mapper *mapper);

bool mapper_is_held_out(const struct mapper *mapper, size_t scan);

/* Odometry alone: the pose of the base at a scan, in the map's frame. */
struct dpl_pose2 mapper_odometry(const struct recording *recording, size_t scan);

/* The points of a scan, in mapper->points. */
size_t mapper_points(struct mapper *mapper, size_t scan);

#endif
