/* SPDX-License-Identifier: Apache-2.0 */
/* Lock-step: time moves as far as all clients grant. */
#include "server.h"

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
    } else if (slowest && !server->named && real - server->waiting_since > server->drop) {
        server->named = true;
        server_notice(server, SERVER_NOTICE_TIME,
                      "time stands at %.3f s: client '%s' does not grant", dpl_ns_to_s(now),
                      slowest->name);
    }
}

/* Time moves in pieces: between them others are heard, however far time was granted. */
#define PIECE (100 * DPL_MS) /* of the world's time */
#define TURN  (20 * DPL_MS)  /* of real time, until others get theirs */

static void advance(struct server *server, dpl_ns until)
{
    dpl_ns begin = dpl_monotonic_now();
    dpl_ns now = dpl_world_now(server->world->world);
    while (now < until && dpl_monotonic_now() - begin < TURN && !server_is_over(server)) {
        hosted_world_advance(server->world, until - now < PIECE ? until : now + PIECE);
        now = dpl_world_now(server->world->world);
    }
    server->is_behind = now < until;
}

void server_follow_grants(struct server *server, dpl_ns real_start)
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
    server->is_behind = false;
    if (until <= now) {
        return;
    }
    advance(server, until);
    for (size_t i = 0; i < SERVER_CLIENTS_MAX; i++) {
        if (server->clients[i].used) {
            server_send_frame(server, &server->clients[i]);
        }
    }
}
