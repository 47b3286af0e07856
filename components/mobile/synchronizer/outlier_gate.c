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
    *gate = (struct dpl_sync_outlier_gate){
        .standing = 1, .wary = gate->wary, .begun = gate->begun, .most_speed = gate->most_speed};
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

/* The one that came so many before the next one. */
static const struct dpl_sync_rival *latest(const struct dpl_sync_outlier_gate *gate, int before)
{
    return &gate->rivals[(gate->next + DPL_SYNC_RIVALS - before) % DPL_SYNC_RIVALS];
}

/* Where the way from `a` to `b` leads in `part` of the time that it took. */
static struct dpl_pose2 lead_on(struct dpl_pose2 a, struct dpl_pose2 b, double part)
{
    struct dpl_pose2 step = dpl_pose2_relative(a, b);
    return dpl_pose2_compose(b,
                             (struct dpl_pose2){part * step.x, part * step.y, part * step.theta});
}

static bool is_on_way(const struct dpl_sync_outlier_gate *gate, const struct dpl_sync_rival *newest)
{
    if (gate->n < MOST_VOTES - 1) {
        return false;
    }
    const struct dpl_sync_rival *a = latest(gate, 2), *b = latest(gate, 1);
    double first_s = b->time_s - a->time_s, second_s = newest->time_s - b->time_s;
    return dpl_pose2_distance(a->measured, b->measured) <= gate->most_speed * first_s &&
           dpl_pose2_distance(b->measured, newest->measured) <= gate->most_speed * second_s &&
           is_near(lead_on(a->measured, b->measured, second_s / first_s), newest->measured);
}

/* Where poses are wrong again and again, two of them agree by chance once in a while. */
static int votes_needed(const struct dpl_sync_outlier_gate *gate)
{
    return gate->wary > 0 && gate->standing >= MOST_VOTES ? MOST_VOTES : FEWEST_VOTES;
}

bool dpl_sync_outlier_gate_reject(struct dpl_sync_outlier_gate *gate,
                                  const struct dpl_sync_rival *newest)
{
    int votes = 1;
    for (int i = 0; i < gate->n; i++) {
        votes += agrees(&gate->rivals[i], newest);
    }
    gate->on_way = is_on_way(gate, newest);
    gate->rivals[gate->next] = *newest;
    gate->next = (gate->next + 1) % DPL_SYNC_RIVALS;
    gate->n += gate->n < DPL_SYNC_RIVALS;
    bool outvoted = gate->on_way || votes >= votes_needed(gate);
    gate->begun = gate->begun || outvoted;
    return outvoted;
}

bool dpl_sync_outlier_gate_speed(const struct dpl_sync_outlier_gate *gate, double *ret_speed)
{
    if (!gate->on_way) {
        return false;
    }
    const struct dpl_sync_rival *from = latest(gate, 2), *to = latest(gate, 1);
    *ret_speed = dpl_pose2_relative(from->measured, to->measured).x / (to->time_s - from->time_s);
    return true;
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
    const struct dpl_sync_rival *newest = latest(gate, 1);
    struct dpl_pose2 moved = dpl_pose2_relative(newest->believed, believed);
    *ret_pose = dpl_pose2_compose(newest->measured, moved);
    return true;
}
