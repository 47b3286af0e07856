/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting outlines into a tree of boxes: see raycast.h. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "raycast_sort.h"
#include "raycast_tree.h"

/* Boxes are wider than what is in them by this share of the coordinates: rounding cannot put an
 * outline outside its box. */
static const double slack = 1e-9;

static const struct dpl__raycast_box empty = {{(double)INFINITY, -(double)INFINITY},
                                              {(double)INFINITY, -(double)INFINITY}};

static struct dpl__raycast_box unite(struct dpl__raycast_box a, struct dpl__raycast_box b)
{
    return (struct dpl__raycast_box){{fmin(a.x[0], b.x[0]), fmax(a.x[1], b.x[1])},
                                     {fmin(a.y[0], b.y[0]), fmax(a.y[1], b.y[1])}};
}

static struct dpl__raycast_box outline_box(const struct dpl_raycast_outline *o)
{
    double r = o->radius > 0.0 ? o->radius : 0.0;
    double x = o->x + (r > 0.0 ? 0.0 : o->dx), y = o->y + (r > 0.0 ? 0.0 : o->dy);
    double wide = slack * (1.0 + fabs(o->x) + fabs(o->y) + fabs(o->dx) + fabs(o->dy) + r);
    return (struct dpl__raycast_box){{fmin(o->x, x) - r - wide, fmax(o->x, x) + r + wide},
                                     {fmin(o->y, y) - r - wide, fmax(o->y, y) + r + wide}};
}

/* Coordinates may overflow. */
static double number_or_0(double value)
{
    return isfinite(value) ? value : 0.0;
}

static bool sort_outlines(struct dpl_raycast_index *index,
                          const struct dpl_raycast_outline *outlines)
{
    size_t n = index->n;
    struct dpl__raycast_key *keys = calloc(n + 1, sizeof *keys); /* + 1: never nothing */
    if (!keys) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        struct dpl__raycast_box b = outline_box(&outlines[i]);
        keys[i] = (struct dpl__raycast_key){
            .middle = {number_or_0(0.5 * (b.x[0] + b.x[1])), number_or_0(0.5 * (b.y[0] + b.y[1]))},
            .number = (uint32_t)i,
        };
    }
    dpl__raycast_sort(keys, n, index->n_leaves, DPL_RAYCAST_TREE_LEAF);
    for (size_t i = 0; i < n; i++) {
        index->outlines[i] = outlines[keys[i].number];
        index->number[i] = keys[i].number;
    }
    free(keys);
    return true;
}

static void build_tree(struct dpl_raycast_index *index)
{
    for (size_t i = 0; i < index->n_leaves; i++) {
        index->boxes[index->n_leaves + i] = empty;
    }
    for (size_t i = 0; i < index->n; i++) {
        struct dpl__raycast_box *leaf = &index->boxes[index->n_leaves + i / DPL_RAYCAST_TREE_LEAF];
        *leaf = unite(*leaf, outline_box(&index->outlines[i]));
    }
    for (size_t i = index->n_leaves - 1; i > 0; i--) {
        index->boxes[i] = unite(index->boxes[2 * i], index->boxes[2 * i + 1]);
    }
}

static struct dpl_raycast_index *allocate(const struct dpl_raycast_memory *memory, size_t n,
                                          size_t max_moving)
{
    struct dpl_raycast_index *index = dpl__raycast_zeroed(memory, 1, sizeof *index);
    if (!index) {
        return NULL;
    }
    index->n = n;
    index->max_moving = max_moving;
    index->n_leaves = 1;
    while (index->n_leaves * DPL_RAYCAST_TREE_LEAF < n) {
        index->n_leaves *= 2;
    }
    index->outlines = dpl__raycast_zeroed(memory, n, sizeof *index->outlines);
    index->number = dpl__raycast_zeroed(memory, n, sizeof *index->number);
    index->boxes = dpl__raycast_zeroed(memory, 2 * index->n_leaves, sizeof *index->boxes);
    index->moving = dpl__raycast_zeroed(memory, max_moving, sizeof *index->moving);
    bool whole = index->outlines && index->number && index->boxes && index->moving;
    return whole ? index : NULL;
}

struct dpl_raycast_index *dpl_raycast_index_create(const struct dpl_raycast_memory *memory,
                                                   const struct dpl_raycast_outline *outlines,
                                                   size_t n, size_t max_moving)
{
    struct dpl_raycast_index *index = allocate(memory, n, max_moving);
    if (!index || !sort_outlines(index, outlines)) {
        return NULL;
    }
    build_tree(index);
    return index;
}

void dpl_raycast_index_move(struct dpl_raycast_index *index,
                            const struct dpl_raycast_outline *outlines, size_t n)
{
    index->n_moving = n < index->max_moving ? n : index->max_moving;
    memcpy(index->moving, outlines, index->n_moving * sizeof *outlines);
}
