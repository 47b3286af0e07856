/* SPDX-License-Identifier: Apache-2.0 */
/* A gamepad's events as axes and a dead-man's switch. */
#include <string.h>

#include <criterion/criterion.h>

#include "pad_events.h"

static struct pad pad;

static void begin(void)
{
    pad = (struct pad){
        .forward = {.code = ABS_Y, .inverted = true, .low = 0, .high = 255},
        .turn = {.code = ABS_X, .inverted = true, .low = -32768, .high = 32767},
        .button = BTN_TL,
    };
    pad_rest(&pad);
}

TestSuite(pad_events, .init = begin);

static void send(uint16_t type, uint16_t code, int32_t value)
{
    struct input_event event = {.type = type, .code = code, .value = value};
    uint8_t bytes[sizeof event];
    memcpy(bytes, &event, sizeof event);
    cr_assert_eq(pad_feed(&pad, bytes, 5), 0u);
    cr_assert_eq(pad_feed(&pad, bytes + 5, sizeof bytes - 5), 1u);
}

Test(pad_events, sticks_are_shares_of_their_ranges)
{
    cr_assert_float_eq(pad_deflection(&pad.forward, 0.1), 0.0, 1e-12);
    send(EV_ABS, ABS_Y, 0);
    send(EV_ABS, ABS_X, 32767);
    cr_assert_eq(pad_deflection(&pad.forward, 0.1), 1.0);
    cr_assert_eq(pad_deflection(&pad.turn, 0.1), -1.0);
    send(EV_ABS, ABS_X, 100000); /* beyond its range */
    cr_assert_eq(pad_deflection(&pad.turn, 0.1), -1.0);
}

Test(pad_events, the_dead_zone_does_nothing_and_a_deflection_begins_at_nothing_beyond_it)
{
    send(EV_ABS, ABS_X, -3000);
    cr_assert_eq(pad_deflection(&pad.turn, 0.1), 0.0);
    send(EV_ABS, ABS_X, -3300);
    cr_assert(pad_deflection(&pad.turn, 0.1) > 0.0 && pad_deflection(&pad.turn, 0.1) < 0.01);
}

Test(pad_events, the_switch_is_held_while_the_button_is_pressed)
{
    cr_assert_not(pad_is_held(&pad));
    send(EV_KEY, BTN_TL + 1, 1);
    cr_assert_not(pad_is_held(&pad));
    send(EV_KEY, BTN_TL, 1);
    cr_assert(pad_is_held(&pad));
    send(EV_KEY, BTN_TL, 2);
    cr_assert(pad_is_held(&pad));
    send(EV_KEY, BTN_TL, 0);
    cr_assert_not(pad_is_held(&pad));
}

Test(pad_events, a_repetition_without_a_press_does_not_count)
{
    send(EV_KEY, BTN_TL, 2);
    cr_assert_not(pad_is_held(&pad));
}

Test(pad_events, dropped_events_release_the_switch_until_it_is_pressed_again)
{
    send(EV_KEY, BTN_TL, 1);
    send(EV_SYN, SYN_DROPPED, 0);
    cr_assert_not(pad_is_held(&pad));
    send(EV_KEY, BTN_TL, 1); /* of the events that do not count */
    send(EV_SYN, SYN_REPORT, 0);
    cr_assert_not(pad_is_held(&pad));
    send(EV_KEY, BTN_TL, 0);
    send(EV_KEY, BTN_TL, 1);
    cr_assert(pad_is_held(&pad));
    cr_assert_eq(pad.n_dropped, 1u);
}

Test(pad_events, an_axis_without_a_range_is_at_rest)
{
    struct pad_axis none = {.low = 5, .high = 5, .value = 9};
    cr_assert_eq(pad_deflection(&none, 0.0), 0.0);
}
