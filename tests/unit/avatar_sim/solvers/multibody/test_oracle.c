/* SPDX-License-Identifier: Apache-2.0 */
/* The oracle against published motions of four mechanisms: two loops, one of which has a redundant
 * row, a free body, and restraints between frames. The accelerations are integrated in the
 * coordinates of the oracle, so the loops hold by accelerations alone. */
#include <math.h>
#include <string.h>

#include "graph_rig.h"
#include "oracle.h"

TestSuite(multibody_oracle, .init = begin, .fini = end);

enum { MOST = 8 };

/* ---- integration: Runge and Kutta's of order 4 ---- */

/* The state of a body and its rate, as the same 18 numbers: place, then rates. */
static void rate_of(const struct oracle_body *body, double ret[18])
{
    const double *w = body->angular, *r = body->place.rotation;
    for (int i = 0; i < 3; i++) {
        ret[i] = w[1] * r[6 + i] - w[2] * r[3 + i];
        ret[3 + i] = w[2] * r[i] - w[0] * r[6 + i];
        ret[6 + i] = w[0] * r[3 + i] - w[1] * r[i];
        ret[9 + i] = body->velocity[i];
        ret[12 + i] = body->acceleration[i];
        ret[15 + i] = body->angular_acceleration[i];
    }
}

static void move(struct oracle_body *body, const double rate[18], double by)
{
    for (int i = 0; i < 9; i++) {
        body->place.rotation[i] += by * rate[i];
    }
    for (int i = 0; i < 3; i++) {
        body->place.position[i] += by * rate[9 + i];
        body->velocity[i] += by * rate[12 + i];
        body->angular[i] += by * rate[15 + i];
    }
}

static void step(struct oracle_body *inout, double h)
{
    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, share[4] = {1.0, 2.0, 2.0, 1.0};
    double rates[MOST][18] = {{0}}, sums[MOST][18] = {{0}};
    for (int stage = 0; stage < 4; stage++) {
        struct oracle_body now[MOST];
        struct oracle_rank rank;
        memcpy(now, inout, graph->n_bodies * sizeof *now);
        for (size_t b = 1; b < graph->n_bodies; b++) {
            move(&now[b], rates[b], at[stage] * h);
        }
        oracle_accelerate(graph, now, &rank);
        for (size_t b = 1; b < graph->n_bodies; b++) {
            rate_of(&now[b], rates[b]);
            for (int i = 0; i < 18; i++) {
                sums[b][i] += share[stage] / 6.0 * rates[b][i];
            }
        }
    }
    for (size_t b = 1; b < graph->n_bodies; b++) {
        move(&inout[b], sums[b], h);
    }
}

/* ---- mechanisms ---- */

static int bar(const char *name, double mass, double x, double y, const double inertia[3])
{
    struct dpl_mb_body it = {.name = name,
                             .is_active = true,
                             .mass = mass,
                             .centre = {x, y, 0.0},
                             .inertia = {inertia[0], inertia[1], inertia[2]}};
    return dpl_mb_add_body(graph, &it, &diag);
}

static int mark(int of, const char *name, double x, double y)
{
    struct dpl_mb_frame it = {.name = name, .body = of, .in_body = dpl_mb_place_identity};
    it.in_body.position[0] = x;
    it.in_body.position[1] = y;
    return dpl_mb_add_frame(graph, &it, &diag);
}

static int single(enum dpl_mb_joint_type type, const char *name, int first, int second, double q)
{
    struct dpl_mb_joint it = joint_of(type, first, second);
    it.name = name;
    it.displacement[0] = q;
    int number = dpl_mb_add_joint(graph, &it, &diag);
    cr_assert_geq(number, 0, "%s", diag.text);
    return number;
}

/* A pair restraint with one polynomial. */
static void tie(const char *name, enum dpl_mb_restraint_type type, int first, int second,
                enum dpl_mb_distance distance, const struct dpl_mb_piecewise *law)
{
    struct dpl_mb_restraint it = spring_of(-1, first, second);
    it.name = name;
    it.type = type;
    it.distance = distance;
    it.law = *law;
    cr_assert_geq(dpl_mb_add_restraint(graph, &it, &diag), 0, "%s", diag.text);
}

