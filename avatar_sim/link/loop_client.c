/* SPDX-License-Identifier: Apache-2.0 */
/* A client that says one command to a served world and waits for the answer. */
#include <doppel/sim/loop_client.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <zmq.h>

#include <doppel/system_clock.h>

#include "link_codec.h"

#define PATIENCE (3 * DPL_S)    /* with a world that says nothing at all */
#define BEAT     (200 * DPL_MS) /* between two pings */

static const struct dpl_place nowhere;

struct client {
    const char *address;
    void *context, *socket;
    struct link_codec codec;
    uint8_t frame[LINK_FRAME_MAX];
    dpl_ns last_heard, next_beat;
};

/* ---- saying ---- */

static void say(struct client *client, Doppel__Link__ToServer *message)
{
    int size = link_pack_to_server(&client->codec, message);
    if (size > 0) {
        zmq_send(client->socket, client->codec.out, (size_t)size, ZMQ_DONTWAIT);
    }
}

static void say_hello(struct client *client)
{
    char name[] = "doppel world";
    Doppel__Link__Hello hello;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    doppel__link__hello__init(&hello);
    hello.name = name;
    hello.period = LINK_PERIOD_MAX;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_HELLO;
    message.hello = &hello;
    say(client, &message);
}

static void say_command(struct client *client, const char *command)
{
    char text[LINK_TEXT_MAX + 1];
    snprintf(text, sizeof text, "%s", command);
    Doppel__Link__LoopCommand loop;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    doppel__link__loop_command__init(&loop);
    loop.number = 1;
    loop.text = text;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_LOOP;
    message.loop = &loop;
    say(client, &message);
}

static void say_ping(struct client *client)
{
    Doppel__Link__Ping ping = DOPPEL__LINK__PING__INIT;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_PING;
    message.ping = &ping;
    say(client, &message);
}

static void say_bye(struct client *client)
{
    Doppel__Link__Bye bye = DOPPEL__LINK__BYE__INIT;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_BYE;
    message.bye = &bye;
    say(client, &message);
}

/* ---- hearing ---- */

/* The next message; NULL with *reterr_code 0: none yet. */
static const Doppel__Link__ToClient *hear(struct client *client, int *reterr_code)
{
    zmq_pollitem_t item = {.socket = client->socket, .events = ZMQ_POLLIN};
    *reterr_code = 0;
    if (zmq_poll(&item, 1, 20) <= 0) {
        return NULL;
    }
    int size = zmq_recv(client->socket, client->frame, sizeof client->frame, ZMQ_DONTWAIT);
    const Doppel__Link__ToClient *message;
    const char *why;
    if (size < 0) {
        return NULL;
    }
    client->last_heard = dpl_monotonic_now();
    if (size > LINK_FRAME_MAX ||
        link_unpack_to_client(&client->codec, client->frame, (size_t)size, &message, &why) < 0) {
        *reterr_code = -EPROTO;
        return NULL;
    }
    return message;
}

static int fail_silent(const struct client *client, struct dpl_diag *reterr)
{
    return dpl_fail(reterr, -ETIMEDOUT, nowhere, "no world answers at %s", client->address);
}

/* Until a message of that kind comes, or a refusal. */
static int await(struct client *client, Doppel__Link__ToClient__BodyCase kind, dpl_ns until,
                 const Doppel__Link__ToClient **ret_message, struct dpl_diag *reterr)
{
    for (;;) {
        int err;
        const Doppel__Link__ToClient *message = hear(client, &err);
        if (err < 0) {
            return dpl_fail(reterr, err, nowhere, "%s speaks another protocol", client->address);
        }
        if (message && message->body_case == kind) {
            *ret_message = message;
            return 0;
        }
        if (message && message->body_case == DOPPEL__LINK__TO_CLIENT__BODY_REFUSED) {
            return dpl_fail(reterr, -EPROTO, nowhere, "%s: %s", client->address,
                            message->refused->text);
        }
        dpl_ns now = dpl_monotonic_now();
        if (now - client->last_heard > PATIENCE) {
            return fail_silent(client, reterr);
        }
        if (now > until) {
            return dpl_fail(reterr, -ETIMEDOUT, nowhere,
                            "%s has not done it in time; it goes on with it", client->address);
        }
        if (now >= client->next_beat) {
            client->next_beat = now + BEAT;
            say_ping(client);
        }
    }
}

