/* SPDX-License-Identifier: Apache-2.0 */
/* CSV files as runs write them, and others. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "table.h"

static struct table table;

static void parse(const char *text)
{
    char *copy = strdup(text);
    cr_assert_eq(table_parse(copy, &table), 0);
    free(copy);
}

#define CELL(row, column) table_at(&table, row, column)

Test(table, reads_columns_by_name)
{
    parse("t,x,y\n0,1.5,-2\n0.1,2e1,3\n");
    cr_assert_eq(table.n_names, 3);
    cr_assert_eq(table.n_rows, 2);
    cr_assert_eq(table_column(&table, "y"), 2);
    cr_assert_eq(table_column(&table, "z"), -1);
    cr_assert_eq(CELL(0, 1), 1.5);
    cr_assert_eq(CELL(1, 1), 20.0);
    cr_assert(isnan(CELL(0, -1)));
    cr_assert(isnan(CELL(0, 3)));
    table_finish(&table);
    cr_assert_eq(table.n_rows, 0);
}

Test(table, has_nan_for_text_and_empty_cells)
{
    parse("a,b,c\n,drive,1 m\nnan,,5");
    cr_assert(isnan(CELL(0, 0)) && isnan(CELL(0, 1)) && isnan(CELL(0, 2)));
    cr_assert(isnan(CELL(1, 0)) && isnan(CELL(1, 1)));
    cr_assert_eq(CELL(1, 2), 5.0);
    table_finish(&table);
}

Test(table, takes_rows_of_any_length)
{
    parse("t,x,ranges...\n1,2,3,4,5\n\n6\n7,8,\n");
    cr_assert_eq(table.n_rows, 4);
    cr_assert_eq(CELL(0, 4), 5.0);
    cr_assert(isnan(CELL(1, 0)));
    cr_assert_eq(CELL(2, 0), 6.0);
    cr_assert(isnan(CELL(2, 1)));
    cr_assert_eq(CELL(3, 1), 8.0);
    cr_assert(isnan(CELL(3, 2)));
    table_finish(&table);
}

Test(table, keeps_numbers_of_columns_behind_one_without_a_name)
{
    parse("t,,y\n1,2,3\n");
    cr_assert_eq(table_column(&table, "y"), 2);
    table_finish(&table);
}

Test(table, of_a_file_that_was_not_finished_has_its_whole_rows)
{
    char name[] = "/tmp/doppel-table-XXXXXX";
    int fd = mkstemp(name);
    static const char text[] = "t,x\n0,1\n1,2\n2,3";
    cr_assert_eq(write(fd, text, sizeof text - 1), (ssize_t)sizeof text - 1);
    close(fd);
    cr_assert_eq(table_read_after(NULL, name, true, &table, NULL), 0);
    cr_assert_eq(table.n_rows, 2);
    cr_assert_eq(CELL(1, 1), 2.0);
    table_finish(&table);
    unlink(name);
}

Test(table, of_two_files_has_the_rows_of_both_if_their_columns_agree)
{
    static const struct {
        const char *before, *text;
        size_t n_rows;
        double first;
    } rows[] = {
        {"t,x\n0,1\n1,2\n", "t,x\n2,3\n", 3, 1.0},
        {"t,x\n0,1\n", "t,x\n", 1, 1.0},
        {"t,y\n0,1\n", "t,x\n2,3\n", 1, 3.0},
        {"", "t,x\n2,3\n", 1, 3.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char before[] = "/tmp/doppel-table-XXXXXX", name[] = "/tmp/doppel-table-XXXXXX";
        int fds[2] = {mkstemp(before), mkstemp(name)};
        cr_assert_gt(dprintf(fds[0], "%s", rows[i].before), -1);
        cr_assert_gt(dprintf(fds[1], "%s", rows[i].text), -1);
        cr_assert_eq(table_read_after(before, name, false, &table, NULL), 0);
        cr_assert_eq(table.n_rows, rows[i].n_rows, "row %zu", i);
        cr_assert_eq(CELL(0, 1), rows[i].first, "row %zu", i);
        table_finish(&table);
        close(fds[0]);
        close(fds[1]);
        unlink(before);
        unlink(name);
    }
    cr_assert_lt(table_read_after("/nowhere/a.csv", "/nowhere/b.csv", false, &table, NULL), 0);
}

Test(table, is_empty_for_an_empty_text_and_a_header_alone)
{
    parse("");
    cr_assert_eq(table.n_rows + table.n_names, 0);
    table_finish(&table);
    parse("a,b");
    cr_assert_eq(table.n_names, 2);
    cr_assert_eq(table.n_rows, 0);
    table_finish(&table);
}

Test(table, says_when_there_is_no_such_file)
{
    struct dpl_diag diag = {0};
    cr_assert_lt(table_read("/nonexistent/trace.csv", &table, &diag), 0);
    cr_assert_not_null(strstr(diag.text, "cannot open"), "%s", diag.text);
    cr_assert_lt(table_read("/tmp", &table, &diag), 0); /* a folder */
}
