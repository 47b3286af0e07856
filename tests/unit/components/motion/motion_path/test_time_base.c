/* SPDX-License-Identifier: Apache-2.0 */
/* The laws of the time base, an evaluation at a time. */
#include <errno.h>
#include <stdlib.h>

#include <criterion/criterion.h>

#include <doppel/math/random.h>

#include "time_base.h"

static struct dpl_time_base base;

static void init(int reversal, bool spread)
{
    struct dpl_time_base_config config = dpl_time_base_default();
    config.law = DPL_TIME_BASE_STEPS;
    config.reversal = reversal;
    config.spread = spread;
    cr_assert_eq(dpl_time_base_init(&base, &config), 0);
}

static int at(int distance)
{
    dpl_time_base_evaluate(&base, distance, 0.0);
    return base.m;
}

Test(time_base, stays_nominal_at_the_wanted_distance)
{
    init(2, true);
    for (int move = 0; move < 1000; move++) {
        cr_assert_eq(at(2), 0);
        for (int tick = 0; tick < 4; tick++) {
            cr_assert_eq(dpl_time_base_tick(&base), DPL_TIME_BASE_TICK);
        }
        cr_assert_eq(dpl_time_base_factor(&base), 1.0);
    }
}

Test(time_base, takes_one_step_then_one_each_fourth_move_while_the_distance_stays_wrong)
{
    static const int expected[] = {-1, -1, -1, -2, -2, -2, -2, -3};
    init(2, true);
    for (int i = 0; i < 8; i++) {
        cr_assert_eq(at(1), expected[i], "move %d: %d", i, base.m);
    }
}

Test(time_base, takes_two_steps_when_the_distance_grows_and_none_when_it_falls)
{
    init(2, true);
    cr_assert_eq(at(3), 1);
    cr_assert_eq(at(4), 3);
    cr_assert_eq(at(5), 5);
    cr_assert_eq(at(4), 5);
    cr_assert_eq(at(3), 5);
    cr_assert_eq(at(2), 4);
    cr_assert_eq(at(2), 3);
}

Test(time_base, stops_at_its_limit)
{
    init(2, true);
    for (int i = 0; i < 1000; i++) {
        at(0);
    }
    cr_assert_eq(base.m, -20);
    init(2, true);
    for (int i = 0; i < 1000; i++) {
        at(6);
    }
    cr_assert_eq(base.m, 20);
}

Test(time_base, ramps_through_a_reversal)
{
    static const int expected[] = {3, 1, -1};
    init(2, true);
    at(3);
    at(4);
    cr_assert_eq(at(5), 5);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(at(1 - i), expected[i], "move %d: %d", i, base.m);
    }
    cr_assert_lt(at(-1), 0);
}

Test(time_base, turns_at_once_as_the_prototype_did)
{
    init(40, false);
    at(3);
    at(4);
    cr_assert_eq(at(5), 5);
    cr_assert_eq(at(1), -1);
    dpl_time_base_tick(&base);
    cr_assert_eq(dpl_time_base_factor(&base), 0.99);
}

Test(time_base, never_changes_by_more_than_two_steps_a_move)
{
    struct dpl_random rng = {7};
    enum dpl_time_base_law laws[] = {DPL_TIME_BASE_STEPS, DPL_TIME_BASE_FRACTIONAL};
    for (int law = 0; law < 2; law++) {
        init(2, true);
        base.config.law = laws[law];
        for (int k = 0; k < 100000; k++) {
            int before = base.m;
            dpl_time_base_evaluate(&base, (int)dpl_random_uniform(&rng, 0.0, 7.0),
                                   dpl_random_uniform(&rng, 0.0, 3.0));
            cr_assert_leq(abs(base.m - before), 2, "law %d, move %d", law, k);
            cr_assert_leq(abs(base.m), 20);
        }
    }
}

Test(time_base, spreads_a_step_over_the_four_ticks_of_a_move)
{
    init(2, true);
    at(1);
    for (int tick = 1; tick <= 4; tick++) {
        cr_assert_eq(dpl_time_base_tick(&base), DPL_TIME_BASE_TICK - tick);
    }
    cr_assert_eq(dpl_time_base_tick(&base), DPL_TIME_BASE_TICK - 4);
    cr_assert_eq(dpl_time_base_factor(&base), 0.99);
    init(2, false);
    at(1);
    cr_assert_eq(dpl_time_base_tick(&base), DPL_TIME_BASE_TICK - 4);
}

Test(time_base, in_proportion_counts_the_age_of_the_newest_pose)
{
    init(2, true);
    base.config.law = DPL_TIME_BASE_FRACTIONAL;
    dpl_time_base_evaluate(&base, 2, 0.0);
    cr_assert_eq(base.m, 0);
    dpl_time_base_evaluate(&base, 1, 1.0);
    cr_assert_eq(base.m, 0);
    for (int i = 0; i < 10; i++) {
        dpl_time_base_evaluate(&base, 1, 0.75);
    }
    cr_assert_eq(base.m, -4);
    for (int i = 0; i < 10; i++) {
        dpl_time_base_evaluate(&base, 2, 0.25);
    }
    cr_assert_eq(base.m, 4);
}

Test(time_base, does_nothing_when_off)
{
    init(2, true);
    base.config.law = DPL_TIME_BASE_OFF;
    for (int i = 0; i < 10; i++) {
        cr_assert_eq(at(0), 0);
        cr_assert_eq(dpl_time_base_tick(&base), DPL_TIME_BASE_TICK);
    }
}

Test(time_base, refuses_values_out_of_range)
{
    struct dpl_time_base_config good = dpl_time_base_default(), bad = good;
    bad.distance = 0;
    cr_assert_eq(dpl_time_base_init(&base, &bad), -EINVAL);
    bad.distance = 6;
    cr_assert_eq(dpl_time_base_init(&base, &bad), -EINVAL);
    bad = good;
    bad.limit = 51;
    cr_assert_eq(dpl_time_base_init(&base, &bad), -EINVAL);
    bad = good;
    bad.reversal = 1;
    cr_assert_eq(dpl_time_base_init(&base, &bad), -EINVAL);
    bad = good;
    bad.gain = 0;
    cr_assert_eq(dpl_time_base_init(&base, &bad), -EINVAL);
}
