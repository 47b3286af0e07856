/* SPDX-License-Identifier: Apache-2.0 */
/* SCIP line reader: line ends, offsets, limits. */
#include <doppel/protocol/scip_lines.h>

#include <criterion/criterion.h>
#include <string.h>

static bool next(struct dpl_scip_lines *lines, struct dpl_byte_view *input, const char *text,
                 uint64_t offset)
{
    struct dpl_scip_line line;
    return dpl_scip_lines_next(lines, input, &line) && line.length == strlen(text) &&
           memcmp(line.text, text, line.length) == 0 && line.offset == offset && !line.too_long;
}

static struct dpl_byte_view bytes_of(const char *text)
{
    return (struct dpl_byte_view){(const uint8_t *)text, strlen(text)};
}

Test(scip_lines, gives_each_line_with_its_offset)
{
    struct dpl_scip_lines lines;
    struct dpl_byte_view input = bytes_of("PP\n\n00P\nrest");
    dpl_scip_lines_init(&lines, false);
    cr_assert(next(&lines, &input, "PP", 0));
    cr_assert(next(&lines, &input, "", 3));
    cr_assert(next(&lines, &input, "00P", 4));
    cr_assert_not(next(&lines, &input, "", 8));
    cr_assert_eq(input.size, 0);
    struct dpl_byte_view more = bytes_of("!\n");
    cr_assert(next(&lines, &more, "rest!", 8));
}

Test(scip_lines, takes_cr_lf_and_both_as_one_end_of_a_request)
{
    struct dpl_scip_lines lines;
    struct dpl_byte_view input = bytes_of("BM\r\nQT\rPP\n\r");
    dpl_scip_lines_init(&lines, true);
    cr_assert(next(&lines, &input, "BM", 0));
    cr_assert(next(&lines, &input, "QT", 4));
    cr_assert(next(&lines, &input, "PP", 7));
    cr_assert(next(&lines, &input, "", 10));
}

Test(scip_lines, keeps_a_cr_where_only_lf_ends_lines)
{
    struct dpl_scip_lines lines;
    struct dpl_byte_view input = bytes_of("A\r\n");
    dpl_scip_lines_init(&lines, false);
    cr_assert(next(&lines, &input, "A\r", 0));
}

Test(scip_lines, keeps_the_beginning_of_a_line_that_is_too_long_and_recovers)
{
    char text[DPL_SCIP_MAX_LINE + 10];
    memset(text, 'x', sizeof text);
    struct dpl_scip_lines lines;
    struct dpl_scip_line line;
    struct dpl_byte_view flood = {(const uint8_t *)text, sizeof text};
    struct dpl_byte_view rest = bytes_of("\nPP\n");
    dpl_scip_lines_init(&lines, false);
    cr_assert_not(dpl_scip_lines_next(&lines, &flood, &line));
    cr_assert(dpl_scip_lines_next(&lines, &rest, &line));
    cr_assert(line.too_long);
    cr_assert_eq(line.length, DPL_SCIP_MAX_LINE);
    cr_assert(next(&lines, &rest, "PP", sizeof text + 1));
}

Test(scip_lines, does_not_call_a_line_of_exactly_the_limit_too_long)
{
    char text[DPL_SCIP_MAX_LINE + 1];
    memset(text, 'x', DPL_SCIP_MAX_LINE);
    text[DPL_SCIP_MAX_LINE] = '\n';
    struct dpl_scip_lines lines;
    struct dpl_scip_line line;
    struct dpl_byte_view input = {(const uint8_t *)text, sizeof text};
    dpl_scip_lines_init(&lines, false);
    cr_assert(dpl_scip_lines_next(&lines, &input, &line));
    cr_assert_not(line.too_long);
}
