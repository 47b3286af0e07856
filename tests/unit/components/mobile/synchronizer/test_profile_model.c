/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the command profile model. Candidate 1 is 20 ms latency with 50 ms lag. */
#include "profile_model.h"

#include <criterion/criterion.h>

static struct dpl_sync_profile profile;

static void start(void)
{
    dpl_sync_profile_init(&profile, 0.30, 0.5);
    dpl_sync_profile_advance(&profile, 0.0);
}

static void assert_near(double actual, double expected, double tolerance, const char *what)
{
    cr_assert(fabs(actual - expected) <= tolerance, "%s: %.9g, expected %.9g", what, actual,
              expected);
}

Test(profile_model, stays_at_rest_without_a_command, .init = start)
{
    dpl_sync_profile_advance(&profile, 1.0);
    struct dpl_twist2 moved = dpl_sync_profile_integral(&profile, 1, 0.0, 1.0);
    assert_near(moved.linear, 0.0, 0.0, "distance");
    assert_near(moved.angular, 0.0, 0.0, "angle");
}

Test(profile_model, reaches_the_command_after_slew_latency_and_lag, .init = start)
{
    dpl_sync_profile_command(&profile, (struct dpl_twist2){0.2, 0.0});
    dpl_sync_profile_advance(&profile, 2.0);
    assert_near(dpl_sync_profile_at(&profile, 1, 2.0).linear, 0.2, 1e-9, "speed");
    /* Distance: 0.2 m/s for 2 s, less half of the 0.4 s ramp, the latency and the lag. */
    assert_near(dpl_sync_profile_integral(&profile, 1, 0.0, 2.0).linear,
                0.2 * (2.0 - 0.2 - 0.02 - 0.05), 1e-4, "distance");
}

Test(profile_model, does_nothing_before_the_latency_has_passed, .init = start)
{
    dpl_sync_profile_command(&profile, (struct dpl_twist2){0.2, 0.0});
    dpl_sync_profile_advance(&profile, 0.1);
    assert_near(dpl_sync_profile_at(&profile, 8, 0.1).linear, 0.0, 0.0, "at 100 ms latency");
    cr_assert_gt(dpl_sync_profile_at(&profile, 0, 0.1).linear, 0.03);
}

Test(profile_model, follows_a_ramp_as_a_first_order_lag_does, .init = start)
{
    dpl_sync_profile_command(&profile, (struct dpl_twist2){0.2, 0.0});
    dpl_sync_profile_advance(&profile, 0.3);
    /* Response to the ramp 0.5 t: 0.5 (t - tau + tau exp(-t / tau)), 20 ms late. */
    double t = 0.28, tau = 0.05;
    assert_near(dpl_sync_profile_at(&profile, 1, 0.3).linear, 0.5 * (t - tau + tau * exp(-t / tau)),
                2e-4, "speed on the ramp");
}

Test(profile_model, slews_each_wheel_so_that_a_turn_takes_its_time, .init = start)
{
    dpl_sync_profile_command(&profile, (struct dpl_twist2){0.0, 1.0});
    dpl_sync_profile_advance(&profile, 0.15);
    /* Wheels need 0.15 m/s at 0.5 m/s^2: at 0.15 s they are half way, without latency and lag. */
    struct dpl_twist2 slewed = profile.slewed[profile.head & (DPL_SYNC_RING - 1)];
    assert_near(slewed.angular, 0.5, 1e-9, "slewed turn");
    assert_near(slewed.linear, 0.0, 1e-12, "slewed speed");
}

Test(profile_model, forecast_agrees_with_what_happens_when_the_command_is_held, .init = start)
{
    dpl_sync_profile_command(&profile, (struct dpl_twist2){0.15, 0.4});
    dpl_sync_profile_advance(&profile, 0.1);
    dpl_sync_profile_forecast(&profile, 5);
    struct dpl_twist2 promised = dpl_sync_profile_at(&profile, 5, 0.4);
    dpl_sync_profile_advance(&profile, 0.4);
    struct dpl_twist2 became = dpl_sync_profile_at(&profile, 5, 0.4);
    assert_near(promised.linear, became.linear, 1e-12, "linear");
    assert_near(promised.angular, became.angular, 1e-12, "angular");
    cr_assert_gt(became.linear, 0.05);
}

Test(profile_model, forecast_leaves_the_past_as_it_was, .init = start)
{
    dpl_sync_profile_command(&profile, (struct dpl_twist2){0.2, 0.0});
    dpl_sync_profile_advance(&profile, 2.2);
    double before = dpl_sync_profile_integral(&profile, 1, 0.2, 2.2).linear;
    dpl_sync_profile_forecast(&profile, 1);
    assert_near(dpl_sync_profile_integral(&profile, 1, 0.2, 2.2).linear, before, 0.0, "distance");
}

Test(profile_model, survives_a_pause_of_the_caller, .init = start)
{
    dpl_sync_profile_command(&profile, (struct dpl_twist2){0.2, 0.1});
    dpl_sync_profile_advance(&profile, 1e6);
    assert_near(dpl_sync_profile_at(&profile, 9, 1e6).linear, 0.2, 1e-5, "speed");
    assert_near(dpl_sync_profile_integral(&profile, 9, 1e6 - 1.0, 1e6).angular, 0.1, 1e-4, "angle");
}

Test(profile_model, ignores_time_that_goes_back, .init = start)
{
    dpl_sync_profile_advance(&profile, 1.0);
    int64_t head = profile.head;
    dpl_sync_profile_advance(&profile, 0.5);
    cr_assert_eq(profile.head, head);
}

Test(profile_model, range_tells_a_steady_profile_from_a_changing_one, .init = start)
{
    dpl_sync_profile_command(&profile, (struct dpl_twist2){0.2, 0.0});
    dpl_sync_profile_advance(&profile, 2.0);
    assert_near(dpl_sync_profile_range(&profile, 1, 1.5, 2.0).linear, 0.0, 1e-6, "steady");
    assert_near(dpl_sync_profile_range(&profile, 1, 0.0, 2.0).linear, 0.2, 1e-6, "changing");
}
