/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions by recursive descent, one function a level of precedence. Parsing computes at once;
 * a branch that is not chosen is parsed with `idle` set, then values cannot fail. */
#include "expr.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <doppel/diag.h>
#include <doppel/math/geometry.h>

#include "expr_functions.h"
#include "number.h"

enum { ARGUMENTS_MAX = 16, NAMES_MAX = 256 };

struct parser {
    const char *text;
    size_t at, end;
    const struct dpl__expr_name *names;
    size_t n_names;
    unsigned depth;
    bool idle, failed;
    struct dpl__expr_error error;
};

static double parse_choice(struct parser *parser);

__attribute__((format(printf, 3, 4))) static double fail(struct parser *parser, size_t offset,
                                                         const char *format, ...)
{
    if (!parser->failed) {
        parser->failed = true;
        parser->error.offset = offset;
        va_list args;
        va_start(args, format);
        vsnprintf(parser->error.text, sizeof parser->error.text, format, args);
        va_end(args);
    }
    return 0.0;
}

/* ---- characters ------------------------------------------------------------------------------ */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The next character that is no blank; '\0' at the end. */
static char peek(struct parser *parser)
{
    while (parser->at < parser->end && dpl__is_blank(parser->text[parser->at])) {
        parser->at++;
    }
    return parser->at < parser->end ? parser->text[parser->at] : '\0';
}

static bool take(struct parser *parser, const char *token)
{
    size_t n = strlen(token);
    peek(parser);
    if (parser->end - parser->at < n || strncmp(parser->text + parser->at, token, n) != 0) {
        return false;
    }
    parser->at += n;
    return true;
}

/* What stands where something else was expected, for messages. */
static double fail_here(struct parser *parser, const char *expected)
{
    char c = peek(parser);
    if (c == '\0') {
        return fail(parser, parser->at, "the expression ends where %s is expected", expected);
    }
    size_t n = 1;
    while (parser->at + n < parser->end &&
           ((unsigned char)parser->text[parser->at + n] & 0xc0) == 0x80) {
        n++; /* the rest of a character */
    }
    return fail(parser, parser->at, "found '%.*s', expected %s", n < 4 ? (int)n : 4,
                parser->text + parser->at, expected);
}

/* A result, if it is finite. */
static double checked(struct parser *parser, size_t offset, const char *what, double value)
{
    if (parser->idle || isfinite(value)) {
        return parser->idle ? 0.0 : value;
    }
    return fail(parser, offset, "the result of '%s' is %s", what,
                isnan(value) ? "not a number" : "not finite");
}

/* ---- functions and names --------------------------------------------------------------------- */

/* A name of the file is nearer than one of the language. */
static const char *nearest(const struct parser *parser, const char *name)
{
    const char *known[NAMES_MAX];
    size_t n = 0;
    while (n < parser->n_names && n < NAMES_MAX) {
        known[n] = parser->names[n].name;
        n++;
    }
    const char *near = dpl_nearest(name, known, n);
    if (near) {
        return near;
    }
    n = 0;
    known[n++] = "pi";
    for (size_t i = 0; i < DPL_EXPR_FUNCTIONS; i++) {
        known[n++] = dpl__expr_functions[i].name;
    }
    return dpl_nearest(name, known, n);
}

static double fail_unknown(struct parser *parser, size_t offset, const char *name)
{
    const char *near = nearest(parser, name);
    return near ? fail(parser, offset, "unknown name '%s', did you mean '%s'?", name, near)
                : fail(parser, offset, "unknown name '%s'", name);
}

