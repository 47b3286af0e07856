/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include <doppel/msg/device.h>
#include <doppel/msg/laser_scanner.h>
#include <doppel/msg/wheel_controller.h>

#include "outside_message.h"

static struct dpl_diag why;

Test(outside_message, has_all_sub_messages)
{
    Doppel__VelocityCommand *command = (Doppel__VelocityCommand *)dpl__outside_message(
        &doppel__velocity_command__descriptor, "\x10\x01", 2, 64, &why);
    cr_assert_not_null(command, "%s", why.text);
    cr_assert(command->active);
    cr_assert_not_null(command->twist);
    cr_assert_eq(command->twist->linear, 0.0);
    protobuf_c_message_free_unpacked(&command->base, NULL);
}

Test(outside_message, is_not_larger_than_those_of_the_application)
{
    float ranges[65] = {0};
    uint8_t bytes[512];
    Doppel__Scan scan = DOPPEL__SCAN__INIT;
    scan.ranges = ranges;
    scan.n_ranges = 65;
    size_t n = doppel__scan__pack(&scan, bytes);
    cr_assert_null(dpl__outside_message(&doppel__scan__descriptor, bytes, n, 64, &why));
    cr_assert_str_eq(why.text, "ranges has 65 elements, at most 64");
    ProtobufCMessage *message = dpl__outside_message(&doppel__scan__descriptor, bytes, n, 65, &why);
    cr_assert_not_null(message);
    protobuf_c_message_free_unpacked(message, NULL);
    Doppel__Parameter parameter;
    doppel__parameter__init(&parameter);
    parameter.name = (char[]){"too long"};
    n = doppel__parameter__pack(&parameter, bytes);
    cr_assert_null(dpl__outside_message(&doppel__parameter__descriptor, bytes, n, 7, &why));
    cr_assert_str_eq(why.text, "name has 8 bytes, at most 7");
}

Test(outside_message, has_finite_numbers_but_in_lists)
{
    uint8_t bytes[64];
    Doppel__Twist2 twist;
    Doppel__VelocityCommand command;
    doppel__twist2__init(&twist);
    doppel__velocity_command__init(&command);
    command.twist = &twist;
    twist.angular = (double)NAN;
    size_t n = doppel__velocity_command__pack(&command, bytes);
    cr_assert_null(dpl__outside_message(&doppel__velocity_command__descriptor, bytes, n, 64, &why));
    cr_assert_str_eq(why.text, "angular is nan: a finite number is expected");
    Doppel__Scan scan = DOPPEL__SCAN__INIT;
    scan.ranges = (float[]){NAN};
    scan.n_ranges = 1;
    n = doppel__scan__pack(&scan, bytes);
    ProtobufCMessage *message = dpl__outside_message(&doppel__scan__descriptor, bytes, n, 64, &why);
    cr_assert_not_null(message);
    protobuf_c_message_free_unpacked(message, NULL);
}

Test(outside_message, that_is_no_message_is_refused)
{
    cr_assert_null(dpl__outside_message(&doppel__scan__descriptor, "\xff\xff", 2, 64, &why));
    cr_assert_str_eq(why.text, "the bytes are no doppel.Scan");
}

Test(outside_message, a_response_has_room_for_texts_and_elements)
{
    struct dpl_arena arena = {0};
    Doppel__Parameter *parameter =
        (Doppel__Parameter *)dpl__outside_response(&arena, &doppel__parameter__descriptor);
    memset(parameter->value, 'x', 64);
    const Doppel__Scan *scan =
        (const Doppel__Scan *)dpl__outside_response(&arena, &doppel__scan__descriptor);
    cr_assert_eq(scan->n_ranges, 4096);
    scan->ranges[4095] = 1.0f;
    dpl_arena_finish(&arena);
}
