/* SPDX-License-Identifier: Apache-2.0 */
/* The mechanisms by chance: whether they are what they promise. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph_rig.h"
#include "oracle_rows.h"
#include "random_mechanism.h"

TestSuite(multibody_random, .init = begin, .fini = end);

static struct oracle_body *again(uint64_t seed, struct oracle_rank *ret_rank)
{
    end();
    begin();
    struct random_mechanism how = random_mechanism_choose(seed);
    return random_mechanism_fill(graph, seed, &how, ret_rank);
}

/* All loops are closed, also in velocity; the rows that are left contradict none; all types
 * are there, and redundant rows too. */
Test(multibody_random, joints_hold)
{
    int types[DPL_MB_JOINT_TYPES] = {0}, loops = 0, redundant = 0, used = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct oracle_rank rank;
        struct oracle_body *bodies = again(seed, &rank);
        for (int i = 0; i < (int)graph->n_joints; i++) {
            struct oracle_joint joint;
            oracle_joint(graph, bodies, i, &joint);
            cr_assert(joint.error < 1e-10 || rank.pivot < 1e-4, "seed %d joint %d: %g", (int)seed,
                      i, joint.error);
            types[graph->joints[i].type]++;
        }
        loops += graph->n_joints > graph->n_bodies - 1;
        redundant += rank.rank < rank.rows;
        if (rank.pivot > 1e-4) {
            used++;
            cr_assert_lt(rank.odds, 1e-8, "seed %d: %g", (int)seed, rank.odds);
        }
        free(bodies);
    }
    for (int i = 0; i < DPL_MB_JOINT_TYPES; i++) {
        cr_assert_gt(types[i], 50, "%s", dpl_mb_joint_words[i]);
    }
    cr_assert_gt(loops, 100);
    cr_assert_gt(redundant, 30);
    cr_assert_gt(used, 250);
}

Test(multibody_random, the_same_seed_gives_the_same_mechanism)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct oracle_rank rank;
        struct oracle_body *first = again(seed, &rank);
        size_t n = graph->n_bodies, joints = graph->n_joints;
        struct oracle_body *second = again(seed, &rank);
        cr_assert_eq(graph->n_bodies, n);
        cr_assert_eq(graph->n_joints, joints);
        cr_assert_eq(memcmp(first, second, n * sizeof *first), 0);
        free(first);
        free(second);
    }
}

/* The power along a motion of what a body's acceleration takes more than the forces give. */
static double power_left(const struct dpl_mb_body *body, const struct oracle_body *state,
                         const struct oracle_body *way, const double forces[6])
{
    const double *r = state->place.rotation, *w = state->angular, *e = body->inertia;
    double c[3], mine[3], spin[3], alpha[3], speed[3], t[3], u[3], power = 0.0;
    oracle_turn(r, body->centre, c);
    oracle_cross(w, c, speed); /* of the centre: a + alpha x c + w x (w x c) */
    oracle_cross(w, speed, t);
    oracle_cross(state->angular_acceleration, c, u);
    oracle_cross(way->angular, c, mine);
    for (int i = 0; i < 3; i++) {
        power += body->mass * (state->acceleration[i] + u[i] + t[i]) * (way->velocity[i] + mine[i]);
        power -= forces[i] * way->velocity[i] + forces[3 + i] * way->angular[i];
    }
    oracle_turn_back(r, w, spin); /* Euler's equations in the axes of the body */
    oracle_turn_back(r, state->angular_acceleration, alpha);
    oracle_turn_back(r, way->angular, mine);
    const double tensor[9] = {e[0], e[3], e[5], e[3], e[1], e[4], e[5], e[4], e[2]};
    oracle_turn(tensor, alpha, t);
    oracle_turn(tensor, spin, u);
    oracle_cross(spin, u, u);
    for (int i = 0; i < 3; i++) {
        power += (t[i] + u[i]) * mine[i];
    }
    return power;
}

/* What the joints do has no power: along any velocities that they allow, what the
 * accelerations take is what gravity and restraints give (d'Alembert). */
Test(multibody_random, joints_have_no_power)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct oracle_rank rank;
        struct oracle_body *bodies = again(seed, &rank);
        size_t n = graph->n_bodies;
        struct oracle_body *ways = malloc(n * sizeof *ways);
        double *forces = calloc(6 * n, sizeof *forces), power = 0.0, size = 0.0;
        cr_assert(ways && forces);
        memcpy(ways, bodies, n * sizeof *ways);
        for (size_t b = 1; b < n; b++) {
            for (int i = 0; i < 3; i++) {
                ways[b].velocity[i] = sin((double)(7 * b) + i);
                ways[b].angular[i] = cos((double)(5 * b) + 2 * i);
            }
        }
        oracle_project(graph, ways, &rank);
        oracle_forces(graph, bodies, forces);
        for (size_t b = 1; b < n; b++) {
            double one = power_left(&graph->bodies[b], &bodies[b], &ways[b], &forces[6 * (b - 1)]);
            power += one;
            size += fabs(one);
        }
        cr_assert(fabs(power) <= 1e-9 * (1.0 + size) || rank.pivot < 1e-4, "seed %d: %g of %g",
                  (int)seed, power, size);
        free(bodies);
        free(ways);
        free(forces);
    }
}