static double call(struct parser *parser, size_t offset, const struct dpl__expr_function *function,
                   const double *values, size_t n)
{
    size_t wanted = function->one ? 1 : 2;
    if (n != wanted && !(function->many && n > wanted)) {
        return fail(parser, offset, "'%s' takes %zu value%s%s, found %zu", function->name, wanted,
                    wanted == 1 ? "" : "s", function->many ? " or more" : "", n);
    }
    if (parser->idle) {
        return 0.0;
    }
    bool bounded = function->low != 0.0 || function->high != 0.0;
    if (bounded && (values[0] < function->low || values[0] > function->high)) {
        return fail(parser, offset, "'%s' has no value for %g", function->name, values[0]);
    }
    double value = function->one ? function->one(values[0]) : function->two(values[0], values[1]);
    for (size_t i = 2; i < n; i++) {
        value = function->two(value, values[i]);
    }
    return checked(parser, offset, function->name, value);
}

static double parse_call(struct parser *parser, size_t offset,
                         const struct dpl__expr_function *function)
{
    double values[ARGUMENTS_MAX];
    size_t n = 0;
    if (!take(parser, "(")) {
        return fail(parser, offset, "'%s' is a function: write %s(...)", function->name,
                    function->name);
    }
    while (!take(parser, ")")) {
        if (n > 0 && !take(parser, ",")) {
            return fail_here(parser, "',' or ')'");
        }
        if (n == ARGUMENTS_MAX) {
            return fail(parser, parser->at, "a function takes at most %d values", ARGUMENTS_MAX);
        }
        values[n++] = parse_choice(parser);
        if (parser->failed) {
            return 0.0;
        }
    }
    return call(parser, offset, function, values, n);
}

static double parse_name(struct parser *parser)
{
    char name[DPL_EXPR_NAME_MAX + 1];
    size_t offset = parser->at, n = 0;
    while (parser->at < parser->end &&
           (is_letter(parser->text[parser->at]) || is_digit(parser->text[parser->at]))) {
        if (n == DPL_EXPR_NAME_MAX) {
            return fail(parser, offset, "a name has more than %d characters", DPL_EXPR_NAME_MAX);
        }
        name[n++] = parser->text[parser->at++];
    }
    name[n] = '\0';
    const struct dpl__expr_function *function = dpl__expr_function_find(name);
    if (function) {
        return parse_call(parser, offset, function);
    }
    for (size_t i = 0; i < parser->n_names; i++) {
        if (strcmp(parser->names[i].name, name) == 0) {
            return parser->names[i].value;
        }
    }
    return strcmp(name, "pi") == 0 ? DPL_PI : fail_unknown(parser, offset, name);
}

/* ---- levels of precedence, the tightest first -------------------------------------------------
 */

static double parse_number(struct parser *parser)
{
    double value;
    const char *text = parser->text + parser->at;
    const char *stop = dpl__number_read(text, &value);
    if (!stop || stop > parser->text + parser->end) {
        return fail(parser, parser->at, "expected a decimal number within a double's range");
    }
    parser->at += (size_t)(stop - text);
    return value;
}

static double parse_primary(struct parser *parser)
{
    char c = peek(parser);
    if (is_digit(c) || c == '.') {
        return parse_number(parser);
    }
    if (is_letter(c)) {
        return parse_name(parser);
    }
    if (!take(parser, "(")) {
        return fail_here(parser, "a number, a name or '('");
    }
    double value = parse_choice(parser);
    if (!parser->failed && !take(parser, ")")) {
        return fail_here(parser, "')'");
    }
    return value;
}

static double parse_sign(struct parser *parser);

static double parse_power(struct parser *parser)
{
    double value = parse_primary(parser);
    peek(parser);
    size_t offset = parser->at;
    if (!parser->failed && take(parser, "^")) {
        double exponent = parse_sign(parser);
        return parser->failed ? 0.0 : checked(parser, offset, "^", pow(value, exponent));
    }
    return value;
}

/* Each sign, power, parenthesis and call passes here: so the depth is counted here. */
static double parse_sign(struct parser *parser)
{
    if (++parser->depth > DPL_EXPR_DEPTH_MAX) {
        return fail(parser, parser->at, "more than %d parts are nested", DPL_EXPR_DEPTH_MAX);
    }
    double value;
    if (take(parser, "-")) {
        value = -parse_sign(parser);
    } else if (take(parser, "+")) {
        value = parse_sign(parser);
    } else {
        value = parse_power(parser);
    }
    parser->depth--;
    return value;
}

