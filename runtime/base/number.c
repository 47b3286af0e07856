/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as text: strict reading, shortest writing. */
#include "number.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_digits(const char *text)
{
    while (is_digit(*text)) {
        text++;
    }
    return text;
}

static const char *skip_sign(const char *text)
{
    return *text == '-' || *text == '+' ? text + 1 : text;
}

/* The end of the decimal number at `text`, or NULL. */
static const char *number_end(const char *text)
{
    const char *digits = skip_sign(text);
    const char *end = skip_digits(digits);
    bool any = end > digits;
    if (*end == '.') {
        const char *fraction = skip_digits(end + 1);
        any = any || fraction > end + 1;
        end = fraction;
    }
    if (!any) {
        return NULL;
    }
    if (*end == 'e' || *end == 'E') {
        const char *exponent = skip_sign(end + 1);
        if (is_digit(*exponent)) {
            end = skip_digits(exponent);
        }
    }
    return end;
}

const char *dpl__number_read(const char *text, double *ret_value)
{
    const char *end = number_end(text);
    /* "0x10" would be read as hexadecimal by strtod, though only "0" is a decimal number. */
    if (end == NULL || *end == 'x' || *end == 'X') {
        return NULL;
    }
    char *stop;
    double value = strtod(text, &stop);
    if (stop != end || !isfinite(value)) {
        return NULL;
    }
    *ret_value = value;
    return end;
}

const char *dpl__whole_read(const char *text, int64_t *ret_value)
{
    const char *digits = skip_sign(text);
    const char *end = skip_digits(digits);
    if (end == digits) {
        return NULL;
    }
    errno = 0;
    long long value = strtoll(text, NULL, 10);
    if (errno == ERANGE) {
        return NULL;
    }
    *ret_value = value;
    return end;
}

int dpl__number_write(double value, char *ret_text, size_t size)
{
    /* 15 digits without trailing zeros are the shortest text where 15 suffice. */
    char text[40];
    for (int precision = 15; precision < 17; precision++) {
        snprintf(text, sizeof(text), "%.*g", precision, value);
        if (strtod(text, NULL) == value) {
            return snprintf(ret_text, size, "%s", text);
        }
    }
    return snprintf(ret_text, size, "%.17g", value);
}
