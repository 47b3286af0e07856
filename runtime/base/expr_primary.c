/* SPDX-License-Identifier: Apache-2.0 */
/* Names, functions and brackets of expressions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/diag.h>
#include <doppel/math/geometry.h>

#include "expr_functions.h"
#include "expr_parser.h"

enum { ARGUMENTS_MAX = 16, NAMES_MAX = 256 };

/* ---- functions and names --------------------------------------------------------------------- */

/* A name of the file is nearer than one of the language. */
static const char *nearest(const struct dpl__expr_parser *parser, const char *name)
{
    const char *known[NAMES_MAX];
    size_t n = 0;
    while (n < parser->scope->n_names && n < NAMES_MAX) {
        known[n] = parser->scope->names[n].name;
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

static double fail_unknown(struct dpl__expr_parser *parser, size_t offset, const char *name)
{
    const char *near = nearest(parser, name);
    return near
               ? dpl__expr_fail(parser, offset, "unknown name '%s', did you mean '%s'?", name, near)
               : dpl__expr_fail(parser, offset, "unknown name '%s'", name);
}

static double call(struct dpl__expr_parser *parser, size_t offset,
                   const struct dpl__expr_function *function, const double *values, size_t n)
{
    size_t wanted = function->one ? 1 : 2;
    if (n != wanted && !(function->many && n > wanted)) {
        return dpl__expr_fail(parser, offset, "'%s' takes %zu value%s%s, found %zu", function->name,
                              wanted, wanted == 1 ? "" : "s", function->many ? " or more" : "", n);
    }
    if (parser->idle) {
        return 0.0;
    }
    bool bounded = function->low != 0.0 || function->high != 0.0;
    if (bounded && (values[0] < function->low || values[0] > function->high)) {
        return dpl__expr_fail(parser, offset, "'%s' has no value for %g", function->name,
                              values[0]);
    }
    double value = function->one ? function->one(values[0]) : function->two(values[0], values[1]);
    for (size_t i = 2; i < n; i++) {
        value = function->two(value, values[i]);
    }
    return dpl__expr_checked(parser, offset, function->name, value);
}

static double parse_call(struct dpl__expr_parser *parser, size_t offset,
                         const struct dpl__expr_function *function)
{
    double values[ARGUMENTS_MAX];
    size_t n = 0;
    if (!dpl__expr_take(parser, "(")) {
        return dpl__expr_fail(parser, offset, "'%s' is a function: write %s(...)", function->name,
                              function->name);
    }
    while (!dpl__expr_take(parser, ")")) {
        if (n > 0 && !dpl__expr_take(parser, ",")) {
            return dpl__expr_fail_here(parser, "',' or ')'");
        }
        if (n == ARGUMENTS_MAX) {
            return dpl__expr_fail(parser, parser->at, "a function takes at most %d values",
                                  ARGUMENTS_MAX);
        }
        values[n++] = dpl__expr_choice(parser);
        if (parser->failed) {
            return 0.0;
        }
    }
    return call(parser, offset, function, values, n);
}

double dpl__expr_name(struct dpl__expr_parser *parser)
{
    char name[DPL_EXPR_NAME_MAX + 1];
    size_t offset = parser->at, n = 0;
    while (parser->at < parser->end && (dpl__expr_is_letter(parser->text[parser->at]) ||
                                        dpl__expr_is_digit(parser->text[parser->at]))) {
        if (n == DPL_EXPR_NAME_MAX) {
            return dpl__expr_fail(parser, offset, "a name has more than %d characters",
                                  DPL_EXPR_NAME_MAX);
        }
        name[n++] = parser->text[parser->at++];
    }
    name[n] = '\0';
    const struct dpl__expr_function *function = dpl__expr_function_find(name);
    if (function) {
        return parse_call(parser, offset, function);
    }
    for (size_t i = 0; i < parser->scope->n_names; i++) {
        if (strcmp(parser->scope->names[i].name, name) == 0) {
            return parser->scope->names[i].value;
        }
    }
    return strcmp(name, "pi") == 0 ? DPL_PI : fail_unknown(parser, offset, name);
}

/* ---- brackets -------------------------------------------------------------------------------- */

/* Bytes up to the bracket that closes; brackets inside are pairs ("[pose[0]]"). */
static size_t bracket_length(const struct dpl__expr_parser *parser)
{
    size_t at = parser->at;
    for (int depth = 1; at < parser->end && parser->text[at] != '\0'; at++) {
        depth += (parser->text[at] == '[') - (parser->text[at] == ']');
        if (depth == 0) {
            break;
        }
    }
    return at - parser->at;
}

double dpl__expr_bracket(struct dpl__expr_parser *parser)
{
    const struct dpl__expr_scope *scope = parser->scope;
    struct dpl__expr_error error = {.offset = 0};
    double value = 0.0;
    size_t offset = ++parser->at, n = bracket_length(parser);
    if (offset + n >= parser->end || parser->text[offset + n] != ']') {
        return dpl__expr_fail(parser, offset - 1, "the '[' has no ']'");
    }
    parser->at += n + 1;
    if (parser->idle && !parser->checks) {
        return 0.0;
    }
    if (scope->read(scope->user, parser->text + offset, n, offset, &value, &error)) {
        return dpl__expr_fail(parser, offset + error.offset, "%s", error.text);
    }
    return value;
}
