/* SPDX-License-Identifier: Apache-2.0 */
/* Trees of boxes around solids in space: see scenery.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "raycast_sort.h"
#include "scenery.h"

enum { LEAF = 2 };

/* Boxes are wider than what is in them by this share of the coordinates: rounding cannot let a ray
 * meet a solid but not its box. */
static const double slack = 1e-6;

static const struct dpl__scenery_box empty = {
    {{(double)INFINITY, (double)INFINITY, (double)INFINITY},
     {(double)-INFINITY, (double)-INFINITY, (double)-INFINITY}}};

static struct dpl__scenery_box unite(const struct dpl__scenery_box *a,
                                     const struct dpl__scenery_box *b)
{
    struct dpl__scenery_box both;
    for (int i = 0; i < 3; i++) {
        both.edge[0][i] = fmin(a->edge[0][i], b->edge[0][i]);
        both.edge[1][i] = fmax(a->edge[1][i], b->edge[1][i]);
    }
    return both;
}

static struct dpl__scenery_box box_of(const struct dpl__scenery_thing *thing)
{
    struct dpl__scenery_box box;
    struct dpl_vector3 middle;
    double half[3];
    if (thing->solid.kind == DPL_SOLID_PLANE) {
        return (struct dpl__scenery_box){{{(double)-INFINITY, (double)-INFINITY, (double)-INFINITY},
                                          {(double)INFINITY, (double)INFINITY, (double)INFINITY}}};
    }
    dpl_sim_solid_box(&thing->solid, &middle, half);
    for (int i = 0; i < 3; i++) {
        const double *axes = thing->axes[i];
        double at = thing->at[i] + axes[0] * middle.x + axes[1] * middle.y + axes[2] * middle.z;
        double reach = fabs(axes[0]) * half[0] + fabs(axes[1]) * half[1] + fabs(axes[2]) * half[2];
        double wide = reach + slack * (1.0 + fabs(at) + reach);
        box.edge[0][i] = at - wide;
        box.edge[1][i] = at + wide;
    }
    return box;
}

int dpl__scenery_tree_make(struct dpl__scenery_tree *tree, struct dpl_world *world, size_t n)
{
    tree->n = n;
    tree->n_leaves = 1;
    while (tree->n_leaves * LEAF < n) {
        tree->n_leaves *= 2;
    }
    tree->things = dpl_world_alloc(world, n + 1, sizeof *tree->things);
    tree->boxes = dpl_world_alloc(world, 2 * tree->n_leaves, sizeof *tree->boxes);
    return tree->things && tree->boxes ? 0 : -ENOMEM;
}

int dpl__scenery_tree_sort(struct dpl__scenery_tree *tree)
{
    struct dpl__raycast_key *keys = calloc(tree->n + 1, sizeof *keys); /* + 1: never nothing */
    struct dpl__scenery_thing *unsorted = calloc(tree->n + 1, sizeof *unsorted);
    if (!keys || !unsorted) {
        free(keys);
        free(unsorted);
        return -ENOMEM;
    }
    memcpy(unsorted, tree->things, tree->n * sizeof *unsorted);
    for (size_t i = 0; i < tree->n; i++) {
        memcpy(keys[i].middle, unsorted[i].at, sizeof keys[i].middle);
        keys[i].number = (uint32_t)i;
    }
    dpl__raycast_sort(keys, tree->n, tree->n_leaves, LEAF);
    for (size_t i = 0; i < tree->n; i++) {
        tree->things[i] = unsorted[keys[i].number];
    }
    free(keys);
    free(unsorted);
    return 0;
}

void dpl__scenery_tree_fit(struct dpl__scenery_tree *tree)
{
    for (size_t i = 0; i < tree->n_leaves; i++) {
        tree->boxes[tree->n_leaves + i] = empty;
    }
    for (size_t i = 0; i < tree->n; i++) {
        struct dpl__scenery_box *leaf = &tree->boxes[tree->n_leaves + i / LEAF];
        struct dpl__scenery_box box = box_of(&tree->things[i]);
        *leaf = unite(leaf, &box);
    }
    for (size_t i = tree->n_leaves - 1; i > 0; i--) {
        tree->boxes[i] = unite(&tree->boxes[2 * i], &tree->boxes[2 * i + 1]);
    }
}

/* ---- a ray ---- */

/* Directions flatter than this would divide by zero. */
static const double flattest = 1e-300;

/* A ray on its way. */
struct flight {
    const struct dpl__scenery_ray *ray;
    double from[3], inverse[3]; /* inverse: of the direction */
    int back[3];                /* whether it goes towards lower coordinates */
    struct dpl__scenery_hit hit;
};

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* Where the ray comes into a box; INFINITY: it passes by. */
static inline double enter(const struct flight *f, const struct dpl__scenery_box *box)
{
    const double *from = f->from, *inverse = f->inverse;
    double in_x = (box->edge[f->back[0]][0] - from[0]) * inverse[0];
    double in_y = (box->edge[f->back[1]][1] - from[1]) * inverse[1];
    double in_z = (box->edge[f->back[2]][2] - from[2]) * inverse[2];
    double out_x = (box->edge[!f->back[0]][0] - from[0]) * inverse[0];
    double out_y = (box->edge[!f->back[1]][1] - from[1]) * inverse[1];
    double out_z = (box->edge[!f->back[2]][2] - from[2]) * inverse[2];
    double in = larger(larger(in_x, in_y), larger(in_z, 0.0));
    double out = smaller(smaller(out_x, out_y), out_z);
    return in <= out ? in : (double)INFINITY;
}

