/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of avatar links share: a world in a file of its own, a server of it on a thread,
 * and waiting for what another thread brings about, with an end. */
#ifndef DOPPEL_TEST_LINK_WORLD_H
#define DOPPEL_TEST_LINK_WORLD_H

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <criterion/criterion.h>
#include <doppel/sim/server.h>

#include "link_remote.h"

/* Up to 5 s for what another thread must do; tests end as soon as it is done. */
#define EVENTUALLY(condition_)                                                                     \
    do {                                                                                           \
        bool met_ = false;                                                                         \
        for (int tries_ = 0; tries_ < 5000 && !met_; tries_++) {                                   \
            met_ = (condition_);                                                                   \
            poll(NULL, 0, met_ ? 0 : 1);                                                           \
        }                                                                                          \
        cr_assert(met_, "not within 5 s: " #condition_);                                           \
    } while (0)

struct served {
    struct dpl_sim_server *server;
    pthread_t thread;
    char address[64];
};

static void *serve_world(void *argument)
{
    dpl_sim_server_run(argument, NULL);
    return NULL;
}

static inline struct dpl_sim_server *make_server(struct dpl_sim_server_options options)
{
    struct dpl_sim_server *server = NULL;
    struct dpl_diag error = {0};
    options.world = LINK_TEST_WORLD;
    options.seed = 1;
    cr_assert_eq(dpl_sim_server_create(&options, &server, &error), 0, "%s", error.text);
    return server;
}

static inline void serve(struct served *served, struct dpl_sim_server_options options)
{
    served->server = make_server(options);
    snprintf(served->address, sizeof served->address, "tcp://127.0.0.1:%u",
             dpl_sim_server_port(served->server));
    cr_assert_eq(pthread_create(&served->thread, NULL, serve_world, served->server), 0);
}

static inline struct dpl_sim_server_stats unserve(struct served *served)
{
    dpl_sim_server_stop(served->server);
    pthread_join(served->thread, NULL);
    struct dpl_sim_server_stats stats = dpl_sim_server_stats(served->server);
    dpl_sim_server_destroy(served->server);
    return stats;
}

static inline struct dpl_link *open_remote(struct remote_world **list, const char *address,
                                           const char *robot)
{
    struct dpl_link_config config = {.world = address, .robot = robot};
    struct dpl_link *link = NULL;
    struct dpl_diag error = {0};
    cr_assert_eq(link_remote_open(list, &config, NULL, &link, &error), 0, "%s", error.text);
    return link;
}

static inline unsigned find_device(struct dpl_link *link, enum dpl_link_device kind,
                                   const char *name)
{
    unsigned id = 99;
    struct dpl_diag error = {0};
    cr_assert_eq(link->ops->find(link, kind, name, &id, NULL, &error), 0, "%s", error.text);
    return id;
}

#endif
