/* SPDX-License-Identifier: Apache-2.0 */
/* Serving a world: the socket, silence of clients, and time that follows grants. */
#include "server.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <zmq.h>

#include "room.h"

#define POLL_MAX  (20 * DPL_MS)
#define BATCH_MAX 256 /* frames read before the world and the other clients get their turn */

dpl_ns server_clock(const struct server *server)
{
    if (server->options.lockstep) {
        return dpl_world_now(server->world->world);
    }
    return dpl_monotonic_now() - atomic_load(&server->world->real_epoch);
}

void server_notice(struct server *server, enum server_notice kind, const char *format, ...)
{
    uint64_t held;
    if (!server->options.notice ||
        !dpl_peer_log_may(&server->notices[kind], dpl_monotonic_now(), &held)) {
        return;
    }
    char text[256];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n >= 0 && (size_t)n < sizeof text && held > 0) {
        snprintf(text + n, sizeof text - (size_t)n, " (%llu lines like this were left out)",
                 (unsigned long long)held);
    }
    if (n >= 0) {
        server->options.notice(server->options.notice_user, text);
    }
}

/* ---- the socket ---- */

static void set_option(void *socket, int option, int value)
{
    zmq_setsockopt(socket, option, &value, sizeof value);
}

static int listen_at(struct server *server, struct dpl_diag *reterr)
{
    const char *host = server->options.host ? server->options.host : "127.0.0.1";
    char address[300];
    if (server->options.port != 0) {
        snprintf(address, sizeof address, "tcp://%s:%u", host, server->options.port);
    } else {
        snprintf(address, sizeof address, "tcp://%s:*", host);
    }
    if (zmq_bind(server->socket, address) < 0) {
        int err = errno;
        return dpl_fail(reterr, err == EADDRINUSE ? -EADDRINUSE : -EADDRNOTAVAIL,
                        (struct dpl_place){0}, "cannot serve at %s: %s", address,
                        err == EADDRINUSE ? "the port is in use; choose another with --port"
                                          : zmq_strerror(err));
    }
    size_t size = sizeof address;
    zmq_getsockopt(server->socket, ZMQ_LAST_ENDPOINT, address, &size);
    const char *colon = strrchr(address, ':');
    server->port = colon ? (uint16_t)strtoul(colon + 1, NULL, 10) : 0;
    return 0;
}

static int open_socket(struct server *server, struct dpl_diag *reterr)
{
    int room =
        dpl_room_check("the world's server", DPL_ROOM_ZMQ_FILES, DPL_ROOM_ZMQ_THREADS, reterr);
    if (room < 0) {
        return room;
    }
    server->context = zmq_ctx_new();
    server->socket = server->context ? zmq_socket(server->context, ZMQ_ROUTER) : NULL;
    if (!server->socket) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "no socket: %s",
                        zmq_strerror(errno));
    }
    int64_t frame_max = LINK_FRAME_MAX;
    zmq_setsockopt(server->socket, ZMQ_MAXMSGSIZE, &frame_max, sizeof frame_max);
    set_option(server->socket, ZMQ_LINGER, 0);
    set_option(server->socket, ZMQ_ROUTER_HANDOVER, 1); /* a client that connects anew */
    set_option(server->socket, ZMQ_SNDHWM, 256);        /* who does not read loses frames */
    return listen_at(server, reterr);
}

/* A message in exactly two frames, peer and content; anything else is counted and dropped. */
static int receive(struct server *server)
{
    zmq_msg_t parts[2];
    int n = 0, more = 1, extra = 0;
    while (more) {
        zmq_msg_t part;
        zmq_msg_init(&part);
        if (zmq_msg_recv(&part, server->socket, ZMQ_DONTWAIT) < 0) {
            zmq_msg_close(&part);
            break;
        }
        more = zmq_msg_more(&part);
        if (n < 2) {
            zmq_msg_init(&parts[n]);
            zmq_msg_move(&parts[n++], &part);
        } else {
            extra++;
        }
        zmq_msg_close(&part);
    }
    if (n == 2 && extra == 0 && zmq_msg_size(&parts[0]) <= SERVER_ID_MAX) {
        server_handle(server, zmq_msg_data(&parts[0]), zmq_msg_size(&parts[0]),
                      zmq_msg_data(&parts[1]), zmq_msg_size(&parts[1]));
    } else if (n > 0) {
        server->stats.malformed++;
    }
    for (int i = 0; i < n; i++) {
        zmq_msg_close(&parts[i]);
    }
    return n;
}

