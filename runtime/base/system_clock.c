/* SPDX-License-Identifier: Apache-2.0 */
/* The only file that reads a clock. */
#include <doppel/system_clock.h>

#include <time.h>

static dpl_ns read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (dpl_ns)now.tv_sec * DPL_S + now.tv_nsec;
}

dpl_ns dpl_monotonic_now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

dpl_ns dpl_calendar_now(void)
{
    return read_clock(CLOCK_REALTIME);
}
