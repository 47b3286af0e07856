/* SPDX-License-Identifier: Apache-2.0 */
/* All is drawn from one stream of numbers, in a fixed order. */
#include "random_mechanism.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/math/linear.h>
#include <doppel/math/random.h>

#include "oracle_rows.h"

struct making {
    struct dpl_mb_graph *graph;
    const struct random_mechanism *how;
    struct dpl_random rng;
    struct oracle_body *bodies;
    int assemblies[4]; /* the root, and some in it or in each other */
    struct dpl_diag diag;
};

static double between(struct making *it, double low, double high)
{
    return dpl_random_uniform(&it->rng, low, high);
}

/* 0 to n - 1. */
static int one_of(struct making *it, int n)
{
    return (int)between(it, 0.0, n);
}

static bool chance(struct making *it, double share)
{
    return between(it, 0.0, 1.0) < share;
}

static void fill(struct making *it, double size, double *ret, int n)
{
    for (int i = 0; i < n; i++) {
        ret[i] = between(it, -size, size);
    }
}

/* The number that a call of the graph returned. */
static int made(struct making *it, int result)
{
    cr_assert_geq(result, 0, "%s", it->diag.text);
    return result;
}

static struct dpl_mb_place random_place(struct making *it)
{
    struct dpl_mb_joint ball = {.type = DPL_MB_SPHERICAL};
    fill(it, 1.7, ball.displacement, 3);
    struct dpl_mb_place place = oracle_displaced(&ball);
    fill(it, 0.6, place.position, 3);
    return place;
}

/* ---- bodies and frames ---- */

static void add_assemblies(struct making *it)
{
    for (int i = 1; i < 4; i++) {
        char name[16];
        snprintf(name, sizeof name, "a%d", i);
        struct dpl_mb_assembly assembly = {
            .name = name, .parent = it->assemblies[one_of(it, i)], .is_active = true};
        it->assemblies[i] = made(it, dpl_mb_add_assembly(it->graph, &assembly, &it->diag));
    }
}

/* That of an ellipsoid, turned in any way. */
static void random_inertia(struct making *it, double mass, double ret[6])
{
    double squares[3], tensor[9];
    struct dpl_mb_place turn = random_place(it);
    for (int i = 0; i < 3; i++) {
        squares[i] = mass * between(it, 0.02, 0.2);
    }
    for (int i = 0; i < 9; i++) {
        tensor[i] = 0.0;
        for (int k = 0; k < 3; k++) {
            double moment = squares[(k + 1) % 3] + squares[(k + 2) % 3];
            tensor[i] += turn.rotation[3 * (i / 3) + k] * moment * turn.rotation[3 * (i % 3) + k];
        }
    }
    const double entries[6] = {tensor[0], tensor[4], tensor[8], tensor[1], tensor[5], tensor[2]};
    memcpy(ret, entries, sizeof entries);
}

static int add_body(struct making *it, int number)
{
    char name[16];
    snprintf(name, sizeof name, "b%d", number);
    struct dpl_mb_body body = {.name = name,
                               .assembly = it->assemblies[one_of(it, 4)],
                               .is_active = true,
                               .mass = between(it, 0.3, 3.0)};
    fill(it, 0.3, body.centre, 3);
    random_inertia(it, body.mass, body.inertia);
    return made(it, dpl_mb_add_body(it->graph, &body, &it->diag));
}

static int add_frame(struct making *it, int body, const struct dpl_mb_place *place)
{
    char name[24];
    snprintf(name, sizeof name, "f%zu", it->graph->n_frames);
    struct dpl_mb_frame frame = {.name = name, .body = body, .in_body = *place};
    return made(it, dpl_mb_add_frame(it->graph, &frame, &it->diag));
}

/* ---- joints ---- */

static enum dpl_mb_joint_type random_type(struct making *it, bool may_float)
{
    static const enum dpl_mb_joint_type types[] = {
        DPL_MB_RX,        DPL_MB_RY,     DPL_MB_RZ,        DPL_MB_RX,    DPL_MB_RY,
        DPL_MB_RZ,        DPL_MB_TX,     DPL_MB_TY,        DPL_MB_TZ,    DPL_MB_CYLINDRICAL,
        DPL_MB_UNIVERSAL, DPL_MB_PLANAR, DPL_MB_SPHERICAL, DPL_MB_SCREW, DPL_MB_RIGID,
    };
    return may_float && chance(it, 0.1) ? DPL_MB_FLOAT
                                        : types[one_of(it, sizeof types / sizeof types[0])];
}

static struct dpl_mb_joint random_joint(struct making *it, bool may_float)
{
    struct dpl_mb_joint joint = {.type = random_type(it, may_float),
                                 .assembly = it->assemblies[one_of(it, 4)],
                                 .is_active = true,
                                 .pitch = between(it, -0.3, 0.3),
                                 .place = random_place(it)};
    fill(it, joint.type == DPL_MB_SPHERICAL || joint.type == DPL_MB_UNIVERSAL ? 1.2 : 2.5,
         joint.displacement, 3);
    return joint;
}

static void add_joint(struct making *it, struct dpl_mb_joint *joint, int first, int second)
{
    char name[24];
    snprintf(name, sizeof name, "j%zu", it->graph->n_joints);
    joint->name = name;
    joint->frames[0] = first;
    joint->frames[1] = second;
    made(it, dpl_mb_add_joint(it->graph, joint, &it->diag));
}

