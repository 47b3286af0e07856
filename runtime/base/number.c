/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as text: strict reading, shortest writing. */
#include "number.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- writing --------------------------------------------------------------------------------- */

enum { DIGITS = 17 }; /* that any number needs at most */

/* The digits of a decimal number, the first one not 0: d.ddd 10^exponent. */
struct decimal {
    uint64_t digits; /* n of them */
    int n, exponent;
    bool negative;
};

static const uint64_t ten_to[] = {1,
                                  10,
                                  100,
                                  1000,
                                  10000,
                                  100000,
                                  1000000,
                                  10000000,
                                  100000000,
                                  1000000000,
                                  10000000000,
                                  100000000000,
                                  1000000000000,
                                  10000000000000,
                                  100000000000000,
                                  1000000000000000,
                                  10000000000000000,
                                  100000000000000000};

static int write_slowly(double value, char *ret_text, size_t size)
{
    /* 15 digits without trailing zeros are the shortest text where 15 suffice. */
    char text[40];
    for (int precision = 15; precision < DIGITS; precision++) {
        snprintf(text, sizeof(text), "%.*g", precision, value);
        if (strtod(text, NULL) == value) {
            return snprintf(ret_text, size, "%s", text);
        }
    }
    return snprintf(ret_text, size, "%.*g", DIGITS, value);
}

/* All 17 digits. */
static struct decimal decimal_of(double value)
{
    char text[40];
    snprintf(text, sizeof(text), "%.*e", DIGITS - 1, value);
    const char *at = skip_sign(text);
    struct decimal decimal = {.n = DIGITS, .negative = at != text};
    for (; *at != 'e'; at++) {
        if (is_digit(*at)) {
            decimal.digits = 10 * decimal.digits + (uint64_t)(*at - '0');
        }
    }
    decimal.exponent = (int)strtol(at + 1, NULL, 10);
    return decimal;
}

/* To n digits. Rounding what was rounded before errs where just a 5 or 50 is dropped: false then.
 */
static bool shorten(const struct decimal *from, int n, struct decimal *ret)
{
    uint64_t unit = ten_to[from->n - n], dropped = from->digits % unit;
    if (2 * dropped == unit) {
        return false;
    }
    *ret = *from;
    ret->n = n;
    ret->digits = from->digits / unit + (2 * dropped > unit);
    if (ret->digits == ten_to[n]) {
        ret->digits = ten_to[n - 1];
        ret->exponent++;
    }
    return true;
}

/* Whether it is read as `value`. Where both parts are exact, one operation rounds correctly as
 * strtod does (Clinger, "How to Read Floating Point Numbers Accurately", 1990). */
static bool reads_as(const struct decimal *decimal, double value)
{
    static const double exact[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    int power = decimal->exponent - (decimal->n - 1);
    if (decimal->digits <= UINT64_C(1) << 53 && power >= -22 && power <= 22) {
        double digits = (double)decimal->digits;
        return (power < 0 ? digits / exact[-power] : digits * exact[power]) == fabs(value);
    }
    char text[40];
    snprintf(text, sizeof(text), "%llue%d", (unsigned long long)decimal->digits, power);
    return strtod(text, NULL) == fabs(value);
}

static char *put(char *to, const char *from, int n)
{
    for (int i = 0; i < n; i++) {
        *to++ = from[i];
    }
    return to;
}

/* As %g with a precision of n digits: no trailing zeros, an exponent where the point is far away.
 */
static int write_decimal(const struct decimal *decimal, char *ret_text, size_t size)
{
    char digits[DIGITS + 1], text[40], *end = text;
    int n = decimal->n, exponent = decimal->exponent;
    uint64_t rest = decimal->digits;
    for (int i = n - 1; i >= 0; i--, rest /= 10) {
        digits[i] = (char)('0' + rest % 10);
    }
    bool far = exponent < -4 || exponent >= n;
    int before = far ? 1 : exponent + 1; /* digits before the point */
    while (n > 1 && n > before && digits[n - 1] == '0') {
        n--;
    }
    end = put(end, "-", decimal->negative);
    if (before > 0) {
        end = put(end, digits, before);
        end = put(end, ".", n > before);
        end = put(end, digits + before, n - before);
    } else {
        end = put(end, "0.000", 2 - before);
        end = put(end, digits, n);
    }
    *end = '\0';
    size_t length = (size_t)(end - text);
    if (far || length >= size) {
        return far ? snprintf(ret_text, size, "%se%+03d", text, exponent)
                   : snprintf(ret_text, size, "%s", text);
    }
    memcpy(ret_text, text, length + 1);
    return (int)length;
}

int dpl__number_write(double value, char *ret_text, size_t size)
{
    if (!isfinite(value) || value == 0.0) {
        return snprintf(ret_text, size, "%.15g", value);
    }
    struct decimal all = decimal_of(value), shorter;
    for (int n = 15; n < DIGITS; n++) {
        if (!shorten(&all, n, &shorter)) {
            return write_slowly(value, ret_text, size);
        }
        if (reads_as(&shorter, value)) {
            return write_decimal(&shorter, ret_text, size);
        }
    }
    return write_decimal(&all, ret_text, size);
}
