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

/* An outline on its way to its place in the tree. */
struct key {
    double middle[2];
    uint32_t number;
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

/* Whether a comes before b along an axis; the number decides between equals. */
static inline bool is_before(const struct key *a, const struct key *b, int axis)
{
    return a->middle[axis] < b->middle[axis] ||
           (a->middle[axis] == b->middle[axis] && a->number < b->number);
}

static void swap(struct key *a, struct key *b)
{
    struct key kept = *a;
    *a = *b;
    *b = kept;
}

/* Puts the first n of keys[total] along an axis before the others, in any order (Hoare's FIND,
 * CACM 4, 1961). */
static void split(struct key *keys, size_t total, size_t n, int axis)
{
    size_t first = 0, last = total - 1;
    while (first < last) {
        struct key pivot = keys[first + (last - first) / 2];
        size_t i = first, k = last;
        for (;;) {
            while (is_before(&keys[i], &pivot, axis)) {
                i++;
            }
            while (is_before(&pivot, &keys[k], axis)) {
                k--;
            }
            if (i >= k) {
                break;
            }
            swap(&keys[i++], &keys[k--]);
        }
        /* keys[first .. i - 1] are not after the pivot, keys[i ..] not before it */
        if (n <= k) {
            last = k;
        } else {
            first = k + 1;
        }
    }
}

/* The axis along which the middles are farther apart. */
static int widest(const struct key *keys, size_t n)
{
    double least[2] = {(double)INFINITY, (double)INFINITY};
    double most[2] = {-(double)INFINITY, -(double)INFINITY};
    for (size_t i = 0; i < n; i++) {
        for (int axis = 0; axis < 2; axis++) {
            least[axis] = fmin(least[axis], keys[i].middle[axis]);
            most[axis] = fmax(most[axis], keys[i].middle[axis]);
        }
    }
    return most[1] - least[1] > most[0] - least[0];
}

/* Sorts keys[n] into a tree of `leaves` leaves: each box gets what is on one side of a line. */
static void sort_keys(struct key *keys, size_t n, size_t leaves)
{
    while (n > DPL_RAYCAST_TREE_LEAF) {
        size_t first = leaves / 2 * DPL_RAYCAST_TREE_LEAF;
        leaves /= 2;
        if (n > first) {
            split(keys, n, first, widest(keys, n));
            sort_keys(keys, first, leaves);
            keys += first;
            n -= first;
        }
    }
}

static double number_or_0(double value)
{
    return isfinite(value) ? value : 0.0;
}

static bool sort_outlines(struct dpl_raycast_index *index,
                          const struct dpl_raycast_outline *outlines)
{
    size_t n = index->n;
    struct key *keys = calloc(n + 1, sizeof *keys); /* + 1: never nothing */
    if (!keys) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        struct dpl__raycast_box b = outline_box(&outlines[i]);
        keys[i] = (struct key){
            {number_or_0(0.5 * (b.x[0] + b.x[1])), number_or_0(0.5 * (b.y[0] + b.y[1]))},
            (uint32_t)i};
    }
    sort_keys(keys, n, index->n_leaves);
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
