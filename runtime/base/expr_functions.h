/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of expressions: a part of expr.c. */
#ifndef DOPPEL_BASE_EXPR_FUNCTIONS_H
#define DOPPEL_BASE_EXPR_FUNCTIONS_H

#include <stdbool.h>

enum { DPL_EXPR_FUNCTIONS = 15 };

/* Has `one` or `two`. */
struct dpl__expr_function {
    const char *name;
    double (*one)(double a);
    double (*two)(double a, double b);
    bool many;        /* two or more arguments */
    double low, high; /* of the first argument; both 0: any */
};

/* Hidden, since a program and the library of worlds each have their own. */
extern const struct dpl__expr_function dpl__expr_functions[DPL_EXPR_FUNCTIONS]
    __attribute__((visibility("hidden")));

/* NULL: there is none of this name. */
const struct dpl__expr_function *dpl__expr_function_find(const char *name);

#endif
