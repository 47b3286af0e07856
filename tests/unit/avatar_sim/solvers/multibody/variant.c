/* SPDX-License-Identifier: Apache-2.0 */
#include "variant.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/math/random.h>

#include "golden.h"
#include "oracle.h"

enum { NAMES = 256 };

struct telling {
    const struct dpl_mb_graph *from;
    struct dpl_mb_graph *to;
    enum variant variant;
    struct dpl_random rng;
    struct dpl_mb_place moved;        /* of all that stands still */
    int bodies[NAMES], frames[NAMES]; /* by their number before */
    struct variant_joint *joints;
    int halves[NAMES]; /* of a body: its second half; 0: none */
    struct dpl_mb_place half_places[NAMES];
    int assemblies[4];
    struct dpl_diag diag;
};

static int made(struct telling *it, int result)
{
    cr_assert_geq(result, 0, "%s", it->diag.text);
    return result;
}

static int one_of(struct telling *it, int n)
{
    return (int)dpl_random_uniform(&it->rng, 0.0, n);
}

static struct dpl_mb_place random_place(struct telling *it, double metres)
{
    struct dpl_mb_joint ball = {.type = DPL_MB_SPHERICAL};
    for (int i = 0; i < 3; i++) {
        ball.displacement[i] = dpl_random_uniform(&it->rng, -1.7, 1.7);
    }
    struct dpl_mb_place place = oracle_displaced(&ball);
    for (int i = 0; i < 3; i++) {
        place.position[i] = dpl_random_uniform(&it->rng, -metres, metres);
    }
    return place;
}

/* The numbers below n in an order by chance, or in theirs. */
static void order_of(struct telling *it, int n, int *ret_order)
{
    cr_assert_leq(n, NAMES);
    for (int i = 0; i < n; i++) {
        int other = it->variant == VARIANT_PERMUTED ? one_of(it, i + 1) : i;
        ret_order[i] = ret_order[other];
        ret_order[other] = i;
    }
}

static void matrix_of(const double inertia[6], double ret_matrix[9])
{
    const double matrix[9] = {inertia[0], inertia[3], inertia[5], inertia[3], inertia[1],
                              inertia[4], inertia[5], inertia[4], inertia[2]};
    memcpy(ret_matrix, matrix, sizeof matrix);
}

/* R^T v, R^T M R. */
static void turn_back(const double r[9], const double v[3], double ret_v[3])
{
    for (int i = 0; i < 3; i++) {
        ret_v[i] = r[i] * v[0] + r[3 + i] * v[1] + r[6 + i] * v[2];
    }
}

static void turn_tensor_back(const double r[9], const double m[9], double ret_inertia[6])
{
    double out[9] = {0.0};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 9; k++) {
                out[3 * i + j] += r[3 * (k / 3) + i] * m[k] * r[3 * (k % 3) + j];
            }
        }
    }
    const double inertia[6] = {out[0], out[4], out[8], out[1], out[5], out[2]};
    memcpy(ret_inertia, inertia, sizeof inertia);
}

/* Takes 0.4 of the mass out of a body, into another one in any place: both together are as before.
 */
static void split_body(struct telling *it, struct dpl_mb_body *inout_body, struct dpl_mb_body *ret)
{
    static const double share = 0.4;
    double whole[9], d[3], arm[3], square = 0.0;
    struct dpl_mb_place place = random_place(it, 0.4);
    const double *inertia = inout_body->inertia;
    double least = fmin(inertia[0], fmin(inertia[1], inertia[2]));
    double size = sqrt(0.1 * least / inout_body->mass);
    *ret = *inout_body;
    ret->mass = share * inout_body->mass;
    for (int i = 0; i < 3; i++) {
        d[i] = dpl_random_uniform(&it->rng, -size, size);
        square += d[i] * d[i];
        arm[i] = inout_body->centre[i] + (1.0 - share) * d[i] - place.position[i];
        inout_body->centre[i] -= share * d[i];
    }
    matrix_of(inertia, whole);
    double reduced = (1.0 - share) * ret->mass;
    for (int i = 0; i < 9; i++) { /* half of what is left besides the distance of the halves */
        whole[i] -= reduced * ((i % 4 == 0 ? square : 0.0) - d[i / 3] * d[i % 3]);
        whole[i] *= 0.5;
    }
    const double own[6] = {whole[0], whole[4], whole[8], whole[1], whole[5], whole[2]};
    memcpy(inout_body->inertia, own, sizeof own);
    inout_body->mass -= ret->mass;
    turn_back(place.rotation, arm, ret->centre);
    turn_tensor_back(place.rotation, whole, ret->inertia);
    it->half_places[0] = place;
}

