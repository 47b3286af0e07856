/* SPDX-License-Identifier: Apache-2.0 */
/* Outlier gate: a vote among rejected poses, the idea of RANSAC (Fischler and Bolles, Random sample
 * consensus, CACM 24, 1981) with one pose for a sample. */
#include "outlier_gate.h"

#define AGREE_M       0.10
#define AGREE_HEADING 0.3
#define FEWEST_VOTES  2 /* against a belief that nothing has confirmed */
#define MOST_VOTES    3
#define WARY_POSES    30 /* that fit since one was wrong */

void dpl_sync_outlier_gate_init(struct dpl_sync_outlier_gate *gate)
{
    *gate = (struct dpl_sync_outlier_gate){.standing = 1, .wary = gate->wary, .begun = gate->begun};
}

void dpl_sync_outlier_gate_accept(struct dpl_sync_outlier_gate *gate)
{
    gate->wary = gate->n > 0 ? WARY_POSES : gate->wary - (gate->wary > 0);
    gate->n = gate->next = 0;
    gate->standing += gate->standing < MOST_VOTES;
    gate->begun = true;
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

/* Where poses are wrong again and again, two of them agree by chance once in a while. */
static int votes_needed(const struct dpl_sync_outlier_gate *gate)
{
    return gate->wary > 0 && gate->standing >= MOST_VOTES ? MOST_VOTES : FEWEST_VOTES;
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
    bool outvoted = votes >= votes_needed(gate);
    gate->begun = gate->begun || outvoted;
    return outvoted;
}

bool dpl_sync_outlier_gate_is_disputed(const struct dpl_sync_outlier_gate *gate)
{
    return !gate->begun && gate->n > 0;
}

bool dpl_sync_outlier_gate_rival(const struct dpl_sync_outlier_gate *gate,
                                 struct dpl_pose2 believed, struct dpl_pose2 *ret_pose)
{
    if (gate->n == 0 || gate->wary > 0 || gate->standing < MOST_VOTES) {
        return false;
    }
    const struct dpl_sync_rival *newest =
        &gate->rivals[(gate->next + DPL_SYNC_RIVALS - 1) % DPL_SYNC_RIVALS];
    struct dpl_pose2 moved = dpl_pose2_relative(newest->believed, believed);
    *ret_pose = dpl_pose2_compose(newest->measured, moved);
    return true;
}
