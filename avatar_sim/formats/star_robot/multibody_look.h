/* SPDX-License-Identifier: Apache-2.0 */
/* What a body looks like that has no shape: bars from its middle to where its joints are. */
#ifndef DOPPEL_SIM_MULTIBODY_LOOK_H
#define DOPPEL_SIM_MULTIBODY_LOOK_H

#include <doppel/sim/multibody_graph.h>
#include <doppel/sim/solid.h>

struct dpl_arena;

/* Length in m of a mean bar of a mechanism. `scratch`: [2 n_joints + 2]. */
double dpl__multibody_bar(const struct dpl_mb_graph *graph, struct dpl_vector3 *scratch);

/* Solids in the frame of the body, in the arena. `scratch`: as above. */
struct dpl_sim_solid *dpl__multibody_look(struct dpl_arena *arena, const struct dpl_mb_graph *graph,
                                          int body, double bar_length, struct dpl_vector3 *scratch,
                                          size_t *ret_n);

#endif
