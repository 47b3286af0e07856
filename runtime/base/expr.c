/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions by recursive descent, one function a level of precedence. Parsing computes at once;
 * a branch that is not chosen is parsed with `idle` set, then values cannot fail. */
#include "expr.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "expr_parser.h"
#include "number.h"

double dpl__expr_fail(struct dpl__expr_parser *parser, size_t offset, const char *format, ...)
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

bool dpl__expr_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool dpl__expr_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The next character that is no blank; '\0' at the end. */
char dpl__expr_peek(struct dpl__expr_parser *parser)
{
    while (parser->at < parser->end && dpl__is_blank(parser->text[parser->at])) {
        parser->at++;
    }
    return parser->at < parser->end ? parser->text[parser->at] : '\0';
}

bool dpl__expr_take(struct dpl__expr_parser *parser, const char *token)
{
    size_t n = strlen(token);
    dpl__expr_peek(parser);
    if (parser->end - parser->at < n || strncmp(parser->text + parser->at, token, n) != 0) {
        return false;
    }
    parser->at += n;
    return true;
}

/* What stands where something else was expected, for messages. */
double dpl__expr_fail_here(struct dpl__expr_parser *parser, const char *expected)
{
    char c = dpl__expr_peek(parser);
    if (c == '\0') {
        return dpl__expr_fail(parser, parser->at, "the expression ends where %s is expected",
                              expected);
    }
    size_t n = 1;
    while (parser->at + n < parser->end &&
           ((unsigned char)parser->text[parser->at + n] & 0xc0) == 0x80) {
        n++; /* the rest of a character */
    }
    return dpl__expr_fail(parser, parser->at, "found '%.*s', expected %s", n < 4 ? (int)n : 4,
                          parser->text + parser->at, expected);
}

/* A result, if it is finite. */
double dpl__expr_checked(struct dpl__expr_parser *parser, size_t offset, const char *what,
                         double value)
{
    if (parser->idle || isfinite(value)) {
        return parser->idle ? 0.0 : value;
    }
    return dpl__expr_fail(parser, offset, "the result of '%s' is %s", what,
                          isnan(value) ? "not a number" : "not finite");
}

/* ---- levels of precedence, the tightest first -------------------------------------------------
 */

static double parse_number(struct dpl__expr_parser *parser)
{
    double value;
    const char *text = parser->text + parser->at;
    const char *stop = dpl__number_read(text, &value);
    if (!stop || stop > parser->text + parser->end) {
        return dpl__expr_fail(parser, parser->at,
                              "expected a decimal number within a double's range");
    }
    parser->at += (size_t)(stop - text);
    return value;
}

static double parse_primary(struct dpl__expr_parser *parser)
{
    char c = dpl__expr_peek(parser);
    if (dpl__expr_is_digit(c) || c == '.') {
        return parse_number(parser);
    }
    if (dpl__expr_is_letter(c)) {
        return dpl__expr_name(parser);
    }
    if (c == '[' && parser->scope->read) {
        return dpl__expr_bracket(parser);
    }
    if (!dpl__expr_take(parser, "(")) {
        return dpl__expr_fail_here(parser, parser->scope->read ? "a number, a name, '(' or '['"
                                                               : "a number, a name or '('");
    }
    double value = dpl__expr_choice(parser);
    if (!parser->failed && !dpl__expr_take(parser, ")")) {
        return dpl__expr_fail_here(parser, "')'");
    }
    return value;
}

static double parse_sign(struct dpl__expr_parser *parser);

static double parse_power(struct dpl__expr_parser *parser)
{
    double value = parse_primary(parser);
    dpl__expr_peek(parser);
    size_t offset = parser->at;
    if (!parser->failed && dpl__expr_take(parser, "^")) {
        double exponent = parse_sign(parser);
        return parser->failed ? 0.0 : dpl__expr_checked(parser, offset, "^", pow(value, exponent));
    }
    return value;
}

/* Each sign, power, parenthesis and call passes here: so the depth is counted here. */
static double parse_sign(struct dpl__expr_parser *parser)
{
    if (++parser->depth > DPL_EXPR_DEPTH_MAX) {
        return dpl__expr_fail(parser, parser->at, "more than %d parts are nested",
                              DPL_EXPR_DEPTH_MAX);
    }
    double value;
    if (dpl__expr_take(parser, "-")) {
        value = -parse_sign(parser);
    } else if (dpl__expr_take(parser, "+")) {
        value = parse_sign(parser);
    } else {
        value = parse_power(parser);
    }
    parser->depth--;
    return value;
}

static double parse_product(struct dpl__expr_parser *parser)
{
    double value = parse_sign(parser);
    while (!parser->failed) {
        char c = dpl__expr_peek(parser);
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
            return dpl__expr_fail(parser, offset, "division by zero");
        }
        value = dpl__expr_checked(parser, offset, c == '*' ? "*" : "/",
                                  c == '*' ? value * right : value / right);
    }
    return value;
}

static double parse_sum(struct dpl__expr_parser *parser)
{
    double value = parse_product(parser);
    while (!parser->failed) {
        char c = dpl__expr_peek(parser);
        size_t offset = parser->at;
        if (c != '+' && c != '-') {
            break;
        }
        parser->at++;
        double right = parse_product(parser);
        value = dpl__expr_checked(parser, offset, c == '+' ? "+" : "-",
                                  c == '+' ? value + right : value - right);
    }
    return value;
}

static const char *const comparisons[] = {"==", "!=", "<=", ">=", "<", ">"};

