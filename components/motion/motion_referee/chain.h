/* SPDX-License-Identifier: Apache-2.0 */
/* The sequence of poses that the path of the axes has used, planned or from its brake:
 * reconstructed from the path's reports of its newest two poses. Pure logic. */
#ifndef MOTION_REFEREE_CHAIN_H
#define MOTION_REFEREE_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/math/six.h>

#define CHAIN_NEWS_MAX 2

/* Report of the path in a cycle. */
struct chain_report {
    uint64_t next; /* the number of the next pose */
    double last[DPL_SIX], before[DPL_SIX];
};

enum chain_news {
    CHAIN_SAME,
    CHAIN_GROWN,  /* by chain->n_new poses */
    CHAIN_PLACED, /* it rests at another pose without a motion; also the first report */
    CHAIN_JUMPED, /* the newest pose does not follow the newest pose before */
    CHAIN_MISSED, /* more poses came between two reports than a report contains */
};

/* Zero-initialise. */
struct motion_chain {
    bool known;
    struct chain_report newest;
    int n_new;
    double poses[CHAIN_NEWS_MAX][DPL_SIX];   /* the new ones, the oldest first; m, rad */
    double seconds[CHAIN_NEWS_MAX][DPL_SIX]; /* second difference at each */
};

/* Takes the next report. After PLACED, JUMPED and MISSED the chain starts again with it. */
enum chain_news motion_chain_add(struct motion_chain *chain, const struct chain_report *report);

#endif
