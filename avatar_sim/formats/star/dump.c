/* SPDX-License-Identifier: Apache-2.0 */
/* JSON as text: see dump.h. */
#include "dump.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

enum { COLUMNS = 100, INDENT = 2, NUMBER_SIZE = 48 };

struct text {
    char *bytes;
    size_t n, capacity;
    size_t most; /* bytes that may be in it; is_over says that they are not enough */
    bool is_over, is_out_of_memory;
};

static void put(struct text *text, const char *bytes, size_t n)
{
    if (text->is_out_of_memory || text->is_over) {
        return;
    }
    if (n > text->most - text->n) {
        text->is_over = true;
        return;
    }
    if (text->n + n + 1 > text->capacity) {
        size_t capacity = 2 * (text->n + n) + 256;
        char *larger = realloc(text->bytes, capacity);
        if (!larger) {
            text->is_out_of_memory = true;
            return;
        }
        text->bytes = larger;
        text->capacity = capacity;
    }
    memcpy(text->bytes + text->n, bytes, n);
    text->n += n;
    text->bytes[text->n] = '\0';
}

static void put_text(struct text *text, const char *bytes)
{
    put(text, bytes, strlen(bytes));
}

/* ---- scalars ---- */

/* A real number stays one when it is read again. */
static void put_real(struct text *text, double value)
{
    char number[NUMBER_SIZE];
    int length = dpl__number_write(value, number, sizeof number - 2);
    if (!strpbrk(number, ".eE")) {
        memcpy(number + length, ".0", 3);
    }
    put_text(text, number);
}

static void put_string(struct text *text, const char *string)
{
    json_t *json = json_string_nocheck(string);
    char *quoted = json ? json_dumps(json, JSON_ENCODE_ANY) : NULL;
    if (quoted) {
        put_text(text, quoted);
    } else {
        text->is_out_of_memory = true;
    }
    free(quoted);
    json_decref(json);
}

static void put_scalar(struct text *text, const json_t *json)
{
    char number[NUMBER_SIZE];
    switch (json_typeof(json)) {
    case JSON_STRING: put_string(text, json_string_value(json)); break;
    case JSON_REAL: put_real(text, json_real_value(json)); break;
    case JSON_INTEGER:
        snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(json));
        put_text(text, number);
        break;
    case JSON_TRUE: put_text(text, "true"); break;
    case JSON_FALSE: put_text(text, "false"); break;
    default: put_text(text, "null"); break;
    }
}

/* ---- arrays and objects ---- */

static bool is_nested(const json_t *json)
{
    return json_is_array(json) || json_is_object(json);
}

static void put_line(struct text *text, const json_t *json);

static void put_array_line(struct text *text, const json_t *array)
{
    put_text(text, "[");
    for (size_t i = 0; i < json_array_size(array) && !text->is_over; i++) {
        put_text(text, i > 0 ? ", " : "");
        put_line(text, json_array_get(array, i));
    }
    put_text(text, "]");
}

/* In one line; objects in objects are too much for it. */
static void put_line(struct text *text, const json_t *json)
{
    if (!is_nested(json)) {
        put_scalar(text, json);
        return;
    }
    if (json_is_array(json)) {
        put_array_line(text, json);
        return;
    }
    const char *key, *separator = "{";
    json_t *value, *object = (json_t *)(uintptr_t)json; /* iterators want it so */
    json_object_foreach(object, key, value)
    {
        text->is_over = text->is_over || json_is_object(value);
        if (text->is_over) {
            return;
        }
        put_text(text, separator);
        put_string(text, key);
        put_text(text, ": ");
        put_line(text, value);
        separator = ", ";
    }
    put_text(text, json_object_size(json) > 0 ? "}" : "{}");
}

/* In one line if it fits behind what is already in this one. */
static bool put_short(struct text *text, const json_t *json, size_t column)
{
    size_t start = text->n, most = text->most;
    if (column >= COLUMNS) {
        return false;
    }
    text->most = start + COLUMNS - column;
    put_line(text, json);
    text->most = most;
    bool fits = !text->is_over;
    if (!fits) {
        text->is_over = false;
        text->n = start;
    }
    return fits;
}

static void put_end(struct text *text, size_t indent)
{
    put_text(text, "\n");
    for (size_t i = 0; i < indent; i++) {
        put_text(text, " ");
    }
}

static void put_lines(struct text *text, const json_t *json, size_t indent, size_t column);

static void put_array(struct text *text, const json_t *array, size_t indent)
{
    put_text(text, "[");
    for (size_t i = 0; i < json_array_size(array); i++) {
        put_text(text, i > 0 ? "," : "");
        put_end(text, indent + INDENT);
        put_lines(text, json_array_get(array, i), indent + INDENT, indent + INDENT);
    }
    put_end(text, indent);
    put_text(text, "]");
}

static void put_object(struct text *text, const json_t *json, size_t indent)
{
    const char *key, *separator = "{";
    json_t *value, *object = (json_t *)(uintptr_t)json;
    json_object_foreach(object, key, value)
    {
        put_text(text, separator);
        put_end(text, indent + INDENT);
        size_t start = text->n;
        put_string(text, key);
        put_text(text, ": ");
        put_lines(text, value, indent + INDENT, indent + INDENT + text->n - start);
        separator = ",";
    }
    put_end(text, indent);
    put_text(text, "}");
}

static void put_lines(struct text *text, const json_t *json, size_t indent, size_t column)
{
    if (!is_nested(json)) {
        put_scalar(text, json);
    } else if ((json_is_object(json) ? json_object_size(json) : json_array_size(json)) == 0 ||
               !put_short(text, json, column + 1)) {
        if (json_is_object(json) && json_object_size(json) > 0) {
            put_object(text, json, indent);
        } else if (json_array_size(json) > 0) {
            put_array(text, json, indent);
        } else {
            put_text(text, json_is_object(json) ? "{}" : "[]");
        }
    }
}

int dpl__star_dump(const json_t *json, char **ret_text, size_t *ret_n)
{
    struct text text = {.most = SIZE_MAX};
    put_lines(&text, json, 0, 0);
    put_text(&text, "\n");
    if (text.is_out_of_memory) {
        free(text.bytes);
        return -ENOMEM;
    }
    *ret_text = text.bytes;
    *ret_n = text.n;
    return 0;
}
