/* SPDX-License-Identifier: Apache-2.0 */
/* Mechanisms by chance that run: with all integrators, with what a system tells about itself. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include <doppel/sim/multibody.h>

#include "random_mechanism.h"

enum { SEEDS = 75, MOST = 256 };

static struct dpl_mb_system *make(uint64_t seed, enum dpl_mb_integrator integrator,
                                  struct dpl_mb_graph **ret_graph)
{
    struct random_mechanism how = random_mechanism_choose(seed);
    struct oracle_rank rank;
    struct dpl_mb_settings settings = {.integrator = integrator};
    struct dpl_mb_system *system = NULL;
    struct dpl_diag diag;
    cr_assert_eq(dpl_mb_graph_create(NULL, ret_graph), 0);
    free(random_mechanism_fill(*ret_graph, seed, &how, &rank));
    if (rank.pivot < 1e-4 ||
        dpl_mb_system_create(*ret_graph, &settings, NULL, NULL, NULL, &system, &diag) < 0) {
        dpl_mb_graph_destroy(*ret_graph);
        return NULL;
    }
    return system;
}

/* Steps are short, since some of these fall apart in no time; loops stay closed, numbers are
 * numbers, and the two adaptive integrators agree. */
Test(random_runs, stay_closed_with_all_integrators)
{
    int used = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        double place[4][3] = {{0.0}};
        int stopped = 0;
        struct dpl_mb_system *system = NULL;
        for (int integrator = 0; integrator < 4; integrator++) {
            struct dpl_mb_graph *graph;
            system = make(seed, (enum dpl_mb_integrator)integrator, &graph);
            if (!system) {
                break;
            }
            struct dpl_mb_body_state state;
            for (int k = 0; k < 20; k++) {
                stopped += dpl_mb_step(system, 1e-4) < 0;
            }
            cr_expect(stopped > 0 || dpl_mb_residual(system) < 1e-11, "seed %d: %g", (int)seed,
                      dpl_mb_residual(system));
            cr_expect(isfinite(dpl_mb_kinetic(system)) && isfinite(dpl_mb_potential(system)));
            cr_assert_eq(dpl_mb_body(system, (int)graph->n_bodies - 1, &state), 0);
            for (int i = 0; i < 3; i++) {
                place[integrator][i] = state.place.position[i];
            }
            dpl_mb_system_destroy(system);
            dpl_mb_graph_destroy(graph);
        }
        used += system != NULL;
        for (int i = 0; i < 3 && stopped == 0; i++) {
            cr_expect_float_eq(place[2][i], place[3][i], 1e-6, "seed %d: %g %g", (int)seed,
                               place[2][i], place[3][i]);
        }
    }
    cr_expect_gt(used, SEEDS / 2, "%d", used);
}

/* The shares of the mobility sum up to the freedoms. */
Test(random_runs, mobility_sums_up_to_the_freedoms)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct dpl_mb_graph *graph;
        struct dpl_mb_system *system = make(seed, DPL_MB_RK4, &graph);
        struct dpl_mb_topology topology;
        double sum = 0.0;
        size_t coordinates = 0, independent = 0;
        if (!system) {
            continue;
        }
        dpl_mb_topology(system, &topology);
        for (int j = 0; j < (int)graph->n_joints; j++) {
            int role = dpl_mb_joint_role(system, j);
            for (int i = 0; role >= 0 && i < dpl_mb_joint_freedoms(graph->joints[j].type); i++) {
                bool is_independent;
                double share;
                cr_assert_eq(dpl_mb_mobility(system, j, i, &is_independent, &share), 0);
                cr_expect(share > -1e-9 && share < 1.0 + 1e-9);
                sum += share;
                independent += is_independent;
                coordinates += role == 0;
            }
        }
        if (coordinates == topology.coordinates) { /* no body floats without a joint */
            cr_expect_eq(independent, topology.freedom, "seed %d", (int)seed);
            cr_expect_float_eq(sum, (double)topology.freedom, 1e-6, "seed %d", (int)seed);
        }
        dpl_mb_system_destroy(system);
        dpl_mb_graph_destroy(graph);
    }
}

/* Efforts of the inverse dynamics give the accelerations that were asked for. */
Test(random_runs, inverse_dynamics_undo_the_forward_ones)
{
    int used = 0;
    for (uint64_t seed = 0; seed < 2 * SEEDS; seed++) {
        struct dpl_mb_graph *graph;
        struct dpl_mb_system *system = make(seed, DPL_MB_RK4, &graph);
        static int joints[MOST], coordinates[MOST];
        static double asked[MOST], efforts[MOST];
        if (!system) {
            continue;
        }
        size_t n = dpl_mb_independent(system, joints, coordinates, MOST);
        if (n > 0 && n < MOST && dpl_mb_inverse(system, asked, efforts) == 0) {
            used++;
            for (size_t i = 0; i < n; i++) {
                cr_assert_eq(dpl_mb_apply(system, joints[i], coordinates[i], efforts[i]), 0);
            }
            dpl_mb_step(system, 1e-12);
            double most = 0.0;
            for (int j = 0; j < (int)graph->n_joints; j++) {
                struct dpl_mb_joint_state state;
                cr_assert(dpl_mb_joint(system, j, &state) == 0 ||
                          !dpl_mb_is_active(graph, DPL_MB_JOINT, j));
            }
            for (size_t i = 0; i < n; i++) {
                struct dpl_mb_joint_state state;
                cr_assert_eq(dpl_mb_joint(system, joints[i], &state), 0);
                most = fmax(most, fabs(state.acceleration[coordinates[i]]));
            }
            double size = 1.0;
            for (size_t i = 0; i < n; i++) {
                size = fmax(size, fabs(efforts[i]));
            }
            cr_expect_leq(most, 1e-5 * size, "seed %d: %g of %g", (int)seed, most, size);
        }
        dpl_mb_system_destroy(system);
        dpl_mb_graph_destroy(graph);
    }
    cr_expect_gt(used, SEEDS / 10, "%d", used);
}
