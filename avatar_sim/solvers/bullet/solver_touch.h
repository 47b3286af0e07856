/* SPDX-License-Identifier: Apache-2.0 */
/* The contact points of a body that another solver moves, with the fixed bodies of this solver.
 * There is no state between calls: the same pose always gives the same points. */
#ifndef DOPPEL_SIM_SOLVER_TOUCH_H
#define DOPPEL_SIM_SOLVER_TOUCH_H

#include "solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A convex shape. */
struct dpl_solver_probe;

/* A point where it lies in something that stands still. */
struct dpl_solver_touch {
    int body;         /* of the solver */
    double friction;  /* of it */
    double depth;     /* m, above 0 */
    double normal[3]; /* away from it, in the world */
    double point[3];  /* on its surface, in the world */
};

/* A box, sphere, capsule, cylinder or hull; its `pose` and its surface do not count. It lives in
 * the heap of the solver. NULL: the heap is full. Allocates. */
struct dpl_solver_probe *dpl__solver_probe(struct dpl_solver *solver,
                                           const struct dpl_solver_shape *shape);

/* Registers the present fixed bodies, the ground first, for dpl__solver_touches. 0 or -ENOMEM.
 * Allocates. */
int dpl__solver_set_scene(struct dpl_solver *solver);

/* Calls `visit` for each point: those of the probe (corners; ends of capsules; four of each rim of
 * a cylinder, the deepest one and those around; the sphere) that lie in the scene, corners of the
 * scene that lie in the probe, and where these leave depth over (edges across each other), the
 * deepest point by as much as it is deeper than they are. So depths grow from 0 and do not jump.
 * `rotation`: rows of the turn from the probe's frame into the world's. Does not allocate. */
void dpl__solver_touches(struct dpl_solver *solver, const struct dpl_solver_probe *probe,
                         const double position[3], const double rotation[9],
                         void (*visit)(void *user, const struct dpl_solver_touch *touch),
                         void *user);

#ifdef __cplusplus
}
#endif

#endif