static void read_answer(const Doppel__Link__LoopAnswer *from, struct dpl_sim_reply *ret_reply)
{
    static const enum dpl_sim_reply_result results[] = {
        [DOPPEL__LINK__LOOP_RESULT__LOOP_DONE] = DPL_SIM_REPLY_DONE,
        [DOPPEL__LINK__LOOP_RESULT__LOOP_REFUSED] = DPL_SIM_REPLY_REFUSED,
        [DOPPEL__LINK__LOOP_RESULT__LOOP_CANCELLED] = DPL_SIM_REPLY_CANCELLED,
        [DOPPEL__LINK__LOOP_RESULT__LOOP_DROPPED] = DPL_SIM_REPLY_DROPPED,
    };
    const Doppel__Link__LoopStatus *status = from->status;
    bool known = (size_t)from->result < sizeof results / sizeof *results;
    ret_reply->result = known ? results[from->result] : DPL_SIM_REPLY_REFUSED;
    snprintf(ret_reply->text, sizeof ret_reply->text, "%s", from->text);
    ret_reply->status = (struct dpl_sim_loop_status){
        .step = status->step,
        .time = status->time,
        .paused = status->paused,
        .has_goal = status->under_way,
        .rate = status->rate > 0.0 ? status->rate : (double)INFINITY,
        .late_steps = status->late_steps,
        .late_most = status->late_most,
        .skips = status->skips,
        .skipped = status->skipped,
        .jumps = status->jumps,
        .snapshots = status->snapshots,
        .events = {.done = status->events_done,
                   .failed = status->events_failed,
                   .dropped = status->events_dropped,
                   .refused = status->events_refused,
                   .waiting = status->events_waiting},
    };
}

/* ---- one command ---- */

static int open_socket(struct client *client, struct dpl_diag *reterr)
{
    uint8_t id[9] = {1};
    int linger = 200;
    bool good = getrandom(id + 1, 8, 0) == 8 && (client->context = zmq_ctx_new()) != NULL &&
                (client->socket = zmq_socket(client->context, ZMQ_DEALER)) != NULL;
    if (!good) {
        return dpl_fail(reterr, -ENOMEM, nowhere, "no socket: %s", strerror(errno));
    }
    zmq_setsockopt(client->socket, ZMQ_ROUTING_ID, id, sizeof id);
    zmq_setsockopt(client->socket, ZMQ_LINGER, &linger, sizeof linger);
    if (strncmp(client->address, "tcp://", 6) != 0 ||
        zmq_connect(client->socket, client->address) != 0) {
        return dpl_fail(reterr, -EINVAL, nowhere, "cannot talk to '%s': expected tcp://host:port",
                        client->address);
    }
    return 0;
}

static int converse(struct client *client, const char *command, dpl_ns most,
                    struct dpl_sim_reply *ret_reply, struct dpl_diag *reterr)
{
    const Doppel__Link__ToClient *message;
    dpl_ns begin = dpl_monotonic_now();
    client->last_heard = begin;
    client->next_beat = INT64_MAX; /* who is not known yet is told to say hello */
    say_hello(client);
    int err = await(client, DOPPEL__LINK__TO_CLIENT__BODY_WELCOME, INT64_MAX, &message, reterr);
    if (err < 0) {
        return err;
    }
    snprintf(ret_reply->world, sizeof ret_reply->world, "%s", message->welcome->world);
    client->next_beat = 0;
    say_command(client, command);
    err = await(client, DOPPEL__LINK__TO_CLIENT__BODY_LOOP, most > 0 ? begin + most : INT64_MAX,
                &message, reterr);
    if (err == 0) {
        read_answer(message->loop, ret_reply);
    }
    say_bye(client);
    return err;
}

int dpl_sim_loop_say(const char *address, const char *command, dpl_ns most,
                     struct dpl_sim_reply *ret_reply, struct dpl_diag *reterr)
{
    if (strlen(command) > LINK_TEXT_MAX) {
        return dpl_fail(reterr, -EINVAL, nowhere, "the command is longer than %d characters",
                        LINK_TEXT_MAX);
    }
    struct client *client = calloc(1, sizeof *client);
    if (!client) {
        return dpl_fail(reterr, -ENOMEM, nowhere, "out of memory");
    }
    client->address = address;
    int err = open_socket(client, reterr);
    err = err < 0 ? err : converse(client, command, most, ret_reply, reterr);
    if (client->socket) {
        zmq_close(client->socket);
    }
    if (client->context) {
        zmq_ctx_term(client->context);
    }
    free(client);
    return err;
}
