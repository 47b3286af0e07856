/* SPDX-License-Identifier: Apache-2.0 */
/* Functions, names and numbers of expressions. */
#include "expr_functions.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "expr.h"
#include "number.h"

static double lesser(double a, double b)
{
    return b < a ? b : a;
}

static double greater(double a, double b)
{
    return b > a ? b : a;
}

const struct dpl__expr_function dpl__expr_functions[DPL_EXPR_FUNCTIONS] = {
    {.name = "sin", .one = sin},
    {.name = "cos", .one = cos},
    {.name = "tan", .one = tan},
    {.name = "asin", .one = asin, .low = -1.0, .high = 1.0},
    {.name = "acos", .one = acos, .low = -1.0, .high = 1.0},
    {.name = "atan2", .two = atan2},
    {.name = "sqrt", .one = sqrt, .low = 0.0, .high = (double)INFINITY},
    {.name = "abs", .one = fabs},
    {.name = "min", .two = lesser, .many = true},
    {.name = "max", .two = greater, .many = true},
    {.name = "floor", .one = floor},
    {.name = "ceil", .one = ceil},
    {.name = "round", .one = round},
    {.name = "hypot", .two = hypot},
    {.name = "pow", .two = pow},
};

const struct dpl__expr_function *dpl__expr_function_find(const char *name)
{
    for (size_t i = 0; i < DPL_EXPR_FUNCTIONS; i++) {
        if (strcmp(dpl__expr_functions[i].name, name) == 0) {
            return &dpl__expr_functions[i];
        }
    }
    return NULL;
}

bool dpl__expr_is_reserved(const char *name)
{
    static const char *const words[] = {"pi", "and", "or", "not"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(name, words[i]) == 0) {
            return true;
        }
    }
    return dpl__expr_function_find(name);
}

bool dpl__expr_is_name(const char *text)
{
    size_t n = 0;
    for (char c = text[0]; (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
                           (n > 0 && c >= '0' && c <= '9');
         c = text[n]) {
        n++;
    }
    return n > 0 && n <= DPL_EXPR_NAME_MAX && text[n] == '\0';
}

void dpl__expr_write(double value, char ret_text[DPL_EXPR_NUMBER_SIZE])
{
    if (value == trunc(value) && fabs(value) <= 9007199254740992.0) {
        snprintf(ret_text, DPL_EXPR_NUMBER_SIZE, "%lld", (long long)value);
    } else {
        dpl__number_write(value, ret_text, DPL_EXPR_NUMBER_SIZE);
    }
}
