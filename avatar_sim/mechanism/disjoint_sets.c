/* SPDX-License-Identifier: Apache-2.0 */
/* See disjoint_sets.h. */
#include "disjoint_sets.h"

bool dpl__stands_still(const struct dpl_sim_mechanism *mechanism, int body)
{
    return body < 0 || mechanism->bodies[body].is_static;
}

int dpl__node_of(const struct dpl_sim_mechanism *mechanism, int body)
{
    return dpl__stands_still(mechanism, body) ? (int)mechanism->n_bodies : body;
}

void dpl__sets_start(int *inout_sets, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        inout_sets[i] = (int)i;
    }
}

int dpl__set_of(int *inout_sets, int node)
{
    while (inout_sets[node] != node) {
        inout_sets[node] = inout_sets[inout_sets[node]];
        node = inout_sets[node];
    }
    return node;
}

bool dpl__sets_unite(int *inout_sets, int a, int b)
{
    int set_a = dpl__set_of(inout_sets, a), set_b = dpl__set_of(inout_sets, b);
    inout_sets[set_a] = set_b;
    return set_a != set_b;
}
