/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding the PWM of the emulated servo. */
#include <criterion/criterion.h>
#include <math.h>

#include "servo.h"

static const struct servo_config bins = {
    .adc_bits = 12, .low_duty = 0, .high_duty = 40, .angle_rad = 0.5, .gain = 1.0};

#define NEAR(value, expected) cr_assert_float_eq(value, expected, 1e-12, "%g", value)

Test(servo, reads_the_duty_from_the_converter_as_published_but_for_each_duty_s_own_code)
{
    cr_assert_eq(servo_duty(&bins, 0), 0);
    cr_assert_eq(servo_duty(&bins, 3), 0);
    cr_assert_eq(servo_duty(&bins, 5), 1);
    cr_assert_eq(servo_duty(&bins, 162), 39);
    cr_assert_eq(servo_duty(&bins, 163), 40); /* 0.04 * 4096 = 163.84 */
    cr_assert_eq(servo_duty(&bins, 164), 40);
    cr_assert_eq(servo_duty(&bins, 4095), 999);
    int others = 0;
    for (int64_t code = 0; code < 4096; code++) {
        int published = (int)(code * 1000 / 4096), duty = servo_duty(&bins, code);
        bool own = code == (int64_t)floor(duty * 4.096);
        cr_assert_eq(duty, own && duty * 4.096 > (double)code ? published + 1 : published);
        others += duty != published;
    }
    cr_assert_eq(others, 992); /* of 1000 duties those that fall between two codes, but for 1000 */
}

Test(servo, reads_each_whole_duty_as_itself)
{
    for (int bits = 10; bits <= 24; bits++) {
        struct servo_config config = bins;
        config.adc_bits = bits;
        for (int duty = 0; duty < 1000; duty++) {
            double level = 0.0;
            cr_assert_eq(servo_read(&config, &level, duty / 1000.0, (double)INFINITY), duty,
                         "%d of %d bits", duty, bits);
        }
    }
}

/* The published ends, and those of the report's text: by a duty that is written, not read. */
Test(servo, turns_full_left_at_the_duty_that_says_so)
{
    for (int high = 1; high < 1000; high++) {
        struct servo_config config = bins;
        config.high_duty = high;
        double level = 0.0;
        int left = servo_read(&config, &level, high / 1000.0, (double)INFINITY);
        int less = servo_read(&config, &level, (high - 1) / 1000.0, (double)INFINITY);
        NEAR(servo_angle(&config, left), 0.5);
        NEAR(servo_angle(&config, less), high > 1 ? 0.0 : -0.5);
    }
}

Test(servo, turns_left_straight_or_right_by_bins)
{
    NEAR(servo_angle(&bins, 0), -0.5);
    NEAR(servo_angle(&bins, 1), 0.0);
    NEAR(servo_angle(&bins, 39), 0.0);
    NEAR(servo_angle(&bins, 40), 0.5);
    NEAR(servo_angle(&bins, 999), 0.5);
}

Test(servo, takes_the_threshold_that_the_reports_text_gives)
{
    struct servo_config text = bins;
    text.high_duty = 45;
    NEAR(servo_angle(&text, 44), 0.0);
    NEAR(servo_angle(&text, 45), 0.5);
}

Test(servo, turns_by_any_angle_when_continuous)
{
    struct servo_config config = bins;
    config.continuous = true;
    NEAR(servo_angle(&config, 0), -0.5);
    NEAR(servo_angle(&config, 10), -0.25);
    NEAR(servo_angle(&config, 20), 0.0);
    NEAR(servo_angle(&config, 30), 0.25);
    NEAR(servo_angle(&config, 50), 0.5);
}

Test(servo, applies_its_calibration)
{
    struct servo_config config = bins;
    config.gain = 0.5;
    config.offset_rad = 0.1;
    NEAR(servo_angle(&config, 0), -0.15);
    NEAR(servo_angle(&config, 20), 0.1);
}

Test(servo, waits_for_its_filter)
{
    struct servo_config config = bins;
    config.tau_s = 0.01;
    double level = 0.0;
    cr_assert_eq(servo_read(&config, &level, 0.1, 0.01), 63);
    NEAR(level, 0.1 * (1.0 - exp(-1.0)));
    cr_assert_eq(servo_read(&config, &level, 0.1, 1.0), 100);
    cr_assert_eq(servo_read(&config, &level, 0.1, (double)INFINITY), 100);
    cr_assert_eq(servo_read(&config, &level, 1.0, (double)INFINITY), 999);
}

Test(servo, fails_its_self_test_when_its_settings_do_not_fit)
{
    cr_assert_null(servo_self_test(&bins));
    struct servo_config config = bins;
    config.high_duty = 0;
    cr_assert_not_null(servo_self_test(&config));
    config = bins;
    config.adc_bits = 4;
    cr_assert_not_null(servo_self_test(&config));
}
