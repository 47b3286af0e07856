/* SPDX-License-Identifier: Apache-2.0 */
/* A graph of bodies and joints as a model of MuJoCo: to compare both solvers on the same mechanism.
 * Without MuJoCo no graph can be told. */
#ifndef DOPPEL_BENCH_MUJOCO_GRAPH_H
#define DOPPEL_BENCH_MUJOCO_GRAPH_H

#include <doppel/sim/multibody.h>

struct mujoco_graph;

/* How hard constraints are. */
enum mujoco_loops {
    MUJOCO_USUAL, /* MuJoCo's own values */
    MUJOCO_HARD,  /* the hardest that it takes: a time constant of two steps, impedance 0.9999 */
};

/* Whether it can be told: joints that turn or travel along an axis and connect all bodies to
 * `fixed`, linear springs and dampers of joints, and loops that a hinge can close. */
bool mujoco_graph_can(const struct dpl_mb_graph *graph);

/* From the pose and the velocities that `start`, a system of this graph, has now. The tree has all
 * sliders in it, so what closes loops are hinges: a `connect` at its origin, and where the
 * mechanism is not planar another one at 1 m along its axis. Borrows `graph`. NULL: no memory, or
 * MuJoCo does not take it, which is told on stderr. */
struct mujoco_graph *mujoco_graph_create(const struct dpl_mb_graph *graph,
                                         const struct dpl_mb_system *start, bool is_rk4,
                                         enum mujoco_loops loops, double step);
void mujoco_graph_destroy(struct mujoco_graph *mujoco); /* NULL: nothing */

void mujoco_graph_step(struct mujoco_graph *mujoco);

/* The largest distance of the ends of a hinge that closes a loop, m. */
double mujoco_graph_residual(struct mujoco_graph *mujoco);

/* The largest distance of a body's origin from where `system` has it, m. */
double mujoco_graph_apart(struct mujoco_graph *mujoco, const struct dpl_mb_system *system);

#endif
