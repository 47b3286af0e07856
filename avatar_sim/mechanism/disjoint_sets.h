/* SPDX-License-Identifier: Apache-2.0 */
/* Disjoint sets (union-find) of the bodies of a mechanism. All that stands still, the world and
 * static bodies, is one node with the number n_bodies; every other body is a node of its own
 * number. */
#ifndef DOPPEL_SIM_DISJOINT_SETS_H
#define DOPPEL_SIM_DISJOINT_SETS_H

#include <doppel/sim/mechanism.h>

/* Whether a body never moves; -1: the world. */
bool dpl__stands_still(const struct dpl_sim_mechanism *mechanism, int body);

/* The node of a body. */
int dpl__node_of(const struct dpl_sim_mechanism *mechanism, int body);

/* Makes n sets of one node each: inout_sets[i] leads from node i to another of its set, or is i. */
void dpl__sets_start(int *inout_sets, size_t n);

/* The number of a node's set, which is one of its nodes. Shortens the ways that it takes (path
 * halving). */
int dpl__set_of(int *inout_sets, int node);

/* Makes one set of those of both nodes; its number is that of `b`. False: they were in one set. */
bool dpl__sets_unite(int *inout_sets, int a, int b);

#endif
