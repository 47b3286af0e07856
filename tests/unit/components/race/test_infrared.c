/* SPDX-License-Identifier: Apache-2.0 */
/* The signal chain of the emulated infrared sensor, its table, and the way back, against the
 * published figures. */
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/math/signal.h>

#include "infrared.h"

static const struct infrared_config shipped = {
    .compensation = 9000,
    .clock_hz = 40e6,
    .pwm_hz = 10000.0,
    .inverted = true,
    .gain = 1.118,
};

#define EQ(value, expected) cr_assert_eq(value, expected, "%d", (int)(value))

static int read_back(const struct infrared_config *config, int mm)
{
    double level =
        infrared_level(config, infrared_pwm(config, infrared_duty(config, &ir_table_shipped, mm)));
    return infrared_mm_from_adc(&ir_table_shipped, dpl_adc_code(level, 12), 12);
}

Test(infrared, ships_the_published_table)
{
    EQ(ir_table_shipped.n, 538);
    EQ(ir_table_duty(&ir_table_shipped, 72), 0);
    EQ(ir_table_duty(&ir_table_shipped, 73), 84);
    EQ(ir_table_duty(&ir_table_shipped, 100), 316);
    EQ(ir_table_duty(&ir_table_shipped, 300), 732);
    EQ(ir_table_duty(&ir_table_shipped, 610), 849);
    EQ(ir_table_duty(&ir_table_shipped, 611), 0);
}

Test(infrared, adds_the_published_compensation_to_the_table)
{
    EQ(infrared_duty(&shipped, &ir_table_shipped, 100), 316 + 90);
    EQ(infrared_duty(&shipped, &ir_table_shipped, 300), 732 + 30);
    EQ(infrared_duty(&shipped, &ir_table_shipped, 610), 849 + 14);
    EQ(infrared_duty(&shipped, &ir_table_shipped, 611), 0);
    struct infrared_config huge = shipped;
    huge.compensation = 1000000;
    EQ(infrared_duty(&huge, &ir_table_shipped, 100), 1000);
}

Test(infrared, pulses_in_whole_ticks_of_4000)
{
    struct infrared_config config = shipped;
    cr_assert_eq(infrared_pwm(&config, 406), (4000.0 - 1624.0) / 4000.0);
    cr_assert_eq(infrared_pwm(&config, 0), 1.0);
    config.inverted = false;
    cr_assert_eq(infrared_pwm(&config, 406), 1624.0 / 4000.0);
    config.pwm_hz = 10e6; /* 4 ticks a period */
    cr_assert_eq(infrared_pwm(&config, 406), 0.25);
}

Test(infrared, takes_the_duty_from_the_converter_as_published)
{
    cr_assert_float_eq(infrared_duty_from_adc(0, 12), 1000.0, 1e-9);
    cr_assert_float_eq(infrared_duty_from_adc(2048, 12), 500.0, 1e-9);
    cr_assert_float_eq(infrared_duty_from_adc(4095, 12), 0.244140625, 1e-9);
}

static void expect_within(int mm, double tolerance)
{
    int read = read_back(&shipped, mm);
    cr_assert_leq(fabs((double)(read - mm)) / mm, tolerance, "%d mm reads %d", mm, read);
}

Test(infrared, reads_back_within_the_published_deviations)
{
    expect_within(100, 0.13);
    for (int mm = 300; mm <= 500; mm++) {
        expect_within(mm, 0.02);
    }
    expect_within(600, 0.045);
    for (int mm = 611; mm <= 2000; mm++) {
        EQ(read_back(&shipped, mm), 0);
    }
}

Test(infrared, reads_back_exactly_without_filter_losses_and_compensation)
{
    struct infrared_config ideal = shipped;
    ideal.gain = 1.0;
    ideal.compensation = 0;
    for (int mm = 80; mm <= 300; mm += 10) {
        cr_assert_leq(fabs((double)(read_back(&ideal, mm) - mm)), 3.0, "%d", mm);
    }
}

Test(infrared, needs_the_gain_that_the_compensation_makes_up_for)
{
    struct infrared_config weak = shipped;
    int read = 0;
    EQ(infrared_self_test(&shipped, &ir_table_shipped, 0.13, &read), 0);
    weak.gain = 1.0;
    cr_assert_gt(infrared_self_test(&weak, &ir_table_shipped, 0.13, &read), 0);
    cr_assert(read >= 0);
}

