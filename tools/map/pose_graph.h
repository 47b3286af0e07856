/* SPDX-License-Identifier: Apache-2.0 */
/* Poses from relative poses between them: the weighted least squares of a graph (Lu and Milios,
 * Autonomous Robots 4, 1997). Pure; allocates. */
#ifndef DOPPEL_MAP_POSE_GRAPH_H
#define DOPPEL_MAP_POSE_GRAPH_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/math/geometry.h>

struct pose_graph_edge {
    size_t from, to;
    struct dpl_pose2 relative; /* of `to` in the frame of `from` */
    double sigma_m, sigma_rad; /* > 0 */
    bool may_be_wrong; /* its weight falls (Geman-McClure) where it contradicts the others */
};

/* Moves poses[n] to the least squares of all edges; the first pose stays. Gauss-Newton, its linear
 * equations by conjugate gradients; a fixed number of rounds. 0 or -ENOMEM. */
int pose_graph_solve(struct dpl_pose2 *poses, size_t n, const struct pose_graph_edge *edges,
                     size_t n_edges);

#endif
