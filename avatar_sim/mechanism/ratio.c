/* SPDX-License-Identifier: Apache-2.0 */
/* Ratios of masses that rows of joints do not carry: see ratio.h. */
#include "ratio.h"

#include <stdio.h>

#include "arena.h"
#include "disjoint_sets.h"

static const double row_warn = 100.0;

/* What moves as one against rows: a body whose tree hangs on the world, or a tree that floats. */
struct ratios {
    const struct dpl_sim_mechanism *mechanism;
    int *tree;         /* [n_bodies + 1] the last is what stands still */
    bool *is_row;      /* [n_joints] */
    double *mass;      /* [n_bodies + 1] of the part of which the body is; what stands still: 0 */
    int *first, *next; /* see find_next */
    bool *touches;     /* [n_bodies + 1] a body of the trees that rows connect has a shape */
};

static int node_of(const struct ratios *ratios, int body)
{
    return dpl__node_of(ratios->mechanism, body);
}

/* In the order of the file, as the solver's (subsystems/bullet/plan.c). Only a top, a body that a
 * ball alone holds to what stands still, is in a tree here and held by rows there: its rows are on
 * one side of it, which is no finding. */
static void find_trees(struct ratios *ratios)
{
    const struct dpl_sim_mechanism *mechanism = ratios->mechanism;
    dpl__sets_start(ratios->tree, mechanism->n_bodies + 1);
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        const struct dpl_sim_joint *joint = &mechanism->joints[i];
        int a = node_of(ratios, joint->parent), b = node_of(ratios, joint->child);
        bool constrains = dpl_sim_joint_constrains(joint->type);
        bool breaks = joint->break_force > 0.0 || joint->break_torque > 0.0;
        bool in_tree =
            constrains && !breaks && !joint->cuts_loop && dpl__sets_unite(ratios->tree, a, b);
        ratios->is_row[i] = constrains && !in_tree;
    }
}

/* The part of which a body is: its tree, if that floats. */
static int part_of(const struct ratios *ratios, int body)
{
    int node = node_of(ratios, body), world = (int)ratios->mechanism->n_bodies;
    int tree = dpl__set_of(ratios->tree, node);
    return tree == dpl__set_of(ratios->tree, world) ? node : tree;
}

static void sum_up(struct ratios *ratios)
{
    const struct dpl_sim_mechanism *mechanism = ratios->mechanism;
    for (size_t i = 0; i < mechanism->n_bodies; i++) {
        const struct dpl_sim_body *body = &mechanism->bodies[i];
        if (!body->is_static) {
            ratios->mass[part_of(ratios, (int)i)] += body->mass.mass;
        }
    }
}

/* Which parts are in an island with a body that has a shape. */
static void find_touching(struct ratios *ratios, struct dpl_arena *arena)
{
    const struct dpl_sim_mechanism *mechanism = ratios->mechanism;
    int world = (int)mechanism->n_bodies;
    int *islands = dpl_arena_alloc(arena, (mechanism->n_bodies + 1) * sizeof *islands);
    bool *has_shape = dpl_arena_alloc(arena, (mechanism->n_bodies + 1) * sizeof *has_shape);
    dpl__sets_start(islands, mechanism->n_bodies + 1);
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        const struct dpl_sim_joint *joint = &mechanism->joints[i];
        int a = node_of(ratios, joint->parent), b = node_of(ratios, joint->child);
        if (dpl_sim_joint_constrains(joint->type) && a != world && b != world) {
            dpl__sets_unite(islands, a, b);
        }
    }
    for (int i = 0; i < world; i++) {
        has_shape[dpl__set_of(islands, i)] |=
            !mechanism->bodies[i].is_static && mechanism->bodies[i].n_solids > 0;
    }
    for (int i = 0; i < world; i++) {
        ratios->touches[part_of(ratios, i)] |= has_shape[dpl__set_of(islands, i)];
    }
}

/* Which parts rows connect: those of part i are next[first[i]] to next[first[i + 1] - 1]. */
static void find_next(struct ratios *ratios, struct dpl_arena *arena)
{
    const struct dpl_sim_mechanism *mechanism = ratios->mechanism;
    size_t n = mechanism->n_bodies + 1;
    ratios->first = dpl_arena_alloc(arena, (n + 2) * sizeof *ratios->first);
    ratios->next = dpl_arena_alloc(arena, (2 * mechanism->n_joints + 1) * sizeof *ratios->next);
    for (int pass = 0; pass < 2; pass++) { /* counts, places */
        for (size_t i = 0; i < mechanism->n_joints; i++) {
            int a = part_of(ratios, mechanism->joints[i].parent);
            int b = part_of(ratios, mechanism->joints[i].child);
            if (!ratios->is_row[i] || a == b) {
                continue;
            }
            if (pass == 0) {
                ratios->first[a + 2]++;
                ratios->first[b + 2]++;
            } else {
                ratios->next[ratios->first[a + 1]++] = b;
                ratios->next[ratios->first[b + 1]++] = a;
            }
        }
        for (size_t i = 2; i < n + 2 && pass == 0; i++) {
            ratios->first[i] += ratios->first[i - 1];
        }
    }
}

