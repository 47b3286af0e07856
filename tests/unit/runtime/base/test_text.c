/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of others, and the sinks of this library that show them. */
#include <doppel/text.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/diag.h>

#include "xml_reader.h"

static void assert_clean(const char *text, const char *expected)
{
    char clean[64], once[64];
    cr_expect_eq(dpl_text_clean(text, clean, sizeof clean), strlen(expected));
    cr_expect_str_eq(clean, expected);
    dpl_text_clean(clean, once, sizeof once);
    cr_expect_str_eq(once, clean, "a clean text stays as it is");
}

Test(text, of_letters_of_any_script_stays)
{
    assert_clean("", "");
    assert_clean("speed 3 'm/s' \"x\" \\", "speed 3 'm/s' \"x\" \\");
    assert_clean("Gr\xc3\xb6\xc3\x9f"
                 "e \xec\xb9\xb4\xeb\xa9\x94\xeb\x9d\xbc \xf0\x9f\xa4\x96",
                 "Gr\xc3\xb6\xc3\x9f"
                 "e \xec\xb9\xb4\xeb\xa9\x94\xeb\x9d\xbc \xf0\x9f\xa4\x96");
    assert_clean("\xc2\xa0", "\xc2\xa0");
}

Test(text, that_controls_a_terminal_is_written_as_its_code)
{
    assert_clean("a\nb\t\x1b[2J\x7f", "a\\x0ab\\x09\\x1b[2J\\x7f");
    assert_clean("\xc2\x80 \xc2\x9b"
                 "31m \xc2\x9f",
                 "\\x80 \\x9b31m \\x9f");
    assert_clean("a\xe2\x80\xae"
                 "b\xe2\x81\xa6 \xe2\x80\xa8",
                 "a\\u202eb\\u2066 \\u2028");
}

Test(text, that_is_not_utf8_is_written_byte_by_byte)
{
    assert_clean("\xff\x9b\xc3", "\\xff\\x9b\\xc3");
    assert_clean("\xc0\xaf \xe0\x80\x9b", "\\xc0\\xaf \\xe0\\x80\\x9b");
    assert_clean("\xed\xa0\x80 \xf4\x90\x80\x80", "\\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80");
}

Test(text, that_is_too_long_ends_with_a_whole_character)
{
    char clean[8];
    cr_assert_eq(dpl_text_clean("12345\xc3\xa4\xc3\xa4", clean, sizeof clean), 7);
    cr_assert_str_eq(clean, "12345\xc3\xa4");
    cr_assert_eq(dpl_text_clean("12345\x1b", clean, sizeof clean), 5);
    cr_assert_eq(dpl_text_clean("12345", clean, 1), 0);
    char text[6] = "\xff\xff";
    dpl_text_clean_in_place(text, sizeof text);
    cr_assert_str_eq(text, "\\xff");
}

Test(text, of_a_message_is_clean)
{
    struct dpl_diag diag;
    const struct dpl_place place = {"a\xc2\x9b"
                                    "b.xml",
                                    3, 1};
    dpl_fail(&diag, -EINVAL, place, "unknown driver '%s'",
             "\xc2\x9b"
             "31m\x1b]0;x\a\xff");
    cr_assert_str_eq(diag.text, "unknown driver '\\x9b31m\\x1b]0;x\\x07\\xff'");
    char text[128];
    dpl_diag_format(&diag, text, sizeof text);
    cr_assert_null(strpbrk(text, "\x1b\xc2\xff\a"));
    cr_assert_str_eq(text, "a\\x9bb.xml:3:1: error: unknown driver "
                           "'\\x9b31m\\x1b]0;x\\x07\\xff'");
}

Test(text, of_a_message_that_is_too_long_ends_with_a_whole_character)
{
    struct dpl_diag diag;
    char much[1000] = "";
    for (size_t i = 0; i + 2 < sizeof much; i += 2) {
        memcpy(much + i, "\xc3\xa4", 3);
    }
    dpl_fail(&diag, -EINVAL, (struct dpl_place){0}, "%s", much);
    cr_assert_eq(strlen(diag.text), 510);
    cr_assert_eq((unsigned char)diag.text[509], 0xa4);
}

Test(text, of_an_xml_file_has_no_control_character)
{
    static const char file[] = "<a b='\xc2\x9b"
                               "2J &#x85;x'>one\n \xc2\x9b"
                               "31m two &#x7f;</a>";
    struct dpl_arena arena = {0};
    struct dpl_diag diag = {.text = ""};
    const struct dpl_xml_node *root = NULL;
    int r = dpl_xml_read_memory(&arena, "a.xml", file, sizeof file - 1, &root, &diag);
    cr_assert_eq(r, 0, "%s", diag.text);
    cr_expect_str_eq(root->attributes[0].value, "\\x9b2J \\x85x");
    cr_expect_str_eq(root->text, "one\n \\x9b31m two \\x7f");
    dpl_arena_finish(&arena);
}
