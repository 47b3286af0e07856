/* SPDX-License-Identifier: Apache-2.0 */
/* A world without anybody at its drivers' end: what it offers, and running it as fast as possible.
 */
#ifndef DOPPEL_CLI_SIM_WORLD_H
#define DOPPEL_CLI_SIM_WORLD_H

#include <doppel/host/catalog.h>

#include "options.h"

struct sim_run_options {
    /* which world */
    const char *file;
    struct dpl_catalog *catalog;
    uint64_t seed;
    const struct option_list *set; /* ENTRY.PROPERTY=VALUE each; NULL: none */
    /* what is done with it */
    double run_s, step_s, every_s; /* step_s, every_s 0: the world's step */
    const struct option_list *record, *put;
    const char *out; /* folder of results */
};

/* Prints a line a channel of the world: path, type, direction, unit, range, what it is. Of the
 * options, only those that say which world count. Returns the exit code, after printing what went
 * wrong. */
int sim_list_channels(const struct sim_run_options *options);

/* Prints what a world is, and its channels. Returns the exit code, as above. */
int sim_print_world(struct dpl_catalog *catalog, const char *file);

/* Runs it: channels.csv and summary.json in the folder. Returns the exit code, after printing what
 * went wrong. */
int sim_run_world(const struct sim_run_options *options);

#endif
