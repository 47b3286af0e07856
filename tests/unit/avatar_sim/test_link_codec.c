/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of the avatar link: what is sound comes through, everything else is refused by name. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "link_codec.h"

static struct link_codec codec, other;
static const char *why;

static int read_to_server(const void *frame, size_t size)
{
    const Doppel__Link__ToServer *message;
    why = NULL;
    return link_unpack_to_server(&codec, frame, size, &message, &why);
}

static int send_command(Doppel__Link__Command *command)
{
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_COMMAND;
    message.command = command;
    int size = link_pack_to_server(&other, &message);
    cr_assert_gt(size, 0);
    return read_to_server(other.out, (size_t)size);
}

static int send_slot(Doppel__Link__SlotCommand *slot)
{
    Doppel__Link__Command command = DOPPEL__LINK__COMMAND__INIT;
    command.n_slots = 1;
    command.slots = &slot;
    return send_command(&command);
}

static int send_state_slot(Doppel__Link__SlotState *slot)
{
    Doppel__Link__State state = DOPPEL__LINK__STATE__INIT;
    Doppel__Link__ToClient message = DOPPEL__LINK__TO_CLIENT__INIT;
    state.n_slots = 1;
    state.slots = &slot;
    message.body_case = DOPPEL__LINK__TO_CLIENT__BODY_STATE;
    message.state = &state;
    int size = link_pack_to_client(&other, &message);
    cr_assert_gt(size, 0);
    const Doppel__Link__ToClient *got;
    why = NULL;
    return link_unpack_to_client(&codec, other.out, (size_t)size, &got, &why);
}

Test(link_codec, brings_a_command_through_as_it_was)
{
    double speeds[] = {1.5, -0.1};
    Doppel__Link__Pose place = DOPPEL__LINK__POSE__INIT;
    Doppel__Link__SlotCommand slot = DOPPEL__LINK__SLOT_COMMAND__INIT;
    Doppel__Link__SlotCommand *slots[] = {&slot};
    Doppel__Link__Command command = DOPPEL__LINK__COMMAND__INIT;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    place.theta = 0.25;
    slot.slot = 3;
    slot.motors = 5;
    slot.n_speeds = 2;
    slot.speeds = speeds;
    slot.lasers = 2;
    slot.place = &place;
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
    cr_assert(back->slot == 3 && back->motors == 5 && back->lasers == 2);
    cr_assert(back->speeds[0] == 1.5 && back->speeds[1] == -0.1);
    cr_assert_eq(back->place->theta, 0.25);
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
    static const uint8_t bye_of_version_2[] = {0x08, 0x02, 0x32, 0x00};
    cr_assert_eq(read_to_server(bye_of_version_2, sizeof bye_of_version_2), -EPROTONOSUPPORT);
    static const uint8_t bye_without_version[] = {0x32, 0x00};
    cr_assert_eq(read_to_server(bye_without_version, sizeof bye_without_version), -EPROTONOSUPPORT);
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
    frame[at++] = 0x22;
    frame[at++] = (uint8_t)(body & 0x7f) | 0x80;
    frame[at++] = (uint8_t)((body >> 7) & 0x7f) | 0x80;
    frame[at++] = (uint8_t)(body >> 14);
    for (size_t i = 0; i < body; i += 2) {
        frame[at++] = 0x0a;
        frame[at++] = 0x00;
    }
    cr_assert_eq(read_to_server(frame, at), -EPROTO);
}

Test(link_codec, refuses_slots_motors_and_lasers_beyond_their_limits)
{
    Doppel__Link__SlotCommand slot = DOPPEL__LINK__SLOT_COMMAND__INIT;
    cr_assert_eq(send_slot(&slot), 0);
    slot.slot = LINK_SLOTS_MAX;
    cr_assert_eq(send_slot(&slot), -EPROTO);
    slot.slot = 0;
    slot.lasers = 1u << LINK_SCANNERS_MAX;
    cr_assert_eq(send_slot(&slot), -EPROTO);
    double speeds[LINK_WHEELS_MAX + 1] = {0};
    slot.lasers = 0;
    slot.motors = 1u << LINK_WHEELS_MAX;
    slot.n_speeds = 1;
    slot.speeds = speeds;
    cr_assert_eq(send_slot(&slot), -EPROTO);
}

Test(link_codec, refuses_speeds_that_do_not_match_the_motors)
{
    double speeds[] = {1.0};
    Doppel__Link__SlotCommand slot = DOPPEL__LINK__SLOT_COMMAND__INIT;
    slot.motors = 3;
    slot.n_speeds = 1;
    slot.speeds = speeds;
    cr_assert_eq(send_slot(&slot), -EPROTO);
    cr_assert_str_eq(why, "speeds and motors differ in number");
}

Test(link_codec, refuses_numbers_that_are_not_finite)
{
    double speeds[] = {(double)NAN};
    Doppel__Link__SlotCommand slot = DOPPEL__LINK__SLOT_COMMAND__INIT;
    slot.motors = 1;
    slot.n_speeds = 1;
    slot.speeds = speeds;
    cr_assert_eq(send_slot(&slot), -EPROTO);
    speeds[0] = 1.0;
    cr_assert_eq(send_slot(&slot), 0);
    Doppel__Link__Pose place = DOPPEL__LINK__POSE__INIT;
    place.x = (double)INFINITY;
    slot.place = &place;
    cr_assert_eq(send_slot(&slot), -EPROTO);
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

Test(link_codec, refuses_a_state_without_a_pose_or_with_odd_encoders)
{
    Doppel__Link__Pose pose = DOPPEL__LINK__POSE__INIT;
    Doppel__Link__SlotState slot = DOPPEL__LINK__SLOT_STATE__INIT;
    double angle = 1.0;
    cr_assert_eq(send_state_slot(&slot), -EPROTO);
    slot.pose = &pose;
    cr_assert_eq(send_state_slot(&slot), 0);
    slot.n_angles = 1;
    slot.angles = &angle;
    cr_assert_eq(send_state_slot(&slot), -EPROTO);
}

Test(link_codec, survives_every_truncation_of_a_sound_frame)
{
    double speeds[] = {1.5, -0.1};
    Doppel__Link__SlotCommand slot = DOPPEL__LINK__SLOT_COMMAND__INIT;
    slot.motors = 3;
    slot.n_speeds = 2;
    slot.speeds = speeds;
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
