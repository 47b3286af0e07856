/* SPDX-License-Identifier: Apache-2.0 */
/* Meeting all joints at once: see closure.h. */
#include "closure.h"

#include <string.h>

#include <doppel/math/orthogonal.h>
#include <doppel/math/random.h>

#include "arena.h"

enum { ROUNDS = 100 };

/* ---- systems ---- */

static bool is_of(const struct dpl__assembly *assembly, int joint, int set)
{
    const struct dpl_sim_joint *of = &assembly->mechanism->joints[joint];
    int body =
        of->child < 0 || assembly->mechanism->bodies[of->child].is_static ? of->parent : of->child;
    return assembly->set_of[body] == set;
}

static void add(struct dpl__closure *closure, enum dpl__equation_kind kind, int number)
{
    struct dpl__equation *equation = &closure->equations[closure->n_equations++];
    *equation = (struct dpl__equation){.kind = kind, .number = number, .first = closure->n_rows};
    dpl__equation_size(closure->assembly->mechanism, equation);
    closure->n_rows += equation->n;
}

static void add_equations(struct dpl__closure *closure, int set)
{
    const struct dpl__assembly *assembly = closure->assembly;
    const struct dpl_sim_mechanism *mechanism = assembly->mechanism;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < (int)mechanism->n_joints; i++) {
            enum dpl_sim_joint_type type = mechanism->joints[i].type;
            bool is_wanted = pass == 1 ? type == DPL_JOINT_GEAR
                                       : dpl_sim_joint_constrains(type) && assembly->link_by[i] < 0;
            if (is_wanted && is_of(assembly, i, set)) {
                add(closure, pass == 1 ? DPL_EQUATION_GEAR : DPL_EQUATION_LOOP, i);
            }
        }
    }
    for (int i = 0; i < (int)mechanism->n_mimics; i++) {
        const struct dpl_sim_mimic *mimic = &mechanism->mimics[i];
        if (is_of(assembly, mimic->leader, set) && assembly->link_by[mimic->leader] >= 0 &&
            assembly->link_by[mimic->follower] >= 0) {
            add(closure, DPL_EQUATION_MIMIC, i);
        }
    }
}

/* Adds 1 to each link that moves the body. */
static void count_links(const struct dpl__assembly *assembly, int body, int *inout)
{
    int at = body < 0 ? -1 : assembly->link_of[body];
    for (; at >= 0; at = assembly->links[at].up) {
        inout[at]++;
    }
}

static void ask(struct dpl__closure *closure, int link)
{
    struct dpl__tree_link *asked = &closure->assembly->links[link];
    int n = dpl__link_unknowns(closure->assembly, asked);
    if (asked->first < 0 && n > 0) {
        asked->first = closure->n_unknowns;
        closure->n_unknowns += n;
    }
}

/* The links that an equation depends on: of a loop, those that move one of its ends alone. */
static void ask_links(struct dpl__closure *closure, const struct dpl__equation *equation,
                      struct dpl_arena *arena)
{
    const struct dpl__assembly *assembly = closure->assembly;
    const struct dpl_sim_mechanism *mechanism = assembly->mechanism;
    if (equation->kind == DPL_EQUATION_MIMIC) {
        ask(closure, assembly->link_by[mechanism->mimics[equation->number].leader]);
        ask(closure, assembly->link_by[mechanism->mimics[equation->number].follower]);
        return;
    }
    const struct dpl_sim_joint *joint = &mechanism->joints[equation->number];
    int *counts = dpl_arena_alloc(arena, (mechanism->n_bodies + 1) * sizeof *counts);
    bool is_gear = equation->kind == DPL_EQUATION_GEAR;
    count_links(assembly, joint->parent, counts);
    count_links(assembly, joint->child, counts);
    for (int i = 0; i < assembly->n_links; i++) {
        if (counts[i] == 1 || (counts[i] == 2 && is_gear)) {
            ask(closure, i);
        }
    }
}

/* ---- least squares (Levenberg 1944) ---- */

