/* SPDX-License-Identifier: Apache-2.0 */
/* The frames and blocks that a client gets. */
#include <errno.h>
#include <stdlib.h>

#include "server.h"

/* Room for one message: LINK_VALUES_MAX and LINK_SUBSCRIBED_MAX leave room for the rest. */
struct server_frame {
    Doppel__Link__Frame frame;
    Doppel__Link__SlotFrame slots[LINK_SLOTS_MAX], *slot_list[LINK_SLOTS_MAX];
    Doppel__Link__Value values[LINK_SUBSCRIBED_MAX], *value_list[LINK_SUBSCRIBED_MAX];
    Doppel__Link__Answer answers[LINK_SUBSCRIBED_MAX], *answer_list[LINK_SUBSCRIBED_MAX];
    uint8_t bytes[LINK_VALUES_MAX];
    size_t n_values, n_answers, n_bytes;
    _Alignas(16) uint8_t value[LINK_BLOCK_MAX]; /* of one channel */
    uint8_t block[LINK_BLOCK_MAX];
};

struct server_frame *server_frame_create(void)
{
    return calloc(1, sizeof(struct server_frame));
}

static void begin(struct server *server)
{
    struct server_frame *frame = server->frame;
    doppel__link__frame__init(&frame->frame);
    frame->frame.slots = frame->slot_list;
    frame->frame.now = server_clock(server);
    frame->frame.contacts = atomic_load_explicit(&server->world->contacts, memory_order_relaxed);
    frame->n_values = frame->n_answers = frame->n_bytes = 0;
}

/* ---- blocks ---- */

static void send_block(struct server *server, const struct server_client *client, uint32_t number,
                       size_t index)
{
    const struct server_slot *slot = &client->slots[number];
    struct server_channel *channel = &slot->channels[index];
    struct server_frame *frame = server->frame;
    dpl_ns stamp;
    if (dpl_channel_get(channel->channel, frame->value, &stamp) < 0 ||
        !link_value_is_finite(channel->channel.desc, frame->value)) {
        return;
    }
    link_value_write(channel->channel.desc, frame->value, frame->block);
    Doppel__Link__Block block = DOPPEL__LINK__BLOCK__INIT;
    block.slot = number;
    block.number = slot->number;
    block.index = (uint32_t)index;
    block.stamp = stamp;
    block.sequence = ++channel->sequence;
    block.value = (ProtobufCBinaryData){
        .len = dpl_channel_bytes(channel->channel.desc),
        .data = frame->block,
    };
    Doppel__Link__ToClient message = DOPPEL__LINK__TO_CLIENT__INIT;
    message.body_case = DOPPEL__LINK__TO_CLIENT__BODY_BLOCK;
    message.block = &block;
    server_send(server, client->id, client->id_size, &message);
}

/* ---- values and answers ---- */

static void add_value(struct server_frame *frame, const struct server_channel *channel,
                      size_t index, dpl_ns frame_stamp)
{
    const struct dpl_channel_desc *desc = channel->channel.desc;
    Doppel__Link__Value *value = &frame->values[frame->n_values];
    dpl_ns stamp;
    if (dpl_channel_get(channel->channel, frame->value, &stamp) < 0 ||
        !link_value_is_finite(desc, frame->value)) {
        return;
    }
    size_t size = dpl_channel_bytes(desc);
    uint8_t *bytes = &frame->bytes[frame->n_bytes];
    link_value_write(desc, frame->value, bytes);
    doppel__link__value__init(value);
    value->index = (uint32_t)index;
    value->value = (ProtobufCBinaryData){.len = size, .data = bytes};
    value->age = frame_stamp - stamp;
    frame->value_list[frame->n_values++] = value;
    frame->n_bytes += size;
}

static Doppel__Link__Result result_of(int err)
{
    return err == 0        ? DOPPEL__LINK__RESULT__DONE
           : err == -EBUSY ? DOPPEL__LINK__RESULT__BUSY
                           : DOPPEL__LINK__RESULT__INVALID;
}

static void add_answer(struct server_frame *frame, const struct server_channel *channel,
                       size_t index)
{
    int err = channel->request != 0 ? dpl_channel_answer(channel->channel) : -EINPROGRESS;
    if (err == -EINPROGRESS) {
        return;
    }
    Doppel__Link__Answer *answer = &frame->answers[frame->n_answers];
    doppel__link__answer__init(answer);
    answer->index = (uint32_t)index;
    answer->request = channel->request;
    answer->result = result_of(err);
    frame->answer_list[frame->n_answers++] = answer;
}

static void add_slot(struct server_frame *frame, const struct server_slot *from, uint32_t number,
                     dpl_ns stamp)
{
    Doppel__Link__SlotFrame *slot = &frame->slots[frame->frame.n_slots];
    size_t values = frame->n_values, answers = frame->n_answers;
    doppel__link__slot_frame__init(slot);
    slot->slot = number;
    slot->number = from->number;
    slot->stamp = stamp;
    slot->values = &frame->value_list[values];
    slot->answers = &frame->answer_list[answers];
    for (size_t i = 0; i < from->n; i++) {
        const struct server_channel *channel = &from->channels[i];
        if (channel->way == LINK_WAY_FRAME) {
            add_value(frame, channel, i, stamp);
        } else if (channel->channel.desc->dir == DPL_CHANNEL_REQUEST) {
            add_answer(frame, channel, i);
        }
    }
    slot->n_values = frame->n_values - values;
    slot->n_answers = frame->n_answers - answers;
    frame->slot_list[frame->frame.n_slots++] = slot;
}

/* ---- sending ---- */

static void flush(struct server *server, const struct server_client *client, bool more)
{
    Doppel__Link__ToClient message = DOPPEL__LINK__TO_CLIENT__INIT;
    message.body_case = DOPPEL__LINK__TO_CLIENT__BODY_FRAME;
    message.frame = &server->frame->frame;
    message.frame->more = more;
    server_send(server, client->id, client->id_size, &message);
    begin(server);
}

static bool has_room(const struct server_frame *frame, const struct server_slot *slot)
{
    size_t bytes = 0;
    for (size_t i = 0; i < slot->n; i++) {
        bytes += slot->channels[i].way == LINK_WAY_FRAME
                     ? dpl_channel_bytes(slot->channels[i].channel.desc)
                     : 0;
    }
    return frame->n_bytes + bytes <= LINK_VALUES_MAX &&
           frame->n_values + frame->n_answers + slot->n <= LINK_SUBSCRIBED_MAX;
}

void server_send_frame(struct server *server, struct server_client *client)
{
    begin(server);
    for (uint32_t i = 0; i < LINK_SLOTS_MAX; i++) {
        const struct server_slot *slot = &client->slots[i];
        dpl_ns stamp;
        if (!slot->link || dpl_link_refresh(slot->link, &stamp) < 0) {
            continue;
        }
        for (size_t k = 0; k < slot->n; k++) {
            if (slot->channels[k].way == LINK_WAY_BLOCK) {
                send_block(server, client, i, k);
            }
        }
        if (!has_room(server->frame, slot)) {
            flush(server, client, true);
        }
        add_slot(server->frame, slot, i, stamp);
    }
    flush(server, client, false);
}
