/* SPDX-License-Identifier: Apache-2.0 */
#include "field_json.h"

#include <math.h>
#include <string.h>

/* ---- schema ---- */

static void add_choices(struct dpl_bytes *bytes, const char *choices)
{
    dpl_bytes_text(bytes, ",\"enum\":[");
    for (const char *at = choices; at && *at;) {
        char word[128] = "";
        size_t n = strcspn(at, "|");
        memcpy(word, at, n < sizeof word ? n : sizeof word - 1);
        dpl_bytes_json(bytes, word);
        at += n + (at[n] == '|');
        dpl_bytes_text(bytes, *at ? "," : "");
    }
    dpl_bytes_text(bytes, "]");
}

static void add_description(struct dpl_bytes *bytes, const struct dpl_field *field)
{
    struct dpl_bytes text = {0};
    if (field->unit && *field->unit) {
        dpl_bytes_printf(&text, "[%s] ", field->unit);
    }
    dpl_bytes_text(&text, field->summary ? field->summary : "");
    dpl_bytes_number(&text, 0, 1);
    if (!text.failed && text.n > 1) {
        dpl_bytes_text(bytes, ",\"description\":");
        dpl_bytes_json(bytes, (const char *)text.data);
    }
    bytes->failed |= text.failed;
    dpl_bytes_finish(&text);
}

static void add_property(struct dpl_bytes *bytes, const struct dpl_field *field)
{
    static const char *const types[] = {
        [DPL_FIELD_BOOL] = "\"boolean\"",
        [DPL_FIELD_INT] = "\"integer\"",
        [DPL_FIELD_DOUBLE] = "[\"number\",\"null\"]",
        [DPL_FIELD_STRING] = "\"string\"",
        [DPL_FIELD_CHOICE] = "\"string\"",
    };
    dpl_bytes_json(bytes, field->name);
    dpl_bytes_printf(bytes, ":{\"type\":%s", types[field->type]);
    add_description(bytes, field);
    bool is_number = field->type == DPL_FIELD_INT || field->type == DPL_FIELD_DOUBLE;
    if (is_number && (field->min != 0.0 || field->max != 0.0)) {
        dpl_bytes_printf(bytes, ",\"minimum\":%.17g,\"maximum\":%.17g", field->min, field->max);
    }
    if (field->type == DPL_FIELD_CHOICE) {
        add_choices(bytes, field->choices);
    }
    dpl_bytes_text(bytes, "}");
}

void dpl__field_schema(const char *title, const struct dpl_field *fields, size_t n,
                       struct dpl_bytes *bytes)
{
    dpl_bytes_text(bytes, "{\"type\":\"object\",\"title\":");
    dpl_bytes_json(bytes, title);
    dpl_bytes_text(bytes, ",\"properties\":{");
    for (size_t i = 0; i < n; i++) {
        dpl_bytes_text(bytes, i > 0 ? "," : "");
        add_property(bytes, &fields[i]);
    }
    dpl_bytes_text(bytes, "}}");
}

/* ---- values ---- */

void dpl__field_json(const struct dpl_field *field, const void *base, struct dpl_bytes *bytes)
{
    char text[1024];
    if (field->type == DPL_FIELD_STRING) {
        dpl_bytes_json(bytes, (const char *)base + field->offset);
        return;
    }
    double number = dpl_field_number(field, base);
    if (field->type == DPL_FIELD_BOOL) {
        dpl_bytes_text(bytes, number != 0.0 ? "true" : "false");
    } else if (field->type == DPL_FIELD_DOUBLE && !isfinite(number)) {
        dpl_bytes_text(bytes, "null");
    } else {
        dpl_field_format(field, base, text, sizeof text);
        if (field->type == DPL_FIELD_CHOICE) {
            dpl_bytes_json(bytes, text);
        } else {
            dpl_bytes_text(bytes, text);
        }
    }
}

void dpl__fields_json(const struct dpl_field *fields, size_t n, const void *base,
                      struct dpl_bytes *bytes)
{
    for (size_t i = 0; i < n; i++) {
        dpl_bytes_text(bytes, i > 0 ? "," : "{");
        dpl_bytes_json(bytes, fields[i].name);
        dpl_bytes_text(bytes, ":");
        dpl__field_json(&fields[i], base, bytes);
    }
    dpl_bytes_text(bytes, n > 0 ? "}" : "{}");
}
