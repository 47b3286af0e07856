/* SPDX-License-Identifier: Apache-2.0 */
/* Reconstructs the sequence of poses of the path. */
#include "chain.h"

#include <string.h>

static bool same(const double *a, const double *b)
{
    return memcmp(a, b, DPL_SIX * sizeof a[0]) == 0;
}

/* `pose` follows `last`, which follows `before`. */
static void add(struct motion_chain *chain, const double *pose, const double *last,
                const double *before)
{
    int n = chain->n_new++;
    for (int i = 0; i < DPL_SIX; i++) {
        chain->poses[n][i] = pose[i];
        chain->seconds[n][i] = (pose[i] - last[i]) - (last[i] - before[i]);
    }
}

/* Adds the new poses; a result other than GROWN and SAME: the report does not continue the
 * chain. */
static enum chain_news grow(struct motion_chain *chain, const struct chain_report *report)
{
    const struct chain_report *old = &chain->newest;
    switch (report->next - old->next) {
    case 0: return same(report->last, old->last) ? CHAIN_SAME : CHAIN_PLACED;
    case 1:
        if (!same(report->before, old->last)) {
            return CHAIN_JUMPED;
        }
        add(chain, report->last, old->last, old->before);
        return CHAIN_GROWN;
    case 2:
        add(chain, report->before, old->last, old->before);
        add(chain, report->last, report->before, old->last);
        return CHAIN_GROWN;
    default: return CHAIN_MISSED;
    }
}

enum chain_news motion_chain_add(struct motion_chain *chain, const struct chain_report *report)
{
    chain->n_new = 0;
    enum chain_news news = chain->known ? grow(chain, report) : CHAIN_PLACED;
    chain->known = true;
    chain->newest = *report;
    return news;
}
