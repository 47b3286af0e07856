/* SPDX-License-Identifier: Apache-2.0 */
/* Values of the document with their places: see reader.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reader.h"

static const struct dpl__star_node nothing = {.json = NULL};

static const char *kind_of(const json_t *json)
{
    static const char *const words[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a text",
        [JSON_INTEGER] = "a number", [JSON_REAL] = "a number",  [JSON_TRUE] = "true",
        [JSON_FALSE] = "false",      [JSON_NULL] = "null",
    };
    return json ? words[json_typeof(json)] : "nothing";
}

static void expected(struct dpl__star_reader *reader, struct dpl__star_node node, const char *what)
{
    dpl__star_error(reader, node, "%s is expected, not %s", what, kind_of(node.json));
}

/* ---- objects and arrays ---- */

struct dpl__star_node dpl__star_get(const struct dpl__star_reader *reader,
                                    struct dpl__star_node object, const char *key)
{
    if (!json_is_object(object.json)) {
        return nothing;
    }
    int value = object.value + 1;
    for (void *at = json_object_iter(object.json); at;
         at = json_object_iter_next(object.json, at)) {
        if (strcmp(json_object_iter_key(at), key) == 0) {
            json_t *json = json_object_iter_value(at);
            return json_is_null(json) ? nothing : (struct dpl__star_node){json, value};
        }
        value = reader->places.values[value].next;
    }
    return nothing;
}

struct dpl__star_node dpl__star_get_any(struct dpl__star_reader *reader,
                                        struct dpl__star_node object, const char *const *keys)
{
    struct dpl__star_node first = nothing;
    for (const char *const *key = keys, *used = NULL; *key; key++) {
        struct dpl__star_node node = dpl__star_get(reader, object, *key);
        if (node.json && first.json) {
            dpl__star_error(reader, node, "the same as '%s', which is there too", used);
        } else if (node.json) {
            first = node;
            used = *key;
        }
    }
    return first;
}

struct dpl__star_node dpl__star_element(const struct dpl__star_reader *reader,
                                        struct dpl__star_node array, size_t index)
{
    int value = array.value + 1;
    for (size_t i = 0; i < index; i++) {
        value = reader->places.values[value].next;
    }
    return (struct dpl__star_node){json_array_get(array.json, index), value};
}

static size_t count(const char *const *words)
{
    size_t n = 0;
    while (words[n]) {
        n++;
    }
    return n;
}

static void warn_unknown(struct dpl__star_reader *reader, int value, const char *key,
                         const char *const *known)
{
    char hint[160];
    dpl__star_warn_key(reader, value, "this key is not known, and only kept%s",
                       dpl__star_hint(key, known, count(known), hint, sizeof hint));
}

void dpl__star_check_keys(struct dpl__star_reader *reader, struct dpl__star_node object,
                          const char *const *known)
{
    int value = object.value + 1;
    for (void *at = json_object_iter(object.json); at;
         at = json_object_iter_next(object.json, at)) {
        const char *key = json_object_iter_key(at);
        size_t i = 0;
        while (known[i] && strcmp(known[i], key) != 0) {
            i++;
        }
        if (!known[i]) {
            warn_unknown(reader, value, key, known);
        }
        value = reader->places.values[value].next;
    }
}

bool dpl__star_is_object(struct dpl__star_reader *reader, struct dpl__star_node node)
{
    if (!json_is_object(node.json)) {
        expected(reader, node, "an object");
        return false;
    }
    return true;
}

/* ---- scalars ---- */

bool dpl__star_number(struct dpl__star_reader *reader, struct dpl__star_node node, double scale,
                      double *ret_value)
{
    if (!json_is_number(node.json)) {
        expected(reader, node, "a number");
        return false;
    }
    double value = json_number_value(node.json) * scale;
    if (!isfinite(value)) {
        dpl__star_error(reader, node, "too large in SI units");
        return false;
    }
    *ret_value = value;
    return true;
}

bool dpl__star_numbers(struct dpl__star_reader *reader, struct dpl__star_node node, size_t n,
                       double scale, double *ret_values)
{
    if (!json_is_array(node.json) || json_array_size(node.json) != n) {
        char what[40];
        snprintf(what, sizeof what, "an array of %zu numbers", n);
        if (json_is_array(node.json)) {
            dpl__star_error(reader, node, "%s is expected, not one of %zu", what,
                            json_array_size(node.json));
        } else {
            expected(reader, node, what);
        }
        return false;
    }
    double values[16];
    bool is_good = true;
    struct dpl__star_node element = {.value = node.value + 1};
    for (size_t i = 0; i < n; i++) {
        element.json = json_array_get(node.json, i);
        is_good = dpl__star_number(reader, element, scale, &values[i]) && is_good;
        element.value = reader->places.values[element.value].next;
    }
    if (is_good) {
        memcpy(ret_values, values, n * sizeof *values);
    }
    return is_good;
}

const char *dpl__star_string(struct dpl__star_reader *reader, struct dpl__star_node node)
{
    if (!json_is_string(node.json)) {
        expected(reader, node, "a text");
        return NULL;
    }
    return json_string_value(node.json);
}

