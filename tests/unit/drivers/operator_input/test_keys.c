/* SPDX-License-Identifier: Apache-2.0 */
/* Keys from the bytes of a terminal, and how long they count as held. */
#include <string.h>

#include <criterion/criterion.h>

#include "keys.h"

static const struct key_times times = {.first = 700 * DPL_MS, .repeat = 200 * DPL_MS};
static struct key_decoder decoder;
static struct key_drive drive;

/* The keys of a text, at most 8; returns how many there are. */
static size_t decode(const char *text, enum key keys[8])
{
    size_t n = 0;
    for (; *text; text++) {
        n += key_decode(&decoder, (uint8_t)*text, &keys[n]);
        cr_assert_lt(n, 8u);
    }
    return n;
}

Test(keys, letters_and_arrows_of_both_kinds_are_motions)
{
    enum key keys[8];
    cr_assert_eq(decode("wS\x1b[A\x1b[B\x1bOC\x1bOD", keys), 6u);
    const enum key wanted[] = {KEY_FORWARD, KEY_BACK, KEY_FORWARD, KEY_BACK, KEY_RIGHT, KEY_LEFT};
    cr_assert_eq(memcmp(keys, wanted, sizeof wanted), 0);
}

Test(keys, an_arrow_with_parameters_is_an_arrow)
{
    enum key keys[8];
    cr_assert_eq(decode("\x1b[1;2A", keys), 1u);
    cr_assert_eq(keys[0], KEY_FORWARD);
}

Test(keys, every_other_key_stops)
{
    enum key keys[8];
    cr_assert_eq(decode(" \x1b[5~\x1bx\xc3", keys), 4u);
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(keys[i], KEY_STOP, "%d", i);
    }
}

Test(keys, escape_alone_stops_when_nothing_follows)
{
    enum key keys[8];
    cr_assert_eq(decode("\x1b", keys), 0u);
    cr_assert(key_decode_end(&decoder, &keys[0]));
    cr_assert_eq(keys[0], KEY_STOP);
    cr_assert_not(key_decode_end(&decoder, &keys[0]));
    cr_assert_eq(decode("\x1b[\x1b[A", keys), 2u);
    cr_assert_eq(keys[0], KEY_STOP);
    cr_assert_eq(keys[1], KEY_FORWARD);
}

Test(keys, a_pressed_key_counts_for_the_first_time_and_a_repeated_one_for_the_shorter)
{
    key_drive_init(&drive);
    cr_assert_not(key_drive_is_held(&drive, 0));
    dpl_ns t = DPL_S;
    key_drive_press(&drive, &times, KEY_FORWARD, t);
    cr_assert(key_drive_is_held(&drive, t + 699 * DPL_MS));
    cr_assert_not(key_drive_is_held(&drive, t + 700 * DPL_MS));
    t += 500 * DPL_MS;
    key_drive_press(&drive, &times, KEY_FORWARD, t);
    cr_assert(key_drive_is_held(&drive, t + 199 * DPL_MS));
    cr_assert_not(key_drive_is_held(&drive, t + 200 * DPL_MS));
    t += 300 * DPL_MS; /* too late to be a repetition */
    key_drive_press(&drive, &times, KEY_FORWARD, t);
    cr_assert(key_drive_is_held(&drive, t + 699 * DPL_MS));
}

Test(keys, another_direction_is_a_new_press)
{
    key_drive_init(&drive);
    key_drive_press(&drive, &times, KEY_FORWARD, DPL_S);
    key_drive_press(&drive, &times, KEY_BACK_RIGHT, DPL_S + 1);
    cr_assert_eq(drive.forward, -1.0);
    cr_assert_eq(drive.turn, -1.0);
    cr_assert(key_drive_is_held(&drive, DPL_S + 600 * DPL_MS));
}

Test(keys, a_stop_releases_at_once)
{
    key_drive_init(&drive);
    key_drive_press(&drive, &times, KEY_LEFT, DPL_S);
    cr_assert_eq(drive.turn, 1.0);
    key_drive_press(&drive, &times, KEY_STOP, DPL_S + 1);
    cr_assert_not(key_drive_is_held(&drive, DPL_S + 1));
    cr_assert_eq(drive.turn, 0.0);
    cr_assert_eq(drive.n_keys, 2u);
}

Test(keys, the_share_stays_between_a_tenth_and_one_and_moves_nothing)
{
    key_drive_init(&drive);
    for (int i = 0; i < 20; i++) {
        key_drive_press(&drive, &times, KEY_SLOWER, DPL_S);
    }
    cr_assert_float_eq(drive.share, 0.1, 1e-12);
    cr_assert_not(key_drive_is_held(&drive, DPL_S));
    for (int i = 0; i < 20; i++) {
        key_drive_press(&drive, &times, KEY_FASTER, DPL_S);
    }
    cr_assert_eq(drive.share, 1.0);
}