/* What a step changes: links and drifts. */
struct kept {
    struct dpl__tree_link *links; /* [n_links] */
    double *drifts;               /* [n_equations] */
};

struct search {
    struct dpl__closure *closure;
    double *errors, *rows, *changes, *scratch; /* of n_rows, n_rows * n_unknowns, n_unknowns */
    struct kept before;                        /* a step */
};

static double square(const double *numbers, int n)
{
    return dpl_dot(numbers, numbers, n);
}

static struct kept room_for(const struct dpl__closure *closure, struct dpl_arena *arena)
{
    size_t n_links = (size_t)closure->assembly->n_links, n = (size_t)closure->n_equations;
    return (struct kept){
        .links = dpl_arena_alloc(arena, n_links * sizeof(struct dpl__tree_link)),
        .drifts = dpl_arena_alloc(arena, n * sizeof(double)),
    };
}

static void keep(const struct dpl__closure *closure, struct kept *kept)
{
    const struct dpl__assembly *assembly = closure->assembly;
    memcpy(kept->links, assembly->links, (size_t)assembly->n_links * sizeof *kept->links);
    for (int i = 0; i < closure->n_equations; i++) {
        kept->drifts[i] = closure->equations[i].drift;
    }
}

static void undo(struct dpl__closure *closure, const struct kept *kept)
{
    struct dpl__assembly *assembly = closure->assembly;
    memcpy(assembly->links, kept->links, (size_t)assembly->n_links * sizeof *kept->links);
    for (int i = 0; i < closure->n_equations; i++) {
        closure->equations[i].drift = kept->drifts[i];
    }
    dpl__assembly_place(assembly);
}

/* By `changes`; `rows` are those of where it is. */
static void move(const struct search *search)
{
    struct dpl__closure *closure = search->closure;
    int n = closure->n_unknowns;
    for (int i = 0; i < closure->n_equations; i++) {
        struct dpl__equation *equation = &closure->equations[i];
        const double *row = search->rows + (long)equation->first * n;
        if (equation->kind == DPL_EQUATION_GEAR) {
            equation->drift += dpl_dot(row, search->changes, n);
        }
    }
    dpl__assembly_move(closure->assembly, search->changes);
    dpl__assembly_place(closure->assembly);
}

/* One step with this damping; undone when it makes nothing better. */
static bool try_step(struct search *search, double damping, double *inout_square)
{
    struct dpl__closure *closure = search->closure;
    int n = closure->n_unknowns;
    dpl_damped_least_squares(search->rows, search->errors, closure->n_rows, n, damping,
                             search->scratch, search->changes);
    double size = sqrt(square(search->changes, n)), most = 0.5;
    for (int i = 0; i < n; i++) {
        search->changes[i] *= -(size > most ? most / size : 1.0);
    }
    keep(closure, &search->before);
    move(search);
    dpl__closure_rows(closure, search->errors, NULL);
    double now = square(search->errors, closure->n_rows);
    if (now < *inout_square) {
        *inout_square = now;
        return true;
    }
    undo(closure, &search->before);
    return false;
}

/* Downhill until nothing gets better. Returns the sum of squares. */
static double descend(struct search *search)
{
    const struct dpl__closure *closure = search->closure;
    double damping = 1e-3, now = (double)INFINITY;
    const double met = 1e-10, least_damping = 1e-9, most_damping = 1e6, least_gain = 1e-12;
    for (int round = 0; round < ROUNDS && damping < most_damping; round++) {
        dpl__closure_rows(closure, search->errors, search->rows);
        double before = square(search->errors, closure->n_rows);
        now = before;
        if (before < met * met * closure->n_rows) {
            break;
        }
        bool is_better = try_step(search, damping, &now);
        damping = is_better ? fmax(0.3 * damping, least_damping) : 4.0 * damping;
        if (is_better && before - now < least_gain * before) {
            break;
        }
    }
    return now;
}

/* From a pose of symmetry, such as that of a straight chain which is too long, no way leads
 * downhill. So the search begins again a little beside, and keeps what is better. */
