/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing requests over time. */
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include "requests.h"

static struct requests parsed;

static void expect_error(const char *text, size_t offset, const char *what)
{
    struct requests_error bad = {0};
    cr_assert_lt(requests_parse(&parsed, text, &bad), 0, "'%s' is accepted", text);
    cr_assert_eq(bad.offset, offset, "'%s': offset %zu", text, bad.offset);
    cr_assert_not_null(strstr(bad.what, what), "'%s': %s", text, bad.what);
}

Test(machine_requests, reads_rows_with_and_without_a_pose)
{
    struct requests_error bad;
    const char *text = "0.1 enable; 1 position 0.1 -0.05 .58 0 0 1e-2\n# a remark\n 2 stop;2 reset";
    cr_assert_eq(requests_parse(&parsed, text, &bad), 0);
    cr_assert_eq(parsed.n, 4);
    cr_assert_eq(parsed.rows[0].request, DPL_REQUEST_ENABLE);
    cr_assert_eq(parsed.rows[0].t_s, 0.1);
    cr_assert_eq(parsed.rows[1].request, DPL_REQUEST_POSITION);
    const double target[6] = {0.1, -0.05, 0.58, 0.0, 0.0, 0.01};
    cr_assert_arr_eq(parsed.rows[1].target, target, sizeof target);
    cr_assert_eq(parsed.rows[3].request, DPL_REQUEST_RESET);
}

Test(machine_requests, takes_no_row_for_no_requests)
{
    struct requests_error bad;
    cr_assert_eq(requests_parse(&parsed, " ; # nothing\n", &bad), 0);
    cr_assert_eq(parsed.n, 0);
}

Test(machine_requests, says_where_a_row_is_wrong)
{
    expect_error("enable", 0, "time");
    expect_error("-1 enable", 0, "time");
    expect_error("nan enable", 0, "time");
    expect_error("0 jump", 2, "reset, enable");
    expect_error("0 none", 2, "reset, enable");
    expect_error("0 enabled", 2, "reset, enable");
    expect_error("0", 1, "reset, enable");
    expect_error("0 position 1 2 3", 16, "x y z");
    expect_error("0 home 1", 7, "';'");
    expect_error("1 home; 0.5 stop", 8, "decrease");
}

Test(machine_requests, limits_the_number_of_rows)
{
    static char text[(REQUESTS_MAX + 1) * 7 + 1];
    for (int i = 0; i <= REQUESTS_MAX; i++) {
        memcpy(text + 7 * i, "0 stop;", 7);
    }
    expect_error(text, (size_t)REQUESTS_MAX * 7, "too many");
}
