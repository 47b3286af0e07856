/* SPDX-License-Identifier: Apache-2.0 */
#include "bag_values.h"

#include <stdlib.h>
#include <string.h>

static void skip_blanks(struct bag_values *values)
{
    while (values->at < values->end && strchr(" \t\r\n", *values->at) && *values->at != '\0') {
        values->at++;
    }
}

/* Steps over a character that must be there. */
static bool step(struct bag_values *values, char wanted)
{
    skip_blanks(values);
    bool is_there = values->at < values->end && *values->at == wanted;
    values->at += is_there;
    return is_there;
}

/* Behind its first quote. */
static bool read_quoted(struct bag_values *values, const char **ret_text, size_t *ret_n)
{
    const char *begin = values->at;
    for (; values->at < values->end && *values->at != '"'; values->at++) {
        values->at += *values->at == '\\' && values->end - values->at > 1;
    }
    *ret_text = begin;
    *ret_n = (size_t)(values->at - begin);
    return step(values, '"');
}

static bool read_bare(struct bag_values *values, struct bag_value *value)
{
    static const char allowed[] = "+-.0123456789abcdefghijklmnopqrstuvwxyzE";
    skip_blanks(values);
    value->text = values->at;
    while (values->at < values->end && *values->at != '\0' && strchr(allowed, *values->at)) {
        values->at++;
    }
    value->n_text = (size_t)(values->at - value->text);
    return value->n_text > 0;
}

bool bag_values_next(struct bag_values *values, struct bag_value *ret_value)
{
    bool is_first = !values->began;
    if (values->is_bad || (is_first && !step(values, '{'))) {
        values->is_bad = true;
        return false;
    }
    values->began = true;
    if (step(values, '}')) {
        skip_blanks(values);
        values->is_bad = values->at != values->end;
        return false;
    }
    struct bag_value value = {.is_text = false};
    bool good = (is_first || step(values, ',')) && step(values, '"') &&
                read_quoted(values, &value.name, &value.n_name) && step(values, ':');
    value.is_text = good && step(values, '"');
    good = good && (value.is_text ? read_quoted(values, &value.text, &value.n_text)
                                  : read_bare(values, &value));
    values->is_bad = !good;
    *ret_value = value;
    return good;
}

static char unescaped(const char **at, const char *end)
{
    static const char letters[] = "bfnrt\"\\/", means[] = "\b\f\n\r\t\"\\/";
    char letter = *(*at)++;
    const char *known = letter != '\0' ? strchr(letters, letter) : NULL;
    if (letter != 'u' || end - *at < 4) {
        return known ? means[known - letters] : letter;
    }
    char digits[5] = "";
    memcpy(digits, *at, 4);
    *at += 4;
    unsigned long code = strtoul(digits, NULL, 16);
    return code > 0 && code < 0x80 ? (char)code : '?';
}

size_t bag_value_unescape(const struct bag_value *value, char *ret_text, size_t size)
{
    const char *at = value->text, *end = at + value->n_text;
    size_t n = 0;
    while (at < end && n + 1 < size) {
        char c = *at++;
        ret_text[n++] = c == '\\' && at < end ? unescaped(&at, end) : c;
    }
    ret_text[n] = '\0';
    return n;
}
