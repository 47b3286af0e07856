/* SPDX-License-Identifier: Apache-2.0 */
/* A bounding volume hierarchy, split at the median. */
#include "footprint_tree.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <doppel/sim/entry.h>

enum { LEAF = 4, DEPTH_MAX = 64 };

struct dpl__footprint_node {
    double low[2], high[2];
    unsigned first, n;    /* in `order` */
    unsigned left, right; /* nodes; 0: a leaf */
};

static void bound(const struct dpl_footprint *f, double *low, double *high)
{
    double x = fabs(f->cos) * f->half_x + fabs(f->sin) * f->half_y + f->radius;
    double y = fabs(f->sin) * f->half_x + fabs(f->cos) * f->half_y + f->radius;
    low[0] = fmin(low[0], f->x - x), high[0] = fmax(high[0], f->x + x);
    low[1] = fmin(low[1], f->y - y), high[1] = fmax(high[1], f->y + y);
}

/* Puts the n / 2 smallest first, by x or y, then by number: the order of a heap sort does not
 * depend on the library. */
struct sorter {
    const struct dpl_footprint *items;
    unsigned *order;
    bool by_y;
};

static bool is_before(const struct sorter *sorter, unsigned a, unsigned b)
{
    const struct dpl_footprint *p = &sorter->items[a], *q = &sorter->items[b];
    double of_a = sorter->by_y ? p->y : p->x, of_b = sorter->by_y ? q->y : q->x;
    return of_a < of_b || (of_a == of_b && a < b);
}

static void sift(const struct sorter *sorter, size_t at, size_t n)
{
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && is_before(sorter, sorter->order[child], sorter->order[child + 1])) {
            child++;
        }
        if (!is_before(sorter, sorter->order[at], sorter->order[child])) {
            return;
        }
        unsigned kept = sorter->order[at];
        sorter->order[at] = sorter->order[child];
        sorter->order[child] = kept;
    }
}

static void sort(const struct sorter *sorter, size_t n)
{
    for (size_t i = n / 2; i-- > 0;) {
        sift(sorter, i, n);
    }
    for (size_t i = n; i-- > 1;) {
        unsigned kept = sorter->order[0];
        sorter->order[0] = sorter->order[i];
        sorter->order[i] = kept;
        sift(sorter, 0, i);
    }
}

/* Makes the node of `n` items from `first` on, and those under it. */
static unsigned split(struct dpl_footprint_tree *tree, unsigned *n_nodes, unsigned first,
                      unsigned n)
{
    unsigned number = (*n_nodes)++;
    struct dpl__footprint_node *node = &tree->nodes[number];
    *node = (struct dpl__footprint_node){.low = {(double)INFINITY, (double)INFINITY},
                                         .high = {-(double)INFINITY, -(double)INFINITY},
                                         .first = first,
                                         .n = n};
    for (unsigned i = first; i < first + n; i++) {
        bound(&tree->items[tree->order[i]], node->low, node->high);
    }
    if (n > LEAF) {
        bool by_y = node->high[1] - node->low[1] > node->high[0] - node->low[0];
        sort(&(struct sorter){tree->items, &tree->order[first], by_y}, n);
        node->left = split(tree, n_nodes, first, n / 2);
        node->right = split(tree, n_nodes, first + n / 2, n - n / 2);
    }
    return number;
}

int dpl__footprint_tree_build(struct dpl_footprint_tree *tree, struct dpl_world *world,
                              const struct dpl_sim_model *model)
{
    size_t n = model->n_obstacles;
    struct dpl_footprint *items = dpl_world_alloc(world, n, sizeof *items);
    unsigned n_nodes = 0;
    tree->n = n;
    tree->items = items;
    tree->order = dpl_world_alloc(world, n, sizeof *tree->order);
    tree->nodes = dpl_world_alloc(world, 2 * n + 1, sizeof *tree->nodes);
    if (!items || !tree->order || !tree->nodes) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < n; i++) {
        items[i] = dpl__footprint_of(&model->obstacles[i].shape);
        tree->order[i] = (unsigned)i;
    }
    split(tree, &n_nodes, 0, (unsigned)n);
    return 0;
}

static bool is_near(const struct dpl__footprint_node *node, double x, double y, double within)
{
    return x > node->low[0] - within && x < node->high[0] + within && y > node->low[1] - within &&
           y < node->high[1] + within;
}

size_t dpl__footprint_tree_find(const struct dpl_footprint_tree *tree, double x, double y,
                                double within, unsigned *ret_items, size_t capacity)
{
    unsigned stack[DEPTH_MAX];
    size_t depth = 0, found = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const struct dpl__footprint_node *node = &tree->nodes[stack[--depth]];
        if (!is_near(node, x, y, within)) {
            continue;
        }
        if (node->left) {
            stack[depth++] = node->right;
            stack[depth++] = node->left;
            continue;
        }
        for (unsigned i = node->first; i < node->first + node->n; i++, found++) {
            if (found < capacity) {
                ret_items[found] = tree->order[i];
            }
        }
    }
    return found;
}
