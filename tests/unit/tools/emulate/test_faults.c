/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of tools/emulate/faults.h. */
#include "faults.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

static struct faults *make(struct faults_config config)
{
    config.seed = 5;
    struct faults *faults = faults_create(&config);
    cr_assert_not_null(faults);
    return faults;
}

static size_t count_delivered(struct faults *faults, dpl_ns now)
{
    size_t n, count = 0;
    while (faults_pop(faults, now, &n)) {
        count++;
    }
    return count;
}

Test(faults, without_any_a_message_passes_at_once_and_unchanged)
{
    struct faults *faults = make((struct faults_config){0});
    faults_push(faults, "hello", 5, 10);
    size_t n = 0;
    const uint8_t *bytes = faults_pop(faults, 10, &n);
    cr_assert_not_null(bytes);
    cr_assert_eq(n, 5);
    cr_assert_eq(memcmp(bytes, "hello", 5), 0);
    cr_assert_null(faults_pop(faults, 10, &n));
    faults_destroy(faults);
}

Test(faults, a_delay_holds_messages_up_and_next_says_how_long)
{
    struct faults *faults = make((struct faults_config){.delay = 30 * DPL_MS});
    size_t n;
    faults_push(faults, "a", 1, DPL_S);
    cr_assert_eq(faults_next(faults, DPL_S), DPL_S + 30 * DPL_MS);
    cr_assert_null(faults_pop(faults, DPL_S + 29 * DPL_MS, &n));
    cr_assert_not_null(faults_pop(faults, DPL_S + 30 * DPL_MS, &n));
    faults_destroy(faults);
}

Test(faults, jitter_keeps_the_order_and_stays_within_its_bound)
{
    struct faults *faults = make((struct faults_config){.jitter = 50 * DPL_MS});
    for (uint8_t i = 0; i < 50; i++) {
        faults_push(faults, &i, 1, i * DPL_MS);
    }
    size_t early = 0, all = 0, n;
    const uint8_t *bytes;
    for (dpl_ns now = 0; now <= 99 * DPL_MS; now += DPL_MS) {
        while ((bytes = faults_pop(faults, now, &n))) {
            cr_assert_eq(bytes[0], all, "out of order");
            early += now == (dpl_ns)all * DPL_MS;
            all++;
        }
    }
    cr_assert_eq(all, 50);
    cr_assert_lt(early, 25, "jitter has no effect");
    faults_destroy(faults);
}

Test(faults, drop_loses_about_the_part_that_is_asked_for)
{
    struct faults *faults = make((struct faults_config){.drop = 0.3});
    size_t delivered = 0;
    for (int i = 0; i < 2000; i++) {
        faults_push(faults, "x", 1, 0);
        delivered += count_delivered(faults, 0);
    }
    cr_assert_gt(delivered, 1300);
    cr_assert_lt(delivered, 1500);
    faults_destroy(faults);
}

Test(faults, garble_changes_bytes_but_not_the_length)
{
    struct faults *faults = make((struct faults_config){.garble = 1.0});
    uint8_t sent[64] = {0};
    for (int i = 0; i < 100; i++) {
        size_t n = 0, wrong = 0;
        faults_push(faults, sent, sizeof sent, 0);
        const uint8_t *bytes = faults_pop(faults, 0, &n);
        cr_assert_eq(n, sizeof sent);
        for (size_t k = 0; k < n; k++) {
            wrong += bytes[k] != 0;
        }
        cr_assert_geq(wrong, 1);
        cr_assert_leq(wrong, 3);
    }
    faults_destroy(faults);
}

Test(faults, the_same_seed_gives_the_same_faults)
{
    struct faults *a = make((struct faults_config){.drop = 0.5});
    struct faults *b = make((struct faults_config){.drop = 0.5});
    for (int i = 0; i < 200; i++) {
        faults_push(a, "x", 1, 0);
        faults_push(b, "x", 1, 0);
        cr_assert_eq(count_delivered(a, 0), count_delivered(b, 0));
    }
    faults_destroy(a);
    faults_destroy(b);
}

