/* SPDX-License-Identifier: Apache-2.0 */
/* Clients that speak the protocol of the link themselves, for tests of a server. */
#ifndef DOPPEL_TEST_LINK_STRANGER_H
#define DOPPEL_TEST_LINK_STRANGER_H

#include <string.h>

#include <zmq.h>

#include "link_codec.h"
#include "link_world.h"

struct stranger {
    void *context, *socket;
};

static inline struct stranger connect_stranger(const char *address)
{
    struct stranger stranger = {.context = zmq_ctx_new()};
    stranger.socket = zmq_socket(stranger.context, ZMQ_DEALER);
    int linger = 0;
    zmq_setsockopt(stranger.socket, ZMQ_LINGER, &linger, sizeof linger);
    cr_assert_eq(zmq_connect(stranger.socket, address), 0);
    return stranger;
}

static inline void leave(struct stranger *stranger)
{
    zmq_close(stranger->socket);
    zmq_ctx_term(stranger->context);
}

static struct link_codec codec;

static inline const Doppel__Link__ToClient *answer(const struct stranger *stranger)
{
    static uint8_t frame[LINK_FRAME_MAX];
    const Doppel__Link__ToClient *message = NULL;
    const char *why;
    int size = zmq_recv(stranger->socket, frame, sizeof frame, 0);
    cr_assert_geq(size, 0);
    cr_assert_eq(link_unpack_to_client(&codec, frame, (size_t)size, &message, &why), 0);
    return message;
}

static inline void say(const struct stranger *stranger, Doppel__Link__ToServer *message)
{
    static struct link_codec out;
    int size = link_pack_to_server(&out, message);
    cr_assert_gt(size, 0);
    cr_assert_eq(zmq_send(stranger->socket, out.out, (size_t)size, 0), size);
}

static inline void say_hello(const struct stranger *stranger)
{
    char name[] = "stranger";
    Doppel__Link__Hello hello;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    doppel__link__hello__init(&hello);
    hello.name = name;
    hello.period = 10 * DPL_MS;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_HELLO;
    message.hello = &hello;
    say(stranger, &message);
}

static inline const Doppel__Link__ToClient *next(const struct stranger *stranger,
                                                 Doppel__Link__ToClient__BodyCase kind)
{
    const Doppel__Link__ToClient *message = answer(stranger);
    while (message->body_case != kind) {
        message = answer(stranger);
    }
    return message;
}

/* Its number in the list, which fits into one page. */
static inline uint32_t channel_number(const struct stranger *stranger, const char *path)
{
    Doppel__Link__List list = DOPPEL__LINK__LIST__INIT;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_LIST;
    message.list = &list;
    say(stranger, &message);
    const Doppel__Link__Channels *page =
        next(stranger, DOPPEL__LINK__TO_CLIENT__BODY_CHANNELS)->channels;
    for (uint32_t i = 0; i < page->n_channels; i++) {
        if (strcmp(page->channels[i]->path, path) == 0) {
            return i;
        }
    }
    cr_assert(false, "no channel '%s'", path);
    return 0;
}

static inline void say_subscribe(const struct stranger *stranger, uint32_t number,
                                 const uint32_t *channels, size_t n, bool take_over)
{
    Doppel__Link__Subscribe subscribe = DOPPEL__LINK__SUBSCRIBE__INIT;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    uint32_t copy[8];
    memcpy(copy, channels, n * sizeof copy[0]);
    subscribe.number = number;
    subscribe.channels = copy;
    subscribe.n_channels = n;
    subscribe.take_over = take_over;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_SUBSCRIBE;
    message.subscribe = &subscribe;
    say(stranger, &message);
}

enum { SPEED, VELOCITY, PLACE, LASER_ON };

/* Subscription 1 of slot 0 has these four. */
static inline void join(const struct stranger *stranger)
{
    say_hello(stranger);
    uint32_t channels[] = {
        channel_number(stranger, "avatar/LeftWheel/speed"),
        channel_number(stranger, "avatar/enc_left/velocity"),
        channel_number(stranger, "avatar/place"),
        channel_number(stranger, "avatar/laser/on"),
    };
    say_subscribe(stranger, 1, channels, 4, false);
}

static inline void say_slot(const struct stranger *stranger, Doppel__Link__SlotCommand *slot)
{
    Doppel__Link__Command command = DOPPEL__LINK__COMMAND__INIT;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    command.n_slots = 1;
    command.slots = &slot;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_COMMAND;
    message.command = &command;
    say(stranger, &message);
}

static inline void say_put(const struct stranger *stranger, uint32_t number, uint32_t index,
                           const void *value, size_t size, uint32_t request)
{
    uint8_t bytes[64];
    Doppel__Link__Put put = DOPPEL__LINK__PUT__INIT, *puts[] = {&put};
    Doppel__Link__SlotCommand slot = DOPPEL__LINK__SLOT_COMMAND__INIT;
    memcpy(bytes, value, size);
    put.index = index;
    put.value = (ProtobufCBinaryData){.len = size, .data = bytes};
    put.request = request;
    slot.number = number;
    slot.n_puts = 1;
    slot.puts = puts;
    say_slot(stranger, &slot);
}

static inline void say_speed(const struct stranger *stranger, double speed)
{
    say_put(stranger, 1, SPEED, &speed, sizeof speed, 0);
}

static inline const Doppel__Link__SlotFrame *next_frame(const struct stranger *stranger)
{
    const Doppel__Link__Frame *frame;
    do {
        frame = next(stranger, DOPPEL__LINK__TO_CLIENT__BODY_FRAME)->frame;
    } while (frame->n_slots != 1);
    return frame->slots[0];
}

static inline double next_velocity(const struct stranger *stranger)
{
    const Doppel__Link__SlotFrame *frame = next_frame(stranger);
    double velocity;
    cr_assert_eq(frame->n_values, 1, "inputs have no value in a frame");
    cr_assert_eq(frame->values[0]->index, VELOCITY);
    cr_assert_eq(frame->values[0]->value.len, sizeof velocity);
    memcpy(&velocity, frame->values[0]->value.data, sizeof velocity);
    return velocity;
}

static inline const Doppel__Link__Control *next_control(const struct stranger *stranger)
{
    return next(stranger, DOPPEL__LINK__TO_CLIENT__BODY_CONTROL)->control;
}

#endif