Test(infrared, settles_by_the_time_constant_of_its_filter)
{
    struct infrared_config config = shipped;
    config.gain = 1.0;
    config.tau_s = 0.01;
    double after = infrared_settle(&config, 0.0, 1.0, 0.01);
    cr_assert_float_eq(after, 1.0 - exp(-1.0), 1e-12);
    cr_assert_float_eq(infrared_settle(&config, 0.0, 1.0, 0.1), 1.0, 1e-4);
    cr_assert_eq(infrared_settle(&config, 0.0, 1.0, (double)INFINITY), 1.0);
    config.tau_s = 0.0;
    cr_assert_eq(infrared_settle(&config, 0.3, 0.7, 1e-6), 0.7);
}

Test(infrared, keeps_its_level_within_the_reference)
{
    struct infrared_config config = shipped;
    cr_assert_eq(infrared_level(&config, 1.0), 1.0);
    config.offset = -1.0;
    cr_assert_eq(infrared_level(&config, 0.5), 0.0);
}

/* ---- the table ---- */

static struct ir_row rows[IR_ROWS_MAX];

Test(ir_table, reads_rows_comments_and_blank_lines)
{
    struct ir_error bad;
    size_t n = 0;
    EQ(ir_table_parse("# a table\n\n 100 300 # near\r\n200\t500\n400 500", rows, &n, &bad), 0);
    EQ(n, 3);
    struct ir_table table = {rows, n};
    EQ(ir_table_duty(&table, 150), 400);
    EQ(ir_table_duty(&table, 300), 500);
    EQ(ir_table_duty(&table, 401), 0);
    EQ(ir_table_distance(&table, 299.9), 0);
    EQ(ir_table_distance(&table, 300), 100);
    EQ(ir_table_distance(&table, 400), 150);
    EQ(ir_table_distance(&table, 500), 300);
    EQ(ir_table_distance(&table, 501), 0);
}

static void expect_error(const char *text, int line, int column, const char *what)
{
    struct ir_error bad = {0};
    size_t n = 7;
    EQ(ir_table_parse(text, rows, &n, &bad), -EINVAL);
    cr_assert(bad.line == line && bad.column == column, "%d:%d for \"%s\"", bad.line, bad.column,
              text);
    cr_assert(strstr(bad.what, what) != NULL, "%s", bad.what);
    EQ(n, 7);
}

Test(ir_table, says_where_it_is_wrong)
{
    expect_error("", 1, 1, "at least one row");
    expect_error("# nothing\n\n", 3, 1, "at least one row");
    expect_error("100 300\n 90 400\n", 2, 2, "must rise");
    expect_error("100 300\n200 299\n", 2, 1, "must not fall");
    expect_error("100\n", 1, 4, "a duty");
    expect_error("100 1001\n", 1, 5, "a duty");
    expect_error("0 10\n", 1, 1, "a distance");
    expect_error("100001 10\n", 1, 1, "a distance");
    expect_error("99999999999999999999 10\n", 1, 1, "a distance");
    expect_error("12x 10\n", 1, 1, "a distance");
    expect_error("-1 10\n", 1, 1, "a distance");
    expect_error("10 10 10\n", 1, 7, "end of the line");
}

Test(ir_table, takes_no_more_rows_than_there_is_room_for)
{
    static char text[IR_ROWS_MAX * 10 + 32];
    size_t used = 0;
    for (int i = 1; i <= IR_ROWS_MAX; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%d 5\n", i);
    }
    struct ir_error bad;
    size_t n = 0;
    EQ(ir_table_parse(text, rows, &n, &bad), 0);
    EQ(n, IR_ROWS_MAX);
    snprintf(text + used, sizeof text - used, "%d 5\n", IR_ROWS_MAX + 1);
    expect_error(text, IR_ROWS_MAX + 1, 1, "too many");
}

Test(ir_table, finds_every_distance_of_the_shipped_table_again)
{
    for (int mm = 73; mm <= 610; mm++) {
        int duty = ir_table_duty(&ir_table_shipped, mm);
        int back = ir_table_distance(&ir_table_shipped, duty);
        EQ(ir_table_duty(&ir_table_shipped, back), duty);
    }
}
