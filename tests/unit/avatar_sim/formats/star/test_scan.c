/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of syntax, at their places. */
#include "star_reading.h"

Test(star_scan, errors_of_syntax_are_told_at_their_places)
{
    static const struct star_row rows[] = {
        {"a comment has its place",
         "{\n"
         "  // no\n"
         "}",
         "w.json:2:3: error: a comment: JSON has none\n"},
        {"a comma behind the last element has its place",
         "{\"a\": [1, 2,\n"
         " ]}",
         "w.json:1:12: error: a comma behind the last element\n"},
        {"a comma behind the last key has its place",
         "{\"a\": 1,\n"
         "}",
         "w.json:1:8: error: a comma behind the last element\n"},
        {"a missing colon is told", "{\"a\" 1}", "w.json:1:6: error: '1' where ':' is expected\n"},
        {"a missing comma is told", "[1 2]",
         "w.json:1:4: error: '2' where ',' or ']' is expected\n"},
        {"a key without quotation marks is told", "{a: 1}",
         "w.json:1:2: error: 'a' where a name in quotation marks is expected\n"},
        {"a string without an end is told where it begins",
         "{\"a\": \"b\n"
         "\"}",
         "w.json:1:7: error: this string has no end in its line\n"},
        {"an unknown escape is told", "[\"a\\q\"]",
         "w.json:1:4: error: JSON does not know this escape\n"},
        {"a control character in a string is told", "[\"a\tb\"]",
         "w.json:1:4: error: a control character in a string\n"},
        {"a leading zero is told", "[01]", "w.json:1:2: error: this is no number of JSON\n"},
        {"a fraction without digits is told", "[1.]",
         "w.json:1:2: error: this is no number of JSON\n"},
        {"a sign without digits is told", "[-]", "w.json:1:2: error: this is no number of JSON\n"},
        {"a number that is too large is told", "[1, -1e999]",
         "w.json:1:5: error: this number is too large\n"},
        {"a whole number of more than 64 bits is told", "[99999999999999999999]",
         "w.json:1:2: error: a whole number of more than 64 bits: write it with an exponent\n"},
        {"no number is not a number", "[NaN]",
         "w.json:1:2: error: 'N' where a value is expected\n"},
        {"an end in the middle is told",
         "{\"a\": [1,\n"
         "\n",
         "w.json:3:1: error: the text ends where a value is expected\n"},
        {"an empty text is told", "",
         "w.json:1:1: error: the text ends where a value is expected\n"},
        {"what is behind the end is told",
         "{}\n"
         "}",
         "w.json:2:1: error: '}' where the end of the text is expected\n"},
        {"all keys that are there twice are told",
         "{\"a\": 1, \"b\": 2,\n"
         "\"a\": 3,\n"
         "\"c\": {\"x y\": 1, \"x y\": 2}}",
         "w.json:2:1: error: $: 'a' is there twice, for the first time in line 1\n"
         "w.json:3:17: error: c: 'x y' is there twice, for the first time in line 3\n"},
        {"half a character is told", "[\"\\ud800\"]",
         "w.json:1:9: error: invalid Unicode '\\uD800' near '\"\\ud800\"'\n"},
        {"a root that is no object is told", "[]",
         "w.json:1:1: error: $: an object is expected, not an array\n"},
    };

    expect_rows(rows, sizeof rows / sizeof *rows, false);
}

static void expect_nested(size_t levels, const char *expected)
{
    char text[2 * (DPL_STAR_DEPTH_MAX + 1)];
    memset(text, '[', levels);
    memset(text + levels, ']', levels);
    expect_said("levels", text, 2 * levels, NULL, false, expected);
}

Test(star_scan, 256_levels_are_enough_and_257_too_many)
{
    expect_nested(256, "w.json:1:1: error: $: an object is expected, not an array\n");
    expect_nested(257, "w.json:1:257: error: arrays and objects are more than 256 deep\n");
}

Test(star_scan, texts_that_are_no_utf_8_are_told)
{
    static const char *const texts[] = {"\xff",
                                        "\x80",
                                        "\xc1\xbf",
                                        "\xc3(",
                                        "\xe0\x9f\xbf",
                                        "\xed\xa0\x80",
                                        "\xf0\x8f\xbf\xbf",
                                        "\xf4\x90\x80\x80",
                                        "\xe2\x82",
                                        "\xf8\x80\x80\x80"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[16];
        snprintf(text, sizeof text, "[\"%s\"]", texts[i]);
        expect_errors(text, "w.json:1:3: error: this is no UTF-8\n");
    }
    expect_errors("[\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82\"]",
                  "w.json:1:1: error: $: an object is expected, not an array\n");
}

Test(star_scan, a_byte_0_is_no_end)
{
    expect_said("a byte 0", "{}\0{}", 5, NULL, false,
                "w.json:1:3: error: '\\x00' where the end of the text is expected\n");
}

Test(star_scan, comments_are_skipped_when_they_may_be_there)
{
    static const char text[] =
        "{ // one\n/* two\n* / \" // */\"a // b\\\" /*\": /**/ 1 // three\n,}";
    const struct dpl_star_options options = {.allow_comments = true};
    expect_said("comments", text, sizeof text - 1, &options, false,
                "w.json:4:1: error: a comma behind the last element\n");
}

Test(star_scan, a_comment_without_an_end_is_told)
{
    const struct dpl_star_options options = {.allow_comments = true};
    expect_said("no end", "{\n /* {}", 8, &options, false,
                "w.json:2:2: error: this comment has no end\n");
}

Test(star_scan, an_error_of_syntax_is_told_behind_many_keys_that_are_there_twice)
{
    static const char *const ends[] = {"\"end\": {", "\"end\": [1,\n ]}"};
    static const char *const said[] = {"the text ends", "a comma behind the last element"};
    for (int e = 0; e < 2; e++) {
        char text[4096] = "{\"twice\": {";
        struct dpl_star_world *world = NULL;
        struct dpl_diags diags = {0};
        for (int i = 0; i < 200; i++) {
            size_t length = strlen(text);
            snprintf(text + length, sizeof text - length, "%s\"%d\": 1", i ? ", " : "", i % 100);
        }
        strcat(strcat(text, "}, "), ends[e]);
        cr_expect_eq(dpl_star_read_text("w.json", text, strlen(text), NULL, &world, &diags),
                     -EINVAL);
        cr_expect_eq(diags.n_errors, DPL_STAR_ERRORS_MAX);
        cr_assert_eq(diags.n, DPL_STAR_ERRORS_MAX + 1, "and that there are more");
        cr_expect(strstr(diags.items[DPL_STAR_ERRORS_MAX - 1].text, said[e]), "%s",
                  diags.items[DPL_STAR_ERRORS_MAX - 1].text);
        dpl_diags_finish(&diags);
    }
}

Test(star_scan, of_many_keys_that_are_there_twice_50_are_listed)
{
    static char text[4096] = "{";
    struct dpl_star_world *world = NULL;
    struct dpl_diags diags = {0};
    for (int i = 0; i < 200; i++) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "\"%d\": 1, ", i % 100);
    }
    strcat(text, "\"end\": 1}");
    cr_expect_eq(dpl_star_read_text("w.json", text, strlen(text), NULL, &world, &diags), -EINVAL);
    cr_expect_eq(diags.n_errors, DPL_STAR_ERRORS_MAX);
    cr_assert_eq(diags.n, DPL_STAR_ERRORS_MAX + 1);
    cr_expect_eq(diags.items[DPL_STAR_ERRORS_MAX].severity, DPL_SEVERITY_NOTE);
    dpl_diags_finish(&diags);
}