struct search {
    int *queue, *seen; /* [n_bodies + 1]; `seen` by which search */
    int number;
};

/* Whether from `to` rows lead to a part that is heavy against `part`, or to what stands still, not
 * through either. `inout_heaviest`: of those parts. */
static bool leads_to_heavy(const struct ratios *ratios, int part, int to, struct search *search,
                           int *inout_heaviest)
{
    int world = (int)ratios->mechanism->n_bodies, n = 0;
    bool found = false;
    search->number++;
    search->seen[part] = search->seen[to] = search->number;
    search->queue[n++] = to;
    for (int i = 0; i < n; i++) {
        int at = search->queue[i];
        if (at == world) {
            found = true;
            continue;
        }
        if (ratios->mass[at] > row_warn * ratios->mass[part]) {
            bool is_most = *inout_heaviest < 0 || ratios->mass[at] > ratios->mass[*inout_heaviest];
            *inout_heaviest = is_most ? at : *inout_heaviest;
            found = true;
        }
        for (int k = ratios->first[at]; k < ratios->first[at + 1]; k++) {
            int next = ratios->next[k];
            if (search->seen[next] != search->number) {
                search->seen[next] = search->number;
                search->queue[n++] = next;
            }
        }
    }
    return found;
}

/* The heaviest part for which another is between rows; -1: it is not, or nothing is heavy. */
static int heavy_beyond(const struct ratios *ratios, int part, struct search *search)
{
    int taken = -1, sides = 0, heaviest = -1;
    for (int k = ratios->first[part]; k < ratios->first[part + 1] && sides < 2; k++) {
        int to = ratios->next[k];
        if (to != taken && leads_to_heavy(ratios, part, to, search, &heaviest)) {
            taken = to;
            sides++;
        }
    }
    return sides > 1 ? heaviest : -1;
}

/* A body to name a part by: its own number is that of one of its bodies. */
static const char *name_of(const struct ratios *ratios, int part)
{
    return ratios->mechanism->bodies[part].name;
}

void dpl__ratio_check(const struct dpl_sim_mechanism *mechanism, struct dpl_arena *arena,
                      void (*report)(void *user, const struct dpl_mechanism_finding *finding),
                      void *user)
{
    size_t n = mechanism->n_bodies + 1;
    struct ratios ratios = {
        .mechanism = mechanism,
        .tree = dpl_arena_alloc(arena, n * sizeof *ratios.tree),
        .is_row = dpl_arena_alloc(arena, (mechanism->n_joints + 1) * sizeof *ratios.is_row),
        .mass = dpl_arena_alloc(arena, n * sizeof *ratios.mass),
        .touches = dpl_arena_alloc(arena, n * sizeof *ratios.touches),
    };
    char text[DPL_DIAG_TEXT_MAX];
    find_trees(&ratios);
    sum_up(&ratios);
    find_next(&ratios, arena);
    find_touching(&ratios, arena);
    struct search search = {dpl_arena_alloc(arena, n * sizeof(int)),
                            dpl_arena_alloc(arena, n * sizeof(int)), 0};
    double most = 0.0;
    for (size_t i = 0; i + 1 < n; i++) {
        most = fmax(most, ratios.mass[i]);
    }
    for (size_t i = 0; i + 1 < n; i++) {
        bool may_be = ratios.touches[i] && most > row_warn * ratios.mass[i];
        int heavy = may_be ? heavy_beyond(&ratios, (int)i, &search) : -1;
        if (heavy < 0) {
            continue;
        }
        snprintf(text, sizeof text,
                 "'%s' (%g kg) holds '%s' (%g kg, 1:%.0f) by joints that break or close a loop on "
                 "both sides; while anything of them touches something, such joints hold up to "
                 "1:%.0f: joints of a tree hold any",
                 name_of(&ratios, (int)i), ratios.mass[i], name_of(&ratios, heavy),
                 ratios.mass[heavy], ratios.mass[heavy] / ratios.mass[i], row_warn);
        report(user, &(struct dpl_mechanism_finding){DPL_SEVERITY_WARNING, (int)i, -1, text});
    }
}
