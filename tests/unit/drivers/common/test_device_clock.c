/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of drivers/common/device_clock.h. */
#include <doppel/drive/device_clock.h>

#include <criterion/criterion.h>
#include <stdlib.h>

Test(device_clock, the_first_stamp_is_as_new_as_its_arrival)
{
    struct dpl_device_clock clock;
    dpl_device_clock_init(&clock, 16);
    cr_assert_eq(dpl_device_clock_map(&clock, 12345, 7 * DPL_S), 7 * DPL_S);
}

Test(device_clock, late_arrivals_do_not_move_the_stamps)
{
    static const int late_ms[] = {5, 0, 30, 2, 11, 0, 60, 4};
    struct dpl_device_clock clock;
    dpl_device_clock_init(&clock, 16);
    for (uint32_t i = 0; i < 500; i++) {
        dpl_ns taken = DPL_S + i * 20 * DPL_MS;
        dpl_ns stamp = dpl_device_clock_map(&clock, 100 + i * 20, taken + late_ms[i % 8] * DPL_MS);
        if (i > 1) {
            cr_assert_leq(llabs(stamp - taken), 100 * DPL_US, "sample %u", i);
        }
    }
}

Test(device_clock, follows_across_the_wrap_of_the_stamp)
{
    struct dpl_device_clock clock;
    dpl_device_clock_init(&clock, 16);
    dpl_ns before = 0;
    for (uint32_t i = 0; i < 5000; i++) { /* 100 s: beyond 65.536 s */
        dpl_ns now = i * 20 * DPL_MS;
        dpl_ns stamp = dpl_device_clock_map(&clock, (65000 + i * 20) & 0xffffu, now);
        if (i > 0) {
            cr_assert_eq(stamp - before, 20 * DPL_MS);
        }
        before = stamp;
    }
}

Test(device_clock, follows_a_clock_that_runs_slower_than_the_hosts)
{
    struct dpl_device_clock clock;
    dpl_device_clock_init(&clock, 24);
    dpl_ns stamp = 0, now = 0;
    for (int i = 0; i < 30000; i++) { /* ten minutes, 50 ppm */
        now = i * 20 * DPL_MS;
        stamp = dpl_device_clock_map(&clock, (uint32_t)((double)(i * 20) * 0.99995), now);
    }
    cr_assert_leq(now - stamp, 2 * DPL_MS);
}

Test(device_clock, starts_anew_when_the_device_has_done_so)
{
    struct dpl_device_clock clock;
    dpl_device_clock_init(&clock, 16);
    dpl_ns now = 0;
    for (uint32_t i = 0; i < 100; i++) {
        now += 20 * DPL_MS;
        dpl_device_clock_map(&clock, 40000 + i * 20, now);
    }
    for (uint32_t i = 0; i < 20; i++) {
        now += 20 * DPL_MS;
        dpl_ns stamp = dpl_device_clock_map(&clock, i * 20, now);
        cr_assert_leq(stamp, now);
        if (i > 12) {
            cr_assert_leq(now - stamp, DPL_MS);
        }
    }
}

Test(device_clock, maps_stamps_of_nanoseconds_that_are_years_away)
{
    struct dpl_device_clock clock;
    dpl_device_clock_init(&clock, 32);
    const dpl_ns years = 1700000000 * DPL_S;
    dpl_ns now = 0, stamp = 0;
    for (int i = 0; i < 100; i++) {
        now = i * 20 * DPL_MS;
        dpl_ns arrival = now + i % 7 * DPL_MS;
        stamp = dpl_device_clock_map_ns(&clock, years + now, arrival);
        cr_assert_leq(stamp, arrival);
    }
    cr_assert_leq(llabs(now - stamp), DPL_MS, "the least delay is taken as none");
    now += 20 * DPL_MS; /* set back by an hour: the next stamp counts */
    cr_assert_eq(dpl_device_clock_map_ns(&clock, years + now - 3600 * DPL_S, now), now);
    stamp = dpl_device_clock_map_ns(&clock, years + now - 3599 * DPL_S, now + DPL_S);
    cr_assert_leq(llabs(now + DPL_S - stamp), DPL_MS);
}
