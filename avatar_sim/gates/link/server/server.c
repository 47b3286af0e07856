/* SPDX-License-Identifier: Apache-2.0 */
/* Serving a world: threads, silence of clients. */
#include "server.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "zeromq.h"

#define POLL_MAX  (20 * DPL_MS)
#define BATCH_MAX 256 /* frames read before the world and the other clients get their turn */

/* ---- silence ---- */

static void fall_silent(struct server *server, struct server_client *client)
{
    for (size_t i = 0; i < LINK_SLOTS_MAX; i++) {
        struct server_slot *slot = &client->slots[i];
        if (slot->controls) {
            dpl_link_release(slot->link);
            server_let_go(server, client, slot);
        }
    }
}

static void check_silence(struct server *server, struct server_client *client, dpl_ns now)
{
    dpl_ns silence = now - client->last_heard;
    if (silence > server->drop) {
        server_notice(server, SERVER_NOTICE_SILENCE, "client '%s' given up after %g s of silence",
                      client->name, dpl_ns_to_s(server->drop));
        server->stats.dropped++;
        server_forget(server, client);
    } else if (silence > SERVER_SILENCE && !client->silent) {
        client->silent = true;
        server->stats.silenced++;
        fall_silent(server, client);
        server_notice(server, SERVER_NOTICE_SILENCE,
                      "client '%s' is silent: what it has put is released", client->name);
    }
}

static void look_after_clients(struct server *server)
{
    dpl_ns now = dpl_monotonic_now();
    for (size_t i = 0; i < SERVER_CLIENTS_MAX; i++) {
        struct server_client *client = &server->clients[i];
        if (client->used) {
            check_silence(server, client, now);
        }
        if (client->used && now >= client->next_frame) {
            client->next_frame = now + client->period;
            server_send_frame(server, client);
        }
    }
}

static dpl_ns next_frame(const struct server *server)
{
    dpl_ns first = INT64_MAX;
    for (size_t i = 0; i < SERVER_CLIENTS_MAX; i++) {
        const struct server_client *client = &server->clients[i];
        if (client->used && client->next_frame < first) {
            first = client->next_frame;
        }
    }
    return first;
}

/* ---- serving ---- */

static dpl_ns poll_time(const struct server *server)
{
    dpl_ns most = server->is_behind ? 0 : POLL_MAX;
    most = server_awaits_answers(server) && most > DPL_MS ? DPL_MS : most;
    if (server->options.lockstep && server->options.rate > 0.0) {
        most = most < DPL_MS ? most : DPL_MS;
    }
    dpl_ns until_frame = next_frame(server) - dpl_monotonic_now();
    return until_frame < most ? (until_frame > 0 ? until_frame : 0) : most;
}

bool server_is_over(const struct server *server)
{
    dpl_ns duration = server->options.duration;
    return atomic_load_explicit(&server->stop, memory_order_relaxed) ||
           (server->ends_with_world && hosted_world_fault(server->world, NULL) < 0) ||
           (duration > 0 && server_clock(server) >= duration);
}

static void serve_once(struct server *server, dpl_ns real_start)
{
    zmq_pollitem_t items[] = {{.socket = server->socket, .events = ZMQ_POLLIN},
                              {.socket = server->monitor, .events = ZMQ_POLLIN}};
    long ms = (long)((poll_time(server) + DPL_MS - 1) / DPL_MS);
    link_zeromq->poll(items, 2, ms);
    server_take_connections(server);
    if (!server->options.lockstep && atomic_load(&server->world->real_epoch) == 0) {
        return; /* its owner has not started the world: no clock to stamp with */
    }
    for (int i = 0; i < BATCH_MAX && server_receive(server, server_handle); i++) {
    }
    if (server->options.lockstep) {
        server_follow_grants(server, real_start);
    }
    look_after_clients(server);
    server_close_idle(server);
    server_answer_loop(server);
    hosted_world_sweep(server->world);
}

void server_run(struct server *server)
{
    dpl_ns real_start = dpl_monotonic_now();
    while (!server_is_over(server)) {
        serve_once(server, real_start);
    }
}

static void *serve(void *argument)
{
    server_run(argument);
    return NULL;
}

static int make_room(struct server *server, struct dpl_diag *reterr)
{
    server->codec = calloc(1, sizeof *server->codec);
    server->frame = server_frame_create();
    server->owners = calloc(server->world->n_parts + 1, sizeof(struct server_client *));
    return server->codec && server->frame && server->owners
               ? 0
               : dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
}

static int choose_session(struct server *server, struct dpl_diag *reterr)
{
    size_t size = sizeof server->session;
    return getrandom(&server->session, size, 0) == (ssize_t)size
               ? 0
               : dpl_fail(reterr, -EIO, (struct dpl_place){0}, "no random number for a session");
}

int server_create(struct hosted_world *world, const struct dpl_sim_server_options *options,
                  struct server **ret_server, struct dpl_diag *reterr)
{
    struct server *server = calloc(1, sizeof *server);
    if (!server) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    server->options = *options;
    server->world = world;
    server->drop = SERVER_DROP;
    int err = make_room(server, reterr);
    err = err < 0 ? err : choose_session(server, reterr);
    err = err < 0 ? err : server_list_create(world, &server->list, reterr);
    err = err < 0 ? err : server_open_socket(server, reterr);
    if (err < 0) {
        server_destroy(server);
        return err;
    }
    *ret_server = server;
    return 0;
}

void server_destroy(struct server *server)
{
    if (!server) {
        return;
    }
    if (server->running) {
        atomic_store(&server->stop, true);
        pthread_join(server->thread, NULL);
    }
    for (size_t i = 0; i < SERVER_CLIENTS_MAX; i++) {
        if (server->clients[i].used) {
            server_forget(server, &server->clients[i]);
        }
    }
    server_close_socket(server);
    server_list_destroy(server->list);
    free(server->owners);
    free(server->frame);
    free(server->codec);
    free(server);
}

int server_start(struct server *server, struct dpl_diag *reterr)
{
    int err = pthread_create(&server->thread, NULL, serve, server);
    if (err != 0) {
        return dpl_fail(reterr, -err, (struct dpl_place){0}, "no thread for the server: %s",
                        strerror(err));
    }
    server->running = true;
    return 0;
}