static int assembly_for(struct telling *it)
{
    return it->variant == VARIANT_ASSEMBLIES ? it->assemblies[one_of(it, 4)] : 0;
}

static void add_bodies(struct telling *it)
{
    int n = (int)it->from->n_bodies - 1, order[NAMES];
    for (int i = 1; i < 4 && it->variant == VARIANT_ASSEMBLIES; i++) {
        char name[16];
        snprintf(name, sizeof name, "s%d", i);
        struct dpl_mb_assembly assembly = {
            .name = name, .parent = it->assemblies[i - 1], .is_active = true};
        it->assemblies[i] = made(it, dpl_mb_add_assembly(it->to, &assembly, &it->diag));
    }
    order_of(it, n, order);
    for (int i = 0; i < n; i++) {
        int number = order[i] + 1;
        struct dpl_mb_body body = it->from->bodies[number], half;
        char name[DPL_MB_NAME_MAX];
        body.assembly = assembly_for(it);
        bool splits = it->variant == VARIANT_SPLIT;
        if (splits) {
            split_body(it, &body, &half);
            snprintf(name, sizeof name, "%s half", body.name);
            half.name = name;
            it->half_places[number] = it->half_places[0];
        }
        it->bodies[number] = made(it, dpl_mb_add_body(it->to, &body, &it->diag));
        it->halves[number] = splits ? made(it, dpl_mb_add_body(it->to, &half, &it->diag)) : 0;
    }
}

static void add_frames(struct telling *it)
{
    cr_assert_leq(it->from->n_frames, NAMES);
    for (int f = 0; f < (int)it->from->n_frames; f++) {
        const struct dpl_mb_frame *frame = &it->from->frames[f];
        struct dpl_mb_frame told = *frame;
        char name[DPL_MB_NAME_MAX];
        snprintf(name, sizeof name, "f%d", f);
        told.name = name;
        told.body = it->bodies[frame->body];
        if (frame->body == 0) {
            told.in_body = oracle_compose(&it->moved, &frame->in_body);
        } else if (it->halves[frame->body] > 0 && f % 2 == 1) {
            struct dpl_mb_place back = oracle_inverse(&it->half_places[frame->body]);
            told.body = it->halves[frame->body];
            told.in_body = oracle_compose(&back, &frame->in_body);
        }
        it->frames[f] = made(it, dpl_mb_add_frame(it->to, &told, &it->diag));
    }
    for (int b = 1; b < (int)it->from->n_bodies && it->variant == VARIANT_SPLIT; b++) {
        char name[16];
        snprintf(name, sizeof name, "split%d", b);
        int half = it->halves[b];
        struct dpl_mb_joint joint = {
            .name = name,
            .type = DPL_MB_RIGID,
            .frames = {dpl_mb_find(it->to, DPL_MB_FRAME, it->bodies[b], "origin"),
                       dpl_mb_find(it->to, DPL_MB_FRAME, half, "origin")},
            .place = it->half_places[b],
            .is_active = true};
        made(it, dpl_mb_add_joint(it->to, &joint, &it->diag));
    }
}

static void add_joints(struct telling *it)
{
    int n = (int)it->from->n_joints, order[NAMES];
    order_of(it, n, order);
    for (int i = 0; i < n; i++) {
        struct dpl_mb_joint joint = it->from->joints[order[i]];
        bool reversed = it->variant == VARIANT_REVERSED && one_of(it, 2) == 1;
        int ends[2] = {it->frames[joint.frames[0]], it->frames[joint.frames[1]]};
        joint.assembly = assembly_for(it);
        joint.frames[0] = ends[reversed ? 1 : 0];
        joint.frames[1] = ends[reversed ? 0 : 1];
        if (reversed) {
            joint.displacement[0] = -joint.displacement[0];
            joint.velocity[0] = -joint.velocity[0];
        }
        it->joints[order[i]] = (struct variant_joint){
            made(it, dpl_mb_add_joint(it->to, &joint, &it->diag)), reversed ? -1.0 : 1.0};
    }
}

