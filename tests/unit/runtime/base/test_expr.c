/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions: their values, and where they fail and why. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "expr.h"

static const struct dpl__expr_name names[] = {{"i", 3.0}, {"FLOORS", 12.0}, {"zero", 0.0}};

static double value_of(const char *text)
{
    struct dpl__expr_error error;
    double value = (double)NAN;
    int rc = dpl__expr_value(text, strlen(text), names, 3, &value, &error);
    cr_assert_eq(rc, 0, "%s: %s", text, error.text);
    return value;
}

static void expect(const char *text, double value)
{
    cr_assert_float_eq(value_of(text), value, 1e-15 * (1.0 + fabs(value)), "%s = %.17g", text,
                       value_of(text));
}

static void expect_error(const char *text, size_t offset, const char *said)
{
    struct dpl__expr_error error;
    double value = 77.0;
    cr_assert_eq(dpl__expr_value(text, strlen(text), names, 3, &value, &error), -EINVAL, "%s",
                 text);
    cr_assert_eq(value, 77.0, "written on failure");
    cr_assert_not_null(strstr(error.text, said), "%s: %s", text, error.text);
    cr_assert_eq(error.offset, offset, "%s: byte %zu: %s", text, error.offset, error.text);
}

Test(expr, expressions_have_their_values)
{
    const struct {
        const char *text;
        double value;
    } rows[] = {
        /* arithmetic has the usual precedence */
        {"1 + 2 * 3", 7.0},
        {"(1 + 2) * 3", 9.0},
        {"10 - 3 - 2", 5.0},
        {"24 / 4 / 2", 3.0},
        {"3.2*i", 3.2 * 3.0},
        {" FLOORS\t-\n1 ", 11.0},
        {"--2", 2.0},
        {"2 * -3", -6.0},
        /* power binds before the sign and from the right */
        {"-2^2", -4.0},
        {"(-2)^2", 4.0},
        {"2^3^2", 512.0},
        {"2^-1", 0.5},
        {"2*3^2", 18.0},
        /* comparisons are one or zero */
        {"i < 4", 1.0},
        {"i <= 2", 0.0},
        {"i > 2", 1.0},
        {"i >= 4", 0.0},
        {"i == 3", 1.0},
        {"i != 3", 0.0},
        {"1 + 1 == 2", 1.0},
        {"(1 < 2) == 1", 1.0},
        /* choice takes one branch and nests to the right */
        {"i == 3 ? 10 : 20", 10.0},
        {"i == 4 ? 10 : 20", 20.0},
        {"i == 1 ? 10 : i == 3 ? 30 : 40", 30.0},
        {"2 * (i > 0 ? 5 : 6)", 10.0},
        /* branch that is not chosen fails by syntax only */
        {"zero == 0 ? 5 : 1/zero", 5.0},
        {"zero != 0 ? sqrt(-1) : 5", 5.0},
        {"1 ? 2 : (1/0 > 3 ? 3 : asin(9)) * 1e308 * 1e308", 2.0},
        /* and or not bind after comparisons */
        {"1 < 2 and 3 > 2", 1.0},
        {"1 > 2 or i == 3", 1.0},
        {"0 or 1 and 0", 0.0},
        {"not i == 4", 1.0},
        {"not not 7", 1.0},
        {"i and 2", 1.0},
        {"1 > 2 and 1 or 2 > 1 ? 5 : 6", 5.0},
        {"(not 0)*4", 4.0},
        /* right side that does not count fails by syntax only */
        {"zero != 0 and 1/zero > 2", 0.0},
        {"zero == 0 or 1/zero > 2", 1.0},
        /* functions and constants */
        {"sin(pi/6)", sin(3.14159265358979323846 / 6.0)},
        {"cos(0)", 1.0},
        {"tan(0.5)", tan(0.5)},
        {"asin(1)", asin(1.0)},
        {"acos(0.25)", acos(0.25)},
        {"atan2(1, -1)", atan2(1.0, -1.0)},
        {"sqrt(2)", sqrt(2.0)},
        {"abs(-3.5)", 3.5},
        {"min(3, 1, 2)", 1.0},
        {"max(3, 1, 2, 7)", 7.0},
        {"floor(-1.5)", -2.0},
        {"ceil(-1.5)", -1.0},
        {"round(2.5)", 3.0},
        {"hypot(3, 4)", 5.0},
        {"pow(2, 10)", 1024.0},
        {"pi", 3.14159265358979323846},
        /* numbers are decimal */
        {".5", 0.5},
        {"1e-3", 0.001},
        {"2.", 2.0},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expect(rows[i].text, rows[i].value);
    }
}

