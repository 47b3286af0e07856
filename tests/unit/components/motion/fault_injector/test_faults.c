/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of a stream: reading them, doing them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include "faults.h"

static struct fault_list list;
static struct fault_channel channel;
static struct fault_error bad;
static struct fault_message message;

static void parse(const char *text)
{
    cr_assert_eq(faults_parse(text, &list, &bad), 0, "%s: %s", text, bad.what);
    channel = (struct fault_channel){.n_active = 0};
}

/* Sample i comes at i ms with the value i on each axis. */
static bool pass(int i)
{
    message = (struct fault_message){.sequence = (uint64_t)i, .stamp_ns = i, .valid = true};
    for (int axis = 0; axis < DPL_SIX; axis++) {
        message.values[axis] = i;
    }
    return faults_apply(&list, &channel, (int64_t)i * 1000000, &message);
}

Test(faults, leave_a_message_as_it_is_where_none_is_in_force)
{
    parse("5 nan 1");
    struct fault_message odd = {.sequence = 7, .stamp_ns = -3, .valid = false};
    odd.values[0] = -0.0;
    odd.values[1] = (double)NAN;
    odd.values[2] = 5e-324;
    message = odd;
    cr_assert(faults_apply(&list, &channel, 0, &message));
    cr_assert_eq(memcmp(message.values, odd.values, sizeof odd.values), 0);
    cr_assert_eq(message.sequence, 7);
    cr_assert_eq(message.stamp_ns, -3);
    cr_assert_not(message.valid);
    cr_assert_eq(channel.n_changed + channel.n_dropped + channel.n_delayed + channel.n_active, 0);
}

Test(faults, add_a_spike_for_so_many_samples)
{
    parse("0.010 spike 2 yaw 0.5");
    for (int i = 0; i < 20; i++) {
        cr_assert(pass(i));
        bool hit = i == 10 || i == 11;
        cr_assert_eq(message.values[5], hit ? i + 0.5 : i, "%d", i);
        cr_assert_eq(message.values[0], i);
        cr_assert_eq(channel.n_active, hit);
    }
    cr_assert_eq(channel.n_changed, 2);
}

Test(faults, step_for_ever)
{
    parse("0.003 step 0 x -2");
    for (int i = 0; i < 1000; i++) {
        pass(i);
        cr_assert_eq(message.values[0], i < 3 ? i : i - 2.0);
    }
}

Test(faults, drop_samples)
{
    parse("0.010 dropout 3");
    for (int i = 0; i < 20; i++) {
        cr_assert_eq(pass(i), i < 10 || i > 12, "%d", i);
    }
    cr_assert_eq(channel.n_dropped, 3);
}

Test(faults, hold_the_values_but_not_the_number)
{
    parse("0.010 hold 3");
    for (int i = 0; i < 20; i++) {
        cr_assert(pass(i));
        cr_assert_eq(message.values[4], i >= 10 && i <= 12 ? 9 : i, "%d", i);
        cr_assert_eq(message.sequence, (uint64_t)i);
    }
}

Test(faults, have_nothing_to_hold_before_the_first_message)
{
    parse("0 hold 1");
    pass(5);
    cr_assert_eq(message.values[0], 5.0);
}

Test(faults, send_what_is_no_number)
{
    parse("0.002 nan 1");
    for (int i = 0; i < 4; i++) {
        pass(i);
        for (int axis = 0; axis < DPL_SIX; axis++) {
            cr_assert_eq(isnan(message.values[axis]) != 0, i == 2);
        }
    }
}

Test(faults, send_messages_late_and_drop_what_waits_at_the_end)
{
    parse("0.010 delay 6 2");
    for (int i = 0; i < 30; i++) {
        bool sent = pass(i);
        cr_assert_eq(sent, i != 10 && i != 11, "%d", i);
        int expected = i >= 12 && i <= 15 ? i - 2 : i;
        cr_assert(!sent || message.sequence == (uint64_t)expected, "%d", i);
        cr_assert(!sent || message.stamp_ns == expected, "%d", i);
    }
    cr_assert_eq(channel.n_delayed, 6);
    cr_assert_eq(channel.n_dropped, 2);
}

Test(faults, send_messages_late_for_ever_by_as_much_as_there_is_room_for)
{
    parse("0 delay 0 255");
    for (int i = 0; i < 1000; i++) {
        cr_assert_eq(pass(i), i >= 255);
        cr_assert(i < 255 || message.sequence == (uint64_t)(i - 255));
    }
}

Test(faults, come_one_upon_another)
{
    parse("0.001 step 0 x 1; 0.001 step 0 x 10; 0.002 dropout 1; 0.002 spike 1 y 5");
    pass(0);
    cr_assert_eq(message.values[0], 0.0);
    pass(1);
    cr_assert_eq(message.values[0], 12.0);
    cr_assert_not(pass(2));
    cr_assert_eq(channel.n_active, 4);
    cr_assert(pass(3));
    cr_assert_eq(message.values[1], 3.0, "the spike's one sample was dropped");
}

static void refuse(const char *text, size_t offset)
{
    cr_assert_lt(faults_parse(text, &list, &bad), 0, "\"%s\" was taken", text);
    cr_assert_eq(bad.offset, offset, "\"%s\": %zu", text, bad.offset);
}

Test(faults, refuse_what_they_do_not_know_and_say_where)
{
    refuse("1 spyke 1 x 1", 2);
    refuse("1 spike 1 w 1", 10);
    refuse("1 spike 1 x", 11);
    refuse("1 spike 1.5 x 1", 8);
    refuse("1 dropout -1", 10);
    refuse("1 dropout 1 2", 12);
    refuse("-1 dropout 1", 0);
    refuse("1 delay 1 0", 10);
    refuse("1 delay 1 256", 10);
    refuse("1 nan 1; ?", 9);
    char text[1024] = "";
    for (int i = 0; i <= FAULTS_MAX; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "1 nan 1;");
    }
    refuse(text, FAULTS_MAX * 8);
}