/* Its number in the list; -1 when there is none. */
static int take_comparison(struct dpl__expr_parser *parser)
{
    for (size_t i = 0; i < sizeof comparisons / sizeof comparisons[0] && !parser->failed; i++) {
        if (dpl__expr_take(parser, comparisons[i])) {
            return (int)i;
        }
    }
    return -1;
}

static double parse_comparison(struct dpl__expr_parser *parser)
{
    double left = parse_sum(parser);
    int which = take_comparison(parser);
    if (which < 0) {
        return left;
    }
    double right = parse_sum(parser);
    bool results[] = {left == right, left != right, left <= right, left >= right,
                      left<right, left> right};
    dpl__expr_peek(parser);
    size_t offset = parser->at;
    if (take_comparison(parser) >= 0) {
        return dpl__expr_fail(parser, offset,
                              "comparisons do not follow each other: use parentheses");
    }
    return results[which] ? 1.0 : 0.0;
}

/* ---- and, or, not ---------------------------------------------------------------------------- */

/* A word that is no part of a longer name. */
static bool take_word(struct dpl__expr_parser *parser, const char *word)
{
    size_t n = strlen(word);
    dpl__expr_peek(parser);
    if (parser->failed || parser->end - parser->at < n ||
        strncmp(parser->text + parser->at, word, n) != 0) {
        return false;
    }
    char next = parser->at + n < parser->end ? parser->text[parser->at + n] : '\0';
    if (dpl__expr_is_letter(next) || dpl__expr_is_digit(next)) {
        return false;
    }
    parser->at += n;
    return true;
}

static double parse_not(struct dpl__expr_parser *parser)
{
    if (!take_word(parser, "not")) {
        return parse_comparison(parser);
    }
    if (++parser->depth > DPL_EXPR_DEPTH_MAX) {
        return dpl__expr_fail(parser, parser->at, "more than %d parts are nested",
                              DPL_EXPR_DEPTH_MAX);
    }
    double value = parse_not(parser);
    parser->depth--;
    return value == 0.0 ? 1.0 : 0.0;
}

/* What follows counts only if `is_chosen`. */
static double parse_branch(struct dpl__expr_parser *parser, bool is_chosen,
                           double (*parse)(struct dpl__expr_parser *parser))
{
    bool outer = parser->idle;
    parser->idle = outer || !is_chosen;
    double value = parse(parser);
    parser->idle = outer;
    return value;
}

static double parse_and(struct dpl__expr_parser *parser)
{
    double value = parse_not(parser);
    while (take_word(parser, "and")) {
        bool left = value != 0.0;
        double right = parse_branch(parser, left, parse_not);
        value = left && right != 0.0 ? 1.0 : 0.0;
    }
    return value;
}

static double parse_or(struct dpl__expr_parser *parser)
{
    double value = parse_and(parser);
    while (take_word(parser, "or")) {
        bool left = value != 0.0;
        double right = parse_branch(parser, !left, parse_and);
        value = left || right != 0.0 ? 1.0 : 0.0;
    }
    return value;
}

double dpl__expr_choice(struct dpl__expr_parser *parser)
{
    double value = parse_or(parser);
    if (parser->failed || !dpl__expr_take(parser, "?")) {
        return value;
    }
    if (++parser->depth > DPL_EXPR_DEPTH_MAX) {
        return dpl__expr_fail(parser, parser->at, "more than %d parts are nested",
                              DPL_EXPR_DEPTH_MAX);
    }
    bool is_first = value != 0.0;
    double first = parse_branch(parser, is_first, dpl__expr_choice);
    if (!parser->failed && !dpl__expr_take(parser, ":")) {
        return dpl__expr_fail_here(parser, "':' of the '?'");
    }
    double second = parser->failed ? 0.0 : parse_branch(parser, !is_first, dpl__expr_choice);
    parser->depth--;
    return is_first ? first : second;
}

static int parse_all(struct dpl__expr_parser *parser, double *ret_value,
                     struct dpl__expr_error *reterr)
{
    double value = 0.0;
    if (parser->end > DPL_EXPR_LENGTH_MAX) {
        dpl__expr_fail(parser, 0, "the expression has %zu bytes, at most %d are accepted",
                       parser->end, DPL_EXPR_LENGTH_MAX);
    } else {
        value = dpl__expr_choice(parser);
        if (!parser->failed && dpl__expr_peek(parser) != '\0') {
            dpl__expr_fail_here(parser, "an operator or the end");
        } else if (!parser->failed && parser->at < parser->end) {
            dpl__expr_fail(parser, parser->at, "found a NUL byte");
        }
    }
    if (parser->failed) {
        *reterr = parser->error;
        return -EINVAL;
    }
    *ret_value = value;
    return 0;
}

int dpl__expr_value(const char *text, size_t n, const struct dpl__expr_name *names, size_t n_names,
                    double *ret_value, struct dpl__expr_error *reterr)
{
    const struct dpl__expr_scope scope = {.names = names, .n_names = n_names};
    return dpl__expr_value_in(text, n, &scope, ret_value, reterr);
}

int dpl__expr_value_in(const char *text, size_t n, const struct dpl__expr_scope *scope,
                       double *ret_value, struct dpl__expr_error *reterr)
{
    struct dpl__expr_parser parser = {.text = text, .end = n, .scope = scope};
    return parse_all(&parser, ret_value, reterr);
}

int dpl__expr_check(const char *text, size_t n, const struct dpl__expr_scope *scope,
                    struct dpl__expr_error *reterr)
{
    struct dpl__expr_parser parser = {
        .text = text, .end = n, .scope = scope, .checks = true, .idle = true};
    double value;
    return parse_all(&parser, &value, reterr);
}