static void add_restraints(struct telling *it)
{
    int n = (int)it->from->n_restraints, order[NAMES];
    order_of(it, n, order);
    for (int i = 0; i < n; i++) {
        struct dpl_mb_restraint restraint = it->from->restraints[order[i]];
        const struct variant_joint *joint = &it->joints[restraint.joint];
        double coefficients[8];
        int count = (int)restraint.law.n_of[0];
        cr_assert(restraint.law.n_knots == 0 && count <= 8 && restraint.joint >= 0);
        for (int k = 0; k < count; k++) { /* -f(-x): even powers change their sign */
            bool even = (count - 1 - k) % 2 == 0;
            coefficients[k] = restraint.law.coefficients[k] * (even ? joint->sign : 1.0);
        }
        restraint.law.coefficients = coefficients;
        restraint.assembly = assembly_for(it);
        restraint.joint = joint->number;
        made(it, dpl_mb_add_restraint(it->to, &restraint, &it->diag));
    }
}

struct dpl_mb_graph *variant_of(const struct dpl_mb_graph *graph, enum variant variant,
                                uint64_t seed, double metres, struct variant_joint *ret_joints)
{
    struct telling it = {.from = graph,
                         .variant = variant,
                         .rng = dpl_random_seeded(seed, 3),
                         .moved = dpl_mb_place_identity,
                         .joints = ret_joints};
    cr_assert_eq(dpl_mb_graph_create(NULL, &it.to), 0);
    cr_assert_leq(graph->n_bodies, NAMES);
    memcpy(it.to->gravity, graph->gravity, sizeof graph->gravity);
    if (variant == VARIANT_ROTATED) {
        it.moved = random_place(&it, 0.0);
        struct dpl_mb_place weight = dpl_mb_place_identity;
        memcpy(weight.position, graph->gravity, sizeof graph->gravity);
        weight = oracle_compose(&it.moved, &weight);
        memcpy(it.to->gravity, weight.position, sizeof graph->gravity);
    } else if (variant == VARIANT_MOVED) {
        const double way[3] = {0.48123 * metres, -0.64321 * metres, 0.59571 * metres};
        memcpy(it.moved.position, way, sizeof way);
    }
    add_bodies(&it);
    add_frames(&it);
    add_joints(&it);
    add_restraints(&it);
    return it.to;
}

static struct dpl_mb_system *run(const struct dpl_mb_graph *graph, double seconds, double step)
{
    struct dpl_mb_settings settings = {.integrator = DPL_MB_RK4};
    struct dpl_mb_system *system = NULL;
    struct dpl_diag diag = {.text = ""};
    int result = dpl_mb_system_create(graph, &settings, NULL, NULL, NULL, &system, &diag);
    cr_assert_eq(result, 0, "%s", diag.text);
    golden_run(system, seconds, step);
    return system;
}

double variant_difference(int world, enum variant variant, uint64_t seed, double metres,
                          double seconds, double step)
{
    struct golden_world golden;
    struct variant_joint joints[GOLDEN_JOINTS];
    golden_loop(world, &golden);
    struct dpl_mb_graph *graph = golden_graph(&golden);
    struct dpl_mb_graph *other = variant_of(graph, variant, seed, metres, joints);
    struct dpl_mb_system *first = run(graph, seconds, step), *second = run(other, seconds, step);
    double worst = 0.0;
    for (int j = 0; j < (int)graph->n_joints; j++) {
        double q = golden_q(first, j) - joints[j].sign * golden_q(second, joints[j].number);
        double v = golden_v(first, j) - joints[j].sign * golden_v(second, joints[j].number);
        bool finite = isfinite(q) && isfinite(v);
        worst = finite ? fmax(worst, fmax(fabs(q), fabs(v))) : HUGE_VAL;
    }
    dpl_mb_system_destroy(first);
    dpl_mb_system_destroy(second);
    dpl_mb_graph_destroy(graph);
    dpl_mb_graph_destroy(other);
    return worst;
}
