/* SPDX-License-Identifier: Apache-2.0 */
/* The text of the status row; on a terminal tests/integration/slow/status_row.sh tries it. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "status_row.h"

static char line[STATUS_ROW_BYTES];

static const char *cut(const char *text, size_t columns)
{
    status_row_cut(text, columns, line);
    return line;
}

static const char *row(double share, double left_s)
{
    status_row_format(share, left_s, "text", line);
    return line;
}

Test(status_row, is_cut_to_the_columns_and_never_within_a_character)
{
    cr_assert_str_eq(cut("abcdef", 6), "abcdef");
    cr_assert_str_eq(cut("abcdef", 5), "abcde");
    cr_assert_str_eq(cut("abcdef", 0), "");
    cr_assert_str_eq(cut("a\u00e4\u732bb", 5), "a\u00e4\u732b");
    cr_assert_str_eq(cut("a\u00e4\u732bb", 4), "a\u00e4");
}

Test(status_row, has_no_byte_that_a_terminal_obeys)
{
    cr_assert_str_eq(cut("a\033[2Jb\r\n\302\233c\200", 40), "a [2Jb   c ");
}

Test(status_row, a_text_of_any_length_fits)
{
    static char longer[4 * STATUS_ROW_BYTES];
    memset(longer, 'x', sizeof longer - 1);
    cr_assert_eq(strlen(cut(longer, 10 * STATUS_ROW_BYTES)), STATUS_ROW_BYTES - 1);
}

Test(status_row, figures_keep_their_width)
{
    cr_assert_str_eq(row(0.05, (double)NAN), "  5 %      -:-- left  text");
    cr_assert_str_eq(row(0.42, 18.2), " 42 %      0:18 left  text");
    cr_assert_str_eq(row(0.999, 3599.0), " 99 %     59:59 left  text");
    cr_assert_str_eq(row(1.0, 0.0), "100 %      0:00 left  text");
    cr_assert_str_eq(row(0.01, 36000.0), "  1 %  10:00:00 left  text");
    cr_assert_str_eq(row((double)NAN, (double)NAN), "text");
}