Test(expr, expressions_without_a_value_are_errors_where_they_are_wrong)
{
    static const struct {
        const char *text;
        size_t offset;
        const char *said;
    } rows[] = {
        /* comparisons are one or zero */
        {"1 < 2 < 3", 6, "comparisons do not follow each other"},
        {"1 < 2 == 1", 6, "comparisons do not follow each other"},
        {"1 < 2 ! 3", 6, "expected an operator or the end"},
        /* unknown name is an error in a branch that is not chosen too */
        {"1 ? 2 : FLORS", 8, "unknown name 'FLORS', did you mean 'FLOORS'?"},
        /* right side that does not count fails by syntax only */
        {"1 and 1/zero", 7, "division by zero"},
        {"0 and nobody", 6, "unknown name"},
        {"1 android", 2, "an operator"},
        {"1 and", 5, "ends where"},
        {"and 1", 0, "unknown name 'and'"},
        /* numbers are decimal */
        {"0x10", 0, "decimal number"},
        {"1e999", 0, "range"},
        {"1.2.3", 3, "found '.', expected an operator or the end"},
        {"2e", 1, "found 'e'"},
        {"1,5", 1, "found ','"},
        /* wrong syntax is an error where it is */
        {"", 0, "the expression ends where a number, a name or '(' is expected"},
        {"   ", 3, "the expression ends"},
        {"1 +", 3, "the expression ends"},
        {"1 + * 2", 4, "found '*', expected a number, a name or '('"},
        {"(1 + 2", 6, "ends where ')' is expected"},
        {"(1 ; 2)", 3, "found ';', expected ')'"},
        {"1 2", 2, "found '2', expected an operator or the end"},
        {"1)", 1, "found ')'"},
        {"1 ? 2", 5, "ends where ':' of the '?' is expected"},
        {"min(1 2)", 6, "found '2', expected ',' or ')'"},
        {"2 * \xc3\xa9", 4, "found '\xc3\xa9'"},
        /* unknown name is an error with the nearest one */
        {"2*FLOOR", 2, "unknown name 'FLOOR', did you mean 'FLOORS'?"},
        {"sqr(2)", 0, "unknown name 'sqr', did you mean 'sqrt'?"},
        {"elephant", 0, "unknown name 'elephant'"},
        {"a_name_that_is_longer_than_a_name_may_be", 0, "more than 31 characters"},
        /* wrong number of arguments is an error */
        {"sin", 0, "'sin' is a function: write sin(...)"},
        {"sin()", 0, "'sin' takes 1 value, found 0"},
        {"1 + atan2(1)", 4, "'atan2' takes 2 values, found 1"},
        {"min(1)", 0, "'min' takes 2 values or more, found 1"},
        {"max(1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17)", 43, "at most 16 values"},
        /* value without a number is an error */
        {"5 / zero", 2, "division by zero"},
        {"1 + sqrt(-1)", 4, "'sqrt' has no value for -1"},
        {"asin(1.5)", 0, "'asin' has no value for 1.5"},
        {"acos(-2)", 0, "'acos' has no value for -2"},
        {"(-8)^0.5", 4, "the result of '^' is not a number"},
        {"0^-1", 1, "the result of '^' is not finite"},
        {"pow(-8, 0.5)", 0, "the result of 'pow' is not a number"},
        {"1e308 * 10", 6, "the result of '*' is not finite"},
        {"1e308 + 1e308", 6, "the result of '+' is not finite"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expect_error(rows[i].text, rows[i].offset, rows[i].said);
    }
}

static int read_bracket(void *user, const char *text, size_t n, size_t offset, double *ret_value,
                        struct dpl__expr_error *reterr)
{
    int *n_read = user;
    if (strncmp(text, "bad", 3) == 0) {
        reterr->offset = 1;
        snprintf(reterr->text, sizeof reterr->text, "there is no '%.*s'", (int)n, text);
        return -EINVAL;
    }
    ++*n_read;
    *ret_value = 100.0 * (double)offset + (double)n;
    return 0;
}

Test(expr, brackets_are_read_by_the_scope)
{
    int n_read = 0;
    struct dpl__expr_scope scope = {names, 3, read_bracket, &n_read};
    struct dpl__expr_error error;
    double value = 0.0;
    static const char text[] = "i + [door/x[2]] - [y]";
    cr_assert_eq(dpl__expr_value_in(text, strlen(text), &scope, &value, &error), 0);
    cr_assert_eq(value, 3.0 + 509.0 - 1901.0, "%g", value);
    cr_assert_eq(dpl__expr_value_in("2*[bad]", 7, &scope, &value, &error), -EINVAL);
    cr_assert_eq(error.offset, 4);
    cr_assert_str_eq(error.text, "there is no 'bad'");
    cr_assert_eq(dpl__expr_value_in("[y", 2, &scope, &value, &error), -EINVAL);
    cr_assert_not_null(strstr(error.text, "has no ']'"));
    expect_error("[y]", 0, "a number, a name or '('");
}

Test(expr, check_reads_all_brackets_and_no_values)
{
    int n_read = 0;
    struct dpl__expr_scope scope = {names, 3, read_bracket, &n_read};
    struct dpl__expr_error error;
    double value;
    static const char text[] = "0 and [a] or 1/zero > [b] ? [c] : sqrt(-1)";
    cr_assert_eq(dpl__expr_check(text, strlen(text), &scope, &error), 0, "%s", error.text);
    cr_assert_eq(n_read, 3);
    cr_assert_eq(dpl__expr_value_in("0 and [a]", 9, &scope, &value, &error), 0);
    cr_assert_eq(n_read, 3, "a bracket that does not count was read");
    cr_assert_eq(dpl__expr_check("0 and [bad]", 11, &scope, &error), -EINVAL);
    cr_assert_eq(dpl__expr_check("nobody", 6, &scope, &error), -EINVAL);
}

Test(expr, length_and_depth_are_limited)
{
    char text[3000];
    memset(text, '1', sizeof text);
    text[DPL_EXPR_LENGTH_MAX + 1] = '\0';
    expect_error(text, 0, "1001 bytes, at most 1000");
    memset(text, '(', sizeof text);
    text[DPL_EXPR_LENGTH_MAX] = '\0';
    expect_error(text, DPL_EXPR_DEPTH_MAX, "more than 64 parts are nested");
    memset(text, '-', sizeof text);
    text[DPL_EXPR_LENGTH_MAX] = '\0';
    expect_error(text, DPL_EXPR_DEPTH_MAX, "more than 64 parts are nested");
    for (size_t i = 0; i < 996; i += 4) {
        memcpy(text + i, "1?1:", 4);
    }
    strcpy(text + 996, "1");
    double value;
    struct dpl__expr_error error;
    cr_assert_eq(dpl__expr_value(text, strlen(text), NULL, 0, &value, &error), -EINVAL);
    cr_assert_not_null(strstr(error.text, "more than 64 parts are nested"), "%s", error.text);
    for (size_t i = 0; i < 996; i += 4) {
        memcpy(text + i, "2^1^", 4);
    }
    cr_assert_eq(dpl__expr_value(text, strlen(text), NULL, 0, &value, &error), -EINVAL);
    cr_assert_not_null(strstr(error.text, "more than 64 parts are nested"), "%s", error.text);
}

Test(expr, only_the_first_bytes_of_a_text_count)
{
    double value = 0.0;
    struct dpl__expr_error error;
    cr_assert_eq(dpl__expr_value("1+2}+9", 3, NULL, 0, &value, &error), 0);
    cr_assert_eq(value, 3.0);
    cr_assert_eq(dpl__expr_value("1+23", 3, NULL, 0, &value, &error), -EINVAL,
                 "a number goes on behind the end");
}

Test(expr, number_that_is_written_reads_back_exactly)
{
    char text[DPL_EXPR_NUMBER_SIZE];
    const double values[] = {0.1, 1.0 / 3.0, 3.2 * 3.0, 1e-300, 1.7976931348623157e308, -2.5e-7};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        dpl__expr_write(values[i], text);
        cr_assert_eq(strtod(text, NULL), values[i], "%s", text);
    }
}

