/* SPDX-License-Identifier: Apache-2.0 */
#include "compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "random_mechanism.h"

enum { MOST = 256 }; /* coordinates of a mechanism by chance */

static const double SMALLEST_PIVOT = 1e-6;

/* The larger one; what is no number counts as infinite, where fmax would pass over it. */
static double worse(double worst, double difference)
{
    return isfinite(difference) ? fmax(worst, fabs(difference)) : HUGE_VAL;
}

static void compare_bodies(const struct dpl_mb_graph *graph, const struct oracle_body *bodies,
                           const struct dpl_mb_system *system, struct compare_result *ret_result)
{
    double size = 1.0, apart = 0.0;
    for (int b = 1; b < (int)graph->n_bodies; b++) {
        const struct oracle_body *right = &bodies[b];
        struct dpl_mb_body_state state;
        cr_assert_eq(dpl_mb_body(system, b, &state), 0);
        for (int i = 0; i < 9; i++) {
            ret_result->place =
                worse(ret_result->place, state.place.rotation[i] - right->place.rotation[i]);
        }
        for (int i = 0; i < 3; i++) {
            ret_result->place =
                worse(ret_result->place, state.place.position[i] - right->place.position[i]);
            ret_result->velocity =
                worse(ret_result->velocity, state.velocity[i] - right->velocity[i]);
            ret_result->velocity =
                worse(ret_result->velocity, state.angular[i] - right->angular[i]);
            apart = worse(apart, state.acceleration[i] - right->acceleration[i]);
            apart = worse(apart, state.angular_acceleration[i] - right->angular_acceleration[i]);
            size = fmax(size, fabs(right->acceleration[i]));
            size = fmax(size, fabs(right->angular_acceleration[i]));
        }
    }
    ret_result->acceleration = apart / size;
}

/* The efforts for accelerations that the system has: there are none. */
static void invert(const struct dpl_mb_system *system, struct compare_result *ret_result)
{
    int joints[MOST], coordinates[MOST];
    double none[MOST] = {0.0}, has[MOST], efforts[MOST], size = 1.0, left = 0.0;
    size_t n = dpl_mb_independent(system, joints, coordinates, MOST);
    cr_assert_leq(n, MOST);
    for (size_t i = 0; i < n; i++) {
        struct dpl_mb_joint_state state;
        cr_assert_eq(dpl_mb_joint(system, joints[i], &state), 0);
        has[i] = state.acceleration[coordinates[i]];
    }
    ret_result->inverted = n > 0 && dpl_mb_inverse(system, none, efforts) == 0;
    for (size_t i = 0; ret_result->inverted && i < n; i++) {
        size = worse(size, efforts[i]);
    }
    if (ret_result->inverted) {
        cr_assert_eq(dpl_mb_inverse(system, has, efforts), 0);
    }
    for (size_t i = 0; ret_result->inverted && i < n; i++) {
        left = worse(left, efforts[i]);
    }
    ret_result->effort = left / size;
}

struct compare_result compare_seed(uint64_t seed)
{
    struct compare_result result = {COMPARE_USED};
    struct dpl_mb_graph *graph;
    struct dpl_mb_system *system;
    struct oracle_rank rank;
    struct dpl_diag diag = {.text = ""};
    cr_assert_eq(dpl_mb_graph_create(NULL, &graph), 0);
    struct random_mechanism how = random_mechanism_choose(seed);
    struct oracle_body *bodies = random_mechanism_fill(graph, seed, &how, &rank);
    if (rank.pivot < SMALLEST_PIVOT) {
        result.verdict = COMPARE_SINGULAR;
    } else if (dpl_mb_system_create(graph, NULL, NULL, NULL, NULL, &system, &diag) < 0) {
        bool apart = strstr(diag.text, "couples joints of mechanisms that float apart");
        result.verdict = apart ? COMPARE_APART : COMPARE_REFUSED;
        snprintf(result.text, sizeof result.text, "%s", diag.text);
    } else {
        compare_bodies(graph, bodies, system, &result);
        invert(system, &result);
        dpl_mb_system_destroy(system);
    }
    free(bodies);
    dpl_mb_graph_destroy(graph);
    return result;
}
