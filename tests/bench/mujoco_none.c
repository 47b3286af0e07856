/* SPDX-License-Identifier: Apache-2.0 */
/* Where MuJoCo is not installed. */
#include "mujoco_graph.h"

bool mujoco_graph_can(const struct dpl_mb_graph *graph)
{
    (void)graph;
    return false;
}

struct mujoco_graph *mujoco_graph_create(const struct dpl_mb_graph *graph,
                                         const struct dpl_mb_system *start, bool is_rk4,
                                         enum mujoco_loops loops, double step)
{
    (void)graph, (void)start, (void)is_rk4, (void)loops, (void)step;
    return NULL;
}

void mujoco_graph_destroy(struct mujoco_graph *mujoco)
{
    (void)mujoco;
}

void mujoco_graph_step(struct mujoco_graph *mujoco)
{
    (void)mujoco;
}

double mujoco_graph_residual(struct mujoco_graph *mujoco)
{
    (void)mujoco;
    return 0.0;
}

double mujoco_graph_apart(struct mujoco_graph *mujoco, const struct dpl_mb_system *system)
{
    (void)mujoco, (void)system;
    return 0.0;
}