/* R^T v */
static inline struct dpl_vector3 into(const double r[3][3], double x, double y, double z)
{
    return (struct dpl_vector3){r[0][0] * x + r[1][0] * y + r[2][0] * z,
                                r[0][1] * x + r[1][1] * y + r[2][1] * z,
                                r[0][2] * x + r[1][2] * y + r[2][2] * z};
}

/* The ray in the frame of a thing's solid. */
static inline void in_frame_of(const struct dpl__scenery_thing *thing,
                               const struct dpl__scenery_ray *ray, struct dpl_vector3 *ret_from,
                               struct dpl_vector3 *ret_along)
{
    *ret_from = into(thing->axes, ray->from.x - thing->at[0], ray->from.y - thing->at[1],
                     ray->from.z - thing->at[2]);
    *ret_along = into(thing->axes, ray->along.x, ray->along.y, ray->along.z);
}

double dpl__scenery_meet(const struct dpl__scenery_thing *thing, const struct dpl__scenery_ray *ray)
{
    if (thing->body >= 0 && (thing->body == ray->body || thing->robot == ray->robot)) {
        return (double)INFINITY;
    }
    struct dpl_vector3 from, along;
    in_frame_of(thing, ray, &from, &along);
    return dpl_sim_solid_ray_own(&thing->solid, from, along);
}

static void meet_leaf(struct flight *f, const struct dpl__scenery_tree *tree, size_t leaf)
{
    size_t first = leaf * LEAF, end = first + LEAF;
    end = end < tree->n ? end : tree->n;
    for (size_t i = first; i < end; i++) {
        double range = dpl__scenery_meet(&tree->things[i], f->ray);
        if (range < f->hit.range) {
            f->hit = (struct dpl__scenery_hit){range, &tree->things[i]};
        }
    }
}

/* A box that still has to be visited. */
struct visit {
    size_t box;
    double near;
};

enum { DEPTH_MAX = 48 };

/* Down to the leaf that is entered first; the other children on the way wait in stack[n]. Returns
 * how many wait then. */
static size_t descend(struct flight *f, const struct dpl__scenery_tree *tree, size_t at,
                      struct visit *stack, size_t n)
{
    while (at < tree->n_leaves) {
        double a = enter(f, &tree->boxes[2 * at]), b = enter(f, &tree->boxes[2 * at + 1]);
        size_t second_nearer = b < a;
        double near = smaller(a, b), far = larger(a, b);
        if (!(near < f->hit.range)) {
            return n;
        }
        stack[n] = (struct visit){2 * at + 1 - second_nearer, far};
        n += far < f->hit.range;
        at = 2 * at + second_nearer;
    }
    meet_leaf(f, tree, at - tree->n_leaves);
    return n;
}

static void cross_tree(struct flight *f, const struct dpl__scenery_tree *tree)
{
    struct visit stack[DEPTH_MAX];
    stack[0] = (struct visit){1, enter(f, &tree->boxes[1])};
    for (size_t n = 1; n > 0;) {
        struct visit next = stack[--n];
        if (next.near < f->hit.range) {
            n = descend(f, tree, next.box, stack, n);
        }
    }
}

static double inverse(double share)
{
    return 1.0 / (fabs(share) < flattest ? copysign(flattest, share) : share);
}

struct dpl__scenery_hit dpl__scenery_cast(const struct dpl__scenery *scenery,
                                          const struct dpl__scenery_ray *ray)
{
    struct flight f = {
        .ray = ray,
        .from = {ray->from.x, ray->from.y, ray->from.z},
        .inverse = {inverse(ray->along.x), inverse(ray->along.y), inverse(ray->along.z)},
        .back = {signbit(ray->along.x) != 0, signbit(ray->along.y) != 0,
                 signbit(ray->along.z) != 0},
        .hit = {ray->max_range, NULL},
    };
    bool falls = ray->from.z > 0.0 && ray->along.z < 0.0;
    double ground = falls ? -ray->from.z / ray->along.z : (double)INFINITY;
    bool is_hit = ground < f.hit.range;
    f.hit.range = is_hit ? ground : f.hit.range;
    cross_tree(&f, &scenery->moving);
    cross_tree(&f, &scenery->standing);
    if (!f.hit.thing && !is_hit) {
        f.hit.range = (double)INFINITY;
    }
    return f.hit;
}

struct dpl_vector3 dpl__scenery_normal(const struct dpl__scenery_ray *ray,
                                       const struct dpl__scenery_hit *hit)
{
    const struct dpl__scenery_thing *thing = hit->thing;
    if (!thing) {
        return (struct dpl_vector3){0.0, 0.0, 1.0};
    }
    struct dpl_vector3 from, along;
    in_frame_of(thing, ray, &from, &along);
    struct dpl_vector3 own = dpl_sim_solid_normal_own(&thing->solid, from, along, hit->range);
    const double(*axes)[3] = thing->axes;
    struct dpl_vector3 n = {axes[0][0] * own.x + axes[0][1] * own.y + axes[0][2] * own.z,
                            axes[1][0] * own.x + axes[1][1] * own.y + axes[1][2] * own.z,
                            axes[2][0] * own.x + axes[2][1] * own.y + axes[2][2] * own.z};
    double way = n.x * ray->along.x + n.y * ray->along.y + n.z * ray->along.z > 0.0 ? -1.0 : 1.0;
    return (struct dpl_vector3){way * n.x, way * n.y, way * n.z};
}
