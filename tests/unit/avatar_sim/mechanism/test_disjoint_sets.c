/* SPDX-License-Identifier: Apache-2.0 */
/* Disjoint sets of bodies. */
#include <criterion/criterion.h>
#include <doppel/math/random.h>

#include "disjoint_sets.h"

Test(disjoint_sets, all_that_stands_still_is_the_last_node)
{
    struct dpl_sim_body bodies[3] = {{.is_static = false}, {.is_static = true}};
    struct dpl_sim_mechanism mechanism = {.bodies = bodies, .n_bodies = 3};
    cr_assert_eq(dpl__node_of(&mechanism, -1), 3);
    cr_assert_eq(dpl__node_of(&mechanism, 0), 0);
    cr_assert_eq(dpl__node_of(&mechanism, 1), 3);
    cr_assert_eq(dpl__node_of(&mechanism, 2), 2);
}

Test(disjoint_sets, united_sets_have_the_number_of_the_second)
{
    int sets[4];
    dpl__sets_start(sets, 4);
    cr_assert(dpl__sets_unite(sets, 0, 1));
    cr_assert(dpl__sets_unite(sets, 2, 3));
    cr_assert(dpl__sets_unite(sets, 3, 0));
    cr_assert_not(dpl__sets_unite(sets, 2, 1));
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(dpl__set_of(sets, i), 1);
    }
}

/* Against labels that are all rewritten at each union. */
Test(disjoint_sets, are_those_that_relabelling_gives)
{
    enum { N = 200 };
    int sets[N], labels[N];
    struct dpl_random rng = dpl_random_seeded(7, 1);
    dpl__sets_start(sets, N);
    dpl__sets_start(labels, N);
    for (int i = 0; i < 2 * N; i++) {
        int a = (int)dpl_random_uniform(&rng, 0.0, N), b = (int)dpl_random_uniform(&rng, 0.0, N);
        int from = labels[a], to = labels[b];
        cr_assert_eq(dpl__sets_unite(sets, a, b), from != to);
        for (int k = 0; k < N; k++) {
            labels[k] = labels[k] == from ? to : labels[k];
            cr_assert_eq(dpl__set_of(sets, k), labels[k]);
        }
    }
}
