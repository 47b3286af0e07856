/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of links to served worlds share: a world in a file of its own, a server of it on a
 * thread, and waiting for what another thread brings about, with an end. */
#ifndef DOPPEL_TEST_LINK_WORLD_H
#define DOPPEL_TEST_LINK_WORLD_H

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <criterion/criterion.h>
#include <doppel/sim/server.h>

#include "link_remote.h"

/* Up to 20 s for what another thread must do; tests end as soon as it is done. */
#define EVENTUALLY(condition_)                                                                     \
    do {                                                                                           \
        bool met_ = false;                                                                         \
        for (int tries_ = 0; tries_ < 20000 && !met_; tries_++) {                                  \
            met_ = (condition_);                                                                   \
            poll(NULL, 0, met_ ? 0 : 1);                                                           \
        }                                                                                          \
        cr_assert(met_, "not within 20 s: " #condition_);                                          \
    } while (0)

static inline dpl_ns monotonic(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (dpl_ns)now.tv_sec * DPL_S + now.tv_nsec;
}

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
    options.world = options.world ? options.world : PROFILES "/worlds/office.xml";
    options.seed = 1;
    cr_assert_eq(dpl_sim_server_create(&options, &server, &error), 0, "%s", error.text);
    return server;
}

/* Of a server that is made. */
static inline void start_serving(struct served *served)
{
    snprintf(served->address, sizeof served->address, "tcp://127.0.0.1:%u",
             dpl_sim_server_port(served->server));
    cr_assert_eq(pthread_create(&served->thread, NULL, serve_world, served->server), 0);
}

static inline void serve(struct served *served, struct dpl_sim_server_options options)
{
    served->server = make_server(options);
    start_serving(served);
}

static inline struct dpl_sim_server_stats unserve(struct served *served)
{
    dpl_sim_server_stop(served->server);
    pthread_join(served->thread, NULL);
    struct dpl_sim_server_stats stats = dpl_sim_server_stats(served->server);
    dpl_sim_server_destroy(served->server);
    return stats;
}

static inline struct dpl_link *open_config(struct remote_world **list,
                                           const struct dpl_link_config *config)
{
    struct dpl_link *link = NULL;
    struct dpl_diag error = {0};
    cr_assert_eq(link_remote_open(list, config, NULL, &link, &error), 0, "%s", error.text);
    return link;
}

static inline struct dpl_link *open_remote(struct remote_world **list, const char *address,
                                           const char *part)
{
    struct dpl_link_config config = {.world = address, .part = part};
    return open_config(list, &config);
}

/* A link that was opened need not have been answered: a busy world takes its time. */
static inline struct dpl_channel find_channel(struct dpl_link *link, const char *path, bool put)
{
    struct dpl_channel_want want = {.path = path, .put = put};
    struct dpl_channel channel = {0};
    struct dpl_diag error = {0};
    int err = -EAGAIN;
    EVENTUALLY((err = dpl_link_find(link, &want, &channel, &error)) != -EAGAIN);
    cr_assert_eq(err, 0, "%s", error.text);
    return channel;
}

static inline struct dpl_channel find_in(struct dpl_link *link, const char *path)
{
    return find_channel(link, path, true);
}

static inline struct dpl_channel find_out(struct dpl_link *link, const char *path)
{
    return find_channel(link, path, false);
}

/* Of the newest frame; 0 while there is none. */
static inline double number_of(struct dpl_channel channel)
{
    double value = 0.0;
    dpl_link_refresh(channel.link, NULL);
    dpl_channel_get(channel, &value, NULL);
    return value;
}

static inline int64_t whole_of(struct dpl_channel channel)
{
    int64_t value = 0;
    dpl_link_refresh(channel.link, NULL);
    dpl_channel_get(channel, &value, NULL);
    return value;
}

static inline int answer_of(struct dpl_channel channel)
{
    dpl_link_refresh(channel.link, NULL);
    return dpl_channel_answer(channel);
}

#endif