/* ---- silence ---- */

static void check_silence(struct server *server, struct server_client *client, dpl_ns now)
{
    dpl_ns silence = now - client->last_heard;
    if (silence > SERVER_DROP) {
        server_notice(server, SERVER_NOTICE_SILENCE, "client '%s' given up after %.0f s of silence",
                      client->name, dpl_ns_to_s(SERVER_DROP));
        server->stats.dropped++;
        server_forget(server, client);
    } else if (silence > SERVER_SILENCE && !client->silent) {
        client->silent = true;
        server->stats.silenced++;
        server_stop_motors(client);
        server_let_go(server, client);
        server_notice(server, SERVER_NOTICE_SILENCE, "client '%s' is silent: its motors stop",
                      client->name);
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
        if (client->used && now >= client->next_state) {
            client->next_state = now + client->period;
            server_send_state(server, client);
        }
    }
}

static dpl_ns next_state(const struct server *server)
{
    dpl_ns first = INT64_MAX;
    for (size_t i = 0; i < SERVER_CLIENTS_MAX; i++) {
        const struct server_client *client = &server->clients[i];
        if (client->used && client->next_state < first) {
            first = client->next_state;
        }
    }
    return first;
}

/* ---- lock-step ---- */

/* How far time may move; *ret_slowest decides it. */
static dpl_ns granted(struct server *server, const struct server_client **ret_slowest)
{
    dpl_ns least = INT64_MAX;
    unsigned n = 0;
    *ret_slowest = NULL;
    for (size_t i = 0; i < SERVER_CLIENTS_MAX; i++) {
        const struct server_client *client = &server->clients[i];
        if (!client->used || !client->grants) {
            continue;
        }
        n++;
        if (client->granted < least) {
            least = client->granted;
            *ret_slowest = client;
        }
    }
    server->moving = server->moving || n >= (server->options.clients ? server->options.clients : 1);
    return server->moving && n > 0 ? least : 0;
}

static bool somebody_is_ahead(const struct server *server, dpl_ns now)
{
    for (size_t i = 0; i < SERVER_CLIENTS_MAX; i++) {
        const struct server_client *client = &server->clients[i];
        if (client->used && client->grants && client->granted > now) {
            return true;
        }
    }
    return false;
}

/* Names, once, the client that holds up the others. */
static void watch_slowest(struct server *server, const struct server_client *slowest, dpl_ns now)
{
    dpl_ns real = dpl_monotonic_now();
    if (!slowest || slowest->granted > now || !somebody_is_ahead(server, now)) {
        slowest = NULL;
    }
    if (slowest != server->late) {
        server->late = slowest;
        server->waiting_since = real;
        server->named = false;
    } else if (slowest && !server->named && real - server->waiting_since > SERVER_DROP) {
        server->named = true;
        server_notice(server, SERVER_NOTICE_TIME,
                      "time stands at %.3f s: client '%s' does not grant", dpl_ns_to_s(now),
                      slowest->name);
    }
}

static void follow_grants(struct server *server, dpl_ns real_start)
{
    const struct server_client *slowest;
    dpl_ns now = dpl_world_now(server->world->world);
    dpl_ns until = granted(server, &slowest);
    watch_slowest(server, slowest, now);
    double rate = server->options.rate;
    if (until > now && rate > 0.0) {
        dpl_ns paced = (dpl_ns)((double)(dpl_monotonic_now() - real_start) * rate);
        until = until < paced ? until : paced;
    }
    if (until <= now) {
        return;
    }
    hosted_world_advance(server->world, until);
    for (size_t i = 0; i < SERVER_CLIENTS_MAX; i++) {
        if (server->clients[i].used) {
            server_send_state(server, &server->clients[i]);
        }
    }
}

