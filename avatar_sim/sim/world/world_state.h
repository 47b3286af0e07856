/* SPDX-License-Identifier: Apache-2.0 */
/* The insides of a running world. All of it lives in the world's heap, so that a copy of the heap
 * is a snapshot; what lives elsewhere (the model, const tables) must not change. */
#ifndef DOPPEL_SIM_WORLD_STATE_H
#define DOPPEL_SIM_WORLD_STATE_H

#include <doppel/sim/limits.h>
#include <doppel/sim/subsystem.h>
#include <doppel/sim/world.h>

#include "heap.h"

struct dpl__scenery;
struct dpl_rigid_world;

/* All entries of one class. */
struct dpl__group {
    const struct dpl_sim_entry_class *class;
    char *states; /* [n] of class->state_size bytes */
    struct dpl_sim_site *sites;
    size_t n;
};

struct dpl__running {
    const struct dpl_subsystem_class *class;
    void *data;
};

/* What steps, in this order: actuators, subsystems (all prepare, then all step), sensors, signals.
 */
struct dpl__turn {
    void (*step)(void *self, const struct dpl_sim_tick *tick);
    void *self;
    unsigned every, phase;
    double dt;
};

/* How long actuators were at their limits. */
struct dpl__limits {
    struct dpl_sim_limit_count *counts; /* [n] of those that have any, in the order of the groups */
    size_t n;                           /* 0 until the first step */
    dpl_ns since;
};

struct dpl_world {
    struct dpl_heap *heap; /* that this lies in */
    const struct dpl_sim_model *model;
    double dt;
    dpl_ns now;
    uint64_t n_steps;
    struct dpl_sim_state state;
    struct dpl__running *subsystems;
    struct dpl__group *groups;
    struct dpl__turn *turns;
    size_t n_subsystems, n_groups, n_turns;
    size_t first_signal; /* its turn */
    struct dpl__limits limits;
    struct dpl__scenery *scenery;  /* NULL until a sensor looks into space */
    struct dpl_rigid_world *rigid; /* NULL: no subsystem moves rigid bodies */
};

/* Sizes the state by what the subsystems of the model's robots need, and lets them and all entries
 * build what they have. 0, -ENOMEM, or -EINVAL with reterr. */
int dpl__world_build(struct dpl_world *world, struct dpl_diag *reterr);

/* Makes room to count, once all entries are there: 0 or -ENOMEM. Counts a step that is over. */
int dpl__limits_build(struct dpl_world *world);
void dpl__limits_count(struct dpl_world *world);

/* Bytes of addresses for a world on this model. */
size_t dpl__world_reserve(const struct dpl_sim_model *model);

#endif
