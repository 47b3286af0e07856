/* SPDX-License-Identifier: Apache-2.0 */
/* A world that doppel sim has loaded without connected drivers. */
#ifndef DOPPEL_CLI_SIM_LOADED_H
#define DOPPEL_CLI_SIM_LOADED_H

#include <doppel/sim/channels.h>

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

/* Whatever it returns, the caller unloads; places in *reterr are good until then. Of the options
 * those count that say which world, and step_s. */
int sim_load(const struct sim_run_options *options, struct sim_loaded *ret_loaded,
             struct dpl_diag *reterr);
void sim_unload(struct sim_loaded *loaded);

#endif
