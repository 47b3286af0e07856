/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnostics of the reader: see reader.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "reader.h"

static void add(struct dpl__star_reader *reader, enum dpl_severity severity, struct dpl_place place,
                int value, const char *format, va_list args)
{
    if (severity == DPL_SEVERITY_ERROR && reader->diags.n_errors >= DPL_STAR_ERRORS_MAX) {
        reader->stops = reader->left_errors = true;
        return;
    }
    if (severity != DPL_SEVERITY_ERROR &&
        reader->diags.n - reader->diags.n_errors >= DPL_STAR_WARNINGS_MAX) {
        reader->left_warnings = true;
        return;
    }
    char path[DPL_DIAG_TEXT_MAX / 2], text[DPL_DIAG_TEXT_MAX];
    vsnprintf(text, sizeof text, format, args);
    dpl_diags_add(&reader->diags, severity, place, "%s: %s",
                  dpl__star_path(&reader->places, value, path, sizeof path), text);
}

void dpl__star_warn_key(struct dpl__star_reader *reader, int value, const char *format, ...)
{
    const struct dpl__star_value *at = &reader->places.values[value];
    va_list args;
    va_start(args, format);
    add(reader, DPL_SEVERITY_WARNING,
        (struct dpl_place){reader->file, at->key_line, at->key_column}, value, format, args);
    va_end(args);
}

static struct dpl_place place_of(const struct dpl__star_reader *reader, struct dpl__star_node node)
{
    const struct dpl__star_value *value = &reader->places.values[node.value];
    return (struct dpl_place){.file = reader->file, .line = value->line, .column = value->column};
}

void dpl__star_error(struct dpl__star_reader *reader, struct dpl__star_node node,
                     const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(reader, DPL_SEVERITY_ERROR, place_of(reader, node), node.value, format, args);
    va_end(args);
}

void dpl__star_warn(struct dpl__star_reader *reader, struct dpl__star_node node, const char *format,
                    ...)
{
    va_list args;
    va_start(args, format);
    add(reader, DPL_SEVERITY_WARNING, place_of(reader, node), node.value, format, args);
    va_end(args);
}

void dpl__star_note(struct dpl__star_reader *reader, struct dpl__star_node node, const char *format,
                    ...)
{
    va_list args;
    va_start(args, format);
    add(reader, DPL_SEVERITY_NOTE, place_of(reader, node), node.value, format, args);
    va_end(args);
}

void dpl__star_error_name(struct dpl__star_reader *reader, struct dpl__star_node node,
                          const char *format, ...)
{
    const struct dpl__star_value *value = &reader->places.values[node.value];
    struct dpl_place place = {reader->file, value->key_line, value->key_column};
    if (value->key < 0) {
        struct dpl__star_node name = dpl__star_get(reader, node, "name");
        place = place_of(reader, name.json ? name : node);
    }
    va_list args;
    va_start(args, format);
    add(reader, DPL_SEVERITY_ERROR, place, node.value, format, args);
    va_end(args);
}

int dpl__star_refused(struct dpl__star_reader *reader, struct dpl__star_node node, int code,
                      const struct dpl_diag *diag)
{
    if (code == -ENOMEM) {
        reader->source->is_out_of_memory = true;
    } else {
        dpl__star_error(reader, node, "%s", diag->text);
        reader->stops = reader->stops || code == -ENOSPC;
    }
    return -1;
}

const char *dpl__star_hint(const char *word, const char *const *candidates, size_t n,
                           char *ret_text, size_t size)
{
    const char *nearest = dpl_nearest(word, candidates, n);
    char quoted[128];
    ret_text[0] = '\0';
    if (nearest) {
        snprintf(ret_text, size, "; did you mean '%s'?",
                 dpl_diag_quote(nearest, strlen(nearest), quoted, sizeof quoted));
    }
    return ret_text;
}
