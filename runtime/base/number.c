/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as text: strict parsing, shortest writing. */
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
    /* strtod would parse "0x10" as hexadecimal, but only "0" is a decimal number. */
    if (!end || *end == 'x' || *end == 'X') {
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

enum { DIGITS = 17 }; /* enough for every number */

/* The digits of a decimal number, the first one not 0: d.ddd 10^exponent. */
struct decimal {
    uint64_t digits; /* n of them */
    int n, exponent;
    bool negative;
};

/* A number without its sign: mantissa 2^exponent, the mantissa of 53 bits. */
struct binary {
    uint64_t mantissa;
    int exponent;
};

__extension__ typedef unsigned __int128 wide;

enum { POWER_MAX = 31 }; /* 53 bits times 5^31 still fit into 128 */

static wide five_to(int power)
{
    static const uint64_t low[] = {1,         5,          25,         125,        625,     3125,
                                   15625,     78125,      390625,     1953125,    9765625, 48828125,
                                   244140625, 1220703125, 6103515625, 30517578125};
    static const uint64_t high[] = {1, 152587890625};
    return (wide)low[power % 16] * high[power / 16];
}

static uint64_t ten_to(int power)
{
    return (uint64_t)five_to(power) << power;
}

static int write_slowly(double value, char *ret_text, size_t size)
{
    /* If 15 digits are enough, then 15 digits without trailing zeros are the shortest text. */
    char text[40];
    for (int precision = 15; precision < DIGITS; precision++) {
        snprintf(text, sizeof(text), "%.*g", precision, value);
        if (strtod(text, NULL) == value) {
            return snprintf(ret_text, size, "%s", text);
        }
    }
    return snprintf(ret_text, size, "%.*g", DIGITS, value);
}

/* A number times 10^power = exact / 2^shift, rounded half to even. Also whether the rounding error
 * is less than half a unit of the mantissa's last place, so that the digits are parsed as the same
 * number. (mantissa 2^exponent 10^power = mantissa 5^power / 2^shift, and such a half unit is
 * 5^power / 2^(shift + 1).) */
static bool scale(const struct binary *number, int power, uint64_t *ret_digits)
{
    wide exact = number->mantissa * five_to(power);
    int shift = -(number->exponent + power);
    if (shift <= 0) {
        *ret_digits = (uint64_t)(exact << -shift);
        return true;
    }
    wide whole = exact >> shift, rest = exact - (whole << shift), half = (wide)1 << (shift - 1);
    bool up = rest > half || (rest == half && (whole & 1) != 0);
    *ret_digits = (uint64_t)whole + up;
    wide off = up ? (half - (rest - half)) : rest;
    /* Below a power of two the distance to the next number is only half as large. */
    bool narrow = !up && number->mantissa == UINT64_C(1) << 52;
    return off << (narrow ? 2 : 1) < five_to(power);
}

/* The number with n digits, with exact arithmetic. False: the number is outside of the range for
 * that. */
static bool round_to(const struct binary *number, int n, struct decimal *ret, bool *ret_same)
{
    /* 1233 / 4096 is slightly less than log10(2): the estimate is exact or one too small. */
    for (int exponent = ((number->exponent + 52) * 1233) >> 12;; exponent++) {
        int power = n - 1 - exponent;
        if (power < 0 || power > POWER_MAX || number->exponent + power < -124) {
            return false;
        }
        *ret_same = scale(number, power, &ret->digits);
        if (ret->digits < ten_to(n)) {
            ret->n = n;
            ret->exponent = exponent;
            return ret->digits >= ten_to(n - 1);
        }
    }
}

static char *put(char *to, const char *from, int n)
{
    for (int i = 0; i < n; i++) {
        *to++ = from[i];
    }
    return to;
}

/* As %g with a precision of n digits: no trailing zeros, an exponent if the point is far away. */
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
    int exponent;
    double fraction = frexp(fabs(value), &exponent);
    struct binary number = {(uint64_t)ldexp(fraction, 53), exponent - 53};
    struct decimal decimal = {.negative = value < 0.0};
    bool same = false;
    for (int n = 15; n <= DIGITS && !same; n++) {
        if (!round_to(&number, n, &decimal, &same)) {
            return write_slowly(value, ret_text, size);
        }
    }
    return write_decimal(&decimal, ret_text, size);
}
