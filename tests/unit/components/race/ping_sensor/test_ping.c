/* SPDX-License-Identifier: Apache-2.0 */
/* The pulses of the emulated ultrasonic sensor, against the published figures. */
#include <criterion/criterion.h>
#include <math.h>

#include "ping.h"

static const struct ping_config published = {
    .clock_hz = 80e6,
    .speed_m_s = 331.4,
    .speed_per_degree = 0.6,
    .temperature_c = 23.0,
    .whole_cycles = true,
    .hold_off = 750 * DPL_US,
    .max_range_m = 10.0,
};

#define EQ(value, expected) cr_assert_eq(value, expected, "%lld", (long long)(value))

Test(ping, makes_462_cycles_of_80_mhz_a_millimetre)
{
    EQ(ping_width(&published, 0.001), 5775);
    EQ(ping_width(&published, 0.100), 577500);
    EQ(ping_width(&published, 1.0), 5775000);
    EQ(ping_width(&published, 10.0), 57750000);
    EQ(ping_width(&published, 0.0), 0);
}

Test(ping, can_be_exact_instead_of_whole_cycles)
{
    struct ping_config exact = published;
    exact.whole_cycles = false;
    EQ(ping_width(&exact, 1.726), 10000000);
}

Test(ping, gives_no_echo_where_nothing_is_in_range)
{
    struct ping_config config = published;
    EQ(ping_width(&config, 10.001), 0);
    EQ(ping_width(&config, (double)INFINITY), 0);
    EQ(ping_width(&config, (double)NAN), 0);
    EQ(ping_width(&config, -0.1), 0);
    config.no_echo = 18500 * DPL_US;
    EQ(ping_width(&config, (double)INFINITY), 18500000);
}

Test(ping, answers_a_rising_edge_after_the_hold_off)
{
    struct ping ping = {0};
    cr_assert(ping_edge(&ping, 1000, true));
    EQ(ping_answer(&ping, &published, 0.5), 2887500);
    EQ(ping.rise, 751000);
    EQ(ping.fall, 751000 + 2887500);
    EQ(ping_phase_at(&ping, 750999), PING_HOLDS);
    EQ(ping_phase_at(&ping, 751000), PING_ECHOES);
    EQ(ping_phase_at(&ping, ping.fall - 1), PING_ECHOES);
    EQ(ping_phase_at(&ping, ping.fall), PING_ARMED);
}

Test(ping, ignores_edges_until_its_echo_is_over)
{
    struct ping ping = {0};
    cr_assert_not(ping_edge(&ping, 0, false));
    cr_assert(ping_edge(&ping, 0, true));
    ping_answer(&ping, &published, 0.1);
    cr_assert_not(ping_edge(&ping, 5000, false));
    cr_assert_not(ping_edge(&ping, 700000, true));
    cr_assert_not(ping_edge(&ping, ping.fall - 1, true));
    EQ(ping.n_ignored, 2);
    cr_assert(ping_edge(&ping, ping.fall, true));
    EQ(ping.n_triggers, 2);
    EQ(ping.n_echoes, 1);
}

Test(ping, keeps_the_width_of_an_echo_that_comes_late)
{
    struct ping ping = {0};
    ping_edge(&ping, 0, true);
    ping_answer(&ping, &published, 0.1);
    EQ(ping_delay(&ping, 750000), 0);
    EQ(ping_delay(&ping, 760000), 10000);
    EQ(ping.rise, 760000);
    EQ(ping.fall, 760000 + 577500);
}

Test(ping, is_armed_again_after_the_hold_off_when_there_is_no_echo)
{
    struct ping ping = {0};
    ping_edge(&ping, 0, true);
    EQ(ping_answer(&ping, &published, (double)INFINITY), 0);
    EQ(ping_phase_at(&ping, 749999), PING_HOLDS);
    EQ(ping_phase_at(&ping, 750000), PING_ARMED);
    EQ(ping.n_echoes, 0);
}

/* Distance set and distance that the published controller read, mm. */
static const struct {
    int set, read;
} verification[] = {{100, 99}, {200, 199}, {500, 498}, {1000, 997}, {1500, 1495}};

Test(ping, reads_back_within_the_published_deviations)
{
    for (size_t i = 0; i < sizeof verification / sizeof verification[0]; i++) {
        double set = verification[i].set, published_error = set - verification[i].read;
        dpl_ns width = ping_width(&published, set / 1000.0);
        long read = lround(ping_range_m(&published, width, 0) * 1000.0);
        cr_assert_leq(fabs((double)read - set), published_error, "%g mm reads %ld", set, read);
    }
}

/* The published readings are to the digit those of a controller whose capture takes 1.5 us longer
 * than the pulse (any 1.36 to 1.87 us), truncated. */
Test(ping, reads_back_the_published_digits_with_the_capture_of_their_controller)
{
    for (size_t i = 0; i < sizeof verification / sizeof verification[0]; i++) {
        dpl_ns width = ping_width(&published, verification[i].set / 1000.0);
        EQ((int)(ping_range_m(&published, width, 1500) * 1000.0), verification[i].read);
    }
}

Test(ping, passes_its_self_test_only_when_clock_and_speed_fit)
{
    struct ping_config config = published;
    cr_assert_eq(ping_self_test(&config, 0.01), 0.0);
    config.clock_hz = 500e3; /* one cycle a millimetre: the truncation takes a third */
    cr_assert_gt(ping_self_test(&config, 0.01), 0.0);
}

Test(ping, reads_nothing_from_no_pulse)
{
    cr_assert_eq(ping_range_m(&published, 0, 1500), 0.0);
}
