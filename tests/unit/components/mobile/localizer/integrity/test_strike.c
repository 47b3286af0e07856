/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of which objects count as gone. */
#include "strike.h"

#include <criterion/criterion.h>

enum { N = 4 };

static struct strike strike;
static double theirs[N], own[N];
static struct loc_match match = {.n_objects = N, .reliability = own};

static void begin(void)
{
    cr_assert(strike_init(&strike, N));
    for (int i = 0; i < N; i++) {
        theirs[i] = own[i] = 1.0;
    }
}

static void end(void)
{
    strike_finish(&strike);
}

static void see(double from_s, double to_s, bool firm)
{
    for (double t = from_s; t < to_s - 1e-9; t += 0.1) {
        strike_scan(&strike, theirs, t, firm, &match);
    }
}

Test(strike, object_falls_after_three_seconds_on_firm_ground, .init = begin, .fini = end)
{
    theirs[1] = 0.2;
    see(0.0, 2.8, true);
    cr_expect_eq(own[1], 1.0);
    see(2.8, 3.5, true);
    cr_expect_eq(own[1], 0.0);
    cr_expect_eq(own[0], 1.0);
}

Test(strike, nothing_falls_where_the_place_is_doubted, .init = begin, .fini = end)
{
    theirs[1] = 0.2;
    see(0.0, 20.0, false);
    cr_expect_eq(own[1], 1.0);
}

Test(strike, many_at_once_are_a_wrong_place, .init = begin, .fini = end)
{
    theirs[0] = theirs[1] = theirs[2] = 0.2;
    see(0.0, 2.9, true);
    cr_expect(own[0] + own[1] + own[2] == 3.0);
    see(2.9, 4.0, true);
    cr_expect(own[0] + own[1] + own[2] == 2.0, "one in three seconds");
    see(4.0, 7.5, true);
    cr_expect(own[0] + own[1] + own[2] == 1.0);
}

Test(strike, doubt_brings_back_what_fell_last, .init = begin, .fini = end)
{
    theirs[0] = 0.2;
    see(0.0, 4.0, true);
    theirs[1] = 0.2;
    see(4.0, 20.0, true);
    cr_assert(own[0] == 0.0 && own[1] == 0.0);
    theirs[2] = 0.2;
    see(20.0, 24.0, true);
    cr_assert(own[2] == 0.0);
    strike_doubt(&strike, 25.0, &match);
    cr_expect(own[0] == 0.0 && own[1] == 0.0 && own[2] == 1.0);
}

Test(strike, object_that_is_seen_again_is_there, .init = begin, .fini = end)
{
    theirs[0] = 0.2;
    see(0.0, 4.0, true);
    theirs[0] = 0.9;
    see(4.0, 4.2, true);
    cr_expect_eq(own[0], 1.0);
}
