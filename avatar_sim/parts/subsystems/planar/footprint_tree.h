/* SPDX-License-Identifier: Apache-2.0 */
/* What stands still, found by where it is: a tree of boxes along the axes. */
#ifndef DOPPEL_SIM_FOOTPRINT_TREE_H
#define DOPPEL_SIM_FOOTPRINT_TREE_H

#include <doppel/sim/model.h>

#include "footprint.h"

struct dpl_world;

struct dpl_footprint_tree {
    const struct dpl_footprint *items; /* [n] */
    struct dpl__footprint_node *nodes;
    unsigned *order; /* [n] numbers of items, those of a node side by side */
    size_t n;
};

/* Memory of the world, also of the footprints. 0 or -ENOMEM. */
int dpl__footprint_tree_build(struct dpl_footprint_tree *tree, struct dpl_world *world,
                              const struct dpl_sim_model *model);

/* The numbers of items whose box comes nearer than `within` to (x, y), along x or y: the first
 * `capacity` of them. Returns how many there are. */
size_t dpl__footprint_tree_find(const struct dpl_footprint_tree *tree, double x, double y,
                                double within, unsigned *ret_items, size_t capacity);

#endif