/* ---- serving ---- */

static dpl_ns poll_time(const struct server *server)
{
    dpl_ns most = POLL_MAX;
    if (server->options.lockstep && server->options.rate > 0.0) {
        most = DPL_MS;
    }
    dpl_ns until_state = next_state(server) - dpl_monotonic_now();
    return until_state < most ? (until_state > 0 ? until_state : 0) : most;
}

static bool is_over(const struct server *server)
{
    dpl_ns duration = server->options.duration;
    return atomic_load_explicit(&server->stop, memory_order_relaxed) ||
           (duration > 0 && server_clock(server) >= duration);
}

static void serve_once(struct server *server, dpl_ns real_start)
{
    zmq_pollitem_t item = {.socket = server->socket, .events = ZMQ_POLLIN};
    long ms = (long)((poll_time(server) + DPL_MS - 1) / DPL_MS);
    zmq_poll(&item, 1, ms);
    if (!server->options.lockstep && atomic_load(&server->world->real_epoch) == 0) {
        return; /* its owner has not started the world: no clock to stamp with */
    }
    for (int i = 0; i < BATCH_MAX && receive(server) > 0; i++) {
    }
    if (server->options.lockstep) {
        follow_grants(server, real_start);
    }
    look_after_clients(server);
    hosted_world_sweep(server->world);
}

static void *serve(void *argument)
{
    struct server *server = argument;
    dpl_ns real_start = dpl_monotonic_now();
    while (!is_over(server)) {
        serve_once(server, real_start);
    }
    return NULL;
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
    server->codec = calloc(1, sizeof *server->codec);
    int err = -ENOMEM;
    if (server->codec &&
        getrandom(&server->session, sizeof server->session, 0) == sizeof server->session) {
        err = open_socket(server, reterr);
    }
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
    if (server->socket) {
        zmq_close(server->socket);
    }
    if (server->context) {
        zmq_ctx_term(server->context);
    }
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

/* ---- a server with a world of its own ---- */

struct dpl_sim_server {
    struct hosted_world *world;
    struct server *server;
};

int dpl_sim_server_create(const struct dpl_sim_server_options *options,
                          struct dpl_sim_server **ret_server, struct dpl_diag *reterr)
{
    struct dpl_sim_server *self = calloc(1, sizeof *self);
    if (!self) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    int err =
        hosted_world_create(options->world, options->seed, options->catalog, &self->world, reterr);
    if (err == 0) {
        err = server_create(self->world, options, &self->server, reterr);
    }
    if (err < 0) {
        dpl_sim_server_destroy(self);
        return err;
    }
    *ret_server = self;
    return 0;
}

void dpl_sim_server_destroy(struct dpl_sim_server *server)
{
    if (server) {
        server_destroy(server->server);
        hosted_world_destroy(server->world);
        free(server);
    }
}

int dpl_sim_server_run(struct dpl_sim_server *server, struct dpl_diag *reterr)
{
    if (!server->server->options.lockstep) {
        int err = hosted_world_start(server->world, dpl_monotonic_now(), reterr);
        if (err < 0) {
            return err;
        }
    }
    serve(server->server);
    hosted_world_stop(server->world);
    return 0;
}

void dpl_sim_server_stop(struct dpl_sim_server *server)
{
    atomic_store_explicit(&server->server->stop, true, memory_order_relaxed);
}

uint16_t dpl_sim_server_port(const struct dpl_sim_server *server)
{
    return server->server->port;
}

const struct dpl_sim_model *dpl_sim_server_model(const struct dpl_sim_server *server)
{
    return server->world->model;
}

struct dpl_sim_server_stats dpl_sim_server_stats(const struct dpl_sim_server *server)
{
    return server->server->stats;
}
