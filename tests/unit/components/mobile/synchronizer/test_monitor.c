/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the monitor. Ticks of 100 ms. */
#include "monitor.h"

#include <criterion/criterion.h>

static struct dpl_sync_monitor monitor;
static struct dpl_sync_sighting sighting;
static bool placing;

static void start(void)
{
    struct dpl_sync_monitor_config config = {0.3, 0.05, DPL_PI / 180.0};
    dpl_sync_monitor_init(&monitor, &config);
    sighting = (struct dpl_sync_sighting){.elapsed_s = 0.1, .ready = true};
}

static void run(int ticks)
{
    for (int i = 0; i < ticks; i++) {
        sighting.now_s += 0.1;
        dpl_sync_monitor_step(&monitor, &sighting);
        dpl_sync_monitor_count(&monitor, sighting.now_s, sighting.elapsed_s, placing);
    }
}

static void assert_state(enum dpl_sync_state expected)
{
    cr_assert_eq(monitor.state, expected, "%s, expected %s", dpl_sync_state_name(monitor.state),
                 dpl_sync_state_name(expected));
}

Test(monitor, is_in_init_until_both_are_seen, .init = start)
{
    sighting.ready = false;
    run(3);
    assert_state(DPL_SYNC_INIT);
    sighting.ready = true;
    run(1);
    assert_state(DPL_SYNC_OK);
}

Test(monitor, names_the_state_by_the_older_pose, .init = start)
{
    sighting.real_age_s = 0.5;
    run(1);
    assert_state(DPL_SYNC_OK);
    sighting.avatar_age_s = 0.51;
    run(1);
    assert_state(DPL_SYNC_STALE);
    sighting.real_age_s = 1.01;
    run(1);
    assert_state(DPL_SYNC_DEGRADED);
    sighting.real_age_s = 3.01;
    run(1);
    assert_state(DPL_SYNC_LOST);
}

Test(monitor, trust_fades_between_half_a_second_and_one)
{
    cr_assert_float_eq(dpl_sync_trust(0.4), 1.0, 1e-12);
    cr_assert_float_eq(dpl_sync_trust(0.75), 0.5, 1e-12);
    cr_assert_float_eq(dpl_sync_trust(1.2), 0.0, 1e-12);
    cr_assert_float_eq(dpl_sync_trust((double)INFINITY), 0.0, 1e-12);
}

Test(monitor, tracking_is_the_smoothed_product_of_two_bells, .init = start)
{
    sighting.error = (struct dpl_pose2){0.03, 0.04, 0.0};
    run(1);
    /* 50 mm: exp(-1/2); from 1, one tick of a first-order filter of 1 s. */
    double one = 1.0 + (exp(-0.5) - 1.0) * (1.0 - exp(-0.1));
    cr_assert_float_eq(monitor.fidelity.tracking, one, 1e-12);
    run(200);
    cr_assert_float_eq(monitor.fidelity.tracking, 0.6065, 1e-3);
    sighting.error = (struct dpl_pose2){0.0, 0.0, -5.0 * DPL_PI / 180.0};
    run(200);
    cr_assert_float_eq(monitor.fidelity.tracking, 0.6065, 1e-3);
}

Test(monitor, has_no_grounds_for_tracking_in_what_it_does_not_see, .init = start)
{
    sighting.ready = false;
    run(3);
    cr_assert_eq(monitor.fidelity.tracking, 0.0);
    cr_assert(isnan(monitor.rms_5s) && isnan(dpl_sync_monitor_rms(&monitor)));
    sighting.ready = true;
    run(1);
    cr_assert_float_eq(monitor.fidelity.tracking, 1.0, 1e-12);
    sighting.real_age_s = 2.9;
    run(20);
    cr_assert_float_eq(monitor.fidelity.tracking, 1.0, 1e-12, "predicted");
    sighting.real_age_s = 3.1;
    run(20);
    cr_assert_float_eq(monitor.fidelity.tracking, exp(-2.0), 1e-9);
    cr_assert(monitor.warn);
}

Test(monitor, warns_after_half_a_second_of_low_tracking, .init = start)
{
    sighting.error.x = 0.1;
    run(1);
    int ticks = 0;
    for (; monitor.fidelity.tracking >= 0.5 && ticks < 100; ticks++) {
        run(1);
    }
    cr_assert_not(monitor.warn);
    run(3);
    cr_assert_not(monitor.warn);
    run(2);
    cr_assert(monitor.warn);
    sighting.error.x = 0.0;
    run(30);
    cr_assert_not(monitor.warn);
}

