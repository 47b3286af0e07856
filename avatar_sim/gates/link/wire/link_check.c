/* SPDX-License-Identifier: Apache-2.0 */
/* The limits of every message of the link. A check returns NULL or what is wrong. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "link_codec.h"
#include "link_values.h"

static bool name_fits(const char *name)
{
    return strlen(name) <= LINK_NAME_MAX;
}

static bool time_fits(int64_t time)
{
    return time >= -LINK_TIME_MAX && time <= LINK_TIME_MAX;
}

/* ---- to the server ---- */

const char *link_check_hello(const Doppel__Link__Hello *hello)
{
    if (!name_fits(hello->name)) {
        return "the client's name is too long";
    }
    if (hello->period < LINK_PERIOD_MIN || hello->period > LINK_PERIOD_MAX) {
        return "the period is not within 1 ms and 1 s";
    }
    return NULL;
}

static const char *check_subscribe(const Doppel__Link__Subscribe *subscribe)
{
    if (subscribe->slot >= LINK_SLOTS_MAX) {
        return "slot is beyond its limit";
    }
    if (subscribe->number == 0) {
        return "subscriptions are numbered from 1 on";
    }
    if (subscribe->n_channels > LINK_SUBSCRIBED_MAX) {
        return "too many channels in a subscription";
    }
    for (size_t i = 0; i < subscribe->n_channels; i++) {
        if (subscribe->channels[i] >= LINK_CHANNELS_MAX) {
            return "a channel is beyond its limit";
        }
    }
    return NULL;
}

static const char *check_slot_command(const Doppel__Link__SlotCommand *slot)
{
    if (slot->slot >= LINK_SLOTS_MAX) {
        return "slot is beyond its limit";
    }
    if (slot->n_puts > LINK_SUBSCRIBED_MAX) {
        return "too many values are put";
    }
    for (size_t i = 0; i < slot->n_puts; i++) {
        if (slot->puts[i]->index >= LINK_SUBSCRIBED_MAX) {
            return "an index is beyond its limit";
        }
        if (slot->puts[i]->value.len > LINK_VALUES_MAX) {
            return "a value is too long";
        }
    }
    return NULL;
}

static const char *check_command(const Doppel__Link__Command *command)
{
    if (command->n_slots > LINK_SLOTS_MAX) {
        return "too many slots";
    }
    if (!time_fits(command->until)) {
        return "the granted time is beyond its limit";
    }
    const char *why = NULL;
    for (size_t i = 0; i < command->n_slots && !why; i++) {
        why = check_slot_command(command->slots[i]);
    }
    return why;
}

const char *link_check_to_server(const Doppel__Link__ToServer *message)
{
    switch (message->body_case) {
    case DOPPEL__LINK__TO_SERVER__BODY_HELLO: return link_check_hello(message->hello);
    case DOPPEL__LINK__TO_SERVER__BODY_LIST:
        return message->list->first < LINK_CHANNELS_MAX ? NULL : "a channel is beyond its limit";
    case DOPPEL__LINK__TO_SERVER__BODY_SUBSCRIBE: return check_subscribe(message->subscribe);
    case DOPPEL__LINK__TO_SERVER__BODY_COMMAND: return check_command(message->command);
    case DOPPEL__LINK__TO_SERVER__BODY_LOOP:
        return strlen(message->loop->text) <= LINK_TEXT_MAX ? NULL : "a text is too long";
    case DOPPEL__LINK__TO_SERVER__BODY_PING:
    case DOPPEL__LINK__TO_SERVER__BODY_BYE: return NULL;
    default: return "it says nothing";
    }
}

/* ---- to a client ---- */

static const char *check_welcome(const Doppel__Link__Welcome *welcome)
{
    if (welcome->channels > LINK_CHANNELS_MAX) {
        return "the world has too many channels";
    }
    return name_fits(welcome->world) && time_fits(welcome->now)
               ? NULL
               : "the world's name or time is beyond its limit";
}

static const char *check_channel(const Doppel__Link__Channel *channel)
{
    struct dpl_channel_desc desc;
    const char *why = link_desc_read(channel, &desc);
    if (why || channel->value.len == 0) {
        return why;
    }
    bool fits = desc.dir == DPL_CHANNEL_CONSTANT && channel->value.len <= LINK_CONSTANT_MAX &&
                channel->value.len == dpl_channel_bytes(&desc);
    return fits ? NULL : "a channel has a value that it cannot have";
}