/* Rates of joint `number` become `rate`, by pulling at its second body until all joints hold. */
static void set_rate(struct oracle_body *bodies, int number, double rate)
{
    struct oracle_rank rank;
    struct oracle_joint joint;
    int second = graph->frames[graph->joints[number].frames[1]].body;
    bodies[second].angular[2] = 1.0;
    oracle_project(graph, bodies, &rank);
    oracle_joint(graph, bodies, number, &joint);
    for (size_t b = 1; b < graph->n_bodies; b++) {
        for (int i = 0; i < 3; i++) {
            bodies[b].velocity[i] *= rate / joint.velocity[0];
            bodies[b].angular[i] *= rate / joint.velocity[0];
        }
    }
}

static void assert_joint(const struct oracle_body *bodies, int number, double q, double v)
{
    struct oracle_joint joint;
    oracle_joint(graph, bodies, number, &joint);
    cr_assert_lt(fabs(remainder(joint.displacement[0] - q, 2.0 * M_PI)), 2e-8,
                 "%d: %.10f not %.10f", number, joint.displacement[0], q);
    cr_assert_lt(fabs(joint.velocity[0] - v), 2e-8, "%d: %.10f not %.10f", number,
                 joint.velocity[0], v);
    cr_assert_lt(joint.error, 1e-8, "%d: %g", number, joint.error);
}

Test(multibody_oracle, four_bars)
{
    struct oracle_body bodies[MOST];
    struct oracle_rank rank;
    graph->gravity[1] = -9.81;
    int pivot = mark(0, "pivot", 2.0, 0.0);
    int crank = bar("crank", 1.0, 0.4, 0.0, (double[]){0.001, 0.06, 0.06});
    int coupler = bar("coupler", 2.0, 0.9, 0.1, (double[]){0.002, 0.55, 0.55});
    int rocker = bar("rocker", 1.5, 0.75, 0.0, (double[]){0.002, 0.3, 0.3});
    int crank_tip = mark(crank, "tip", 0.8, 0.0), coupler_tip = mark(coupler, "tip", 1.8, 0.0);
    int rocker_tip = mark(rocker, "tip", 1.5, 0.0);
    int a = single(DPL_MB_RZ, "A", 0, origin_of(crank), 1.0);
    int b = single(DPL_MB_RZ, "B", crank_tip, origin_of(coupler), -0.5229448707762997);
    int c = single(DPL_MB_RZ, "C", coupler_tip, rocker_tip, 1.0728906447337785);
    int d = single(DPL_MB_RZ, "D", pivot, origin_of(rocker), 1.5499457739574787);
    oracle_place(graph, bodies);
    set_rate(bodies, a, 3.0);
    assert_joint(bodies, b, -0.5229448707762997, -3.7931559253297493);
    assert_joint(bodies, c, 1.0728906447337785, 1.7026797838997825);
    assert_joint(bodies, d, 1.5499457739574787, 0.9095238585700329);
    oracle_accelerate(graph, bodies, &rank);
    cr_assert_eq(rank.rows, 20);
    cr_assert_eq(rank.rank, 17); /* 18 freedoms, 1 of them free */
    cr_assert_lt(rank.odds, 1e-12);
    cr_assert_gt(rank.pivot, 1e-3);
    for (int i = 0; i < 1000; i++) {
        step(bodies, 0.5e-3);
    }
    assert_joint(bodies, a, 2.160962202, 3.031613644);
    assert_joint(bodies, d, 2.101160766, 1.597060661);
    for (int i = 0; i < 1000; i++) {
        step(bodies, 0.5e-3);
    }
    assert_joint(bodies, a, 5.547638448, 5.273003275);
    assert_joint(bodies, d, 2.221980953, -3.147595275);
}

