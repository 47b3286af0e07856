/* SPDX-License-Identifier: Apache-2.0 */
#include "field_path.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

#define NAMES_MAX 256
#define DEPTH_MAX 64

static const struct dpl_place nowhere;

/* ---- paths ---- */

static json_t *no_field(json_t *object, const char *name, size_t n, struct dpl_diag *reterr)
{
    char wanted[128], shown[256];
    const char *names[NAMES_MAX], *key;
    size_t n_names = 0;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        n_names += n_names < NAMES_MAX ? (names[n_names] = key, 1u) : 0;
    }
    n = n < sizeof wanted - 1 ? n : sizeof wanted - 1;
    memcpy(wanted, name, n);
    wanted[n] = '\0';
    const char *near = dpl_nearest(wanted, names, n_names);
    dpl_fail(reterr, -ENOENT, nowhere, "there is no field '%s'%s%s",
             dpl_diag_quote(wanted, n, shown, sizeof shown), near ? ", did you mean " : "",
             near ? near : "");
    return NULL;
}

static json_t *item_of(json_t *list, const char **path, const char *start, struct dpl_diag *reterr)
{
    char *end;
    bool is_digit = (*path)[1] >= '0' && (*path)[1] <= '9';
    unsigned long long index = is_digit ? strtoull(*path + 1, &end, 10) : 0;
    if (!is_digit || *end != ']') {
        dpl_fail(reterr, -EINVAL, nowhere, "expected [N] with a number of an item, from 0");
        return NULL;
    }
    json_t *item = index < SIZE_MAX ? json_array_get(list, (size_t)index) : NULL;
    if (!item) {
        dpl_fail(reterr, -ENOENT, nowhere, "%.*s has %zu items%s", (int)(*path - start), start,
                 json_array_size(list), json_is_array(list) ? ", from 0" : ": it is no list");
    }
    *path = end + 1;
    return item;
}

json_t *field_path_find(json_t *message, const char *path, struct dpl_diag *reterr)
{
    json_t *value = message;
    for (const char *at = path; value && *at;) {
        if (*at == '[') {
            value = item_of(value, &at, path, reterr);
            continue;
        }
        at += *at == '.' && at > path;
        size_t n = strcspn(at, ".[");
        if (n == 0) {
            dpl_fail(reterr, -EINVAL, nowhere, "expected a path such as pose.x or ranges[3]");
            return NULL;
        }
        json_t *found = json_object_getn(value, at, n);
        value = found ? found : no_field(value, at, n, reterr);
        at += n;
    }
    return value;
}

/* ---- texts ---- */

static void add_scalar(json_t *value, struct dpl_bytes *out)
{
    char text[64];
    if (json_is_real(value)) {
        dpl__number_write(json_real_value(value), text, sizeof text);
        dpl_bytes_text(out, text);
    } else if (json_is_integer(value)) {
        dpl_bytes_printf(out, "%lld", (long long)json_integer_value(value));
    } else if (json_is_string(value)) {
        dpl_bytes_json(out, json_string_value(value));
    } else {
        dpl_bytes_text(out, json_is_true(value) ? "true" : json_is_false(value) ? "false" : "null");
    }
}

static void add_json(json_t *value, unsigned depth, struct dpl_bytes *out)
{
    const char *name, *comma = "";
    size_t i;
    json_t *item;
    if (depth > DEPTH_MAX) {
        dpl_bytes_text(out, "null");
    } else if (json_is_object(value)) {
        dpl_bytes_text(out, "{");
        json_object_foreach(value, name, item)
        {
            dpl_bytes_text(out, comma);
            dpl_bytes_json(out, name);
            dpl_bytes_text(out, ":");
            add_json(item, depth + 1, out);
            comma = ",";
        }
        dpl_bytes_text(out, "}");
    } else if (json_is_array(value)) {
        dpl_bytes_text(out, "[");
        json_array_foreach(value, i, item)
        {
            dpl_bytes_text(out, i > 0 ? "," : "");
            add_json(item, depth + 1, out);
        }
        dpl_bytes_text(out, "]");
    } else {
        add_scalar(value, out);
    }
}

void field_json(json_t *value, struct dpl_bytes *out)
{
    add_json(value, 0, out);
}

static bool has_items(json_t *value) /* of a scalar: no */
{
    return json_array_size(value) > 0 || json_object_size(value) > 0;
}

/* What is one line: all but an object, and a list of objects or lists. */
static bool is_plain(json_t *value)
{
    return json_object_size(value) == 0 && !has_items(json_array_get(value, 0));
}

static void add_plain(json_t *value, size_t most, struct dpl_bytes *out)
{
    size_t i;
    json_t *item;
    if (json_is_object(value)) {
        dpl_bytes_text(out, "{}");
        return;
    }
    if (!json_is_array(value)) {
        add_scalar(value, out);
        return;
    }
    dpl_bytes_text(out, "[");
    json_array_foreach(value, i, item)
    {
        dpl_bytes_text(out, i > 0 ? ", " : "");
        if (i == most) {
            dpl_bytes_text(out, "...");
            break;
        }
        add_json(item, 0, out);
    }
    dpl_bytes_text(out, "]");
}

static void indent(unsigned depth, struct dpl_bytes *out)
{
    for (unsigned i = 0; i < depth; i++) {
        dpl_bytes_text(out, "  ");
    }
}

/* The lines of an object or a list; the first one goes on where something is already. */
static void add_lines(json_t *value, size_t most, unsigned depth, bool goes_on,
                      struct dpl_bytes *out)
{
    const char *name;
    size_t i;
    json_t *item;
    if (is_plain(value) || depth > DEPTH_MAX) {
        add_plain(value, most, out);
        dpl_bytes_text(out, "\n");
    } else if (json_is_array(value)) {
        json_array_foreach(value, i, item)
        {
            indent(goes_on && i == 0 ? 0 : depth, out);
            dpl_bytes_text(out, i == most ? "- ...\n" : "- ");
            if (i == most) {
                break;
            }
            add_lines(item, most, depth + 1, true, out);
        }
    } else {
        json_object_foreach(value, name, item)
        {
            indent(goes_on ? 0 : depth, out);
            goes_on = false;
            dpl_bytes_text(out, name);
            dpl_bytes_text(out, is_plain(item) ? ": " : ":\n");
            add_lines(item, most, is_plain(item) ? depth : depth + 1, false, out);
        }
    }
}

void field_yaml(json_t *value, size_t most, struct dpl_bytes *out)
{
    add_lines(value, most, 0, false, out);
}
