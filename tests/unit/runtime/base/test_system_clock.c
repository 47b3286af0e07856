/* SPDX-License-Identifier: Apache-2.0 */
/* doppel/system_clock.h: which clocks they are. */
#include <criterion/criterion.h>
#include <time.h>

#include <doppel/system_clock.h>

static dpl_ns read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (dpl_ns)now.tv_sec * DPL_S + now.tv_nsec;
}

Test(system_clock, monotonic_is_that_of_the_system)
{
    dpl_ns before = read_clock(CLOCK_MONOTONIC), now = dpl_monotonic_now();
    cr_assert_geq(now, before);
    cr_assert_leq(now, read_clock(CLOCK_MONOTONIC));
}

Test(system_clock, calendar_counts_from_1970)
{
    dpl_ns before = read_clock(CLOCK_REALTIME), now = dpl_calendar_now();
    cr_assert_geq(now, before);
    cr_assert_leq(now, read_clock(CLOCK_REALTIME));
}