/* Six skew hinges, of which five rows are one too many. */
Test(multibody_oracle, bricards_loop)
{
    static const double p[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0}, m[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0};
    static const double odd = 0.9, even = -1.9641941607435596;
    static const char *const names[] = {"l1", "l2", "l3", "l4", "l5"};
    struct oracle_body bodies[MOST];
    struct oracle_rank rank;
    struct dpl_mb_frame end_of = {.name = "end", .in_body.position = {1.0, 0.0, 0.0}};
    memcpy(graph->gravity, (double[3]){0.5, -1.0, -9.81}, sizeof graph->gravity);
    memcpy(end_of.in_body.rotation, m, sizeof m);
    int before = dpl_mb_add_frame(graph, &end_of, &diag), joints[6];
    for (int i = 0; i < 5; i++) {
        end_of.body = bar(names[i], 1.0, 0.5, 0.0, (double[]){0.01, 0.09, 0.09});
        memcpy(end_of.in_body.rotation, i % 2 ? m : p, sizeof m);
        joints[i] = single(DPL_MB_RZ, names[i], before, origin_of(end_of.body), i % 2 ? even : odd);
        before = dpl_mb_add_frame(graph, &end_of, &diag);
    }
    joints[5] = single(DPL_MB_RZ, "last", before, 0, even);
    oracle_place(graph, bodies);
    oracle_accelerate(graph, bodies, &rank);
    cr_assert_eq(rank.rows, 36 - 6);
    cr_assert_eq(rank.rank, 29);
    cr_assert_lt(rank.rest, 1e-12);
    for (int i = 0; i < 2500; i++) { /* short, so that the redundant row stays redundant */
        step(bodies, 2e-4);
    }
    for (int i = 0; i < 6; i++) {
        assert_joint(bodies, joints[i], i % 2 ? -1.592981103 : 1.548108177,
                     i % 2 ? 1.716198467 : 1.794970063);
    }
}

Test(multibody_oracle, a_free_body)
{
    struct oracle_body bodies[MOST];
    struct oracle_rank rank;
    struct dpl_mb_body it = {.name = "b",
                             .is_active = true,
                             .mass = 2.5,
                             .centre = {0.1, -0.05, 0.2},
                             .inertia = {0.4, 0.9, 0.6, 0.05, -0.03, 0.02}};
    graph->gravity[1] = -9.81;
    int number = dpl_mb_add_body(graph, &it, &diag);
    struct dpl_mb_joint joint = joint_of(DPL_MB_FLOAT, 0, origin_of(number));
    memcpy(joint.place.position, (double[3]){0.3, 1.0, -0.2}, sizeof joint.place.position);
    cr_assert_eq(dpl_mb_add_joint(graph, &joint, &diag), 0);
    oracle_place(graph, bodies);
    memcpy(bodies[1].velocity, (double[3]){0.5, 1.0, -0.3}, sizeof bodies[1].velocity);
    memcpy(bodies[1].angular, (double[3]){0.2, 3.0, 0.1}, sizeof bodies[1].angular);
    oracle_accelerate(graph, bodies, &rank);
    cr_assert_eq(rank.rows, 0);
    for (int i = 0; i < 2000; i++) {
        step(bodies, 1e-3);
    }
    static const double p[3] = {2.573198973, -16.663365361, -1.436114575};
    static const double v[3] = {0.460074888, -18.634093512, -0.495274608};
    static const double w[3] = {0.059180194, 3.010294858, -0.084692893};
    for (int i = 0; i < 3; i++) {
        cr_assert_float_eq(bodies[1].place.position[i], p[i], 2e-8);
        cr_assert_float_eq(bodies[1].velocity[i], v[i], 2e-8);
        cr_assert_float_eq(bodies[1].angular[i], w[i], 2e-8);
    }
    double ww = -0.988546910, y = 0.146145781; /* of the quaternion */
    cr_assert_float_eq(bodies[1].place.rotation[4], 2.0 * (ww * ww + y * y) - 1.0, 2e-8);
}

