/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting outlines into a tree of boxes: see raycast.h. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "raycast_tree.h"

/* Boxes are wider than what is in them by this share of the coordinates: rounding cannot put an
 * outline outside its box. */
static const double slack = 1e-9;

static const struct dpl__raycast_box empty = {{(double)INFINITY, -(double)INFINITY},
                                              {(double)INFINITY, -(double)INFINITY}};

/* An outline's place in the order of the tree. */
struct key {
    uint32_t curve, number;
};

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

static struct dpl__raycast_box scene_box(const struct dpl_raycast_outline *outlines, size_t n)
{
    struct dpl__raycast_box all = empty;
    for (size_t i = 0; i < n; i++) {
        all = unite(all, outline_box(&outlines[i]));
    }
    return all;
}

/* The bits of a 16-bit number, a gap after each. */
static uint32_t spread(uint32_t bits)
{
    bits = (bits | bits << 8) & 0x00ff00ffu;
    bits = (bits | bits << 4) & 0x0f0f0f0fu;
    bits = (bits | bits << 2) & 0x33333333u;
    return (bits | bits << 1) & 0x55555555u;
}

/* A share of the scene in steps of a 16-bit number; 0 for no number. */
static uint32_t quantize(double share)
{
    return share > 0.0 ? (uint32_t)(fmin(share, 1.0) * 65535.0) : 0;
}

/* How far along the Z-order curve through the scene the middle of an outline lies. */
static uint32_t place_on_curve(const struct dpl_raycast_outline *o, struct dpl__raycast_box scene)
{
    struct dpl__raycast_box b = outline_box(o);
    double size = fmax(scene.x[1] - scene.x[0], scene.y[1] - scene.y[0]);
    double x = (0.5 * (b.x[0] + b.x[1]) - scene.x[0]) / size;
    double y = (0.5 * (b.y[0] + b.y[1]) - scene.y[0]) / size;
    return spread(quantize(x)) | spread(quantize(y)) << 1;
}

static int by_place(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    if (x->curve != y->curve) {
        return x->curve < y->curve ? -1 : 1;
    }
    return x->number < y->number ? -1 : x->number > y->number;
}

static bool sort_outlines(struct dpl_raycast_index *index,
                          const struct dpl_raycast_outline *outlines)
{
    size_t n = index->n;
    struct key *keys = calloc(n + 1, sizeof *keys); /* + 1: never nothing */
    if (!keys) {
        return false;
    }
    struct dpl__raycast_box scene = scene_box(outlines, n);
    for (size_t i = 0; i < n; i++) {
        keys[i] = (struct key){place_on_curve(&outlines[i], scene), (uint32_t)i};
    }
    qsort(keys, n, sizeof *keys, by_place);
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