Test(monitor, diverges_after_half_a_second_and_clears_below_half_for_one, .init = start)
{
    sighting.error.x = 0.31;
    run(4);
    assert_state(DPL_SYNC_OK);
    run(1);
    assert_state(DPL_SYNC_DIVERGED);
    sighting.error.x = 0.2; /* inside, not below half */
    run(30);
    assert_state(DPL_SYNC_DIVERGED);
    sighting.error.x = 0.1;
    run(9);
    assert_state(DPL_SYNC_DIVERGED);
    run(2);
    assert_state(DPL_SYNC_OK);
}

Test(monitor, diverges_by_heading, .init = start)
{
    sighting.error.theta = -36.0 * DPL_PI / 180.0;
    run(6);
    assert_state(DPL_SYNC_DIVERGED);
}

Test(monitor, a_short_excursion_is_no_divergence, .init = start)
{
    for (int i = 0; i < 10; i++) {
        sighting.error.x = 0.5;
        run(4);
        sighting.error.x = 0.2;
        run(1);
    }
    assert_state(DPL_SYNC_OK);
}

Test(monitor, takes_a_large_error_after_an_outage_for_divergence_at_once, .init = start)
{
    sighting.real_age_s = 1.5;
    sighting.error.x = 0.5;
    run(20);
    assert_state(DPL_SYNC_DEGRADED);
    sighting.real_age_s = 0.02;
    run(1);
    assert_state(DPL_SYNC_DIVERGED);
}

Test(monitor, rms_covers_five_seconds, .init = start)
{
    sighting.now_s = 1000.05;
    sighting.error.x = 0.1;
    run(100);
    cr_assert_float_eq(monitor.rms_5s, 0.1, 1e-9);
    sighting.error.x = 0.0;
    run(25);
    cr_assert_float_eq(monitor.rms_5s, 0.1 * sqrt(0.5), 3e-3);
    run(30);
    cr_assert_float_eq(monitor.rms_5s, 0.0, 1e-9);
    cr_assert_float_eq(dpl_sync_monitor_rms(&monitor), 0.1 * sqrt(100.0 / 155.0), 1e-9);
    cr_assert_float_eq(monitor.max_position_error, 0.1, 1e-12);
}

Test(monitor, counts_no_error_that_it_does_not_see_or_that_a_placement_ends, .init = start)
{
    sighting.error.x = 0.01;
    run(10);
    sighting.error.x = 2.0;
    sighting.missing = true; /* the age is still that of a pose that was just there */
    run(3);
    cr_assert_not(monitor.seen);
    sighting.missing = false;
    sighting.avatar_age_s = 1.01;
    run(3);
    cr_assert_not(monitor.seen);
    sighting.avatar_age_s = 0.0;
    placing = true;
    run(3);
    cr_assert(monitor.seen);
    cr_assert_float_eq(monitor.max_position_error, 0.01, 1e-12);
    cr_assert_float_eq(dpl_sync_monitor_rms(&monitor), 0.01, 1e-12);
    placing = false;
    run(1);
    cr_assert_float_eq(monitor.max_position_error, 2.0, 1e-12, "an error that stays counts");
    sighting.missing = true;
    run(60);
    cr_assert(isnan(monitor.rms_5s), "nothing was seen for 5 s");
}

Test(monitor, counts_no_error_while_the_localizer_does_not_know_where_the_robot_is, .init = start)
{
    struct dpl_sync_localization localization = {.state = DPL_SYNC_LOCALIZER_TRACKING};
    sighting.localization = &localization;
    sighting.error.x = 0.01;
    run(10);
    sighting.error.x = 2.0;
    localization.state = DPL_SYNC_LOCALIZER_AMBIGUOUS;
    run(30);
    assert_state(DPL_SYNC_UNKNOWN);
    sighting.error.x = 0.01;
    localization.state = DPL_SYNC_LOCALIZER_TRACKING;
    run(10);
    cr_assert_float_eq(dpl_sync_monitor_rms(&monitor), 0.01, 1e-12);
    cr_assert_float_eq(monitor.max_position_error, 0.01, 1e-12);
    cr_assert_float_eq(monitor.rms_5s, 0.01, 1e-12);
}

Test(monitor, sees_a_blocked_robot_in_either_direction, .init = start)
{
    sighting.real_promised = -0.1;
    sighting.real_speed = -0.029;
    sighting.avatar_promised = 0.1;
    sighting.avatar_speed = 0.031;
    run(2);
    cr_assert_not(monitor.real_blocked);
    run(2);
    cr_assert(monitor.real_blocked);
    cr_assert_not(monitor.avatar_blocked);
    sighting.avatar_speed = -0.1; /* pushed back */
    sighting.real_promised = -0.03;
    run(4);
    cr_assert(monitor.avatar_blocked);
    cr_assert_not(monitor.real_blocked, "too slow to tell");
}

