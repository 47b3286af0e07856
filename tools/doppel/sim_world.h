/* SPDX-License-Identifier: Apache-2.0 */
/* A world without anybody at its drivers' end: what it offers, and running it as fast as possible.
 */
#ifndef DOPPEL_CLI_SIM_WORLD_H
#define DOPPEL_CLI_SIM_WORLD_H

#include <doppel/channel.h>
#include <doppel/host/catalog.h>

#include "options.h"

struct sim_run_options {
    const char *file;
    struct dpl_catalog *catalog;
    uint64_t seed;
    double run_s, step_s, every_s; /* step_s, every_s 0: the world's step */
    const struct option_list *record, *put;
    const char *out; /* folder of results */
};

/* Prints a line a channel of the world: path, type, direction, unit, range, what it is. Returns the
 * exit code, after printing what went wrong. */
int sim_list_channels(struct dpl_catalog *catalog, const char *file, uint64_t seed);

/* Prints what a world is, and its channels. Returns the exit code, as above. */
int sim_print_world(struct dpl_catalog *catalog, const char *file);

/* A line a channel: path, type, direction, unit, range, what it is. */
void sim_print_channels(const struct dpl_channel_desc *descs, size_t n);

/* Prints the channels of a world that is served at "tcp://HOST:PORT". An exit code. */
int sim_print_served(const char *address);

/* Runs it: channels.csv and summary.json in the folder. Returns the exit code, after printing what
 * went wrong. */
int sim_run_world(const struct sim_run_options *options);

#endif
