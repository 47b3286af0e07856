/* SPDX-License-Identifier: Apache-2.0 */
/* The PID law: its parts, its limits, what it does with values that are none. */
#include <math.h>

#include <criterion/criterion.h>

#include "pid.h"

static const struct pid_config wide = {.kp = 2.0, .low = -1e9, .high = 1e9};

Test(pid, is_the_error_times_its_gain_without_the_other_parts)
{
    struct pid pid = {0};
    cr_assert_eq(pid_step(&pid, &wide, 3.0, 1.0, 0.01), 4.0);
    cr_assert_eq(pid_step(&pid, &wide, 3.0, 2.5, 0.01), 1.0);
}

Test(pid, adds_up_the_error_over_time)
{
    struct pid_config config = wide;
    struct pid pid = {0};
    config.kp = 0.0;
    config.ki = 0.5;
    double output = 0.0;
    for (int i = 0; i < 200; i++) {
        output = pid_step(&pid, &config, 2.0, 0.0, 0.01);
    }
    cr_assert_float_eq(output, 0.5 * 2.0 * 2.0, 1e-9);
}

Test(pid, takes_off_the_rate_of_the_measured_value_and_not_of_the_setpoint)
{
    struct pid_config config = {.kd = 1.0, .low = -1e9, .high = 1e9};
    struct pid pid = {0};
    cr_assert_eq(pid_step(&pid, &config, 0.0, 0.0, 0.01), 0.0);
    cr_assert_eq(pid_step(&pid, &config, 100.0, 0.0, 0.01), 0.0);
    double output = pid_step(&pid, &config, 100.0, 0.02, 0.01);
    cr_assert_float_eq(output, -2.0, 1e-12);
}

Test(pid, filters_the_rate_by_its_time_constant)
{
    struct pid_config config = {.kd = 1.0, .filter_s = 0.1, .low = -1e9, .high = 1e9};
    struct pid pid = {0};
    double output = 0.0;
    for (int i = 0; i <= 100; i++) {
        output = pid_step(&pid, &config, 0.0, 3.0 * 0.001 * i, 0.001);
    }
    cr_assert_float_eq(output, -3.0 * (1.0 - exp(-1.0)), 1e-9, "%g", output);
}

Test(pid, adds_a_part_that_follows_the_setpoint_and_one_that_is_constant)
{
    struct pid_config config = {
        .kp = 2.0, .forward = 0.5, .offset = -3.0, .low = -1e9, .high = 1e9};
    struct pid pid = {0};
    cr_assert_eq(pid_step(&pid, &config, 8.0, 8.0, 0.01), 0.5 * 8.0 - 3.0);
    cr_assert_eq(pid_step(&pid, &config, 8.0, 7.0, 0.01), 2.0 + 0.5 * 8.0 - 3.0);
}

Test(pid, needs_no_integral_at_a_setpoint_whose_effort_it_knows)
{
    /* v' = (u - v)/T: v stays at u. Without the feed-forward the error would be 1/(1 + kp). */
    struct pid_config config = {.kp = 1.0, .forward = 1.0, .low = -10.0, .high = 10.0};
    struct pid pid = {0};
    double speed = 0.0;
    for (int i = 0; i < 2000; i++) {
        speed += 0.01 * (pid_step(&pid, &config, 3.0, speed, 0.01) - speed);
    }
    cr_assert_float_eq(speed, 3.0, 1e-9);
    config.forward = 0.0;
    for (int i = 0; i < 2000; i++) {
        speed += 0.01 * (pid_step(&pid, &config, 3.0, speed, 0.01) - speed);
    }
    cr_assert_float_eq(speed, 1.5, 1e-9);
}

Test(pid, keeps_the_limits_with_the_feed_forward_and_does_not_wind_up_by_it)
{
    struct pid_config config = {.kp = 1.0, .ki = 10.0, .forward = 1.0, .low = -1.0, .high = 1.0};
    struct pid pid = {0};
    for (int i = 0; i < 1000; i++) {
        cr_assert_eq(pid_step(&pid, &config, 5.0, 4.9, 0.01), 1.0);
    }
    cr_assert_eq(pid.integral, 0.0);
}

Test(pid, leaves_a_limit_at_once_when_the_error_turns)
{
    /* The integral stops where the output meets the limit: ki e n dt + kp e <= high. */
    struct pid_config config = {.kp = 1.0, .ki = 10.0, .low = -2.0, .high = 2.0};
    struct pid pid = {0};
    for (int i = 0; i < 1000; i++) {
        pid_step(&pid, &config, 1.0, 0.0, 0.01);
    }
    cr_assert_float_eq(pid.integral, 1.0, 0.1001, "%g", pid.integral);
    double output = pid_step(&pid, &config, 1.0, 1.5, 0.01);
    cr_assert_float_eq(output, -0.5 + pid.integral, 1e-12);
}

Test(pid, does_not_wind_up_at_a_limit)
{
    struct pid_config config = {.kp = 1.0, .ki = 10.0, .low = -1.0, .high = 1.0};
    struct pid pid = {0};
    for (int i = 0; i < 1000; i++) {
        cr_assert_eq(pid_step(&pid, &config, 5.0, 0.0, 0.01), 1.0);
    }
    cr_assert_lt(pid_step(&pid, &config, 5.0, 5.5, 0.01), 1.0);
    cr_assert_eq(pid_step(&pid, &config, -5.0, 5.0, 0.01), -1.0);
}

Test(pid, gives_nothing_for_what_is_no_number)
{
    struct pid_config config = {.kp = 1.0, .ki = 1.0, .kd = 1.0, .low = -9.0, .high = 9.0};
    struct pid pid = {0};
    pid_step(&pid, &config, 1.0, 0.0, 0.01);
    cr_assert_eq(pid_step(&pid, &config, 1.0, (double)NAN, 0.01), 0.0);
    cr_assert_eq(pid_step(&pid, &config, (double)INFINITY, 0.0, 0.01), 0.0);
    cr_assert_eq(pid_step(&pid, &config, 1.0, 0.0, 0.0), 0.0);
    cr_assert(!pid.begun && pid.integral == 0.0);
}
