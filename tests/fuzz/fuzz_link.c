/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of the link from hostile bytes, read as either side reads them. Aborts when a message that
 * was accepted breaks a limit its users index by. Packs it too; what is unknown in it goes along,
 * so that the result may be refused. */
#include "fuzz.h"
#include "link_codec.h"
#include "link_values.h"

static struct link_codec first, again;

/* Reads a value as a channel of each type, and of its own length. */
static void check_value(ProtobufCBinaryData bytes)
{
    static const struct dpl_channel_type *const types[] = {
        &dpl_channel_number, &dpl_channel_integer, &dpl_channel_flag,
        &dpl_channel_vector, &dpl_channel_pose,    &dpl_channel_block,
    };
    static _Alignas(16) uint8_t value[LINK_FRAME_MAX], copy[LINK_FRAME_MAX];
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        size_t n = types[i]->size != 0 ? types[i]->size : bytes.len / types[i]->element_size;
        struct dpl_channel_desc desc = {.type = types[i], .size = (uint32_t)n};
        if (link_value_read(&desc, bytes, value) == NULL) {
            require(dpl_channel_bytes(&desc) == bytes.len);
            (void)link_value_is_finite(&desc, value);
            link_value_write(&desc, value, copy);
            require(bytes.len == 0 || memcmp(copy, bytes.data, bytes.len) == 0);
        }
    }
}

/* ---- as a server ---- */

static void check_command(const Doppel__Link__Command *command)
{
    require(command->n_slots <= LINK_SLOTS_MAX);
    for (size_t i = 0; i < command->n_slots; i++) {
        const Doppel__Link__SlotCommand *slot = command->slots[i];
        require(slot->slot < LINK_SLOTS_MAX && slot->n_puts <= LINK_SUBSCRIBED_MAX);
        for (size_t k = 0; k < slot->n_puts; k++) {
            require(slot->puts[k]->index < LINK_SUBSCRIBED_MAX);
            require(slot->puts[k]->value.len <= LINK_VALUES_MAX);
            check_value(slot->puts[k]->value);
        }
    }
}

static void check_subscribe(const Doppel__Link__Subscribe *subscribe)
{
    require(subscribe->slot < LINK_SLOTS_MAX && subscribe->n_channels <= LINK_SUBSCRIBED_MAX);
    require(subscribe->number > 0);
    for (size_t i = 0; i < subscribe->n_channels; i++) {
        require(subscribe->channels[i] < LINK_CHANNELS_MAX);
    }
}

static void check_refused(const struct link_codec *codec)
{
    require(strnlen(codec->name, sizeof codec->name) <= LINK_NAME_MAX);
    require(codec->name[0] == '\0' || codec->version != LINK_VERSION);
}

static void read_as_server(const uint8_t *data, size_t size)
{
    const Doppel__Link__ToServer *message, *copy;
    const char *why = NULL;
    if (link_unpack_to_server(&first, data, size, &message, &why) < 0) {
        require(why != NULL);
        check_refused(&first);
        return;
    }
    if (message->body_case == DOPPEL__LINK__TO_SERVER__BODY_HELLO) {
        require(strlen(message->hello->name) <= LINK_NAME_MAX);
    }
    if (message->body_case == DOPPEL__LINK__TO_SERVER__BODY_SUBSCRIBE) {
        check_subscribe(message->subscribe);
    }
    if (message->body_case == DOPPEL__LINK__TO_SERVER__BODY_COMMAND) {
        check_command(message->command);
    }
    if (message->body_case == DOPPEL__LINK__TO_SERVER__BODY_LOOP) {
        require(strlen(message->loop->text) <= LINK_TEXT_MAX);
    }
    Doppel__Link__ToServer out = *message;
    int packed = link_pack_to_server(&again, &out);
    require(packed <= LINK_FRAME_MAX);
    if (packed > 0) {
        link_unpack_to_server(&first, again.out, (size_t)packed, &copy, &why);
    }
}

/* ---- as a client ---- */

static void check_channels(const Doppel__Link__Channels *page)
{
    require(page->first <= LINK_CHANNELS_MAX);
    require(page->first + page->n_channels <= LINK_CHANNELS_MAX);
    for (size_t i = 0; i < page->n_channels; i++) {
        struct dpl_channel_desc desc;
        const Doppel__Link__Channel *channel = page->channels[i];
        require(link_desc_read(channel, &desc) == NULL);
        require(desc.type && desc.dir <= DPL_CHANNEL_CONSTANT &&
                strlen(desc.path) <= LINK_PATH_MAX);
        require(channel->value.len == 0 || channel->value.len == dpl_channel_bytes(&desc));
        Doppel__Link__Channel same;
        require(link_desc_write(&desc, &same));
    }
}

static void check_slot_frame(const Doppel__Link__SlotFrame *slot)
{
    require(slot->slot < LINK_SLOTS_MAX);
    require(slot->n_values <= LINK_SUBSCRIBED_MAX && slot->n_answers <= LINK_SUBSCRIBED_MAX);
    for (size_t i = 0; i < slot->n_values; i++) {
        require(slot->values[i]->index < LINK_SUBSCRIBED_MAX);
        check_value(slot->values[i]->value);
    }
    for (size_t i = 0; i < slot->n_answers; i++) {
        require(slot->answers[i]->index < LINK_SUBSCRIBED_MAX);
    }
}

static void check_to_client(const Doppel__Link__ToClient *message)
{
    switch (message->body_case) {
    case DOPPEL__LINK__TO_CLIENT__BODY_WELCOME:
        require(message->welcome->channels <= LINK_CHANNELS_MAX);
        break;
    case DOPPEL__LINK__TO_CLIENT__BODY_CHANNELS: check_channels(message->channels); break;
    case DOPPEL__LINK__TO_CLIENT__BODY_FRAME:
        require(message->frame->n_slots <= LINK_SLOTS_MAX);
        for (size_t i = 0; i < message->frame->n_slots; i++) {
            check_slot_frame(message->frame->slots[i]);
        }
        break;
    case DOPPEL__LINK__TO_CLIENT__BODY_BLOCK:
        require(message->block->slot < LINK_SLOTS_MAX);
        require(message->block->index < LINK_SUBSCRIBED_MAX);
        require(message->block->value.len <= LINK_BLOCK_MAX);
        check_value(message->block->value);
        break;
    case DOPPEL__LINK__TO_CLIENT__BODY_CONTROL:
        require(message->control->slot < LINK_SLOTS_MAX);
        require(strlen(message->control->text) <= LINK_TEXT_MAX);
        break;
    case DOPPEL__LINK__TO_CLIENT__BODY_LOOP:
        require(message->loop->status && message->loop->status->rate >= 0.0);
        require(strlen(message->loop->text) <= LINK_TEXT_MAX);
        break;
    default: break;
    }
}

static void read_as_client(const uint8_t *data, size_t size)
{
    const Doppel__Link__ToClient *message, *copy;
    const char *why = NULL;
    if (link_unpack_to_client(&first, data, size, &message, &why) < 0) {
        require(why != NULL);
        return;
    }
    check_to_client(message);
    Doppel__Link__ToClient out = *message;
    int packed = link_pack_to_client(&again, &out);
    require(packed <= LINK_FRAME_MAX);
    if (packed > 0) {
        link_unpack_to_client(&first, again.out, (size_t)packed, &copy, &why);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_as_server(data, size);
    read_as_client(data, size);
    return 0;
}
