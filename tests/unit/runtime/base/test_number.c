/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as text: strict reading and shortest writing. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/math/random.h>

#include "number.h"

static void assert_reads(const char *text, double expected, const char *rest)
{
    double value = -1;
    const char *end = dpl__number_read(text, &value);
    cr_assert_not_null(end, "%s", text);
    cr_assert_str_eq(end, rest);
    cr_assert(value == expected, "%s read as %.17g", text, value);
}

Test(number_read, takes_decimal_forms)
{
    assert_reads("1", 1, "");
    assert_reads("-0.25", -0.25, "");
    assert_reads("+.5 m", 0.5, " m");
    assert_reads("2.", 2, "");
    assert_reads("1.5e3mm", 1500, "mm");
    assert_reads("3e", 3, "e");
}

Test(number_read, refuses_what_is_no_finite_decimal_number)
{
    const char *const wrong[] = {"", "x", " 1", "inf", "nan", "0x10", ".", "-", "e5", "1e999"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        double value = 7;
        cr_assert_null(dpl__number_read(wrong[i], &value), "%s", wrong[i]);
        cr_assert(value == 7);
    }
}

Test(whole_read, takes_the_whole_range_and_no_more)
{
    int64_t value = 0;
    cr_assert_not_null(dpl__whole_read("-9223372036854775808", &value));
    cr_assert_eq(value, INT64_MIN);
    cr_assert_not_null(dpl__whole_read("9223372036854775807", &value));
    cr_assert_eq(value, INT64_MAX);
    cr_assert_null(dpl__whole_read("9223372036854775808", &value));
    cr_assert_null(dpl__whole_read("-", &value));
    cr_assert_str_eq(dpl__whole_read("12.5", &value), ".5");
}

static void assert_writes(double value, const char *expected)
{
    char text[40];
    int n = dpl__number_write(value, text, sizeof(text));
    cr_assert_str_eq(text, expected);
    cr_assert_eq((size_t)n, strlen(expected));
}

Test(number_write, writes_the_shortest_text)
{
    assert_writes(0.1, "0.1");
    assert_writes(0.13, "0.13");
    assert_writes(100, "100");
    assert_writes(0.1 + 0.2, "0.30000000000000004");
    assert_writes(1e21, "1e+21");
    assert_writes(-0.0, "-0");
}

Test(number_write, reads_back_as_the_same_number)
{
    uint64_t state = 88172645463325252u;
    for (int i = 0; i < 20000; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        double value;
        memcpy(&value, &state, sizeof(value));
        if (!isfinite(value)) {
            continue;
        }
        char text[40];
        dpl__number_write(value, text, sizeof(text));
        cr_assert(strtod(text, NULL) == value, "%s", text);
    }
}

Test(number_write, says_how_long_the_text_would_be)
{
    char text[3] = "";
    cr_assert_eq(dpl__number_write(0.125, text, sizeof(text)), 5);
    cr_assert_str_eq(text, "0.");
}

/* What the C library finds, however slowly. */
static void shortest(double value, char *ret_text, size_t size)
{
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(ret_text, size, "%.*g", precision, value);
        if (strtod(ret_text, NULL) == value) {
            return;
        }
    }
}

static void assert_writes_as_the_library(double value)
{
    char text[40], expected[40];
    if (!isfinite(value)) {
        return;
    }
    shortest(value, expected, sizeof(expected));
    dpl__number_write(value, text, sizeof(text));
    cr_assert_str_eq(text, expected);
}

Test(number_write, finds_what_the_library_finds_in_any_number)
{
    struct dpl_random rng = dpl_random_seeded(1, 1);
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = dpl_random_u64(&rng);
        double any, uniform = dpl_random_uniform(&rng, -1.0, 1.0);
        memcpy(&any, &bits, sizeof any);
        assert_writes_as_the_library(any);
        assert_writes_as_the_library(uniform);
        assert_writes_as_the_library(uniform * 1e9);
        assert_writes_as_the_library((double)(bits % 100000) / 1000.0);
        assert_writes_as_the_library((double)(bits >> 11) * pow(10.0, i % 40 - 30));
    }
}

Test(number_write, finds_what_the_library_finds_around_powers_of_two_and_ten)
{
    for (int i = -1070; i < 1020; i++) {
        double two = ldexp(1.0, i), ten = i > -320 && i < 308 ? pow(10.0, i) : 1.0;
        const double values[] = {two, nextafter(two, 0.0), nextafter(two, 1e308), -two,
                                 ten, nextafter(ten, 0.0), nextafter(ten, 1e308), 9.5 * ten};
        for (size_t k = 0; k < sizeof(values) / sizeof(values[0]); k++) {
            assert_writes_as_the_library(values[k]);
        }
    }
}