Test(expr, whole_number_is_written_plain)
{
    char text[DPL_EXPR_NUMBER_SIZE];
    static const struct {
        double value;
        const char *text;
    } rows[] = {{0.0, "0"},
                {-0.0, "0"},
                {12.0, "12"},
                {-7.0, "-7"},
                {1e15, "1000000000000000"},
                {9007199254740992.0, "9007199254740992"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        dpl__expr_write(rows[i].value, text);
        cr_assert_str_eq(text, rows[i].text);
    }
    dpl__expr_write(1e300, text);
    cr_assert_str_eq(text, "1e+300");
}

Test(expr, names_are_letters_digits_and_underscores)
{
    cr_assert(dpl__expr_is_name("FLOORS_2"));
    cr_assert(dpl__expr_is_name("_a"));
    cr_assert_not(dpl__expr_is_name(""));
    cr_assert_not(dpl__expr_is_name("2a"));
    cr_assert_not(dpl__expr_is_name("a-b"));
    cr_assert(dpl__expr_is_name("abcdefghijklmnopqrstuvwxyzabcde"), "31 characters");
    cr_assert_not(dpl__expr_is_name("abcdefghijklmnopqrstuvwxyzabcdef"));
    cr_assert(dpl__expr_is_reserved("pi"));
    cr_assert(dpl__expr_is_reserved("sqrt"));
    cr_assert(dpl__expr_is_reserved("and"));
    cr_assert_not(dpl__expr_is_reserved("i"));
}
