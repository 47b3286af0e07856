/* SPDX-License-Identifier: Apache-2.0 */
/* The power drive state machine: every state, every word, and both ends together. */
#include <doppel/protocol/cia402.h>

#include <criterion/criterion.h>
#include <errno.h>

Test(cia402_codec, a_statusword_tells_the_state_whatever_its_other_bits_are)
{
    static const struct {
        uint16_t word;
        enum dpl_cia402_state state;
    } rows[] = {
        {0x0000, DPL_CIA402_NOT_READY},
        {0x0250, DPL_CIA402_SWITCH_ON_DISABLED},
        {0x0270, DPL_CIA402_SWITCH_ON_DISABLED},
        {0x0231, DPL_CIA402_READY},
        {0x0233, DPL_CIA402_SWITCHED_ON},
        {0x1237, DPL_CIA402_ENABLED},
        {0x0217, DPL_CIA402_QUICK_STOP},
        {0x021f, DPL_CIA402_FAULT_REACTION},
        {0x023f, DPL_CIA402_FAULT_REACTION},
        {0x0218, DPL_CIA402_FAULT},
        {0x0238, DPL_CIA402_FAULT},
        {0x0044, DPL_CIA402_NOT_READY},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_assert_eq(dpl_cia402_state_of(rows[i].word), rows[i].state, "%04x is '%s'", rows[i].word,
                     dpl_cia402_state_name(dpl_cia402_state_of(rows[i].word)));
    }
    for (int s = 0; s < DPL_CIA402_STATES; s++) {
        uint16_t word = dpl_cia402_statusword((enum dpl_cia402_state)s);
        cr_assert_eq((int)dpl_cia402_state_of(word | 0x1290), s);
    }
}

/* The transitions of the profile's figure, by their words; a dot: none. */
Test(cia402_codec, a_drive_goes_where_the_profile_says_from_each_state_with_each_word)
{
    static const uint16_t words[] = {0x00, 0x02, 0x06, 0x07, 0x0f};
    enum { N = DPL_CIA402_NOT_READY, D = DPL_CIA402_SWITCH_ON_DISABLED, R = DPL_CIA402_READY };
    enum { S = DPL_CIA402_SWITCHED_ON, E = DPL_CIA402_ENABLED, Q = DPL_CIA402_QUICK_STOP };
    enum { A = DPL_CIA402_FAULT_REACTION, F = DPL_CIA402_FAULT };
    static const int next[DPL_CIA402_STATES][5] = {
        [N] = {N, N, N, N, N}, [D] = {D, D, R, D, D}, [R] = {D, D, R, S, S}, [S] = {D, D, R, S, E},
        [E] = {D, Q, R, S, E}, [Q] = {D, Q, Q, Q, E}, [A] = {A, A, A, A, A}, [F] = {F, F, F, F, F},
    };
    for (int s = 0; s < DPL_CIA402_STATES; s++) {
        for (int w = 0; w < 5; w++) {
            int got = (int)dpl_cia402_step((enum dpl_cia402_state)s, 0, words[w]);
            cr_assert_eq(got, next[s][w], "from '%s' by %02x to '%s'",
                         dpl_cia402_state_name((enum dpl_cia402_state)s), words[w],
                         dpl_cia402_state_name((enum dpl_cia402_state)got));
        }
    }
}

Test(cia402_codec, a_fault_is_reset_by_an_edge)
{
    cr_assert_eq(dpl_cia402_step(DPL_CIA402_FAULT, 0x00, 0x80), DPL_CIA402_SWITCH_ON_DISABLED);
    cr_assert_eq(dpl_cia402_step(DPL_CIA402_FAULT, 0x80, 0x80), DPL_CIA402_FAULT);
    cr_assert_eq(dpl_cia402_step(DPL_CIA402_FAULT_REACTION, 0x00, 0x80), DPL_CIA402_FAULT_REACTION);
}

/* Steps of host and drive until the drive stays; -1 when it does not within ten. */
static int run(enum dpl_cia402_state state, enum dpl_cia402_goal goal, int *ret_steps)
{
    uint16_t last = 0;
    for (int i = 0; i < 10; i++) {
        uint16_t word = dpl_cia402_controlword(state, goal, last);
        enum dpl_cia402_state next = dpl_cia402_step(state, last, word);
        last = word;
        if (next == state && i > 0) {
            *ret_steps = i;
            return (int)state;
        }
        state = next;
    }
    return -1;
}

Test(cia402_codec, a_host_brings_a_drive_from_each_state_to_its_goal)
{
    int steps;
    for (int s = DPL_CIA402_SWITCH_ON_DISABLED; s <= DPL_CIA402_QUICK_STOP; s++) {
        enum dpl_cia402_state state = (enum dpl_cia402_state)s;
        bool moves = state == DPL_CIA402_ENABLED || state == DPL_CIA402_QUICK_STOP;
        cr_assert_eq(run(state, DPL_CIA402_GOAL_ON, &steps), DPL_CIA402_ENABLED);
        cr_assert_leq(steps, 3);
        cr_assert_eq(run(state, DPL_CIA402_GOAL_OFF, &steps), DPL_CIA402_SWITCH_ON_DISABLED);
        cr_assert_eq(run(state, DPL_CIA402_GOAL_STOP, &steps),
                     moves ? DPL_CIA402_QUICK_STOP : DPL_CIA402_SWITCH_ON_DISABLED);
    }
    cr_assert_eq(run(DPL_CIA402_FAULT, DPL_CIA402_GOAL_ON, &steps), DPL_CIA402_FAULT);
    cr_assert_eq(run(DPL_CIA402_FAULT, DPL_CIA402_GOAL_OFF, &steps), DPL_CIA402_FAULT);
    cr_assert_eq(run(DPL_CIA402_FAULT, DPL_CIA402_GOAL_RESET, &steps),
                 DPL_CIA402_SWITCH_ON_DISABLED);
}

Test(cia402_codec, a_reset_that_does_not_help_is_repeated_with_a_new_edge)
{
    cr_assert_eq(dpl_cia402_controlword(DPL_CIA402_FAULT, DPL_CIA402_GOAL_RESET, 0x80), 0x00);
    cr_assert_eq(dpl_cia402_controlword(DPL_CIA402_FAULT, DPL_CIA402_GOAL_RESET, 0x00), 0x80);
}

Test(cia402_codec, a_period_is_a_value_and_a_power_of_ten)
{
    uint8_t value;
    int8_t power;
    cr_assert_eq(dpl_cia402_interpolation(4000000, &value, &power), 0);
    cr_assert(value == 4 && power == -3);
    cr_assert_eq(dpl_cia402_interpolation(2500000, &value, &power), 0);
    cr_assert(value == 25 && power == -4);
    cr_assert_eq(dpl_cia402_interpolation(625000, &value, &power), -ERANGE);
    cr_assert_eq(dpl_cia402_interpolation(0, &value, &power), -ERANGE);
    cr_assert_eq(dpl_cia402_interpolation(256000000, &value, &power), -ERANGE);
    cr_assert_eq(dpl_cia402_interpolation_ns(4, -3), 4000000);
    cr_assert_eq(dpl_cia402_interpolation_ns(25, -4), 2500000);
    cr_assert_eq(dpl_cia402_interpolation_ns(255, -9), 0);
    cr_assert_eq(dpl_cia402_interpolation_ns(255, 1), 0);
    cr_assert_eq(dpl_cia402_interpolation_ns(1, 2), 0);
}
