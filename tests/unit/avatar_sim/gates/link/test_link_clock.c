/* SPDX-License-Identifier: Apache-2.0 */
/* The clock of a served world, from round trips. */
#include <criterion/criterion.h>

#include "remote_clock.h"

#define BEHIND (7 * DPL_S) /* the world's clock */

static void answer(struct remote_clock *clock, dpl_ns sent, dpl_ns there_ms, dpl_ns back_ms)
{
    dpl_ns met = sent + there_ms * DPL_MS;
    remote_clock_add(clock, sent, met - BEHIND, met + back_ms * DPL_MS);
}

Test(link_clock, is_known_from_a_short_round_trip_on)
{
    struct remote_clock clock;
    remote_clock_begin(&clock);
    cr_assert_not(clock.known);
    answer(&clock, DPL_S, 1, 1);
    cr_assert(clock.known);
    cr_assert_eq(clock.offset, BEHIND);
}

/* A process that was stopped finds answers that have waited for it. */
Test(link_clock, does_not_begin_with_an_answer_that_has_waited)
{
    struct remote_clock clock;
    remote_clock_begin(&clock);
    answer(&clock, DPL_S, 0, 4000);
    answer(&clock, 2 * DPL_S, 0, 80);
    cr_assert_not(clock.known, "off by %g ms", 1e-6 * (double)(clock.offset - BEHIND));
    answer(&clock, 3 * DPL_S, 2, 2);
    cr_assert(clock.known);
    cr_assert_eq(clock.offset, BEHIND);
}

Test(link_clock, is_known_on_a_slow_line_from_the_best_of_ten)
{
    struct remote_clock clock;
    remote_clock_begin(&clock);
    for (int i = 0; i < 10; i++) {
        cr_assert_not(clock.known);
        answer(&clock, (1 + i) * DPL_S, 30, i == 4 ? 32 : 90);
    }
    cr_assert(clock.known);
    cr_assert_eq(clock.offset, BEHIND + 1 * DPL_MS);
}

Test(link_clock, follows_a_clock_that_drifts_once_its_best_trip_is_old)
{
    struct remote_clock clock;
    remote_clock_begin(&clock);
    answer(&clock, DPL_S, 1, 1);
    for (int i = 0; i < 200; i++) { /* 3 ms later each way than the first */
        answer(&clock, (2 + i) * DPL_S, 4, 2);
    }
    cr_assert_eq(clock.offset, BEHIND - 1 * DPL_MS);
}
