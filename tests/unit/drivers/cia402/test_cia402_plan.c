/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of a bus with another number of drives than six, and another unit than the metre. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "cia402_plan.h"

static struct cia402_settings settings_of(size_t n)
{
    struct cia402_settings settings = {
        .n_axes = n,
        .counts_name = "CountsPerUnit",
        .counts_per_m = 5e5,
        .rated_force_n = 10.0,
        .bit_rate = 1000000,
        .period = 20 * DPL_MS,
        .heartbeat = 40 * DPL_MS,
        .silence = 100 * DPL_MS,
        .process_data = 100 * DPL_MS,
        .watchdog = 100 * DPL_MS,
        .reference_timeout = 100 * DPL_MS,
        .start_timeout = 5 * DPL_S,
        .quick_stop_m_s2 = 10.0,
        .following_error_m = 0.2,
        .standstill_m_s = 0.01,
    };
    for (size_t i = 0; i < CIA402_AXES_MAX; i++) {
        settings.nodes[i] = (uint8_t)(i + 1);
    }
    return settings;
}

static void refuses(const struct cia402_settings *settings, const char *why)
{
    struct dpl_diag error = {.text = ""};
    cr_assert_eq(cia402_settings_check(settings, &error), -EINVAL, "%s", why);
    cr_assert_not_null(strstr(error.text, why), "%s", error.text);
}

Test(cia402_plan, a_bus_has_1_to_32_drives)
{
    for (size_t n = 1; n <= CIA402_AXES_MAX; n++) {
        struct cia402_settings settings = settings_of(n);
        struct dpl_diag error = {.text = ""};
        cr_assert_eq(cia402_settings_check(&settings, &error), 0, "%zu: %s", n, error.text);
        cr_assert_eq(cia402_n_axes(&settings), (int)n);
    }
}

Test(cia402_plan, the_load_of_the_bus_is_in_proportion_to_its_drives)
{
    struct cia402_settings settings = settings_of(1);
    double one = cia402_bits_per_period(&settings);
    settings = settings_of(2);
    double of_a_drive = cia402_bits_per_period(&settings) - one;
    settings = settings_of(32);
    cr_assert_float_eq(cia402_bits_per_period(&settings), one + 31.0 * of_a_drive, 1e-9);
    settings.period = 10 * DPL_MS;
    refuses(&settings, "CommunicationPeriod: the frames of 10 ms need");
}

static bool has_time(size_t n, dpl_ns period)
{
    struct cia402_settings settings = settings_of(n);
    settings.period = period;
    return cia402_settings_check(&settings, NULL) == 0;
}

/* As docs/reference/joints.md says. */
Test(cia402_plan, at_10_ms_there_is_time_for_19_drives_and_32_need_17_ms)
{
    cr_assert(has_time(19, 10 * DPL_MS));
    cr_assert_not(has_time(20, 10 * DPL_MS));
    cr_assert(has_time(32, 17 * DPL_MS));
    cr_assert_not(has_time(32, 16 * DPL_MS));
}

Test(cia402_plan, without_a_number_there_are_the_six_of_a_machine)
{
    struct cia402_settings six = settings_of(6), none = settings_of(0);
    cr_assert_eq(cia402_n_axes(&none), DPL_AXES_N);
    cr_assert_eq(cia402_bits_per_period(&six), cia402_bits_per_period(&none));
}

Test(cia402_plan, only_the_drives_that_there_are_need_a_node_of_their_own)
{
    struct cia402_settings settings = settings_of(3);
    settings.nodes[3] = settings.nodes[0]; /* no drive */
    cr_assert_eq(cia402_settings_check(&settings, NULL), 0);
    settings.nodes[2] = settings.nodes[0];
    refuses(&settings, "node 1 is there twice");
    settings.nodes[2] = 0;
    refuses(&settings, "expected 1 to 127 for each of the 3 axes");
}

Test(cia402_plan, counts_are_told_by_the_name_of_their_property)
{
    struct cia402_settings settings = settings_of(3);
    settings.counts_per_m = 0.0;
    refuses(&settings, "CountsPerUnit: expected a number but 0");
    settings.counts_name = NULL;
    refuses(&settings, "CountsPerMetre: expected a number but 0");
}

static uint32_t value_of(const struct cia402_plan *plan, uint16_t index)
{
    for (size_t i = 0; i < plan->n; i++) {
        if (plan->steps[i].index == index) {
            return plan->steps[i].value;
        }
    }
    return 0;
}

Test(cia402_plan, limits_are_told_in_counts_of_the_unit_whatever_the_direction)
{
    struct cia402_settings settings = settings_of(3);
    struct cia402_plan plan;
    settings.counts_per_m = -5e5;
    cia402_plan_make(&plan, &settings);
    cr_assert_eq(value_of(&plan, DPL_CIA402_QUICK_STOP_DECELERATION), 5000000);
    cr_assert_eq(value_of(&plan, DPL_CIA402_FOLLOWING_WINDOW), 100000);
}