Test(multibody_oracle, restraints_between_frames)
{
    static const size_t two[1] = {2}, ties[2] = {1, 2};
    static const double knot[1] = {-1.0};
    const struct dpl_mb_piecewise spring_law = {.n_of = two, .coefficients = (double[]){50, -40}};
    const struct dpl_mb_piecewise damper_law = {.n_of = two, .coefficients = (double[]){3, 0}};
    const struct dpl_mb_piecewise stop_law = {1, knot, ties, (double[]){0, 8, 8}};
    struct oracle_body bodies[MOST];
    graph->gravity[1] = -9.81;
    int top = mark(0, "top", 0.0, 0.8), pin = mark(0, "hinge", 0.2, 1.0);
    int mass = bar("m", 1.5, 0.0, 0.0, (double[]){1, 1, 1});
    int arm = bar("arm", 0.7, 0.3, 0.0, (double[]){0.01, 0.02, 0.02});
    int tip = mark(arm, "tip", 0.6, 0.0);
    int x = single(DPL_MB_TX, "x", 0, origin_of(mass), 0.5);
    int h = single(DPL_MB_RZ, "h", pin, origin_of(arm), -0.4);
    tie("a", DPL_MB_SPRING, top, origin_of(mass), DPL_MB_DISTANCE, &spring_law);
    tie("b", DPL_MB_DAMPER, origin_of(mass), tip, DPL_MB_DISTANCE, &damper_law);
    tie("c", DPL_MB_SPRING, origin_of(arm), origin_of(mass), DPL_MB_DISTANCE_Y, &stop_law);
    oracle_place(graph, bodies);
    for (int i = 0; i < 2000; i++) {
        step(bodies, 1e-3);
        if (i == 499) {
            assert_joint(bodies, x, 0.174222915, -1.108761360);
            assert_joint(bodies, h, -0.769273340, -1.075392054);
        }
    }
    assert_joint(bodies, x, -0.013959092, 1.049628420);
    assert_joint(bodies, h, -0.801000628, 0.779340774);
}

/* Accelerations of joints are the rates of their velocities, of every type. */
Test(multibody_oracle, accelerations_of_joints_are_rates_of_velocities)
{
    for (int type = 0; type < DPL_MB_JOINT_TYPES; type++) {
        struct oracle_body bodies[MOST];
        struct oracle_rank rank;
        struct oracle_joint before, at, after;
        struct dpl_mb_joint it = joint_of((enum dpl_mb_joint_type)type, 0, 0);
        end();
        begin();
        memcpy(graph->gravity, (double[3]){1.0, 2.0, 3.0}, sizeof graph->gravity);
        int a = bar("a", 1.0, 0.1, 0.2, (double[]){0.4, 0.5, 0.6}), root = body(0, "root");
        struct dpl_mb_joint loose = joint_of(DPL_MB_FLOAT, 0, origin_of(root));
        cr_assert_eq(dpl_mb_add_joint(graph, &loose, &diag), 0);
        it.name = "joint under test";
        it.frames[0] = mark(root, "f", 0.3, -0.1);
        it.frames[1] = mark(a, "f", -0.2, 0.4);
        memcpy(it.displacement, (double[3]){0.4, -0.5, 0.6}, sizeof it.displacement);
        it.pitch = 0.2;
        cr_assert_eq(dpl_mb_add_joint(graph, &it, &diag), 1, "%s", diag.text);
        oracle_place(graph, bodies);
        for (int i = 0; i < 3; i++) {
            bodies[a].velocity[i] = 0.3 + 0.2 * i;
            bodies[a].angular[i] = 0.7 - 0.4 * i;
            bodies[root].angular[i] = 0.5 * i - 0.2;
        }
        oracle_project(graph, bodies, &rank);
        cr_assert_eq(rank.rank, 6 - dpl_mb_joint_freedoms(it.type));
        oracle_accelerate(graph, bodies, &rank);
        oracle_joint(graph, bodies, 1, &at);
        struct oracle_body back[MOST], ahead[MOST];
        memcpy(back, bodies, sizeof back);
        memcpy(ahead, bodies, sizeof ahead);
        step(back, -1e-4);
        step(ahead, 1e-4);
        oracle_joint(graph, back, 1, &before);
        oracle_joint(graph, ahead, 1, &after);
        cr_assert_lt(at.error, 1e-12, "%s", dpl_mb_joint_words[type]);
        cr_assert_lt(after.error, 1e-12, "%s: %g", dpl_mb_joint_words[type], after.error);
        for (int i = 0; i < dpl_mb_joint_freedoms(it.type); i++) {
            double rate = (after.velocity[i] - before.velocity[i]) / 2e-4;
            cr_assert_float_eq(at.acceleration[i], rate, 1e-6, "%s %d", dpl_mb_joint_words[type],
                               i);
            cr_assert_gt(fabs(rate), 1e-4, "%s %d: %g", dpl_mb_joint_words[type], i, rate);
            if (type != DPL_MB_FLOAT && type != DPL_MB_SPHERICAL) {
                double speed = (after.displacement[i] - before.displacement[i]) / 2e-4;
                cr_assert_float_eq(at.velocity[i], speed, 1e-6, "%s %d", dpl_mb_joint_words[type],
                                   i);
            }
        }
    }
}
