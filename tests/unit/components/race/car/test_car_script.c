/* SPDX-License-Identifier: Apache-2.0 */
/* The car's properties that are rows of numbers: what is read, what is refused and where. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include "car_script.h"

static struct car_script script;
static struct car_text_error bad;

static void parse(const char *text)
{
    cr_assert_eq(car_script_parse(&script, text, &bad), 0, "%s: %s", text, bad.what);
}

static void refuse(const char *text, size_t offset)
{
    bad = (struct car_text_error){.offset = 999};
    cr_assert_eq(car_script_parse(&script, text, &bad), -EINVAL, "'%s' was taken", text);
    cr_assert_not_null(bad.what);
    cr_assert_eq(bad.offset, offset, "'%s': %zu, %s", text, bad.offset, bad.what);
}

Test(car_script, holds_each_row_from_its_tick_on)
{
    parse("0 90 1000; 4 60 1000; 8 90 800");
    cr_assert_eq(script.n, 3);
    for (uint32_t tick = 0; tick < 20; tick++) {
        const struct car_script_row *row = car_script_at(&script, tick);
        cr_assert_not_null(row);
        cr_assert_eq(row->heading_deg, tick >= 4 && tick < 8 ? 60.0 : 90.0, "tick %u", tick);
        cr_assert_eq(row->velocity_mm_s, tick < 8 ? 1000.0 : 800.0, "tick %u", tick);
    }
}

Test(car_script, has_no_row_before_its_first_tick)
{
    parse("3 -10 -5\n7 1 2");
    cr_assert_null(car_script_at(&script, 2));
    cr_assert_eq(car_script_at(&script, 3)->heading_deg, -10.0);
    cr_assert_eq(car_script_at(&script, UINT32_MAX)->velocity_mm_s, 2.0);
}

Test(car_script, is_none_without_rows)
{
    parse(" ;\n# nothing");
    cr_assert_eq(script.n, 0);
    cr_assert_null(car_script_at(&script, 0));
}

Test(car_script, says_where_a_row_is_wrong)
{
    refuse("0 90", 4);
    refuse("0 90 x", 5);
    refuse("0 90 1000 7", 10);
    refuse("0 90 1000; 0 1 2", 11);
    refuse("0 90 1000; -1 1 2", 11);
    refuse("0.5 90 1000", 0);
    refuse("1e9 90 1000", 0);
    refuse("0 1e9 1000", 0);
    refuse("0 90 1e9", 0);
    refuse("0 nan 1", 2);
}

Test(car_script, takes_as_many_rows_as_it_says_and_no_more)
{
    static char text[16 * (CAR_SCRIPT_ROWS_MAX + 1)];
    size_t at = 0;
    for (int i = 0; i < CAR_SCRIPT_ROWS_MAX; i++) {
        at += (size_t)snprintf(text + at, sizeof text - at, "%d 0 0;", i);
    }
    parse(text);
    cr_assert_eq(script.n, CAR_SCRIPT_ROWS_MAX);
    snprintf(text + at, sizeof text - at, "%d 0 0", CAR_SCRIPT_ROWS_MAX);
    refuse(text, at);
}

Test(car_script, reads_one_row_of_numbers)
{
    double value[3] = {-1, -1, -1};
    size_t n = 99;
    cr_assert_eq(car_script_numbers(" 1500 -0.5 ", 3, 1e4, value, &n, &bad), 0);
    cr_assert_eq(n, 2);
    cr_assert_eq(value[0], 1500.0);
    cr_assert_eq(value[1], -0.5);
    cr_assert_eq(value[2], -1.0);
    cr_assert_eq(car_script_numbers("", 3, 1e4, value, &n, &bad), 0);
    cr_assert_eq(n, 0);
    cr_assert_eq(car_script_numbers("1 2 3 4", 3, 1e4, value, &n, &bad), -EINVAL);
    cr_assert_eq(bad.offset, 6);
    cr_assert_eq(car_script_numbers("1 2; 3", 3, 1e4, value, &n, &bad), -EINVAL);
    cr_assert_eq(bad.offset, 5);
    cr_assert_eq(car_script_numbers("1 20000", 3, 1e4, value, &n, &bad), -EINVAL);
    cr_assert_eq(car_script_numbers("1,2", 3, 1e4, value, &n, &bad), -EINVAL);
    cr_assert_eq(bad.offset, 0);
}

Test(car_script, reads_points)
{
    double xy[4] = {0};
    size_t n = 99;
    cr_assert_eq(car_script_points("1 2; -3 4.5", 2, 100, xy, &n, &bad), 0);
    cr_assert_eq(n, 2);
    cr_assert_eq(xy[2], -3.0);
    cr_assert_eq(xy[3], 4.5);
    cr_assert_eq(car_script_points("1 2; 3 4; 5 6", 2, 100, xy, &n, &bad), -EINVAL);
    cr_assert_eq(bad.offset, 10);
    cr_assert_eq(car_script_points("1 2; 3", 2, 100, xy, &n, &bad), -EINVAL);
    cr_assert_eq(bad.offset, 6);
    cr_assert_eq(car_script_points("1 101", 2, 100, xy, &n, &bad), -EINVAL);
}
