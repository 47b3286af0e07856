/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the channels of a world without connected drivers, and runs it as fast as possible. */
#ifndef DOPPEL_CLI_SIM_WORLD_H
#define DOPPEL_CLI_SIM_WORLD_H

#include <doppel/channel.h>
#include <doppel/host/catalog.h>
#include <doppel/host/runtime.h>

#include "observe.h"
#include "options.h"
#include "record_files.h"

struct dpl_arena;
struct dpl_sim_set;

/* A picture of the world at the end of a run. */
struct sim_picture_options {
    const char *file;        /* NULL: no picture */
    const char *show;        /* "shapes,joints": what is drawn; NULL: shapes */
    const char *view, *look; /* "AZIMUTH,ELEVATION" in degrees; a robot; NULL: default */
};

/* What the command line asks for. */
struct sim_task {
    /* which world */
    const char *file;
    struct dpl_catalog *catalog;
    uint64_t seed;
    struct option_list set;   /* ENTRY.PROPERTY=VALUE each */
    struct option_list param; /* NAME=VALUE each */
    /* what is done with it, if it is not served */
    bool list;                     /* its channels are printed */
    double run_s, step_s, every_s; /* step_s, every_s 0: the world's step */
    double ahead_s;                /* how far to look ahead after run_s */
    struct option_list record, put;
    const char *trigger;      /* only rows around where it begins to hold; NULL: all rows */
    double before_s, after_s; /* how many around it */
    bool audit;               /* print the balances of mechanisms */
    const char *out;          /* folder of results; NULL: none */
    struct option_list image; /* CHANNEL=FILE.png each */
    const char *save;         /* file of a world as it is at the end; NULL: none */
    const char *linearize;    /* file of a linear model at the end; NULL: none */
    bool equilibrium;         /* begins at rest */
    struct sim_picture_options picture;
    /* how it is served */
    const char *host, *policy_name;
    enum dpl_policy policy;
    uint64_t port, clients, controllers, modbus; /* SIM_NO_PORT: no such gate */
    struct option_list gate;                     /* NAME:SETTING=VALUE,... */
    bool lockstep;
    double rate, duration_s, modbus_pace_ms, modbus_patience_s;
    /* who observes it */
    int view; /* port; OBSERVE_NO_PORT: nobody */
    bool allow_control, ros2;
    struct record_files files;
    struct record_plan plan;        /* of the recordings */
    struct observe_wanted observed; /* if it is */
    bool is_observed;
};

#define SIM_NO_PORT UINT64_MAX

/* Prints a warning about a world to standard error, as `doppel check` does. */
void sim_print_warning(const struct dpl_diag *warning);

/* The changes of a world that a list of --OPTION ("set", "param") names, in the arena. */
const struct dpl_sim_set *sim_sets(struct dpl_arena *arena, const char *option,
                                   const struct option_list *list);

/* Prints the channels of the world. Of the task, only what names the world and changes it counts.
 * Returns the exit code, after printing an error. */
int sim_list_channels(const struct sim_task *task);

/* Prints the description of a world and its channels. Returns the exit code, as above. */
int sim_print_world(struct dpl_catalog *catalog, const char *file);

/* Prints one line for each channel: path, type, direction, unit, range, description. */
void sim_print_channels(const struct dpl_channel_desc *descs, size_t n);

/* Prints the channels of a world that is served at "tcp://HOST:PORT". Returns the exit code, as
 * above. */
int sim_print_served(const char *address);

/* Runs the world: channels.csv and summary.json in the folder. Returns the exit code, after
 * printing an error. */
int sim_run_world(const struct sim_task *task);

#endif
