/* SPDX-License-Identifier: Apache-2.0 */
/* A client that says one command to a served world and waits for the answer. */
#include <doppel/sim/loop_client.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/system_clock.h>

#include "link_client.h"
#include "zeromq.h"

#define PATIENCE (3 * DPL_S)    /* with a world that says nothing at all */
#define BEAT     (200 * DPL_MS) /* between two hellos, or pings */
#define POLL_MS  5

static const struct dpl_place nowhere;

/* One command to one world. */
struct talk {
    const char *address;
    struct link_client client;
    uint8_t frame[LINK_FRAME_MAX];
    dpl_ns last_heard, next_beat;
};

/* ---- saying ---- */

/* False: the connection was lost. */
static bool say_command(struct talk *talk, const char *command)
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
    return link_client_say(&talk->client, &message);
}

/* So that the world knows us, and then does not forget us. */
static void beat(struct talk *talk, bool welcomed, dpl_ns now)
{
    if (now < talk->next_beat) {
        return;
    }
    bool said = welcomed ? link_client_say_ping(&talk->client, now)
                         : link_client_say_hello(&talk->client, "doppel world", LINK_PERIOD_MAX);
    talk->next_beat = said ? now + BEAT : now; /* not said: it is not connected yet */
}

/* ---- hearing ---- */

/* The next message; NULL with *reterr_code 0: none yet. */
static const Doppel__Link__ToClient *hear(struct talk *talk, int *reterr_code)
{
    zmq_pollitem_t item = {.socket = talk->client.socket, .events = ZMQ_POLLIN};
    *reterr_code = 0;
    if (link_zeromq->poll(&item, 1, POLL_MS) <= 0) {
        return NULL;
    }
    int size =
        link_zeromq->recv(talk->client.socket, talk->frame, sizeof talk->frame, ZMQ_DONTWAIT);
    const Doppel__Link__ToClient *message;
    const char *why;
    if (size < 0) {
        return NULL;
    }
    talk->last_heard = dpl_monotonic_now();
    if (size > LINK_FRAME_MAX ||
        link_unpack_to_client(talk->client.codec, talk->frame, (size_t)size, &message, &why) < 0) {
        *reterr_code = -EPROTO;
        return NULL;
    }
    return message;
}

static int fail_silent(const struct talk *talk, struct dpl_diag *reterr)
{
    return dpl_fail(reterr, -ETIMEDOUT, nowhere, "no world answers at %s", talk->address);
}

/* Until a message of that kind comes, or a refusal. */
static int await(struct talk *talk, Doppel__Link__ToClient__BodyCase kind, dpl_ns until,
                 const Doppel__Link__ToClient **ret_message, struct dpl_diag *reterr)
{
    bool welcomed = kind != DOPPEL__LINK__TO_CLIENT__BODY_WELCOME;
    for (;;) {
        int err;
        beat(talk, welcomed, dpl_monotonic_now());
        const Doppel__Link__ToClient *message = hear(talk, &err);
        if (err < 0) {
            return dpl_fail(reterr, err, nowhere, "%s speaks another protocol", talk->address);
        }
        if (message && message->body_case == kind) {
            *ret_message = message;
            return 0;
        }
        if (message && message->body_case == DOPPEL__LINK__TO_CLIENT__BODY_REFUSED) {
            return dpl_fail(reterr, -EPROTO, nowhere, "%s: %s", talk->address,
                            message->refused->text);
        }
        dpl_ns now = dpl_monotonic_now();
        if (now - talk->last_heard > PATIENCE || (now > until && !welcomed)) {
            return fail_silent(talk, reterr);
        }
        if (now > until) {
            return dpl_fail(reterr, -ETIMEDOUT, nowhere,
                            "%s has not done it in time; it goes on with it", talk->address);
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
    ret_reply->controllers = (struct dpl_sim_controllers){
        .can_join = status->controllers,
        .joined = status->joined,
        .frames = status->frames,
        .late = status->late,
        .missed = status->missed,
        .unsent = status->unsent,
        .time_outs = status->time_outs,
    };
    ret_reply->modbus = (struct dpl_sim_modbus_stats){
        .is_served = status->modbus,
        .masters = status->masters,
        .reads = status->reads,
        .writes = status->writes,
        .exceptions = status->exceptions,
        .saturated = status->saturated,
        .lost = status->lost,
        .trips = status->trips,
        .waits = status->waits,
        .time_outs = status->in_vain,
    };
}

/* ---- one command ---- */

static int connect_to(struct talk *talk, struct dpl_diag *reterr)
{
    int err = link_zeromq_load(reterr);
    if (err < 0) {
        return err;
    }
    err = link_client_open(&talk->client, talk->address);
    if (err == -EINVAL) {
        return dpl_fail(reterr, err, nowhere, "cannot talk to '%s': expected tcp://host:port",
                        talk->address);
    }
    return err < 0 ? dpl_fail(reterr, err, nowhere, "no socket: %s", strerror(-err)) : 0;
}

static int converse(struct talk *talk, const char *command, dpl_ns most,
                    struct dpl_sim_reply *ret_reply, struct dpl_diag *reterr)
{
    const Doppel__Link__ToClient *message;
    talk->last_heard = dpl_monotonic_now();
    dpl_ns until = most > 0 ? talk->last_heard + most : INT64_MAX;
    int err = await(talk, DOPPEL__LINK__TO_CLIENT__BODY_WELCOME, until, &message, reterr);
    if (err < 0) {
        return err;
    }
    snprintf(ret_reply->world, sizeof ret_reply->world, "%s", message->welcome->world);
    if (!say_command(talk, command)) {
        return fail_silent(talk, reterr);
    }
    err = await(talk, DOPPEL__LINK__TO_CLIENT__BODY_LOOP, until, &message, reterr);
    if (err == 0) {
        read_answer(message->loop, ret_reply);
    }
    link_client_say_bye(&talk->client);
    return err;
}

int dpl_sim_loop_say(const char *address, const char *command, dpl_ns most,
                     struct dpl_sim_reply *ret_reply, struct dpl_diag *reterr)
{
    if (strlen(command) > LINK_TEXT_MAX) {
        return dpl_fail(reterr, -EINVAL, nowhere, "the command is longer than %d characters",
                        LINK_TEXT_MAX);
    }
    struct talk *talk = calloc(1, sizeof *talk);
    if (!talk) {
        return dpl_fail(reterr, -ENOMEM, nowhere, "out of memory");
    }
    talk->address = address;
    int err = connect_to(talk, reterr);
    err = err < 0 ? err : converse(talk, command, most, ret_reply, reterr);
    link_client_close(&talk->client);
    free(talk);
    return err;
}
