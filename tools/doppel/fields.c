/* SPDX-License-Identifier: Apache-2.0 */
#include "fields.h"

#include <stdio.h>
#include <string.h>

#include <doppel/text.h>

#include "arena.h"

#define DEFAULT_MAX 40 /* characters of a default that are shown */

static struct dpl_arena kept;

static bool is_clean(const char *text)
{
    size_t n = 1;
    for (uint32_t code; *text != '\0' && n > 0; text += n) {
        n = dpl_text_next(text, &code);
        if (n == 0 || dpl_text_is_control(code)) {
            return false;
        }
    }
    return true;
}

const char *cli_clean(const char *text)
{
    if (!text || is_clean(text)) {
        return text ? text : "";
    }
    size_t size = DPL_TEXT_CLEAN_SIZE(strlen(text) + 1);
    char *clean = dpl_arena_alloc(&kept, size);
    dpl_text_clean(text, clean, size);
    return clean;
}

static const char *const types[] = {
    [DPL_FIELD_BOOL] = "bool",     [DPL_FIELD_INT] = "int",       [DPL_FIELD_DOUBLE] = "double",
    [DPL_FIELD_STRING] = "string", [DPL_FIELD_CHOICE] = "choice",
};

/* Choices, or the range written into `text`. */
static const char *format_range(const struct dpl_field *field, char *text, size_t size)
{
    text[0] = '\0';
    if (field->type == DPL_FIELD_CHOICE) {
        return field->choices;
    }
    if (field->min != 0.0 || field->max != 0.0) {
        snprintf(text, size, field->type == DPL_FIELD_INT ? "%.0f..%.0f" : "%g..%g", field->min,
                 field->max);
    }
    return text;
}

/* A long default ends in "...". */
static void shorten(const char *fallback, char ret_text[DEFAULT_MAX + 1])
{
    bool is_long = strlen(fallback) > DEFAULT_MAX;
    snprintf(ret_text, DEFAULT_MAX + 1, "%.*s%s", is_long ? DEFAULT_MAX - 3 : DEFAULT_MAX, fallback,
             is_long ? "..." : "");
}

void fields_print(const char *title, const struct dpl_field *fields, size_t n, bool are_exports)
{
    if (n > 0) {
        printf("\n%s:\n", title);
    }
    for (size_t i = 0; i < n; i++) {
        const struct dpl_field *field = &fields[i];
        char text[64];
        const char *range = format_range(field, text, sizeof text);
        const char *fallback = field->default_text ? field->default_text
                               : are_exports       ? ""
                                                   : "(required)";
        char shown[DEFAULT_MAX + 1];
        shorten(fallback, shown);
        printf("  %-24s %-7s %-6s %-12s %-22s %s", cli_clean(field->name), types[field->type],
               cli_clean(field->unit), cli_clean(shown), cli_clean(range),
               cli_clean(field->summary));
        printf("%s%s%s%s\n", field->flags & DPL_FIELD_TRACE ? " [trace]" : "",
               field->flags & DPL_FIELD_SUMMARY ? " [summary]" : "",
               field->flags & DPL_FIELD_STATUS ? " [status]" : "",
               field->flags & DPL_FIELD_FILE    ? " [file]"
               : field->flags & DPL_FIELD_WORLD ? " [world]"
                                                : "");
    }
}