static void descend_from_beside(struct search *search, struct kept *best, double least)
{
    struct dpl__closure *closure = search->closure;
    const double beside[] = {0.02, 0.2}, good = 1e-16;
    struct dpl_random random = dpl_random_seeded(76, 0);
    for (int k = 0; k < 2 && least > good; k++) {
        keep(closure, best);
        dpl__closure_rows(closure, search->errors, search->rows);
        for (int i = 0; i < closure->n_unknowns; i++) {
            search->changes[i] = dpl_random_uniform(&random, -beside[k], beside[k]);
        }
        move(search);
        double now = descend(search);
        if (!(now < least)) {
            undo(closure, best);
        }
        least = fmin(now, least);
    }
}

/* Moves the assembly to where the sum of the squares of all errors is least near its start. */
static void meet(struct dpl__closure *closure, struct dpl_arena *arena, double *ret_errors)
{
    size_t m = (size_t)closure->n_rows, n = (size_t)closure->n_unknowns;
    struct search search = {
        .closure = closure,
        .errors = ret_errors,
        .rows = dpl_arena_alloc(arena, (m * n + 1) * sizeof(double)),
        .changes = dpl_arena_alloc(arena, (n + 1) * sizeof(double)),
        .scratch = dpl_arena_alloc(arena, (n * (2 * n + m) + m + n + 1) * sizeof(double)),
        .before = room_for(closure, arena),
    };
    struct kept best = room_for(closure, arena);
    if (n > 0) {
        descend_from_beside(&search, &best, descend(&search));
    }
    dpl__closure_rows(closure, ret_errors, NULL);
}

/* ---- all ---- */

/* Of too many rows the unknowns are not counted. */
static void make(struct dpl__closure *closure, int set, struct dpl_arena *arena)
{
    closure->n_equations = closure->n_rows = closure->n_unknowns = 0;
    add_equations(closure, set);
    for (int i = 0; i < closure->assembly->n_links; i++) {
        closure->assembly->links[i].first = -1;
    }
    for (int i = 0; i < closure->n_equations && closure->n_rows <= DPL_CLOSURE_MAX; i++) {
        ask_links(closure, &closure->equations[i], arena);
    }
}

static void meet_and_visit(struct dpl__closure *closure, struct dpl_arena *arena,
                           dpl__closure_visit *visit, void *user)
{
    if (closure->n_equations == 0) {
        return;
    }
    if (closure->n_rows > DPL_CLOSURE_MAX || closure->n_unknowns > DPL_CLOSURE_MAX) {
        visit(user, closure, NULL);
        return;
    }
    double *errors = dpl_arena_alloc(arena, (size_t)closure->n_rows * sizeof *errors);
    meet(closure, arena, errors);
    visit(user, closure, errors);
}

static bool has_equations(const struct dpl__assembly *assembly)
{
    const struct dpl_sim_mechanism *mechanism = assembly->mechanism;
    bool found = mechanism->n_mimics > 0;
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        enum dpl_sim_joint_type type = mechanism->joints[i].type;
        found |=
            type == DPL_JOINT_GEAR || (dpl_sim_joint_constrains(type) && assembly->link_by[i] < 0);
    }
    return found;
}

void dpl__closures(const struct dpl_sim_mechanism *mechanism, struct dpl_arena *arena,
                   dpl__closure_visit *visit, void *user)
{
    struct dpl__assembly assembly;
    dpl__assembly_make(arena, mechanism, &assembly);
    struct dpl__closure closure = {.assembly = &assembly};
    if (!has_equations(&assembly)) {
        return;
    }
    closure.equations = dpl_arena_alloc(arena, (mechanism->n_joints + mechanism->n_mimics + 1) *
                                                   sizeof *closure.equations);
    for (size_t i = 0; i < mechanism->n_bodies; i++) {
        struct dpl_arena own = {0};
        if (assembly.set_of[i] == (int)i && !mechanism->bodies[i].is_static) {
            make(&closure, (int)i, &own);
            meet_and_visit(&closure, &own, visit, user);
        }
        dpl_arena_finish(&own);
    }
}
