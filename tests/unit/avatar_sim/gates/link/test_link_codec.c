/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of the link: what is sound comes through, everything else is refused by name. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "link_codec.h"
#include "link_values.h"

static struct link_codec codec, other;
static const char *why;

static int read_to_server(const void *frame, size_t size)
{
    const Doppel__Link__ToServer *message;
    why = NULL;
    return link_unpack_to_server(&codec, frame, size, &message, &why);
}

static int send_to_server(Doppel__Link__ToServer *message)
{
    int size = link_pack_to_server(&other, message);
    cr_assert_gt(size, 0);
    return read_to_server(other.out, (size_t)size);
}

static int send_to_client(Doppel__Link__ToClient *message)
{
    const Doppel__Link__ToClient *got;
    int size = link_pack_to_client(&other, message);
    cr_assert_gt(size, 0);
    why = NULL;
    return link_unpack_to_client(&codec, other.out, (size_t)size, &got, &why);
}

static int send_command(Doppel__Link__Command *command)
{
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_COMMAND;
    message.command = command;
    return send_to_server(&message);
}

static int send_slot(Doppel__Link__SlotCommand *slot)
{
    Doppel__Link__Command command = DOPPEL__LINK__COMMAND__INIT;
    command.n_slots = 1;
    command.slots = &slot;
    return send_command(&command);
}

static int send_subscribe(Doppel__Link__Subscribe *subscribe)
{
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_SUBSCRIBE;
    message.subscribe = subscribe;
    return send_to_server(&message);
}

static int send_slot_frame(Doppel__Link__SlotFrame *slot)
{
    Doppel__Link__Frame frame = DOPPEL__LINK__FRAME__INIT;
    Doppel__Link__ToClient message = DOPPEL__LINK__TO_CLIENT__INIT;
    frame.n_slots = 1;
    frame.slots = &slot;
    message.body_case = DOPPEL__LINK__TO_CLIENT__BODY_FRAME;
    message.frame = &frame;
    return send_to_client(&message);
}

static int send_channel(Doppel__Link__Channel *channel)
{
    Doppel__Link__Channels page = DOPPEL__LINK__CHANNELS__INIT;
    Doppel__Link__ToClient message = DOPPEL__LINK__TO_CLIENT__INIT;
    page.n_channels = 1;
    page.channels = &channel;
    message.body_case = DOPPEL__LINK__TO_CLIENT__BODY_CHANNELS;
    message.channels = &page;
    return send_to_client(&message);
}

static ProtobufCBinaryData bytes_of(void *value, size_t size)
{
    return (ProtobufCBinaryData){.len = size, .data = value};
}

Test(link_codec, brings_a_command_through_as_it_was)
{
    double speed = -0.1;
    Doppel__Link__Put put = DOPPEL__LINK__PUT__INIT, *puts[] = {&put};
    Doppel__Link__SlotCommand slot = DOPPEL__LINK__SLOT_COMMAND__INIT, *slots[] = {&slot};
    Doppel__Link__Command command = DOPPEL__LINK__COMMAND__INIT;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    put.index = 1023;
    put.value = bytes_of(&speed, sizeof speed);
    put.request = 7;
    slot.slot = 3;
    slot.number = 12;
    slot.n_puts = 1;
    slot.puts = puts;
    slot.release = true;
    command.n_slots = 1;
    command.slots = slots;
    command.grant = true;
    command.until = 123456789012345;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_COMMAND;
    message.command = &command;
    int size = link_pack_to_server(&other, &message);
    const Doppel__Link__ToServer *got;
    cr_assert_eq(link_unpack_to_server(&codec, other.out, (size_t)size, &got, &why), 0);
    const Doppel__Link__SlotCommand *back = got->command->slots[0];
    cr_assert(got->command->grant && got->command->until == 123456789012345);
    cr_assert(back->slot == 3 && back->number == 12 && back->release && back->n_puts == 1);
    cr_assert(back->puts[0]->index == 1023 && back->puts[0]->request == 7);
    double read;
    struct dpl_channel_desc desc = {.type = &dpl_channel_number, .size = 1};
    cr_assert_null(link_value_read(&desc, back->puts[0]->value, &read));
    cr_assert_eq(read, -0.1);
}

