/* SPDX-License-Identifier: Apache-2.0 */
/* Velocity tables: what is read, what is refused and where, what holds when. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "script.h"

#define NEAR(value, expected) cr_assert_float_eq(value, expected, 1e-12, "%.15g", value)

static struct script script;
static struct script_error bad;

static void parse(const char *text)
{
    cr_assert_eq(script_parse(&script, text, &bad), 0, "%s: %s", text, bad.what);
}

static void refuse(const char *text, int line, int column)
{
    cr_assert_eq(script_parse(&script, text, &bad), -EINVAL, "'%s' was taken", text);
    cr_assert_not_null(bad.what);
    cr_assert_eq(bad.line, line, "'%s': line %d", text, bad.line);
    cr_assert_eq(bad.column, column, "'%s': column %d", text, bad.column);
    cr_assert_leq(bad.offset, strlen(text));
}

Test(script, reads_rows_separated_by_semicolons_or_lines)
{
    parse("0 0.2 0; 1.5 -.1 +3e-1;\r\n\t2  0 0 # end\n\n");
    cr_assert_eq(script.n, 3);
    NEAR(script.rows[1].t_s, 1.5);
    NEAR(script.rows[1].linear_m_s, -0.1);
    NEAR(script.rows[1].angular_rad_s, 0.3);
    NEAR(script_end_s(&script), 2.0);
}

Test(script, skips_comments_and_blank_rows)
{
    parse("# t v w; 7 7 7\n;;\n 0 1 2# at once\n# 9 9 9");
    cr_assert_eq(script.n, 1);
    NEAR(script.rows[0].angular_rad_s, 2.0);
}

Test(script, says_where_a_row_is_not_whole)
{
    refuse("", 1, 1);
    refuse(" ; # nothing\n", 1, 1);
    refuse("0 1", 1, 4);
    refuse("0 1 2\n1 x 2", 2, 3);
    refuse("0 1 2 3", 1, 7);
    refuse("0 1 2; 1;2", 1, 9);
    refuse("0,1,2", 1, 1);
}

Test(script, refuses_numbers_that_are_not_decimal_and_finite)
{
    refuse("0 nan 0", 1, 3);
    refuse("0 -inf 0", 1, 3);
    refuse("0 1e999 0", 1, 3);
    refuse("0 0x10 0", 1, 3);
    refuse("0 -0X1p3 0", 1, 3);
    refuse("0 1.2.3 0", 1, 3);
    refuse("0 - 0", 1, 3);
}

Test(script, refuses_times_that_do_not_increase)
{
    refuse("-1 0 0", 1, 1);
    refuse("0 0 0\n  0 1 0", 2, 3);
    refuse("1 0 0; 0.5 0 0", 1, 8);
}

Test(script, takes_as_many_rows_as_it_says_and_no_more)
{
    size_t size = 16 * (SCRIPT_ROWS_MAX + 1);
    char *text = malloc(size);
    cr_assert_not_null(text);
    size_t at = 0;
    for (int i = 0; i < SCRIPT_ROWS_MAX; i++) {
        at += (size_t)snprintf(text + at, size - at, "%d 0 0\n", i);
    }
    parse(text);
    cr_assert_eq(script.n, SCRIPT_ROWS_MAX);
    snprintf(text + at, size - at, "%d 0 0", SCRIPT_ROWS_MAX);
    refuse(text, SCRIPT_ROWS_MAX + 1, 1);
    free(text);
}

Test(script, is_zero_before_its_first_row_and_holds_each_row)
{
    parse("1 0.5 0; 2 0.25 -1");
    NEAR(script_at(&script, 0.999, false).linear_m_s, 0.0);
    NEAR(script_at(&script, 1.0, false).linear_m_s, 0.5);
    NEAR(script_at(&script, 1.999, false).linear_m_s, 0.5);
    NEAR(script_at(&script, 2.0, false).linear_m_s, 0.25);
    NEAR(script_at(&script, 1e6, false).angular_rad_s, -1.0);
}

Test(script, goes_straight_from_row_to_row_when_it_interpolates)
{
    parse("1 0.5 0; 2 0.25 -1");
    NEAR(script_at(&script, 0.5, true).linear_m_s, 0.0);
    NEAR(script_at(&script, 1.5, true).linear_m_s, 0.375);
    NEAR(script_at(&script, 1.25, true).angular_rad_s, -0.25);
    NEAR(script_at(&script, 5.0, true).linear_m_s, 0.25);
}

Test(script, finds_each_of_many_rows)
{
    char text[1024];
    size_t at = 0;
    for (int i = 0; i < 37; i++) {
        at += (size_t)snprintf(text + at, sizeof text - at, "%d %d 0;", i, i + 100);
    }
    parse(text);
    for (int i = 0; i < 37; i++) {
        NEAR(script_at(&script, i, false).linear_m_s, i + 100.0);
        NEAR(script_at(&script, i + 0.5, false).linear_m_s, i + 100.0);
    }
}
