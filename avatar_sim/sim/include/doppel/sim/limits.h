/* SPDX-License-Identifier: Apache-2.0 */
/* How long actuators were at their limits: a setpoint that was cut, an effort that was the most
 * that there is. A world counts it, step by step, in its own memory. */
#ifndef DOPPEL_SIM_LIMITS_H
#define DOPPEL_SIM_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_world;

enum { DPL_SIM_LIMITS_MAX = 2 }; /* of one actuator */

/* A limit of an actuator, as its class tells it after a step (struct dpl_sim_entry_class). */
struct dpl_sim_actuator_limit {
    const char *name; /* the attribute that sets it; lives as long as the program */
    double value;
    const char *unit; /* the same */
    bool acts;        /* in this step */
};

/* What was counted of a limit. */
struct dpl_sim_limit_count {
    const char *robot, *entry; /* names in the model */
    struct dpl_sim_actuator_limit limit;
    dpl_ns total;       /* of the world's time: the limit acted */
    dpl_ns first;       /* end of the first step in which it did, since the counts began */
    dpl_ns stretch;     /* the longest time in one piece */
    dpl_ns now_stretch; /* the piece that goes on; 0: it does not act */
};

/* Begins to count anew, at the present time of the world. */
void dpl_world_limits_clear(struct dpl_world *world);

/* The count `i`, or NULL: there are not so many. It is the world's and changes with its steps. */
const struct dpl_sim_limit_count *dpl_world_limit(const struct dpl_world *world, size_t i);

/* Whether whoever judges the run should be told: it acted for more than 0.5 s in one piece, or for
 * more than a tenth of the time and 0.1 s in one piece. Shorter touches are normal for a sound
 * machine: when it starts, or a door meets somebody and opens again. */
bool dpl_world_limit_matters(const struct dpl_world *world,
                             const struct dpl_sim_limit_count *count);

enum { DPL_SIM_LIMIT_TEXT = 240 };

/* "hoist/motor was at its limit (max_effort 900 N m) for 1.32 s of 9 s, first at 3.2 s". */
void dpl_world_limit_describe(const struct dpl_world *world,
                              const struct dpl_sim_limit_count *count,
                              char ret_text[DPL_SIM_LIMIT_TEXT]);

#ifdef __cplusplus
}
#endif

#endif
