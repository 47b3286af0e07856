/* SPDX-License-Identifier: Apache-2.0 */
/* The insides of mujoco_graph.h: the tree, and the text of the model. */
#ifndef DOPPEL_BENCH_MUJOCO_TEXT_H
#define DOPPEL_BENCH_MUJOCO_TEXT_H

#include <mujoco/mujoco.h>
#include <stdio.h>

#include "mujoco_graph.h"

enum mujoco_role { MUJOCO_NOT_YET, MUJOCO_IN_TREE, MUJOCO_CLOSES };

struct mujoco_graph {
    const struct dpl_mb_graph *graph;
    const struct dpl_mb_system *start; /* while it is made */
    int *parent;                       /* [n_bodies] of the tree; -1: not reached */
    int *joint_to;                     /* [n_bodies] that carries it */
    enum mujoco_role *roles;           /* [n_joints] */
    double (*spring)[2];               /* [n_joints] -(a q + b) */
    double *damping;                   /* [n_joints] */
    int *queue;                        /* [n_bodies] */
    int n_queue;
    mjModel *model;
    mjData *data;
};

/* With its tree; NULL: no memory, or the graph cannot be told. */
struct mujoco_graph *mujoco_graph_of(const struct dpl_mb_graph *graph);

/* Writes the model in MuJoCo's format (MJCF): body `bN` and joint `jN` of the graph, all
 * coordinates 0 at the start. */
void mujoco_print(FILE *out, const struct mujoco_graph *u, bool is_rk4, enum mujoco_loops loops,
                  double step);

/* The end of a joint in its body, and its axis. */
void mujoco_end(const struct dpl_mb_graph *graph, const struct dpl_mb_joint *joint, int end,
                double ret_at[3], double ret_axis[3]);

static inline int mujoco_body_at(const struct dpl_mb_graph *graph, const struct dpl_mb_joint *joint,
                                 int end)
{
    return graph->frames[joint->frames[end]].body;
}

#endif
