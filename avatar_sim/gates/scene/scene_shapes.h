/* SPDX-License-Identifier: Apache-2.0 */
/* Solids as shapes that viewers draw. */
#ifndef DOPPEL_SIM_SCENE_SHAPES_H
#define DOPPEL_SIM_SCENE_SHAPES_H

#include <doppel/host/scene.h>
#include <doppel/sim/solid.h>

#include "arena.h"

/* Shapes of one thing, which grow; what they point to is the arena's. Zero-initialise. */
struct scene_shapes {
    struct dpl_arena arena;
    struct dpl_scene_shape *items;
    size_t n, capacity;
    size_t *mesh_bytes; /* about, of messages so far; beyond SCENE_MESH_BYTES a mesh is its box */
};

#define SCENE_MESH_BYTES ((size_t)6 << 20) /* what one viewer is sent at once stays below 8 MiB */

void scene_shapes_add(struct scene_shapes *shapes, const struct dpl_scene_shape *shape);
/* Nothing for a plane. */
void scene_shapes_add_solid(struct scene_shapes *shapes, const struct dpl_sim_solid *solid,
                            const double color[4]);
void scene_shapes_finish(struct scene_shapes *shapes);

#endif
