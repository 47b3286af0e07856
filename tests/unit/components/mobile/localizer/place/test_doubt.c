/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of when a second look at a place is due. */
#include "loc_sure.h"

#include <criterion/criterion.h>

static struct loc_doubt doubt;
static double now;

static void begin(void)
{
    loc_doubt_init(&doubt);
    now = 3.0;
}

static struct loc_judgement judged(double agreement, double too_long)
{
    return (struct loc_judgement){
        .n_judged = 500,
        .agreement = agreement,
        .too_long = too_long,
        .too_short = 1.0 - agreement - too_long,
        .openness = agreement / (agreement + too_long),
    };
}

/* Scans of `seconds`, 10 a second; the seconds until a look is due, or -1. */
static double until_due(double agreement, double too_long, double seconds)
{
    struct loc_judgement scan = judged(agreement, too_long);
    for (int i = 1; i <= (int)(10.0 * seconds); i++) {
        now += 0.1;
        if (loc_doubt_scan(&doubt, &scan, now)) {
            return 0.1 * i;
        }
    }
    return -1.0;
}

Test(doubt, scans_that_fit_never_ask_for_a_look, .init = begin)
{
    cr_assert(until_due(0.99, 0.005, 600.0) < 0.0);
    cr_assert(!loc_doubt_is_strong(&doubt));
}

Test(doubt, a_start_that_fits_not_wholly_is_looked_at_at_once, .init = begin)
{
    cr_assert(until_due(0.90, 0.05, 10.0) == 0.1);
}

Test(doubt, one_bad_scan_among_good_ones_asks_for_none, .init = begin)
{
    cr_assert(until_due(1.0, 0.0, 5.0) < 0.0);
    cr_assert(until_due(0.7, 0.2, 0.1) < 0.0);
    cr_assert(until_due(1.0, 0.0, 5.0) < 0.0);
}

Test(doubt, each_look_that_found_nothing_makes_the_next_one_later, .init = begin)
{
    double waits[8];
    until_due(0.8, 0.1, 10.0);
    for (int i = 0; i < 8; i++) {
        loc_doubt_allay(&doubt);
        waits[i] = until_due(0.8, 0.1, 1000.0);
    }
    cr_assert(fabs(waits[0] - 5.0) < 0.11, "%g s", waits[0]);
    cr_assert(fabs(waits[1] - 10.0) < 0.11, "%g s", waits[1]);
    cr_assert(fabs(waits[7] - 320.0) < 0.11, "%g s", waits[7]);
    loc_doubt_init(&doubt);
    cr_assert(until_due(0.8, 0.1, 10.0) == 0.1, "a new place has no history");
}

Test(doubt, people_make_no_strong_doubt_and_missing_things_do, .init = begin)
{
    until_due(0.5, 0.02, 10.0);
    until_due(0.5, 0.02, 0.1);
    cr_assert(!loc_doubt_is_strong(&doubt));
    loc_doubt_init(&doubt);
    until_due(0.5, 0.3, 10.0);
    cr_assert(loc_doubt_is_strong(&doubt));
}

/* A scan a second: each is the whole mean. */
Test(doubt, slow_scanners_are_judged_by_each_scan, .init = begin)
{
    struct loc_judgement good = judged(1.0, 0.0), bad = judged(0.8, 0.1);
    cr_assert(!loc_doubt_scan(&doubt, &good, 1.0));
    cr_assert(loc_doubt_scan(&doubt, &bad, 2.0));
    cr_assert(!loc_doubt_scan(&doubt, &good, 3.0));
}
