/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles as OPRoS's editors and people write them: what nothing needs does not stop them. */
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/diag.h>

#include "arena.h"
#include "dialect.h"
#include "xml_reader.h"

enum { ITEMS = 8 };

struct finding {
    size_t n, n_errors;
    char text[DPL_DIAG_TEXT_MAX]; /* of the first */
    int line, column;
};

static struct finding find(const char *text)
{
    struct dpl_arena arena = {0};
    struct dpl_diag items[ITEMS], diag = {0};
    struct dpl_diags diags = {.items = items, .capacity = ITEMS};
    const struct dpl_xml_node *root = NULL;
    cr_assert_eq(dpl_xml_read_memory(&arena, "p.xml", text, strlen(text), &root, &diag), 0, "%s",
                 diag.text);
    dpl__dialect_check(dpl__dialect_roots[dpl__dialect_kind(root->name)], root, &diags);
    struct finding found = {.n = diags.n, .n_errors = diags.n_errors};
    if (diags.n > 0) {
        snprintf(found.text, sizeof found.text, "%s", items[0].text);
        found.line = items[0].place.line;
        found.column = items[0].place.column;
    }
    dpl_arena_finish(&arena);
    return found;
}

#define PROFILE(rest) "<component_profile><name>Logger</name>\n" rest "</component_profile>"

Test(published_profiles, names_for_readers_may_be_empty)
{
    static const struct {
        const char *text;
        int column;
    } rows[] = {
        {PROFILE("<copyright><company><name/></company></copyright>"), 21},
        {PROFILE("<copyright><company><name>  </name></company></copyright>"), 21},
        {PROFILE("<fsms><fsm><name/></fsm></fsms>"), 12},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct finding found = find(rows[i].text);
        cr_assert_eq(found.n, 1, "%s: %zu", rows[i].text, found.n);
        cr_assert_eq(found.n_errors, 0, "%s", rows[i].text);
        cr_assert_str_eq(found.text, "<name> is empty: write it, or delete the element");
        cr_assert_eq(found.line, 2);
        cr_assert_eq(found.column, rows[i].column, "column %d", found.column);
    }
}

Test(published_profiles, names_that_are_needed_may_not_be_empty)
{
    struct finding found = find(PROFILE("<ports><data_port><name/></data_port></ports>"));
    cr_assert_geq(found.n_errors, 1);
}