Test(monitor, a_bumper_that_only_one_feels_is_a_contact_mismatch, .init = start)
{
    for (int side = 0; side < 2; side++) {
        bool *pressed = side == 0 ? &sighting.real_pressed : &sighting.avatar_pressed;
        *pressed = true;
        run(2);
        cr_assert_not(monitor.contact_mismatch, "one of them is always the first");
        run(1);
        cr_assert(monitor.contact_mismatch);
        sighting.real_pressed = sighting.avatar_pressed = true;
        run(1);
        cr_assert_not(monitor.contact_mismatch, "both touch it");
        sighting.real_pressed = sighting.avatar_pressed = false;
        run(10);
        cr_assert_not(monitor.contact_mismatch);
    }
    cr_assert_not(monitor.real_blocked || monitor.avatar_blocked);
}

/* Without bumpers, or behind them. */
Test(monitor, a_robot_that_alone_does_not_follow_its_commands_is_a_contact_mismatch, .init = start)
{
    sighting.real_promised = sighting.avatar_promised = -0.1;
    sighting.avatar_speed = -0.1;
    run(3);
    cr_assert(monitor.contact_mismatch);
    sighting.avatar_speed = 0.0;
    run(4);
    cr_assert_not(monitor.contact_mismatch, "both are held back");
    /* The wheels of one slip at what it pushes, those of the other stand. */
    sighting.avatar_speed = -0.1;
    sighting.avatar_pressed = true;
    run(4);
    cr_assert_not(monitor.contact_mismatch);
    sighting.avatar_pressed = false;
    sighting.real_age_s = 0.6;
    run(4);
    cr_assert_not(monitor.contact_mismatch, "nothing is known of now");
}

Test(monitor, names_any_state)
{
    cr_assert_str_eq(dpl_sync_state_name(DPL_SYNC_LOST), "LOST");
    cr_assert_str_eq(dpl_sync_state_name(DPL_SYNC_UNKNOWN), "UNKNOWN");
    cr_assert_str_eq(dpl_sync_state_name((enum dpl_sync_state)99), "?");
}

Test(monitor, is_never_ok_while_the_localizer_does_not_know_where_the_robot_is, .init = start)
{
    static const struct {
        enum dpl_sync_localizer_state localizer;
        enum dpl_sync_state expected;
    } cases[] = {
        {DPL_SYNC_LOCALIZER_TRACKING, DPL_SYNC_OK},
        {DPL_SYNC_LOCALIZER_LOST, DPL_SYNC_UNKNOWN},
        {DPL_SYNC_LOCALIZER_DEGRADED, DPL_SYNC_OK},
        {DPL_SYNC_LOCALIZER_AMBIGUOUS, DPL_SYNC_UNKNOWN},
        {DPL_SYNC_LOCALIZER_COASTING, DPL_SYNC_UNKNOWN},
        {DPL_SYNC_LOCALIZER_MAP_WRONG, DPL_SYNC_UNKNOWN},
    };
    struct dpl_sync_localization localization = {.expected = true, .valid = true};
    sighting.localization = &localization;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        localization.state = cases[i].localizer;
        run(1);
        assert_state(cases[i].expected);
    }
    sighting.real_age_s = 3.1;
    run(1);
    assert_state(DPL_SYNC_LOST);
}

/* As after a pose that was missing: it need not last. */
Test(monitor, is_not_ok_when_the_robot_is_found_far_away, .init = start)
{
    struct dpl_sync_localization localization = {.state = DPL_SYNC_LOCALIZER_TRACKING};
    sighting.localization = &localization;
    run(20);
    localization.state = DPL_SYNC_LOCALIZER_LOST;
    run(20);
    localization.state = DPL_SYNC_LOCALIZER_TRACKING;
    sighting.error.x = 1.59;
    run(1);
    assert_state(DPL_SYNC_DIVERGED);
}

/* Its first scan comes within a second, or none does. */
Test(monitor, is_in_init_for_a_second_with_a_localizer_that_has_used_no_scan, .init = start)
{
    struct dpl_sync_localization localization = {.expected = true, .valid = true};
    sighting.localization = &localization;
    run(9);
    assert_state(DPL_SYNC_INIT);
    cr_assert_not(monitor.warn);
    run(2);
    assert_state(DPL_SYNC_UNKNOWN);
    localization.state = DPL_SYNC_LOCALIZER_TRACKING;
    run(1);
    assert_state(DPL_SYNC_OK);
}
