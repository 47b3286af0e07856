/* SPDX-License-Identifier: Apache-2.0 */
/* What is told of a text that is no XML: the cause, at its place. */
#include <string.h>

#include <criterion/criterion.h>

#include "arena.h"
#include "xml_reader.h"

static struct dpl_diag read_bad(const char *text)
{
    struct dpl_arena arena = {0};
    const struct dpl_xml_node *root = NULL;
    struct dpl_diag diag = {0};
    cr_assert_neq(dpl_xml_read_memory(&arena, "f.xml", text, strlen(text), &root, &diag), 0, "%s",
                  text);
    dpl_arena_finish(&arena);
    return diag;
}

Test(xml_cause, what_a_person_did_is_named_where_it_is)
{
    static const struct {
        const char *text;
        int line, column;
        const char *said;
    } rows[] = {
        {"<?xml version='1.0'?>\n<!-- start it with: sim --verbose 4 -->\n<a/>", 2, 25,
         "'--' is in a comment"},
        {"<a>\n<!-- one -->\n<!--- two --->\n</a>", 3, 11, "'--' is in a comment"},
        {"<a>\n<!-- ------- -->\n</a>", 2, 6, "'--' is in a comment"},
        {"<a>\n<!-- one\n -- two\n--></a>", 3, 2, "'--' is in a comment"},
        {"\n<?xml version='1.0'?>\n<a/>", 2, 1, "<?xml ...?> is not the first thing of the file"},
        {"<!-- licence -->\n<?xml version='1.0'?>\n<a/>", 2, 1, "<?xml ...?> is not the first"},
        {"<a>\nsalt & pepper</a>", 2, 6, "write &amp; for the character itself"},
        {"<a b='x &'/>", 1, 9, "write &amp; for the character itself"},
        {"<a b='1<2'/>", 1, 8, "'<' is here no tag"},
        {"<a b=1/>", 1, 6, "a value without quotes"},
        {"name: value\n", 1, 1, "this is no XML"},
        {"ODOM 0 0 0 0 0 0 10.0 host 0.0\n", 1, 1, "this is a log of CARMEN"},
        {"# logged\n#\nPARAM robot_x 1\n", 1, 2, "this is a log of CARMEN"},
        {"", 1, 1, "no element found: the file is empty"},
        {"<a/>\n<b/>", 2, 1, "XML has one root element"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct dpl_diag diag = read_bad(rows[i].text);
        cr_expect(strstr(diag.text, rows[i].said), "%s: %s", rows[i].text, diag.text);
        cr_expect_eq(diag.place.line, rows[i].line, "%s: line %d", rows[i].text, diag.place.line);
        cr_expect_eq(diag.place.column, rows[i].column, "%s: column %d", rows[i].text,
                     diag.place.column);
    }
}

Test(xml_cause, dashes_of_a_whole_comment_are_not_blamed)
{
    struct dpl_diag diag = read_bad("<!-- one -->\n<a b='1<2'/>");
    cr_assert_not(strstr(diag.text, "comment"), "%s", diag.text);
}
