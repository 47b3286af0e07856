/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a sensor still measures. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "watch.h"

#define MS 1000000

static const struct force_watch_config config = {.stale_after_ns = 20 * MS,
                                                 .stuck_after_ns = 50 * MS};
static struct force_watch watch;

static enum force_verdict check(int64_t now_ms, uint64_t sequence, double value)
{
    struct force_reading reading = {
        .measured = true, .sequence = sequence, .wrench = {[3] = value}};
    return force_watch_check(&watch, &config, now_ms * MS, &reading);
}

Test(force_watch, believes_each_new_measurement)
{
    cr_assert_eq(check(0, 0, 1.0), FORCE_FRESH);
    cr_assert_eq(check(1, 1, 1.0), FORCE_FRESH);
    cr_assert_eq(check(2, 7, 2.0), FORCE_FRESH);
}

Test(force_watch, knows_a_pause_from_an_end)
{
    check(100, 5, 1.0);
    cr_assert_eq(check(101, 5, 1.0), FORCE_NOTHING_NEW);
    cr_assert_eq(check(119, 5, 1.0), FORCE_NOTHING_NEW);
    cr_assert_eq(check(120, 5, 1.0), FORCE_STALE);
    cr_assert_eq(check(500, 5, 1.0), FORCE_STALE);
    cr_assert_eq(check(501, 6, 1.5), FORCE_FRESH);
}

Test(force_watch, waits_for_the_first_measurement_only_so_long)
{
    const struct force_reading none = {.measured = false};
    cr_assert_eq(force_watch_check(&watch, &config, 1000 * MS, &none), FORCE_NOTHING_NEW);
    cr_assert_eq(force_watch_check(&watch, &config, 1019 * MS, &none), FORCE_NOTHING_NEW);
    cr_assert_eq(force_watch_check(&watch, &config, 1020 * MS, &none), FORCE_STALE);
    cr_assert_eq(check(1021, 0, 1.0), FORCE_FRESH);
}

Test(force_watch, calls_readings_that_never_change_stuck)
{
    check(0, 1, 1.0);
    check(10, 2, 1.5);
    for (int i = 1; i < 50; i++) {
        cr_assert_eq(check(10 + i, 2 + (uint64_t)i, 1.5), FORCE_FRESH, "%d", i);
    }
    cr_assert_eq(check(60, 100, 1.5), FORCE_STUCK);
    cr_assert_eq(check(61, 101, 1.5), FORCE_STUCK);
    cr_assert_eq(check(62, 102, nextafter(1.5, 2.0)), FORCE_FRESH);
}

Test(force_watch, lets_readings_stay_where_no_noise_is_expected)
{
    static const struct force_watch_config calm = {.stale_after_ns = 20 * MS};
    for (int i = 0; i < 1000; i++) {
        struct force_reading reading = {.measured = true, .sequence = (uint64_t)i};
        cr_assert_eq(force_watch_check(&watch, &calm, i * MS, &reading), FORCE_FRESH);
    }
}

Test(force_watch, does_not_believe_what_is_no_number)
{
    cr_assert_eq(check(0, 1, (double)NAN), FORCE_NOT_FINITE);
    cr_assert_eq(check(1, 2, -(double)INFINITY), FORCE_NOT_FINITE);
    cr_assert_eq(check(2, 3, 1.0), FORCE_FRESH);
}
