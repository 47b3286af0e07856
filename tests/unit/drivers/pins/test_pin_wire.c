/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated wire: its level over time, its edges, and two threads at its ends. */
#include <criterion/criterion.h>
#include <pthread.h>

#include "wire.h"

static void drive(struct wire_end *end, dpl_ns at, enum wire_drive drive)
{
    wire_push(end, &(struct wire_change){.at = at, .drive = drive});
}

static bool level(const struct wire *wire, dpl_ns t)
{
    struct wire_change a = wire_at(&wire->end[0], t), b = wire_at(&wire->end[1], t);
    return wire_level(&a, &b, t);
}

Test(wire, is_low_while_nobody_drives_it)
{
    static struct wire wire;
    cr_assert_not(level(&wire, 0));
    struct wire_change newest = wire_newest(&wire.end[0]);
    cr_assert_not(wire_is_driven(&newest));
}

Test(wire, is_high_while_an_end_pulls_it_up_and_none_drives_it)
{
    static struct wire wire;
    drive(&wire.end[0], 10, WIRE_PULLS_UP);
    cr_assert_not(level(&wire, 9));
    cr_assert(level(&wire, 10));
    drive(&wire.end[1], 20, WIRE_LOW);
    cr_assert(level(&wire, 19));
    cr_assert_not(level(&wire, 20));
    drive(&wire.end[1], 30, WIRE_FLOATS);
    cr_assert(level(&wire, 30));
}

Test(wire, is_low_when_both_ends_drive_it_apart)
{
    static struct wire wire;
    drive(&wire.end[0], 0, WIRE_HIGH);
    drive(&wire.end[1], 5, WIRE_LOW);
    cr_assert(level(&wire, 4));
    cr_assert_not(level(&wire, 5));
}

Test(wire, has_the_level_of_its_pwm_at_every_instant)
{
    static struct wire wire;
    struct wire_change pwm = {100, WIRE_PWM, 0.25, 10000.0};
    wire_push(&wire.end[0], &pwm);
    for (int period = 0; period < 1000; period += 37) {
        dpl_ns begin = 100 + period * 100 * DPL_US;
        cr_assert(level(&wire, begin));
        cr_assert(level(&wire, begin + 25 * DPL_US - 1));
        cr_assert_not(level(&wire, begin + 25 * DPL_US));
        cr_assert_not(level(&wire, begin + 100 * DPL_US - 1));
    }
    struct wire_change other = {0};
    cr_assert_eq(wire_ratio(&pwm, &other), 0.25);
    other.drive = WIRE_LOW;
    cr_assert_eq(wire_ratio(&pwm, &other), 0.0);
}

Test(wire, hands_changes_over_in_order_and_not_before_their_time)
{
    static struct wire wire;
    struct wire_reader reader = {0};
    struct wire_change change;
    unsigned lost = 0;
    drive(&wire.end[0], 10, WIRE_HIGH);
    drive(&wire.end[0], 20, WIRE_LOW);
    cr_assert_eq(wire_ahead(&wire.end[0], 10), 1u);
    cr_assert_not(wire_next(&wire.end[0], &reader, 9, &change, &lost));
    cr_assert(wire_next(&wire.end[0], &reader, 19, &change, &lost));
    cr_assert(change.at == 10 && change.drive == WIRE_HIGH);
    cr_assert_not(wire_next(&wire.end[0], &reader, 19, &change, &lost));
    cr_assert(wire_next(&wire.end[0], &reader, 20, &change, &lost));
    cr_assert(change.at == 20 && change.drive == WIRE_LOW);
    cr_assert_eq(lost, 0u);
}

Test(wire, drops_the_oldest_changes_and_counts_them)
{
    static struct wire wire;
    struct wire_reader reader = {0};
    struct wire_change change;
    unsigned lost = 0;
    for (int i = 0; i < WIRE_KEPT + 300; i++) {
        drive(&wire.end[0], i, i % 2 ? WIRE_LOW : WIRE_HIGH);
    }
    cr_assert(wire_next(&wire.end[0], &reader, 10000, &change, &lost));
    cr_assert_eq(lost, 300u);
    cr_assert_eq(change.at, 300);
    int n = 1;
    while (wire_next(&wire.end[0], &reader, 10000, &change, &lost)) {
        cr_assert_eq(change.at, 300 + n);
        n++;
    }
    cr_assert_eq(n, WIRE_KEPT);
}

#define N_RACE 200000

static void *write_many(void *argument)
{
    struct wire *wire = argument;
    for (int i = 1; i <= N_RACE; i++) {
        struct wire_change change = {i, i % 2 ? WIRE_ANALOG : WIRE_PWM, i, 2.0 * i};
        wire_push(&wire->end[0], &change);
    }
    return NULL;
}

Test(wire, never_shows_a_half_written_change_to_another_thread)
{
    static struct wire wire;
    struct wire_reader reader = {0};
    pthread_t thread;
    unsigned lost = 0, taken = 0;
    dpl_ns last = 0;
    cr_assert_eq(pthread_create(&thread, NULL, write_many, &wire), 0);
    while (last < N_RACE) {
        struct wire_change change, now = wire_newest(&wire.end[0]);
        cr_assert(now.at == 0 ||
                  (now.ratio == (double)now.at && now.frequency_hz == 2.0 * now.ratio));
        if (wire_next(&wire.end[0], &reader, INT64_MAX, &change, &lost)) {
            taken++;
            cr_assert_gt(change.at, last);
            cr_assert(change.ratio == (double)change.at &&
                      change.drive == (change.at % 2 ? WIRE_ANALOG : WIRE_PWM));
            last = change.at;
        }
    }
    pthread_join(thread, NULL);
    cr_assert_eq(taken + lost, N_RACE);
}
