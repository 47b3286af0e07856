/* SPDX-License-Identifier: Apache-2.0 */
/* Places that were met again: each scan is also looked for on the surfaces that were seen long
 * before it, and all poses are moved so that both agree. Pure; allocates. */
#ifndef DOPPEL_MAP_LOOPS_H
#define DOPPEL_MAP_LOOPS_H

#include "match.h"
#include "pose_graph.h"

/* What is known of one scan. Points are in the frame of the base. */
struct loops_scan {
    size_t number; /* any; increasing */
    double way_m;  /* driven until then, by odometry */
};

struct loops_source {
    const struct loops_scan *scans; /* [n] */
    size_t n;
    /* The points of a scan, borrowed until the next call, and how many they are. */
    const struct scan_point *(*points)(void *context, size_t number, size_t *ret_n);
    void *context;
    double cell_m;
};

/* Looks for the places and moves poses[source->n]; the first stays. A scan counts as met again when
 * most of it lies on the surfaces that were seen at least 5 m of way before; as surfaces may look
 * alike, a place that contradicts the others loses its weight. Drift beyond about 0.4 m or 10 deg
 * is not found. ret_found: scans that were met again. 0, -ENOMEM, -ENOSPC as surfels_add_scan. */
int loops_close(const struct loops_source *source, struct dpl_pose2 *poses, size_t *ret_found);

#endif
