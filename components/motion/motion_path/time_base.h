/* SPDX-License-Identifier: Apache-2.0 */
/* Controls the distance between planner and servo by running the path slightly faster or slower:
 * the move time of the path takes 4 / f servo ticks, f = 1 + 0.01 m. Pure logic, integers only: a
 * nominal run is exact. (Idea: La Mura et al., Robotics 2018, 7(1), 8; the law was developed for
 * this project.) */
#ifndef POSE_BUFFER_TIME_BASE_H
#define POSE_BUFFER_TIME_BASE_H

#include <stdbool.h>

/* The unit of path time: a quarter of a percent of a servo tick. */
#define DPL_TIME_BASE_TICK 400
#define DPL_TIME_BASE_MOVE (4 * DPL_TIME_BASE_TICK)

enum dpl_time_base_law {
    DPL_TIME_BASE_STEPS,      /* steps that increase with time, on the whole distance */
    DPL_TIME_BASE_FRACTIONAL, /* proportional to the distance including the age of the newest pose
                               */
    DPL_TIME_BASE_OFF,        /* always nominal: for negative controls */
};

struct dpl_time_base_config {
    enum dpl_time_base_law law;
    int distance; /* wanted after each advance, in poses */
    int limit;    /* of |m|, percent: 1 to 50 */
    int reversal; /* largest change of m in a move, 2 or more; a change above 2 is possible only
                     when m has the wrong sign: with 2 * limit it can reverse at once */
    bool spread;  /* a step of m takes effect over the four ticks of the move, not in one */
    int gain;     /* fractional law: percent per pose of distance */
};

struct dpl_time_base {
    struct dpl_time_base_config config;
    int m;           /* percent, from the newest evaluation */
    int n;           /* consecutive evaluations since the distance stopped changing */
    int error;       /* the last one */
    int quarters;    /* of a percent: current value */
    int tick_change; /* quarters per tick until they reach 4 m */
};

/* Distance 2, limit 20 %, reversal 2, spread, gain 16. */
struct dpl_time_base_config dpl_time_base_default(void);

/* Returns 0, or -EINVAL for a value out of range. */
int dpl_time_base_init(struct dpl_time_base *time_base, const struct dpl_time_base_config *config);

/* Call it at each start of a move, with the distance after the advance, in poses, and the age of
 * the newest pose in move times, 0 or more (used by the fractional law only). */
void dpl_time_base_evaluate(struct dpl_time_base *time_base, int distance, double age);

/* The path time of the servo tick that begins now: DPL_TIME_BASE_TICK nominally. */
int dpl_time_base_tick(struct dpl_time_base *time_base);

/* The current factor f. */
double dpl_time_base_factor(const struct dpl_time_base *time_base);

#endif
