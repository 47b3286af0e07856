/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of outlines as it lies in memory: index.c builds it, scan.c and ray.c go down it.
 * Internal to this folder. */
#ifndef DPL_RAYCAST_TREE_H
#define DPL_RAYCAST_TREE_H

#include "raycast.h"

enum {
    DPL_RAYCAST_TREE_LEAF = 4, /* outlines of a leaf */
    DPL_RAYCAST_TREE_DEPTH_MAX = 48,
};

struct dpl__raycast_box {
    double x[2], y[2]; /* least and greatest; least > greatest: empty */
};

struct dpl_raycast_index {
    struct dpl_raycast_outline *outlines; /* [n] sorted */
    uint32_t *number;                     /* [n] of the sorted outline in the list given */
    size_t n;
    struct dpl__raycast_box *boxes; /* [2 * n_leaves]; the children of box i are 2 i and 2 i + 1 */
    size_t n_leaves;                /* a power of two; leaf i is box n_leaves + i */
    struct dpl_raycast_outline *moving; /* [max_moving] */
    size_t max_moving, n_moving;
};

/* At least one element: an allocator may answer nothing with NULL. */
static inline void *dpl__raycast_zeroed(const struct dpl_raycast_memory *memory, size_t n,
                                        size_t size)
{
    return memory->zeroed(memory->context, n > 0 ? n : 1, size);
}

#endif