/* Hangs a body on one of those before it, either way round. */
static void add_to_tree(struct making *it, int body)
{
    struct dpl_mb_joint joint = random_joint(it, it->how->has_floats);
    struct dpl_mb_place here = random_place(it), there = random_place(it);
    int parent = chance(it, 0.6) ? body - 1 : one_of(it, body);
    int on_parent = add_frame(it, parent, &here), on_body = add_frame(it, body, &there);
    bool is_back = chance(it, 0.3);
    add_joint(it, &joint, is_back ? on_body : on_parent, is_back ? on_parent : on_body);
}

/* Two bodies get a joint where they are: its second frame is made to fit. */
static void add_chord(struct making *it)
{
    int n = (int)it->graph->n_bodies, a = one_of(it, n), b = one_of(it, n);
    while (a == b) {
        b = one_of(it, n);
    }
    struct dpl_mb_joint joint = random_joint(it, false);
    struct dpl_mb_place here = random_place(it), across = oracle_displaced(&joint);
    struct dpl_mb_place there = oracle_compose(&it->bodies[a].place, &here);
    struct dpl_mb_place back = oracle_inverse(&it->bodies[b].place);
    there = oracle_compose(&there, &across);
    there = oracle_compose(&back, &there);
    int first = add_frame(it, a, &here), second = add_frame(it, b, &there);
    add_joint(it, &joint, first, second);
}

/* ---- gears and restraints ---- */

/* A joint with one coordinate; -1: a few trials found none. */
static int random_single(struct making *it)
{
    for (int trial = 0; trial < 20; trial++) {
        int joint = one_of(it, (int)it->graph->n_joints);
        if (dpl_mb_joint_freedoms(it->graph->joints[joint].type) == 1) {
            return joint;
        }
    }
    return -1;
}

static void add_gear(struct making *it, int number)
{
    char name[16];
    snprintf(name, sizeof name, "g%d", number);
    int a = random_single(it), b = random_single(it);
    struct dpl_mb_gear gear = {.name = name,
                               .joints = {a, b},
                               .ratio = between(it, 0.3, 2.0) * (chance(it, 0.5) ? 1.0 : -1.0),
                               .is_active = true};
    if (a >= 0 && b >= 0 && a != b) {
        made(it, dpl_mb_add_gear(it->graph, &gear, &it->diag));
    }
}

/* On a joint, or between a frame of one body and one of another. */
static void add_restraint(struct making *it, int number)
{
    char name[16];
    double knot, coefficients[5];
    fill(it, 3.0, coefficients, 5);
    fill(it, 0.5, &knot, 1);
    size_t n_of[2] = {2, 3};
    snprintf(name, sizeof name, "r%d", number);
    int a = one_of(it, (int)it->graph->n_frames), b = one_of(it, (int)it->graph->n_frames);
    struct dpl_mb_restraint restraint = {
        .name = name,
        .type = (enum dpl_mb_restraint_type)one_of(it, 3),
        .joint = chance(it, 0.5) ? random_single(it) : -1,
        .frames = {a, b},
        .distance = (enum dpl_mb_distance)one_of(it, 4),
        .regularization = 0.1,
        .law = {1, &knot, n_of, coefficients},
        .is_active = true,
    };
    if (restraint.joint >= 0 || it->graph->frames[a].body != it->graph->frames[b].body) {
        made(it, dpl_mb_add_restraint(it->graph, &restraint, &it->diag));
    }
}

/* ---- velocities ---- */

/* Random ones, then as near to them as the joints allow; each joint is told its own. */
static void set_velocities(struct making *it)
{
    struct oracle_rank rank;
    for (size_t b = 1; b < it->graph->n_bodies; b++) {
        fill(it, 1.0, it->bodies[b].velocity, 3);
        fill(it, 1.0, it->bodies[b].angular, 3);
    }
    oracle_project(it->graph, it->bodies, &rank);
    for (size_t i = 0; i < it->graph->n_joints; i++) {
        struct oracle_joint joint;
        oracle_joint(it->graph, it->bodies, (int)i, &joint);
        memcpy(it->graph->joints[i].velocity, joint.velocity, sizeof joint.velocity);
    }
}

struct random_mechanism random_mechanism_choose(uint64_t seed)
{
    struct making it = {.rng = dpl_random_seeded(seed, 1)};
    double size = between(&it, 0.0, 1.0);
    struct random_mechanism how = {.bodies = 1 + (int)(39.999 * size * size)};
    how.chords = how.bodies > 1 && chance(&it, 0.7) ? one_of(&it, 5) : 0;
    how.gears = one_of(&it, 3);
    how.restraints = one_of(&it, 7);
    how.has_floats = chance(&it, 0.5);
    return how;
}

struct oracle_body *random_mechanism_fill(struct dpl_mb_graph *graph, uint64_t seed,
                                          const struct random_mechanism *how,
                                          struct oracle_rank *ret_rank)
{
    struct making it = {.graph = graph, .how = how, .rng = dpl_random_seeded(seed, 2)};
    it.bodies = calloc((size_t)how->bodies + 1, sizeof *it.bodies);
    cr_assert_not_null(it.bodies);
    fill(&it, 10.0, graph->gravity, 3);
    add_assemblies(&it);
    for (int i = 1; i <= how->bodies; i++) {
        add_to_tree(&it, add_body(&it, i));
    }
    oracle_place(graph, it.bodies);
    for (int i = 0; i < how->chords; i++) {
        add_chord(&it);
    }
    for (int i = 0; i < how->gears; i++) {
        add_gear(&it, i);
    }
    for (int i = 0; i < how->restraints; i++) {
        add_restraint(&it, i);
    }
    set_velocities(&it);
    oracle_accelerate(graph, it.bodies, ret_rank);
    return it.bodies;
}