Test(link_codec, refuses_bytes_that_are_no_message)
{
    static const uint8_t noise[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    cr_assert_eq(read_to_server(noise, sizeof noise), -EPROTO);
    cr_assert_str_eq(why, "it cannot be decoded");
}

Test(link_codec, refuses_a_message_without_a_body)
{
    static const uint8_t only_version[] = {0x08, LINK_VERSION};
    cr_assert_eq(read_to_server(only_version, sizeof only_version), -EPROTO);
    cr_assert_str_eq(why, "it says nothing");
}

Test(link_codec, names_another_version_as_such)
{
    static const uint8_t bye_of_version_1[] = {0x08, 0x01, 0x3a, 0x00};
    cr_assert_eq(read_to_server(bye_of_version_1, sizeof bye_of_version_1), -EPROTONOSUPPORT);
    cr_assert_eq(codec.version, 1);
    cr_assert_str_eq(codec.name, "", "it does not say who it is");
    static const uint8_t bye_without_version[] = {0x3a, 0x00};
    cr_assert_eq(read_to_server(bye_without_version, sizeof bye_without_version), -EPROTONOSUPPORT);
}

Test(link_codec, keeps_the_name_of_a_client_of_another_version)
{
    static const uint8_t hello_of_version_3[] = "\x08\x03\x12\x0b\x0a\x05newer\x10\x80\x89\x7a";
    cr_assert_eq(read_to_server(hello_of_version_3, sizeof hello_of_version_3 - 1),
                 -EPROTONOSUPPORT);
    cr_assert_eq(codec.version, 3);
    cr_assert_str_eq(codec.name, "newer");
}

Test(link_codec, refuses_a_frame_beyond_the_limit_unread)
{
    static uint8_t large[LINK_FRAME_MAX + 1];
    cr_assert_eq(read_to_server(large, sizeof large), -EPROTO);
}

Test(link_codec, refuses_what_would_need_more_memory_than_one_frame_may)
{
    /* a command of 30000 empty slots: 2 bytes each on the wire */
    static uint8_t frame[LINK_FRAME_MAX];
    size_t body = 60000, at = 0;
    frame[at++] = 0x08;
    frame[at++] = LINK_VERSION;
    frame[at++] = 0x2a;
    frame[at++] = (uint8_t)(body & 0x7f) | 0x80;
    frame[at++] = (uint8_t)((body >> 7) & 0x7f) | 0x80;
    frame[at++] = (uint8_t)(body >> 14);
    for (size_t i = 0; i < body; i += 2) {
        frame[at++] = 0x0a;
        frame[at++] = 0x00;
    }
    cr_assert_eq(read_to_server(frame, at), -EPROTO);
    cr_assert_str_eq(why, "it cannot be decoded");
}

Test(link_codec, refuses_slots_and_indices_beyond_their_limits)
{
    uint8_t value[1] = {0};
    Doppel__Link__Put put = DOPPEL__LINK__PUT__INIT, *puts[] = {&put};
    Doppel__Link__SlotCommand slot = DOPPEL__LINK__SLOT_COMMAND__INIT;
    slot.n_puts = 1;
    slot.puts = puts;
    put.value = bytes_of(value, 1);
    cr_assert_eq(send_slot(&slot), 0);
    put.index = LINK_SUBSCRIBED_MAX;
    cr_assert_eq(send_slot(&slot), -EPROTO);
    put.index = 0;
    slot.slot = LINK_SLOTS_MAX;
    cr_assert_eq(send_slot(&slot), -EPROTO);
}

Test(link_codec, refuses_more_values_than_a_slot_has_channels)
{
    static Doppel__Link__Put put = DOPPEL__LINK__PUT__INIT;
    static Doppel__Link__Put *puts[LINK_SUBSCRIBED_MAX + 1];
    Doppel__Link__SlotCommand slot = DOPPEL__LINK__SLOT_COMMAND__INIT;
    for (size_t i = 0; i <= LINK_SUBSCRIBED_MAX; i++) {
        puts[i] = &put;
    }
    slot.puts = puts;
    slot.n_puts = LINK_SUBSCRIBED_MAX;
    cr_assert_eq(send_slot(&slot), 0);
    slot.n_puts = LINK_SUBSCRIBED_MAX + 1;
    cr_assert_eq(send_slot(&slot), -EPROTO);
    cr_assert_str_eq(why, "too many values are put");
}

Test(link_codec, refuses_more_slots_than_a_client_has)
{
    Doppel__Link__SlotCommand slot = DOPPEL__LINK__SLOT_COMMAND__INIT;
    Doppel__Link__SlotCommand *slots[LINK_SLOTS_MAX + 1];
    for (size_t i = 0; i <= LINK_SLOTS_MAX; i++) {
        slots[i] = &slot;
    }
    Doppel__Link__Command command = DOPPEL__LINK__COMMAND__INIT;
    command.n_slots = LINK_SLOTS_MAX + 1;
    command.slots = slots;
    cr_assert_eq(send_command(&command), -EPROTO);
    command.n_slots = LINK_SLOTS_MAX;
    cr_assert_eq(send_command(&command), 0);
}

Test(link_codec, refuses_subscriptions_beyond_the_limits)
{
    static uint32_t channels[LINK_SUBSCRIBED_MAX + 1];
    Doppel__Link__Subscribe subscribe = DOPPEL__LINK__SUBSCRIBE__INIT;
    subscribe.number = 1;
    subscribe.channels = channels;
    subscribe.n_channels = LINK_SUBSCRIBED_MAX;
    cr_assert_eq(send_subscribe(&subscribe), 0);
    subscribe.n_channels++;
    cr_assert_eq(send_subscribe(&subscribe), -EPROTO);
    subscribe.n_channels = 1;
    channels[0] = LINK_CHANNELS_MAX;
    cr_assert_eq(send_subscribe(&subscribe), -EPROTO);
    subscribe.n_channels = 0;
    subscribe.slot = LINK_SLOTS_MAX;
    cr_assert_eq(send_subscribe(&subscribe), -EPROTO);
    subscribe.slot = 0;
    subscribe.number = 0;
    cr_assert_eq(send_subscribe(&subscribe), -EPROTO);
}

Test(link_codec, refuses_a_frame_whose_values_are_beyond_their_limits)
{
    Doppel__Link__Value value = DOPPEL__LINK__VALUE__INIT, *values[] = {&value};
    Doppel__Link__Answer answer = DOPPEL__LINK__ANSWER__INIT, *answers[] = {&answer};
    Doppel__Link__SlotFrame slot = DOPPEL__LINK__SLOT_FRAME__INIT;
    slot.n_values = slot.n_answers = 1;
    slot.values = values;
    slot.answers = answers;
    cr_assert_eq(send_slot_frame(&slot), 0);
    value.index = LINK_SUBSCRIBED_MAX;
    cr_assert_eq(send_slot_frame(&slot), -EPROTO);
    value.index = 0;
    value.age = LINK_TIME_MAX + 1;
    cr_assert_eq(send_slot_frame(&slot), -EPROTO);
    value.age = 0;
    answer.index = LINK_SUBSCRIBED_MAX;
    cr_assert_eq(send_slot_frame(&slot), -EPROTO);
    answer.index = 0;
    slot.stamp = -LINK_TIME_MAX - 1;
    cr_assert_eq(send_slot_frame(&slot), -EPROTO);
}

static char path[LINK_PATH_MAX + 2], type[] = "number", vector[] = "vector", unknown[] = "song";

static Doppel__Link__Channel sound_channel(void)
{
    Doppel__Link__Channel channel;
    doppel__link__channel__init(&channel);
    memset(path, 'x', LINK_PATH_MAX);
    path[LINK_PATH_MAX] = '\0';
    channel.path = path;
    channel.type = type;
    channel.size = 1;
    channel.direction = DOPPEL__LINK__DIRECTION__CONSTANT;
    return channel;
}

Test(link_codec, refuses_descriptions_that_cannot_be)
{
    Doppel__Link__Channel channel = sound_channel();
    cr_assert_eq(send_channel(&channel), 0);
    channel.direction = 5;
    cr_assert_eq(send_channel(&channel), -EPROTO);
    channel = sound_channel();
    channel.type = unknown;
    cr_assert_eq(send_channel(&channel), -EPROTO);
    channel = sound_channel();
    channel.size = 2;
    cr_assert_eq(send_channel(&channel), -EPROTO, "a number is one element");
    channel.type = vector;
    cr_assert_eq(send_channel(&channel), 0);
    channel.size = LINK_ELEMENTS_MAX + 1;
    cr_assert_eq(send_channel(&channel), -EPROTO);
    channel = sound_channel();
    channel.max = (double)INFINITY;
    cr_assert_eq(send_channel(&channel), -EPROTO);
    channel = sound_channel();
    channel.silence = -1;
    cr_assert_eq(send_channel(&channel), -EPROTO);
    channel = sound_channel();
    path[0] = '\0';
    cr_assert_eq(send_channel(&channel), -EPROTO);
    channel = sound_channel();
    path[LINK_PATH_MAX] = 'x';
    cr_assert_eq(send_channel(&channel), -EPROTO);
}

Test(link_codec, refuses_a_value_in_the_list_that_its_channel_cannot_have)
{
    double value[2] = {1.0, 2.0};
    Doppel__Link__Channel channel = sound_channel();
    channel.value = bytes_of(value, sizeof value[0]);
    cr_assert_eq(send_channel(&channel), 0);
    channel.value.len = sizeof value;
    cr_assert_eq(send_channel(&channel), -EPROTO);
    channel.value.len = sizeof value[0];
    channel.direction = DOPPEL__LINK__DIRECTION__OUT;
    cr_assert_eq(send_channel(&channel), -EPROTO);
}

/* ---- values ---- */

Test(link_values, reads_what_it_writes)
{
    const struct dpl_channel_type *types[] = {&dpl_channel_number, &dpl_channel_integer,
                                              &dpl_channel_flag, &dpl_channel_block};
    static const double number = -1.25e-300;
    static const int64_t integer = -5;
    static const bool flag = true;
    static const float block[3] = {0.0f, 1.5f, -2.0f};
    static const void *const values[] = {&number, &integer, &flag, block};
    for (size_t i = 0; i < 4; i++) {
        struct dpl_channel_desc desc = {.type = types[i], .size = i == 3 ? 3 : 1};
        uint8_t bytes[32], back[32];
        link_value_write(&desc, values[i], bytes);
        cr_assert_null(link_value_read(&desc, bytes_of(bytes, dpl_channel_bytes(&desc)), back));
        cr_assert_eq(memcmp(back, values[i], dpl_channel_bytes(&desc)), 0, "type %zu", i);
    }
    static const uint8_t one[] = {0, 0, 0, 0, 0, 0, 0xf0, 0x3f}; /* 1.0, little-endian */
    uint8_t bytes[8];
    link_value_write(&(struct dpl_channel_desc){.type = &dpl_channel_number, .size = 1},
                     &(double){1.0}, bytes);
    cr_assert_eq(memcmp(bytes, one, sizeof one), 0);
}

Test(link_values, refuses_other_lengths_and_flags_that_are_none)
{
    uint8_t bytes[16] = {0};
    double back[2];
    struct dpl_channel_desc desc = {.type = &dpl_channel_number, .size = 1};
    cr_assert_null(link_value_read(&desc, bytes_of(bytes, 8), back));
    cr_assert_not_null(link_value_read(&desc, bytes_of(bytes, 7), back));
    cr_assert_not_null(link_value_read(&desc, bytes_of(bytes, 16), back));
    cr_assert_not_null(link_value_read(&desc, bytes_of(NULL, 0), back));
    desc = (struct dpl_channel_desc){.type = &dpl_channel_flag, .size = 1};
    bytes[0] = 2;
    cr_assert_not_null(link_value_read(&desc, bytes_of(bytes, 1), back));
}

Test(link_values, knows_which_numbers_are_finite)
{
    struct dpl_channel_desc vector_ = {.type = &dpl_channel_vector, .size = 2};
    struct dpl_channel_desc block = {.type = &dpl_channel_block, .size = 2};
    struct dpl_channel_desc integer = {.type = &dpl_channel_integer, .size = 1};
    cr_assert(link_value_is_finite(&vector_, (double[]){1.0, -1e300}));
    cr_assert_not(link_value_is_finite(&vector_, (double[]){1.0, (double)NAN}));
    cr_assert(link_value_is_finite(&block, (float[]){1.0f, 0.0f}));
    cr_assert_not(link_value_is_finite(&block, (float[]){1.0f, -INFINITY}));
    cr_assert(link_value_is_finite(&integer, (int64_t[]){-1}),
              "all ones are no number that is not");
}

Test(link_codec, survives_every_truncation_of_a_sound_frame)
{
    uint8_t value[8] = {1, 2, 3};
    Doppel__Link__Put put = DOPPEL__LINK__PUT__INIT, *puts[] = {&put};
    Doppel__Link__SlotCommand slot = DOPPEL__LINK__SLOT_COMMAND__INIT;
    put.index = 5;
    put.value = bytes_of(value, sizeof value);
    slot.n_puts = 1;
    slot.puts = puts;
    cr_assert_eq(send_slot(&slot), 0);
    size_t whole = 0;
    while (read_to_server(other.out, whole) != 0) {
        whole++;
        cr_assert_leq(whole, sizeof other.out);
    }
    for (size_t cut = 0; cut < whole; cut++) {
        uint8_t *exact = malloc(cut ? cut : 1);
        cr_assert_not_null(exact);
        memcpy(exact, other.out, cut);
        cr_assert_lt(read_to_server(exact, cut), 0);
        free(exact);
    }
}
