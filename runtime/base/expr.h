/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic expressions in text: numbers, names, + - * / ^, comparisons (1 or 0), c ? a : b,
 * parentheses, the constant pi and functions: sin cos tan asin acos atan2 sqrt abs min max floor
 * ceil round hypot pow. Angles are in radians. ^ binds before the sign and from the right: -2^2 is
 * -4, 2^3^2 is 512. `not`, `and`, `or` (1 or 0) bind after comparisons, in this order, before ?:.
 * Of c ? a : b only the chosen branch may fail by its values, of `and` and `or` the right side only
 * if it counts. */
#ifndef DOPPEL_BASE_EXPR_H
#define DOPPEL_BASE_EXPR_H

#include <stdbool.h>
#include <stddef.h>

enum { DPL_EXPR_LENGTH_MAX = 1000, DPL_EXPR_DEPTH_MAX = 64, DPL_EXPR_NAME_MAX = 31 };

struct dpl__expr_name {
    const char *name;
    double value;
};

/* Why there is no value, and at which byte of the text. */
struct dpl__expr_error {
    size_t offset;
    char text[160];
};

/* The value, finite, of the first n bytes of a text that ends with NUL there or later. -EINVAL with
 * *reterr: wrong syntax, an unknown name (with the nearest one), a division by zero, an argument
 * outside of a function's domain, a result that is not finite, more than DPL_EXPR_LENGTH_MAX bytes
 * or DPL_EXPR_DEPTH_MAX nested parts. The time is proportional to n times n_names. Allocates
 * nothing; does not use the locale. */
int dpl__expr_value(const char *text, size_t n, const struct dpl__expr_name *names, size_t n_names,
                    double *ret_value, struct dpl__expr_error *reterr);

/* What an expression may name. */
struct dpl__expr_scope {
    const struct dpl__expr_name *names; /* [n_names] */
    size_t n_names;
    /* The value of what is in brackets, "[door/position]": `n` bytes of `text`, from byte `offset`
     * of the expression on. 0, or -EINVAL with reterr (offset: in `text`). NULL: there are no
     * brackets. */
    int (*read)(void *user, const char *text, size_t n, size_t offset, double *ret_value,
                struct dpl__expr_error *reterr);
    void *user;
};

/* As dpl__expr_value, with what the scope has. */
int dpl__expr_value_in(const char *text, size_t n, const struct dpl__expr_scope *scope,
                       double *ret_value, struct dpl__expr_error *reterr);

/* Whether it is an expression, whatever its values are: all brackets are read, in order, and their
 * values do not count. 0, or -EINVAL with *reterr. */
int dpl__expr_check(const char *text, size_t n, const struct dpl__expr_scope *scope,
                    struct dpl__expr_error *reterr);

/* Whether a text is a name: letters, digits and _, not beginning with a digit, at most
 * DPL_EXPR_NAME_MAX of them. */
bool dpl__expr_is_name(const char *text);

/* Whether a name has a meaning of its own: pi, and, or, not, or a function. */
bool dpl__expr_is_reserved(const char *name);

enum { DPL_EXPR_NUMBER_SIZE = 40 };

/* Writes a finite value as text that is read as the same number: whole numbers of up to 2^53 as
 * digits only, -0 as 0. */
void dpl__expr_write(double value, char ret_text[DPL_EXPR_NUMBER_SIZE]);

#endif
