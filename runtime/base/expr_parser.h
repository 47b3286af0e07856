/* SPDX-License-Identifier: Apache-2.0 */
/* The parser of expressions: what expr.c (levels of precedence) and expr_primary.c (names,
 * functions, brackets) share. */
#ifndef DOPPEL_BASE_EXPR_PARSER_H
#define DOPPEL_BASE_EXPR_PARSER_H

#include <stdint.h>

#include "expr.h"

struct dpl__expr_parser {
    const char *text;
    size_t at, end;
    const struct dpl__expr_scope *scope;
    unsigned depth;
    bool checks; /* nothing has a value: all brackets are looked up, no value can fail */
    bool idle;   /* in a branch that is not chosen: values cannot fail */
    bool failed;
    struct dpl__expr_error error;
};

bool dpl__expr_is_digit(char c);
bool dpl__expr_is_letter(char c); /* or '_' */

/* Notes the first failure; returns 0. */
double dpl__expr_fail(struct dpl__expr_parser *parser, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Says what stands where something else was expected. */
double dpl__expr_fail_here(struct dpl__expr_parser *parser, const char *expected);

/* The next character that is no blank; '\0' at the end. */
char dpl__expr_peek(struct dpl__expr_parser *parser);
bool dpl__expr_take(struct dpl__expr_parser *parser, const char *token);

/* A result, if it is finite. */
double dpl__expr_checked(struct dpl__expr_parser *parser, size_t offset, const char *what,
                         double value);

/* A whole expression: expr.c. */
double dpl__expr_choice(struct dpl__expr_parser *parser);

/* A name or a call; what is in brackets: expr_primary.c. */
double dpl__expr_name(struct dpl__expr_parser *parser);
double dpl__expr_bracket(struct dpl__expr_parser *parser);

#endif
