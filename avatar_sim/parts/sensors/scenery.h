/* SPDX-License-Identifier: Apache-2.0 */
/* The objects that spatial sensors measure: the obstacles that are not transparent, the solids of
 * all robots at their present poses, and the ground from above. Two trees of boxes (bounding volume
 * hierarchies): the tree of fixed objects is built once; the tree of moving objects keeps its order
 * and gets new boxes before each measurement. The result of a ray is, to the last bit, the least
 * result of a test of every solid.
 *
 * One for each world, in its heap. Only its creation allocates. Used by the thread that owns the
 * world. */
#ifndef DOPPEL_SIM_SCENERY_H
#define DOPPEL_SIM_SCENERY_H

#include <doppel/sim/entry.h>
#include <doppel/sim/solid.h>

/* A solid where it is now. */
struct dpl__scenery_thing {
    struct dpl_sim_solid solid; /* its pose is that in the body */
    int robot, body;            /* body: number in the state; both -1: it stands still */
    double at[3], axes[3][3];   /* the solid's frame in the world; columns are its axes */
};

struct dpl__scenery_box {
    double edge[2][3]; /* least and greatest; least > greatest: empty */
};

/* Things in order, and boxes around them: the children of box i are 2 i and 2 i + 1, leaf i is box
 * n_leaves + i. */
struct dpl__scenery_tree {
    struct dpl__scenery_thing *things; /* [n] */
    size_t n, n_leaves;                /* n_leaves: a power of two */
    struct dpl__scenery_box *boxes;    /* [2 * n_leaves] */
};

struct dpl__scenery {
    const struct dpl_sim_state *state;
    struct dpl__scenery_tree standing, moving;
    dpl_ns fresh_at; /* see dpl__scenery_refresh_at; -1: never */
};

/* From a point along a direction of length 1, in the world. It does not see what belongs to
 * `robot`, nor body `body` of the state; -1: it sees all. */
struct dpl__scenery_ray {
    struct dpl_vector3 from, along;
    double max_range;
    int robot, body;
};

struct dpl__scenery_hit {
    double range;                           /* m; INFINITY: nothing up to max_range */
    const struct dpl__scenery_thing *thing; /* NULL: the ground, or nothing */
};

/* The scenery of the site's world; the first call makes it, while the world is built. NULL: out of
 * memory. dpl__scenery_refresh moves its objects. */
struct dpl__scenery *dpl__scenery_of(const struct dpl_sim_site *site);

/* The robot that a sensor there does not see: its own, of a mobile robot, as planar lasers. -1: of
 * a mechanism it sees all bodies but its own. */
int dpl__scenery_own_robot(const struct dpl_sim_site *site);

/* Moves all objects to their poses in the state: for measurements between steps. */
void dpl__scenery_refresh(struct dpl__scenery *scenery);
/* The same once a step, for sensors in their turn of the step that ends at `now`. */
void dpl__scenery_refresh_at(struct dpl__scenery *scenery, dpl_ns now);

struct dpl__scenery_hit dpl__scenery_cast(const struct dpl__scenery *scenery,
                                          const struct dpl__scenery_ray *ray);

/* The distance to one thing, as dpl__scenery_cast finds it; INFINITY: it is missed or not seen. */
double dpl__scenery_meet(const struct dpl__scenery_thing *thing,
                         const struct dpl__scenery_ray *ray);

/* The outward normal, in the world, of what the ray hits, on the side of its origin. */
struct dpl_vector3 dpl__scenery_normal(const struct dpl__scenery_ray *ray,
                                       const struct dpl__scenery_hit *hit);

/* For what builds trees: room for n things in the world's memory; an order of those that know where
 * they are; boxes around them. */
int dpl__scenery_tree_make(struct dpl__scenery_tree *tree, struct dpl_world *world, size_t n);
int dpl__scenery_tree_sort(struct dpl__scenery_tree *tree); /* 0 or -ENOMEM */
void dpl__scenery_tree_fit(struct dpl__scenery_tree *tree);

#endif
