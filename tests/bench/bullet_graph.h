/* SPDX-License-Identifier: Apache-2.0 */
/* A graph of bodies and joints as trees and loops of Bullet (avatar_sim/solvers/bullet/solver.h),
 * made as the subsystem `bullet` makes mechanisms: to compare both solvers on the same mechanism.
 */
#ifndef DOPPEL_BENCH_BULLET_GRAPH_H
#define DOPPEL_BENCH_BULLET_GRAPH_H

#include <doppel/sim/multibody.h>

struct bullet_graph;

/* Whether it can be told: joints that turn or travel along an axis, nothing else that acts, moments
 * along the axes of the bodies, gravity along -y. */
bool bullet_graph_can(const struct dpl_mb_graph *graph);

/* From the pose that `start`, a system of this graph, has now. The first step brings what moves to
 * its speed. Borrows both. NULL: no memory. */
struct bullet_graph *bullet_graph_create(const struct dpl_mb_graph *graph,
                                         const struct dpl_mb_system *start, int iterations);
void bullet_graph_destroy(struct bullet_graph *bullet);

void bullet_graph_step(struct bullet_graph *bullet, double step); /* s */

/* The largest distance of the ends of a joint that closes a loop, along what it prevents, m. */
double bullet_graph_residual(const struct bullet_graph *bullet);

/* The largest distance of a body's origin from where `system` has it, m. */
double bullet_graph_apart(const struct bullet_graph *bullet, const struct dpl_mb_system *system);

#endif