static const char *check_channels(const Doppel__Link__Channels *page)
{
    if (page->first > LINK_CHANNELS_MAX || page->n_channels > LINK_CHANNELS_MAX - page->first) {
        return "a page of the list goes beyond its end";
    }
    const char *why = NULL;
    for (size_t i = 0; i < page->n_channels && !why; i++) {
        why = check_channel(page->channels[i]);
    }
    return why;
}

static const char *check_values(const Doppel__Link__SlotFrame *slot)
{
    for (size_t i = 0; i < slot->n_values; i++) {
        const Doppel__Link__Value *value = slot->values[i];
        if (value->index >= LINK_SUBSCRIBED_MAX || value->value.len > LINK_VALUES_MAX ||
            !time_fits(value->age)) {
            return "a value is beyond its limits";
        }
    }
    return NULL;
}

static const char *check_slot_frame(const Doppel__Link__SlotFrame *slot)
{
    if (slot->slot >= LINK_SLOTS_MAX || !time_fits(slot->stamp)) {
        return "slot or stamp is beyond its limit";
    }
    if (slot->n_values > LINK_SUBSCRIBED_MAX || slot->n_answers > LINK_SUBSCRIBED_MAX) {
        return "too many values or answers";
    }
    for (size_t i = 0; i < slot->n_answers; i++) {
        if (slot->answers[i]->index >= LINK_SUBSCRIBED_MAX) {
            return "an answer is beyond its limit";
        }
    }
    return check_values(slot);
}

static const char *check_frame(const Doppel__Link__Frame *frame)
{
    if (frame->n_slots > LINK_SLOTS_MAX || !time_fits(frame->now)) {
        return "too many slots, or a time beyond its limit";
    }
    const char *why = NULL;
    for (size_t i = 0; i < frame->n_slots && !why; i++) {
        why = check_slot_frame(frame->slots[i]);
    }
    return why;
}

static const char *check_block(const Doppel__Link__Block *block)
{
    bool fits = block->slot < LINK_SLOTS_MAX && block->index < LINK_SUBSCRIBED_MAX &&
                block->value.len <= LINK_BLOCK_MAX && time_fits(block->stamp);
    return fits ? NULL : "a block is beyond its limits";
}

static const char *check_loop_answer(const Doppel__Link__LoopAnswer *answer)
{
    const Doppel__Link__LoopStatus *status = answer->status;
    if (strlen(answer->text) > LINK_TEXT_MAX) {
        return "a text is too long";
    }
    bool fits = status && time_fits(status->time) && time_fits(status->late_most) &&
                time_fits(status->skipped) && status->rate >= 0.0 && isfinite(status->rate);
    return fits ? NULL : "the state of a loop is beyond its limits";
}

const char *link_check_to_client(const Doppel__Link__ToClient *message)
{
    switch (message->body_case) {
    case DOPPEL__LINK__TO_CLIENT__BODY_WELCOME: return check_welcome(message->welcome);
    case DOPPEL__LINK__TO_CLIENT__BODY_CHANNELS: return check_channels(message->channels);
    case DOPPEL__LINK__TO_CLIENT__BODY_FRAME: return check_frame(message->frame);
    case DOPPEL__LINK__TO_CLIENT__BODY_BLOCK: return check_block(message->block);
    case DOPPEL__LINK__TO_CLIENT__BODY_REFUSED:
        return strlen(message->refused->text) <= LINK_TEXT_MAX ? NULL : "a text is too long";
    case DOPPEL__LINK__TO_CLIENT__BODY_CONTROL:
        return message->control->slot < LINK_SLOTS_MAX &&
                       strlen(message->control->text) <= LINK_TEXT_MAX
                   ? NULL
                   : "slot or text is beyond its limit";
    case DOPPEL__LINK__TO_CLIENT__BODY_PONG:
        return name_fits(message->pong->waiting_for) && time_fits(message->pong->now)
                   ? NULL
                   : "a pong is beyond its limits";
    case DOPPEL__LINK__TO_CLIENT__BODY_LOOP: return check_loop_answer(message->loop);
    default: return "it says nothing";
    }
}
