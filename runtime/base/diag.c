/* SPDX-License-Identifier: Apache-2.0 */
/* Errors and warnings with a place: filling, collecting, sorting, printing. */
#include <doppel/diag.h>

#include <stdlib.h>
#include <string.h>

#include <doppel/text.h>

#define FILE_MAX 4096

/* What an input gave is in it: names, values, answers. */
static void write_text(struct dpl_diag *diag, const char *format, va_list args)
{
    char text[2 * DPL_DIAG_TEXT_MAX];
    if (vsnprintf(text, sizeof text, format, args) < 0) {
        text[0] = '\0';
    }
    dpl_text_clean(text, diag->text, sizeof diag->text);
}

int dpl_fail(struct dpl_diag *reterr, int code, struct dpl_place place, const char *format, ...)
{
    if (!reterr) {
        return code;
    }
    /* The arguments may point into *reterr: a caller may put words before an earlier text. */
    struct dpl_diag diag = {.severity = DPL_SEVERITY_ERROR, .place = place};
    va_list args;
    va_start(args, format);
    write_text(&diag, format, args);
    va_end(args);
    *reterr = diag;
    return code;
}

int dpl_diag_format(const struct dpl_diag *diag, char *ret_text, size_t size)
{
    const struct dpl_place *place = &diag->place;
    static const char *const words[] = {
        [DPL_SEVERITY_ERROR] = "error",
        [DPL_SEVERITY_WARNING] = "warning",
        [DPL_SEVERITY_NOTE] = "note",
    };
    const char *severity = words[diag->severity];
    char numbers[32] = "";
    if (place->line > 0 && place->column > 0) {
        snprintf(numbers, sizeof numbers, "%d:%d:", place->line, place->column);
    } else if (place->line > 0) {
        snprintf(numbers, sizeof numbers, "%d:", place->line);
    }
    if (!place->file) {
        return snprintf(ret_text, size, "%s: %s", severity, diag->text);
    }
    char file[FILE_MAX];
    dpl_text_clean(place->file, file, sizeof file);
    return snprintf(ret_text, size, "%s:%s %s: %s", file, numbers, severity, diag->text);
}

int dpl_diag_format_cause(const struct dpl_diag *diag, char *ret_text, size_t size)
{
    return diag->place.file ? dpl_diag_format(diag, ret_text, size)
                            : snprintf(ret_text, size, "%s", diag->text);
}

void dpl_diag_print(FILE *stream, const struct dpl_diag *diag)
{
    char text[DPL_DIAG_TEXT_MAX + 4096];
    dpl_diag_format(diag, text, sizeof text);
    fprintf(stream, "%s\n", text);
}

const char *dpl_diag_quote(const char *bytes, size_t n, char *ret_text, size_t size)
{
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        bool is_plain = byte >= 0x20 && byte < 0x7f;
        size_t length = is_plain ? 1 : sizeof "\\x00" - 1;
        if (at + length >= size) {
            break;
        }
        snprintf(ret_text + at, size - at, is_plain ? "%c" : "\\x%02x", byte);
        at += length;
    }
    ret_text[at] = '\0';
    return ret_text;
}

static struct dpl_diag *grow(struct dpl_diags *diags)
{
    if (diags->n >= DPL_DIAGS_MAX) {
        return NULL;
    }
    if (diags->n == diags->capacity) {
        size_t capacity = diags->capacity == 0 ? 8 : diags->capacity * 2;
        struct dpl_diag *items = realloc(diags->items, capacity * sizeof(*items));
        if (!items) {
            return NULL;
        }
        diags->items = items;
        diags->capacity = capacity;
    }
    return &diags->items[diags->n++];
}

void dpl_diags_add_diag(struct dpl_diags *diags, const struct dpl_diag *diag)
{
    if (diag->severity == DPL_SEVERITY_ERROR) {
        diags->n_errors++;
    } else if (diag->severity == DPL_SEVERITY_WARNING) {
        diags->n_warnings++;
    }
    struct dpl_diag copy = *diag;
    struct dpl_diag *item = grow(diags);
    if (item) {
        *item = copy;
    }
}

void dpl_diags_add(struct dpl_diags *diags, enum dpl_severity severity, struct dpl_place place,
                   const char *format, ...)
{
    struct dpl_diag diag = {.severity = severity, .place = place};
    va_list args;
    va_start(args, format);
    write_text(&diag, format, args);
    va_end(args);
    dpl_diags_add_diag(diags, &diag);
}

static bool same_file(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Index of the first diagnostic of the same file. */
static size_t file_rank(const struct dpl_diags *diags, size_t index)
{
    size_t rank = 0;
    while (!same_file(diags->items[rank].place.file, diags->items[index].place.file)) {
        rank++;
    }
    return rank;
}

struct sort_key {
    size_t file_rank;
    size_t index;
    int line, column;
};

static int compare_keys(const void *left, const void *right)
{
    const struct sort_key *a = left;
    const struct sort_key *b = right;
    if (a->file_rank != b->file_rank) {
        return a->file_rank < b->file_rank ? -1 : 1;
    }
    if (a->line != b->line) {
        return a->line < b->line ? -1 : 1;
    }
    if (a->column != b->column) {
        return a->column < b->column ? -1 : 1;
    }
    return a->index < b->index ? -1 : a->index > b->index;
}

void dpl_diags_sort(struct dpl_diags *diags)
{
    if (diags->n < 2) {
        return;
    }
    struct sort_key *keys = calloc(diags->n, sizeof(*keys));
    struct dpl_diag *sorted = calloc(diags->n, sizeof(*sorted));
    if (keys && sorted) {
        for (size_t i = 0; i < diags->n; i++) {
            const struct dpl_place *place = &diags->items[i].place;
            keys[i] = (struct sort_key){file_rank(diags, i), i, place->line, place->column};
        }
        qsort(keys, diags->n, sizeof(*keys), compare_keys);
        for (size_t i = 0; i < diags->n; i++) {
            sorted[i] = diags->items[keys[i].index];
        }
        memcpy(diags->items, sorted, diags->n * sizeof(*sorted));
    }
    free(keys);
    free(sorted);
}

void dpl_diags_finish(struct dpl_diags *diags)
{
    free(diags->items);
    *diags = (struct dpl_diags){0};
}