bool dpl__star_bool(struct dpl__star_reader *reader, struct dpl__star_node object, const char *key,
                    bool value)
{
    struct dpl__star_node node = dpl__star_get(reader, object, key);
    if (node.json && !json_is_boolean(node.json)) {
        expected(reader, node, "true or false");
        return value;
    }
    return node.json ? json_is_true(node.json) : value;
}

size_t dpl__star_strings(struct dpl__star_reader *reader, struct dpl__star_node node,
                         const char *const **ret_strings)
{
    bool is_one = json_is_string(node.json);
    if (!is_one && !json_is_array(node.json)) {
        expected(reader, node, "a text, or an array of texts");
        return 0;
    }
    size_t n = is_one ? 1 : json_array_size(node.json);
    const char **strings = dpl_arena_alloc(reader->arena, n * sizeof *strings);
    struct dpl__star_node element = {node.json, node.value + (is_one ? 0 : 1)};
    for (size_t i = 0; i < n; i++) {
        element.json = is_one ? node.json : json_array_get(node.json, i);
        const char *string = dpl__star_string(reader, element);
        if (!string) {
            return 0;
        }
        strings[i] = dpl_arena_strdup(reader->arena, string);
        element.value = reader->places.values[element.value].next;
    }
    *ret_strings = strings;
    return n;
}

int dpl__star_word(struct dpl__star_reader *reader, struct dpl__star_node node,
                   const char *const *words, size_t n)
{
    const char *word = dpl__star_string(reader, node);
    if (!word) {
        return -1;
    }
    for (size_t i = 0; i < n; i++) {
        if (strcmp(words[i], word) == 0) {
            return (int)i;
        }
    }
    char all[300] = "", quoted[80], hint[160];
    for (size_t i = 0, length = 0; i < n && length + 1 < sizeof all; length = strlen(all), i++) {
        snprintf(all + length, sizeof all - length, "%s%s", i > 0 ? ", " : "", words[i]);
    }
    dpl__star_error(reader, node, "'%s' is none of %s%s",
                    dpl_diag_quote(word, strlen(word), quoted, sizeof quoted), all,
                    dpl__star_hint(word, words, n, hint, sizeof hint));
    return -1;
}

/* ---- things with names ---- */

bool dpl__star_is_name(struct dpl__star_reader *reader, struct dpl__star_node node,
                       const char *name)
{
    size_t length = strlen(name);
    if (length == 0) {
        dpl__star_error_name(reader, node, "a name is empty");
        return false;
    }
    if (length > DPL_MB_NAME_MAX) {
        dpl__star_error_name(reader, node, "a name has more than %d bytes", DPL_MB_NAME_MAX);
        return false;
    }
    if (strchr(name, ':')) {
        dpl__star_error_name(reader, node, "':' is in a name, where it would end a part of a path");
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)name[i] < 0x20 || name[i] == 0x7f) {
            dpl__star_error_name(reader, node, "a control character is in a name");
            return false;
        }
    }
    return true;
}

void dpl__star_free_name(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int container,
                         const char *name, const char *ending, char ret_name[DPL_MB_NAME_MAX + 1])
{
    enum { KEPT = 200 };
    size_t length = strlen(name) < KEPT ? strlen(name) : KEPT;
    while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80) {
        length--; /* not within a character of UTF-8 */
    }
    memcpy(ret_name, name, length);
    length += (size_t)snprintf(ret_name + length, DPL_MB_NAME_MAX + 1 - length, "_%s", ending);
    while (dpl_mb_find(graph, kind, container, ret_name) >= 0 && length < DPL_MB_NAME_MAX) {
        ret_name[length++] = '_';
        ret_name[length] = '\0';
    }
}

static void take(struct dpl__star_reader *reader, struct dpl__star_node node, const char *name,
                 dpl__star_one *one, void *user)
{
    if (dpl__star_is_name(reader, node, name) && dpl__star_is_object(reader, node)) {
        one(reader, node, name, user);
    }
}

static void take_element(struct dpl__star_reader *reader, struct dpl__star_node node,
                         dpl__star_one *one, void *user)
{
    if (!dpl__star_is_object(reader, node)) {
        return;
    }
    struct dpl__star_node name = dpl__star_get(reader, node, "name");
    if (!name.json) {
        dpl__star_error(reader, node, "this has no \"name\"");
        return;
    }
    const char *text = dpl__star_string(reader, name);
    if (text) {
        take(reader, node, text, one, user);
    }
}

void dpl__star_each(struct dpl__star_reader *reader, struct dpl__star_node list, dpl__star_one *one,
                    void *user)
{
    if (!list.json) {
        return;
    }
    struct dpl__star_node node = {.value = list.value + 1};
    if (json_is_object(list.json)) {
        for (void *at = json_object_iter(list.json); at && !reader->stops;
             at = json_object_iter_next(list.json, at)) {
            node.json = json_object_iter_value(at);
            take(reader, node, json_object_iter_key(at), one, user);
            node.value = reader->places.values[node.value].next;
        }
    } else if (json_is_array(list.json)) {
        for (size_t i = 0; i < json_array_size(list.json) && !reader->stops; i++) {
            node.json = json_array_get(list.json, i);
            take_element(reader, node, one, user);
            node.value = reader->places.values[node.value].next;
        }
    } else {
        expected(reader, list, "an object, or an array of objects with names");
    }
}
