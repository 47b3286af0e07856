/* SPDX-License-Identifier: Apache-2.0 */
/* A world that doppel sim has loaded without connected drivers. */
#ifndef DOPPEL_CLI_SIM_LOADED_H
#define DOPPEL_CLI_SIM_LOADED_H

#include <jansson.h>

#include <doppel/sim/channels.h>
#include <doppel/sim/host.h>
#include <doppel/sim/limits.h>

#include "arena.h"
#include "sim_world.h"

/* A world with its channels. */
struct sim_loaded {
    struct dpl_sim_model *model;
    struct dpl_world *world;
    struct dpl_world_channels *channels;
    const struct dpl_channel_desc *descs;
    size_t n;
    struct dpl_arena arena; /* places of --set in errors */
};

/* Whatever it returns, the caller unloads; places in *reterr are good until then. Of the task
 * that counts which names the world, and step_s. */
int sim_load(const struct sim_task *task, struct sim_loaded *ret_loaded, struct dpl_diag *reterr);
void sim_unload(struct sim_loaded *loaded);

/* ---- motors that were at their limits while a world ran (doppel/sim/limits.h) ---- */

/* Writes those that matter to ret_texts, at most `max`, and returns how many there are in it. */
size_t sim_limits_note(const struct dpl_world *world, char (*ret_texts)[DPL_SIM_LIMIT_TEXT],
                       size_t max);

/* Prints to standard error what a world that has run tells: motors at their limits, loops that went
 * through singular poses. */
void sim_tell_of_world(const struct dpl_world *world);

/* The same of all worlds of a run in this process, after its end; loops that stopped, too. */
void sim_tell_of_host(const struct dpl_sim_host *host);

/* All that have acted at all, for a summary: {"robot", "entry", "limit", "value", "total_s",
 * "longest_s", "first_s"}. The caller owns the array. */
json_t *sim_limits_describe(const struct dpl_world *world);

#endif
