/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnostics: filling, printing, collecting and sorting. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/diag.h>

static void assert_prints(const struct dpl_diag *diag, const char *expected)
{
    char *text = NULL;
    size_t n = 0;
    FILE *stream = open_memstream(&text, &n);
    dpl_diag_print(stream, diag);
    fclose(stream);
    cr_assert_str_eq(text, expected);
    free(text);
}

Test(diag, prints_only_what_is_known_of_the_place)
{
    struct dpl_diag diag = {.text = "no reply", .place = {"a.xml", 3, 14}};
    assert_prints(&diag, "a.xml:3:14: error: no reply\n");
    diag.place.column = 0;
    assert_prints(&diag, "a.xml:3: error: no reply\n");
    diag.place.line = 0;
    assert_prints(&diag, "a.xml: error: no reply\n");
    diag.place.file = NULL;
    diag.severity = DPL_SEVERITY_WARNING;
    assert_prints(&diag, "warning: no reply\n");
}

Test(diag, fail_returns_its_code_and_may_cite_the_text_it_replaces)
{
    struct dpl_diag diag;
    struct dpl_place place = {"a.xml", 1, 2};
    cr_assert_eq(dpl_fail(&diag, -EINVAL, place, "inner %d", 5), -EINVAL);
    cr_assert_eq(dpl_fail(&diag, -EIO, place, "outer: %s", diag.text), -EIO);
    cr_assert_str_eq(diag.text, "outer: inner 5");
    cr_assert_eq(diag.severity, DPL_SEVERITY_ERROR);
    cr_assert_eq(dpl_fail(NULL, -EIO, place, "nobody listens"), -EIO);
}

Test(diag, fail_truncates_a_long_text)
{
    struct dpl_diag diag;
    dpl_fail(&diag, -EINVAL, (struct dpl_place){0}, "%*s", 2 * DPL_DIAG_TEXT_MAX, "x");
    cr_assert_eq(strlen(diag.text), DPL_DIAG_TEXT_MAX - 1);
}

Test(diags, sorts_by_file_of_first_appearance_then_line_then_column)
{
    struct dpl_diags diags = {0};
    dpl_diags_add(&diags, DPL_SEVERITY_WARNING, (struct dpl_place){"b", 9, 1}, "1");
    dpl_diags_add(&diags, DPL_SEVERITY_ERROR, (struct dpl_place){"a", 1, 1}, "2");
    dpl_diags_add(&diags, DPL_SEVERITY_ERROR, (struct dpl_place){"b", 2, 7}, "3");
    dpl_diags_add(&diags, DPL_SEVERITY_ERROR, (struct dpl_place){"b", 2, 5}, "4");
    dpl_diags_add(&diags, DPL_SEVERITY_ERROR, (struct dpl_place){"b", 2, 5}, "5");
    dpl_diags_sort(&diags);
    const char *expected[] = {"4", "5", "3", "1", "2"};
    cr_assert_eq(diags.n, 5);
    cr_assert_eq(diags.n_errors, 4);
    cr_assert_eq(diags.n_warnings, 1);
    for (size_t i = 0; i < 5; i++) {
        cr_assert_str_eq(diags.items[i].text, expected[i]);
    }
    dpl_diags_finish(&diags);
    cr_assert_eq(diags.n, 0);
}

Test(diags, counts_on_beyond_its_limit)
{
    struct dpl_diags diags = {0};
    for (int i = 0; i < DPL_DIAGS_MAX + 10; i++) {
        dpl_diags_add(&diags, DPL_SEVERITY_ERROR, (struct dpl_place){0}, "%d", i);
    }
    cr_assert_eq(diags.n, DPL_DIAGS_MAX);
    cr_assert_eq(diags.n_errors, DPL_DIAGS_MAX + 10);
    dpl_diags_finish(&diags);
}

Test(diag, a_cause_does_not_begin_with_its_severity)
{
    char text[64];
    struct dpl_diag diag = {.text = "it hangs"};
    dpl_diag_format_cause(&diag, text, sizeof text);
    cr_assert_str_eq(text, "it hangs");
    diag.place = (struct dpl_place){"app.xml", 3, 5};
    dpl_diag_format_cause(&diag, text, sizeof text);
    cr_assert_str_eq(text, "app.xml:3:5: error: it hangs");
}

Test(diag, quotes_bytes_that_cannot_be_printed)
{
    char text[64];
    cr_assert_str_eq(dpl_diag_quote("1.5x", 4, text, sizeof text), "1.5x");
    cr_assert_str_eq(dpl_diag_quote("\0\x80"
                                    "a\n",
                                    4, text, sizeof text),
                     "\\x00\\x80a\\x0a");
    cr_assert_str_eq(dpl_diag_quote("abc", 3, text, 3), "ab");
    cr_assert_str_eq(dpl_diag_quote("a\0", 2, text, 5), "a", "no half of an escape");
    cr_assert_str_eq(dpl_diag_quote("", 0, text, sizeof text), "");
}

Test(diags, notes_are_neither_errors_nor_warnings)
{
    struct dpl_diags diags = {0};
    char text[64];
    dpl_diags_add(&diags, DPL_SEVERITY_NOTE, (struct dpl_place){"a.xml", 3, 1}, "not checked");
    cr_assert_eq(diags.n, 1);
    cr_assert_eq(diags.n_errors + diags.n_warnings, 0);
    dpl_diag_format(&diags.items[0], text, sizeof text);
    cr_assert_str_eq(text, "a.xml:3:1: note: not checked");
    dpl_diags_finish(&diags);
}
