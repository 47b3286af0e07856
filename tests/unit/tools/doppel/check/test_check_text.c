/* SPDX-License-Identifier: Apache-2.0 */
/* Texts and places of diagnostics for formats that others read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "check_text.h"

static void assert_plain(const char *text, const char *expected)
{
    char *plain = check_text_plain(text, false);
    cr_assert_str_eq(plain, expected);
    free(plain);
}

Test(check_text, utf8_is_kept_and_what_is_none_is_escaped)
{
    assert_plain("ü € 😀", "ü € 😀");
    assert_plain("a\nb\x7f", "a\\x0ab\\x7f");
    assert_plain("\xff\xc3", "\\xff\\xc3");
    assert_plain("\xc0\xaf", "\\xc0\\xaf");
    assert_plain("\xed\xa0\x80", "\\xed\\xa0\\x80");
    assert_plain("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");
    assert_plain("\xc2\x9b", "\\x9b");
}

static void assert_uri(const char *file, const char *expected)
{
    char *uri = check_text_uri(file, false);
    cr_assert_str_eq(uri, expected);
    free(uri);
}

Test(check_text, uris_are_percent_encoded)
{
    assert_uri("a/b-c_1.xml", "a/b-c_1.xml");
    assert_uri("/a b%.xml", "file:///a%20b%25.xml");
    assert_uri("c:ü\n", "c%3A%C3%BC%0A");
}

static void assert_code(const char *message, const char *expected)
{
    char code[CHECK_CODE_SIZE];
    check_text_code(message, code);
    cr_assert_str_eq(code, expected, "'%s' of '%s', expected '%s'", code, message, expected);
}

Test(check_text, codes_have_no_names_and_values)
{
    assert_code("unknown property 'x' of Servo; did you mean 'y'?", "unknown-property-of");
    assert_code("RobotRadius: 180 m is out of range, expected 0.01..10 m", "is-out-of-range");
    assert_code("<usage>: 'inptu' is not one of input|output", "is-not-one-of");
    assert_code("it doesn't say 'a' (b)", "it-say");
    assert_code("", "other");
    assert_code("42", "other");
}

/* The span of a place in a file that holds `bytes`. */
static struct check_span span_in(const char *bytes, size_t n, int line, int column)
{
    char file[] = "/tmp/doppel-check-span-XXXXXX";
    int fd = mkstemp(file);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, bytes, n), (ssize_t)n);
    close(fd);
    struct dpl_place place = {.file = file, .line = line, .column = column};
    struct check_span span = check_text_span(&place);
    unlink(file);
    return span;
}

static void assert_span(const char *text, int line, int column, int start, int end)
{
    struct check_span span = span_in(text, strlen(text), line, column);
    cr_assert_eq(span.line, line - 1);
    cr_assert_eq(span.start, start, "%d in %s", span.start, text);
    cr_assert_eq(span.end, end, "%d in %s", span.end, text);
}

Test(check_text, a_span_ends_with_the_tag_the_name_or_the_value)
{
    assert_span("<a>\n  <usage>x</usage>\n", 2, 3, 2, 8);
    assert_span("<a b='one two'/>", 1, 4, 3, 4);
    assert_span("<a b='one two'/>", 1, 7, 6, 13);
    assert_span("<a>one two</a>", 1, 4, 3, 10);
    assert_span("\xef\xbb\xbf<abc/>", 1, 1, 0, 4);
    assert_span("<a/>\r\n<b/>\r<cd/>", 3, 1, 0, 3);
    assert_span("😀<b/>", 1, 2, 2, 4);
}

Test(check_text, a_place_that_is_not_in_the_file_is_one_character)
{
    assert_span("<a/>", 7, 3, 2, 3);
    assert_span("\xff\xff<a/>", 1, 3, 2, 3);
    struct dpl_place place = {.file = "/no/such/file", .line = 2, .column = 5};
    struct check_span span = check_text_span(&place);
    cr_assert(span.line == 1 && span.start == 4 && span.end == 5);
}

Test(check_text, any_bytes_give_a_span_that_does_not_end_before_it_starts)
{
    unsigned state = 1;
    for (int round = 0; round < 300; round++) {
        char bytes[200];
        for (size_t i = 0; i < sizeof bytes; i++) {
            state = state * 1664525u + 1013904223u;
            bytes[i] = (state >> 24) % 3 ? "<>='\"/ a\r\n"[(state >> 16) % 10] : (char)(state >> 8);
        }
        for (int column = 1; column < 40; column += 7) {
            struct check_span span = span_in(bytes, sizeof bytes, 1 + round % 5, column);
            cr_assert(span.start >= 0 && span.end >= span.start && span.line == round % 5);
        }
    }
}
