/* SPDX-License-Identifier: Apache-2.0 */
/* The one world of rigid bodies that all subsystems which use Bullet build into: the ground, the
 * obstacles, then what each of them adds. So their bodies touch each other. It lives in the world's
 * heap. */
#ifndef DOPPEL_SIM_RIGID_WORLD_H
#define DOPPEL_SIM_RIGID_WORLD_H

#include <doppel/sim/subsystem.h>

#include "solver.h"

struct dpl_rigid_world {
    struct dpl_solver *solver;
    int *bodies; /* [n_bodies] of the solver: their number in the state, or one of those below */
    size_t n_bodies;
    uint64_t n_steps; /* of the world: done */
};

/* In place of the number of a body in the state; obstacle i is -1 - i. */
enum { DPL_RIGID_GROUND = -1000000000, DPL_RIGID_WHEEL = -1000000001 };

/* That of a world, which is made when the first subsystem asks for it. NULL: the heap is full.
 * Allocates. */
struct dpl_rigid_world *dpl__rigid_world_of(const struct dpl_subsystem_site *site);

/* Adds a body of the state. Its number in the solver, or -ENOMEM. Allocates. */
int dpl__rigid_world_add(struct dpl_rigid_world *rigid, const struct dpl_solver_body *body,
                         int number);

/* What the number of a body in the solver (-1: a wheel) is in the state. */
static inline int dpl__rigid_world_body(const struct dpl_rigid_world *rigid, int solver_body)
{
    return solver_body < 0 ? DPL_RIGID_WHEEL : rigid->bodies[solver_body];
}

/* Moves all bodies by the step that the world does now, once, whoever asks first, and writes the
 * contacts of the state, without those of wheels and the ground. */
void dpl__rigid_world_step(struct dpl_world *world, const struct dpl_sim_tick *tick);

/* A shape of an obstacle or a base; its friction is not set. */
struct dpl_solver_shape dpl__rigid_shape(const struct dpl_sim_shape *shape);

/* Whether one of `n` bodies of the state, from `first` on, touches the ground plane. */
bool dpl__rigid_world_on_ground(const struct dpl_world *world, int first, int n);

/* Bodies closer than this touch: the solver holds them apart by about as much. */
#define DPL_RIGID_TOUCH_M 1e-4

/* What is put somewhere may be so deep in others: less is the solver's play, touching bodies lie
 * that deep in each other. */
#define DPL_RIGID_PLACE_M 1e-3

#endif
