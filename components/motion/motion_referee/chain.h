/* SPDX-License-Identifier: Apache-2.0 */
/* The poses that the axes' path really got, one after the other, planned or made by its brake: put
 * together again from what the path says of its newest two. Pure logic. */
#ifndef MOTION_REFEREE_CHAIN_H
#define MOTION_REFEREE_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#define MOTION_DOF     6
#define CHAIN_NEWS_MAX 2

/* What the path tells in a cycle. */
struct chain_report {
    uint64_t next; /* the number that the next pose gets */
    double last[MOTION_DOF], before[MOTION_DOF];
};

enum chain_news {
    CHAIN_SAME,
    CHAIN_GROWN,  /* by chain->n_new poses */
    CHAIN_PLACED, /* it rests somewhere else without having gone there; also the first report */
    CHAIN_JUMPED, /* the newest pose does not follow the one that was the newest */
    CHAIN_MISSED, /* more poses came between two reports than a report tells */
};

/* Zero-initialise. */
struct motion_chain {
    bool known;
    struct chain_report newest;
    int n_new;
    double poses[CHAIN_NEWS_MAX][MOTION_DOF];   /* the new ones, the oldest first; m, rad */
    double seconds[CHAIN_NEWS_MAX][MOTION_DOF]; /* second difference at each */
};

/* Takes the next report. After PLACED, JUMPED and MISSED the chain begins anew with it. */
enum chain_news motion_chain_take(struct motion_chain *chain, const struct chain_report *report);

#endif
