/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the distance between planner and servo by running the path a little faster or slower: the
 * move time of path passes in 4 / f servo ticks, f = 1 + 0.01 m. Pure logic, integers only: a
 * nominal run is exact. (The idea: La Mura et al., Robotics 2018, 7(1), 8; the law is ours.) */
#ifndef POSE_BUFFER_TIME_BASE_H
#define POSE_BUFFER_TIME_BASE_H

#include <stdbool.h>

/* Path time is counted in these: a quarter of a percent of a servo tick. */
#define DPL_TIME_BASE_TICK 400
#define DPL_TIME_BASE_MOVE (4 * DPL_TIME_BASE_TICK)

enum dpl_time_base_law {
    DPL_TIME_BASE_STEPS,      /* escalating steps on the whole distance */
    DPL_TIME_BASE_FRACTIONAL, /* in proportion to the distance with the age of the newest pose */
    DPL_TIME_BASE_OFF,        /* always nominal: for negative controls */
};

struct dpl_time_base_config {
    enum dpl_time_base_law law;
    int distance; /* wanted after each advance, in poses */
    int limit;    /* of |m|, percent: 1 to 50 */
    int reversal; /* the most m changes by in a move, 2 or more; it can be more than 2 only when m
                   * has the wrong sign: 2 * limit lets it turn at once */
    bool spread;  /* a step of m takes effect over the four ticks of the move, not in one */
    int gain;     /* fractional law: percent for a pose of distance */
};

struct dpl_time_base {
    struct dpl_time_base_config config;
    int m;           /* percent, what the newest evaluation set */
    int n;           /* evaluations in a row since the distance stopped changing */
    int error;       /* the last one */
    int quarters;    /* of a percent: in effect */
    int tick_change; /* quarters a tick until they arrive at 4 m */
};

/* Distance 2, limit 20 %, reversal 2, spread, gain 16. */
struct dpl_time_base_config dpl_time_base_default(void);

/* Returns 0, or -EINVAL for a value out of range. */
int dpl_time_base_init(struct dpl_time_base *time_base, const struct dpl_time_base_config *config);

/* To be called at each begin of a move with the distance after the advance, poses, and the age of
 * the newest pose in move times, 0 or more (used by the fractional law only). */
void dpl_time_base_evaluate(struct dpl_time_base *time_base, int distance, double age);

/* How much path time the servo tick that begins now takes: DPL_TIME_BASE_TICK nominally. */
int dpl_time_base_tick(struct dpl_time_base *time_base);

/* The factor f in effect. */
double dpl_time_base_factor(const struct dpl_time_base *time_base);

#endif
