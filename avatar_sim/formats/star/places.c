/* SPDX-License-Identifier: Apache-2.0 */
/* Paths of values, and comments: see places.h. */
#include "places.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/sim/star.h>

void dpl__star_places_finish(struct dpl__star_places *places)
{
    free(places->values);
    *places = (struct dpl__star_places){0};
}

/* ---- paths ---- */

static bool is_plain(const char *key, int length)
{
    for (int i = 0; i < length; i++) {
        char c = key[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '_' || c == '-')) {
            return false;
        }
    }
    return length > 0;
}

/* The step to a value from what it is in. */
static void write_step(const struct dpl__star_places *places, int value, bool is_first,
                       char *ret_text, size_t size)
{
    const struct dpl__star_value *v = &places->values[value];
    const char *key = places->text + v->key;
    if (v->key < 0) {
        snprintf(ret_text, size, "[%d]", v->index);
    } else if (is_plain(key, v->key_length)) {
        snprintf(ret_text, size, "%s%.*s", is_first ? "" : ".", v->key_length, key);
    } else {
        char quoted[128];
        snprintf(ret_text, size, "[\"%s\"]",
                 dpl_diag_quote(key, (size_t)v->key_length, quoted, sizeof quoted));
    }
}

const char *dpl__star_path(const struct dpl__star_places *places, int value, char *ret_text,
                           size_t size)
{
    int steps[DPL_STAR_DEPTH_MAX + 1], n = 0;
    for (int v = value; v > 0 && n <= DPL_STAR_DEPTH_MAX; v = places->values[v].parent) {
        steps[n++] = v;
    }
    snprintf(ret_text, size, "%s", n == 0 ? "$" : "");
    for (size_t length = 0; n > 0 && length + 1 < size; length = strlen(ret_text)) {
        n--;
        write_step(places, steps[n], length == 0, ret_text + length, size - length);
    }
    return ret_text;
}

/* ---- comments ---- */

/* The first byte behind the comment at `at`, n: it has no end. */
static size_t comment_end(const char *text, size_t at, size_t n)
{
    if (text[at + 1] == '/') {
        while (at < n && text[at] != '\n') {
            at++;
        }
        return at;
    }
    for (at += 2; at + 1 < n; at++) {
        if (text[at] == '*' && text[at + 1] == '/') {
            return at + 2;
        }
    }
    return n + 1;
}

static struct dpl_place place_in(const char *file, const char *text, size_t at)
{
    struct dpl_place place = {.file = file, .line = 1, .column = 1};
    for (size_t i = 0; i < at; i++) {
        place.column = text[i] == '\n' ? 1 : place.column + 1;
        place.line += text[i] == '\n';
    }
    return place;
}

int dpl__star_strip_comments(const char *file, char *text, size_t n, struct dpl_diag *reterr)
{
    bool is_string = false;
    for (size_t at = 0; at < n; at++) {
        if (is_string && text[at] == '\\') {
            at++;
        } else if (text[at] == '"' || text[at] == '\n') {
            is_string = text[at] == '"' && !is_string;
        } else if (!is_string && text[at] == '/' && at + 1 < n &&
                   (text[at + 1] == '/' || text[at + 1] == '*')) {
            size_t end = comment_end(text, at, n);
            if (end > n) {
                return dpl_fail(reterr, -EINVAL, place_in(file, text, at),
                                "this comment has no end");
            }
            for (; at < end; at++) {
                text[at] = text[at] == '\n' || text[at] == '\r' ? text[at] : ' ';
            }
            at--;
        }
    }
    return 0;
}
