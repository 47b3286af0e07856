/* SPDX-License-Identifier: Apache-2.0 */
/* The robot that an emulated device is on: a link to it. Its world is in this process (and may be
 * served to others), or in another one. */
#ifndef EMULATE_ROBOT_LINK_H
#define EMULATE_ROBOT_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/diag.h>
#include <doppel/host/runtime.h>
#include <doppel/link.h>
#include <doppel/time.h>

#include "avatar_link.h"

struct robot_link_options {
    const char *world; /* file, name, or tcp://host:port; NULL: none */
    const char *robot;
    uint64_t seed;
    dpl_ns silence; /* as in struct dpl_link_config */
    bool serves;    /* the world to other processes, at the port; 0: any that is free */
    uint16_t serve_port;
    bool is_shown; /* a run starts and stops the world: see robot_link_shown */
    dpl_ns epoch;  /* CLOCK_MONOTONIC at the emulator's time 0 */
};

struct dpl_catalog;
struct dpl_sim_host;

/* Zero-initialise. `link` may be used after robot_link_open; the rest is private. */
struct robot_link {
    struct dpl_link *link;
    struct robot_link_options options;
    struct dpl_catalog *catalog;
    struct dpl_sim_host *host;
    bool started;
};

/* Loads the world, or connects to it; the world stands still. Allocates, may block. 0, or -errno
 * with reterr; robot_link_close afterwards in each case. */
int robot_link_open(struct robot_link *self, const struct robot_link_options *options,
                    struct dpl_diag *reterr);

/* Finds channels, as avatar_link_find does. -EAGAIN: a world in another process has not answered
 * yet: ask again. */
int robot_link_find(struct robot_link *self, const struct avatar_want *wants, size_t n,
                    struct dpl_diag *reterr);

/* From now on the world runs, and is served when the options say so. As robot_link_open. */
int robot_link_start(struct robot_link *self, struct dpl_diag *reterr);

/* Whether the world goes on: 0, or with reterr: -ERANGE: a world of this process has ended by
 * itself; -EAGAIN: one in another process is silent, or another client has the robot's inputs. */
int robot_link_fault(const struct robot_link *self, struct dpl_diag *reterr);

/* Its worlds for a run beside the emulator, which starts, shows and stops them. The link must live
 * as long as the run. */
struct dpl_world_host robot_link_shown(const struct robot_link *self);

void robot_link_close(struct robot_link *self);

#endif
