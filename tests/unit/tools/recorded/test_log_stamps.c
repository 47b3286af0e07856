/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of tools/recorded/log_stamps.h: turns that are known, arrivals that are late by chance. */
#include "log_stamps.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include <doppel/math/random.h>

#define N    400
#define TURN 98700000 /* ns */

/* Late by 20 ms and up to 45 ms more. `missed`: before this arrival one turn is missing. */
static void make(size_t missed, dpl_ns *turns, dpl_ns *arrivals)
{
    struct dpl_random rng = dpl_random_seeded(3, 0);
    for (size_t i = 0; i < N; i++) {
        turns[i] = (dpl_ns)(i + (missed > 0 && i >= missed)) * TURN;
        arrivals[i] = turns[i] + 20 * DPL_MS + (dpl_ns)dpl_random_uniform(&rng, 0.0, 45.0 * DPL_MS);
    }
}

/* The farthest of a stamp from its turn plus the constant delay, ns. */
static dpl_ns worst(const dpl_ns *turns, const dpl_ns *stamps)
{
    dpl_ns most = 0;
    for (size_t i = 0; i < N; i++) {
        dpl_ns off = llabs(stamps[i] - turns[i] - 20 * DPL_MS);
        most = off > most ? off : most;
    }
    return most;
}

Test(log_stamps, finds_the_turns_behind_late_arrivals)
{
    dpl_ns turns[N], arrivals[N], stamps[N];
    make(0, turns, arrivals);
    cr_assert_gt(worst(turns, arrivals), 40 * DPL_MS);
    cr_assert_eq(log_stamps_even(arrivals, N, stamps), 0);
    cr_assert_lt(worst(turns, stamps), 10 * DPL_MS, "%g ms", (double)worst(turns, stamps) * 1e-6);
}

Test(log_stamps, finds_them_where_a_turn_is_missing_and_one_comes_very_late)
{
    dpl_ns turns[N], arrivals[N], stamps[N];
    make(170, turns, arrivals);
    arrivals[300] = arrivals[301] - DPL_MS;
    cr_assert_eq(log_stamps_even(arrivals, N, stamps), 0);
    cr_assert_lt(worst(turns, stamps), 10 * DPL_MS, "%g ms", (double)worst(turns, stamps) * 1e-6);
    for (size_t i = 0; i < N; i++) {
        cr_assert_leq(stamps[i], arrivals[i]);
    }
}

Test(log_stamps, leaves_what_no_even_turning_explains)
{
    dpl_ns arrivals[N], stamps[N], at = 0;
    struct dpl_random rng = dpl_random_seeded(4, 0);
    for (size_t i = 0; i < N; i++) {
        at += (dpl_ns)dpl_random_uniform(&rng, 5.0 * DPL_MS, 400.0 * DPL_MS);
        arrivals[i] = at;
    }
    cr_assert_eq(log_stamps_even(arrivals, N, stamps), 0);
    cr_assert_arr_eq(stamps, arrivals, sizeof stamps);
}

Test(log_stamps, leaves_a_few_as_they_are)
{
    dpl_ns turns[N], arrivals[N], stamps[N];
    make(0, turns, arrivals);
    cr_assert_eq(log_stamps_even(arrivals, 59, stamps), 0);
    cr_assert_arr_eq(stamps, arrivals, 59 * sizeof *stamps);
}