static double parse_product(struct parser *parser)
{
    double value = parse_sign(parser);
    while (!parser->failed) {
        char c = peek(parser);
        size_t offset = parser->at;
        if (c != '*' && c != '/') {
            break;
        }
        parser->at++;
        double right = parse_sign(parser);
        if (parser->failed) {
            break;
        }
        if (c == '/' && right == 0.0 && !parser->idle) {
            return fail(parser, offset, "division by zero");
        }
        value =
            checked(parser, offset, c == '*' ? "*" : "/", c == '*' ? value * right : value / right);
    }
    return value;
}

static double parse_sum(struct parser *parser)
{
    double value = parse_product(parser);
    while (!parser->failed) {
        char c = peek(parser);
        size_t offset = parser->at;
        if (c != '+' && c != '-') {
            break;
        }
        parser->at++;
        double right = parse_product(parser);
        value =
            checked(parser, offset, c == '+' ? "+" : "-", c == '+' ? value + right : value - right);
    }
    return value;
}

static const char *const comparisons[] = {"==", "!=", "<=", ">=", "<", ">"};

/* Its number in the list; -1 when there is none. */
static int take_comparison(struct parser *parser)
{
    for (size_t i = 0; i < sizeof comparisons / sizeof comparisons[0] && !parser->failed; i++) {
        if (take(parser, comparisons[i])) {
            return (int)i;
        }
    }
    return -1;
}

static double parse_comparison(struct parser *parser)
{
    double left = parse_sum(parser);
    int which = take_comparison(parser);
    if (which < 0) {
        return left;
    }
    double right = parse_sum(parser);
    bool results[] = {left == right, left != right, left <= right, left >= right,
                      left<right, left> right};
    peek(parser);
    size_t offset = parser->at;
    if (take_comparison(parser) >= 0) {
        return fail(parser, offset, "comparisons do not follow each other: use parentheses");
    }
    return results[which] ? 1.0 : 0.0;
}

static double parse_branch(struct parser *parser, bool is_chosen)
{
    bool outer = parser->idle;
    parser->idle = outer || !is_chosen;
    double value = parse_choice(parser);
    parser->idle = outer;
    return value;
}

static double parse_choice(struct parser *parser)
{
    double value = parse_comparison(parser);
    if (parser->failed || !take(parser, "?")) {
        return value;
    }
    if (++parser->depth > DPL_EXPR_DEPTH_MAX) {
        return fail(parser, parser->at, "more than %d parts are nested", DPL_EXPR_DEPTH_MAX);
    }
    bool is_first = value != 0.0;
    double first = parse_branch(parser, is_first);
    if (!parser->failed && !take(parser, ":")) {
        return fail_here(parser, "':' of the '?'");
    }
    double second = parser->failed ? 0.0 : parse_branch(parser, !is_first);
    parser->depth--;
    return is_first ? first : second;
}

int dpl__expr_value(const char *text, size_t n, const struct dpl__expr_name *names, size_t n_names,
                    double *ret_value, struct dpl__expr_error *reterr)
{
    struct parser parser = {.text = text, .end = n, .names = names, .n_names = n_names};
    double value = 0.0;
    if (n > DPL_EXPR_LENGTH_MAX) {
        fail(&parser, 0, "the expression has %zu bytes, at most %d are accepted", n,
             DPL_EXPR_LENGTH_MAX);
    } else {
        value = parse_choice(&parser);
        if (!parser.failed && peek(&parser) != '\0') {
            fail_here(&parser, "an operator or the end");
        } else if (!parser.failed && parser.at < n) {
            fail(&parser, parser.at, "found a NUL byte");
        }
    }
    if (parser.failed) {
        *reterr = parser.error;
        return -EINVAL;
    }
    *ret_value = value;
    return 0;
}
