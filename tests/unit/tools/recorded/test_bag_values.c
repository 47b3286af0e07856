/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of topics with values: their members, as they stand there. */
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/field.h>

#include "bag_values.h"

static struct bag_values begin(const char *text)
{
    return (struct bag_values){.at = text, .end = text + strlen(text)};
}

static void expect(struct bag_values *values, const char *name, const char *text, bool is_text)
{
    struct bag_value value;
    cr_assert(bag_values_next(values, &value), "%s", name);
    cr_assert(value.n_name == strlen(name) && memcmp(value.name, name, value.n_name) == 0);
    cr_assert(value.n_text == strlen(text) && memcmp(value.text, text, value.n_text) == 0);
    cr_assert_eq(value.is_text, is_text);
}

Test(bag_values, gives_members_with_their_digits)
{
    struct bag_values values =
        begin(" {\"x\": -0 , \"y\":1.50e-3,\"on\":true,\"state\":\"dr\\\"ive\",\"z\":null} ");
    struct bag_value value;
    expect(&values, "x", "-0", false);
    expect(&values, "y", "1.50e-3", false);
    expect(&values, "on", "true", false);
    expect(&values, "state", "dr\\\"ive", true);
    expect(&values, "z", "null", false);
    cr_assert(!bag_values_next(&values, &value) && !values.is_bad);
    values = begin("{}");
    cr_assert(!bag_values_next(&values, &value) && !values.is_bad);
}

Test(bag_values, refuses_what_is_no_object_of_values)
{
    static const char *const rows[] = {
        "",           "x",          "[1]",        "{",
        "{\"a\"}",    "{\"a\":}",   "{\"a\":1",   "{\"a\":1,}",
        "{\"a:1}",    "{\"a\":\"b", "{\"a\":1}x", "{\"a\":{}}",
        "{\"a\":[]}", "{,\"a\":1}", "{\"a\" 1}",  "{\"a\":1 \"b\":2}",
    };
    for (size_t i = 0; i < DPL_COUNT(rows); i++) {
        struct bag_values values = begin(rows[i]);
        struct bag_value value;
        while (bag_values_next(&values, &value)) {
        }
        cr_assert(values.is_bad, "%s", rows[i]);
        cr_assert(!bag_values_next(&values, &value), "%s", rows[i]);
    }
}

Test(bag_values, undoes_escapes)
{
    static const struct {
        const char *text, *expected;
    } rows[] = {{"plain", "plain"},
                {"a\\\"b\\\\c\\/d", "a\"b\\c/d"},
                {"\\n\\t\\u0041\\u20ac", "\n\tA?"},
                {"gr\xc3\xb6\xc3\x9f"
                 "e",
                 "gr\xc3\xb6\xc3\x9f"
                 "e"},
                {"\\", "\\"}};
    for (size_t i = 0; i < DPL_COUNT(rows); i++) {
        struct bag_value value = {.text = rows[i].text, .n_text = strlen(rows[i].text)};
        char text[32];
        size_t n = bag_value_unescape(&value, text, sizeof text);
        cr_assert_str_eq(text, rows[i].expected);
        cr_assert_eq(n, strlen(text));
    }
    struct bag_value longer = {.text = "12345678901", .n_text = 11};
    char text[8];
    cr_assert_eq(bag_value_unescape(&longer, text, sizeof text), 7);
    cr_assert_str_eq(text, "1234567");
}