Test(faults, windows_hold_from_their_beginning_until_before_their_end)
{
    struct faults_config config = {0};
    cr_assert_eq(faults_add_window(&config.freeze, "freeze", "1,2", NULL), 0);
    cr_assert_eq(faults_add_window(&config.mute, "mute", "3,4.5", NULL), 0);
    cr_assert_eq(faults_add_window(&config.unplug, "unplug", "5,6", NULL), 0);
    struct faults *faults = make(config);
    cr_assert_not(faults_is_frozen(faults, DPL_S - 1));
    cr_assert(faults_is_frozen(faults, DPL_S));
    cr_assert_not(faults_is_frozen(faults, 2 * DPL_S));
    cr_assert(faults_is_mute(faults, 4 * DPL_S));
    cr_assert_not(faults_is_mute(faults, 4500 * DPL_MS));
    cr_assert(faults_is_unplugged(faults, 5 * DPL_S));
    cr_assert_eq(faults_next(faults, 0), DPL_S);
    cr_assert_eq(faults_next(faults, 2 * DPL_S), 5 * DPL_S);
    cr_assert_eq(faults_next(faults, 6 * DPL_S), INT64_MAX);
    faults_destroy(faults);
}

Test(faults, what_is_said_while_mute_or_frozen_is_lost)
{
    struct faults_config config = {0};
    faults_add_window(&config.freeze, "freeze", "1,2", NULL);
    faults_add_window(&config.mute, "mute", "3,4", NULL);
    struct faults *faults = make(config);
    faults_push(faults, "x", 1, DPL_S);
    faults_push(faults, "x", 1, 3 * DPL_S);
    cr_assert_eq(count_delivered(faults, 10 * DPL_S), 0);
    faults_destroy(faults);
}

Test(faults, a_full_queue_loses_the_newest)
{
    struct faults *faults = make((struct faults_config){.delay = DPL_S});
    for (int i = 0; i < FAULTS_QUEUE_MAX + 10; i++) {
        faults_push(faults, "x", 1, 0);
    }
    cr_assert_eq(count_delivered(faults, DPL_S), FAULTS_QUEUE_MAX);
    faults_destroy(faults);
}

Test(faults, a_window_that_makes_no_sense_is_refused_with_what_was_found)
{
    static const char *const wrong[] = {"", "1", "1,", ",2", "2,1", "1,1", "-1,2", "a,b", "1,2,3"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct faults_windows windows = {0};
        struct dpl_diag error = {0};
        cr_assert_eq(faults_add_window(&windows, "freeze", wrong[i], &error), -EINVAL, "%s",
                     wrong[i]);
        cr_assert_not_null(strstr(error.text, "--freeze"));
        cr_assert_eq(windows.n, 0);
    }
}

Test(faults, more_windows_than_fit_are_refused)
{
    struct faults_windows windows = {0};
    for (int i = 0; i < FAULTS_WINDOWS_MAX; i++) {
        cr_assert_eq(faults_add_window(&windows, "mute", "1,2", NULL), 0);
    }
    cr_assert_eq(faults_add_window(&windows, "mute", "1,2", NULL), -EINVAL);
}

Test(faults, switches_are_what_was_configured_and_change_it)
{
    struct faults *faults = make((struct faults_config){.drop = 0.25, .delay = 30 * DPL_MS});
    struct faults_switches switches = faults_switches(faults);
    cr_assert_eq(switches.drop, 0.25);
    cr_assert_float_eq(switches.delay_ms, 30.0, 1e-9);
    cr_assert(!switches.freeze && !switches.mute && !switches.unplug);
    switches = (struct faults_switches){.freeze = true, .unplug = true};
    faults_switch(faults, &switches);
    cr_assert(faults_is_frozen(faults, 0) && faults_is_unplugged(faults, 0));
    faults_push(faults, "lost", 4, 0);
    cr_assert_eq(count_delivered(faults, DPL_S), 0);
    switches = (struct faults_switches){.mute = true};
    faults_switch(faults, &switches);
    cr_assert(faults_is_mute(faults, 0) && !faults_is_frozen(faults, 0));
    faults_push(faults, "lost", 4, 0);
    faults_switch(faults, &(struct faults_switches){.delay_ms = 10.0});
    faults_push(faults, "late", 4, 0);
    cr_assert_eq(count_delivered(faults, 9 * DPL_MS), 0);
    cr_assert_eq(count_delivered(faults, 10 * DPL_MS), 1);
    faults_destroy(faults);
}
