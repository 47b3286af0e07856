/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of laser_index.h as it lies in memory: laser_index.c builds it, laser_scan.c goes down
 * it. */
#ifndef DOPPEL_SIM_LASER_TREE_H
#define DOPPEL_SIM_LASER_TREE_H

#include "laser_index.h"

enum {
    DPL_TREE_LEAF = 4, /* outlines of a leaf */
    DPL_TREE_DEPTH_MAX = 48,
};

struct dpl__laser_box {
    double min_x, min_y, max_x, max_y; /* min > max: empty */
};

struct dpl_laser_index {
    struct dpl_laser_outline *outlines; /* [n] sorted */
    size_t n;
    struct dpl__laser_box *boxes; /* [2 * n_leaves]; the children of box i are 2 i and 2 i + 1 */
    size_t n_leaves;              /* a power of two; leaf i is box n_leaves + i */
    struct dpl_laser_outline *moving; /* [max_moving] */
    size_t max_moving, n_moving;
};

#endif
