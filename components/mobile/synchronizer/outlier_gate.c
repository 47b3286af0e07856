/* SPDX-License-Identifier: Apache-2.0 */
/* Outlier gate: a vote among rejected poses, the idea of RANSAC (Fischler and Bolles, Random sample
 * consensus, CACM 24, 1981) with one pose for a sample. */
#include "outlier_gate.h"

#define AGREE_M       0.10
#define AGREE_HEADING 0.3
#define VOTES         2

void dpl_sync_outlier_gate_init(struct dpl_sync_outlier_gate *gate)
{
    *gate = (struct dpl_sync_outlier_gate){0};
}

void dpl_sync_outlier_gate_accept(struct dpl_sync_outlier_gate *gate)
{
    gate->n = gate->next = 0;
}

static bool is_near(struct dpl_pose2 a, struct dpl_pose2 b)
{
    return dpl_pose2_distance(a, b) <= AGREE_M &&
           fabs(dpl_wrap_angle(a.theta - b.theta)) <= AGREE_HEADING;
}

static bool agrees(const struct dpl_sync_rival *rival, const struct dpl_sync_rival *with)
{
    struct dpl_pose2 moved = dpl_pose2_relative(rival->believed, with->believed);
    struct dpl_pose2 now = dpl_pose2_compose(rival->measured, moved);
    return is_near(now, with->measured) || is_near(rival->measured, with->measured);
}

bool dpl_sync_outlier_gate_reject(struct dpl_sync_outlier_gate *gate, struct dpl_pose2 measured,
                                  struct dpl_pose2 believed)
{
    const struct dpl_sync_rival newest = {measured, believed};
    int votes = 1;
    for (int i = 0; i < gate->n; i++) {
        votes += agrees(&gate->rivals[i], &newest);
    }
    gate->rivals[gate->next] = newest;
    gate->next = (gate->next + 1) % DPL_SYNC_RIVALS;
    gate->n += gate->n < DPL_SYNC_RIVALS;
    return votes >= VOTES;
}
