/* SPDX-License-Identifier: Apache-2.0 */
#include "bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/text.h>

void dpl_bytes_finish(struct dpl_bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct dpl_bytes){0};
}

uint8_t *dpl_bytes_extend(struct dpl_bytes *bytes, size_t n)
{
    if (bytes->failed || n > SIZE_MAX / 2 - bytes->n) {
        bytes->failed = true;
        return NULL;
    }
    if (bytes->n + n > bytes->capacity || !bytes->data) {
        size_t capacity = 2 * bytes->capacity > bytes->n + n ? 2 * bytes->capacity : bytes->n + n;
        capacity = capacity < 64 ? 64 : capacity;
        uint8_t *data = realloc(bytes->data, capacity);
        if (!data) {
            bytes->failed = true;
            return NULL;
        }
        bytes->data = data;
        bytes->capacity = capacity;
    }
    uint8_t *at = bytes->data + bytes->n;
    bytes->n += n;
    return at;
}

void dpl_bytes_add(struct dpl_bytes *bytes, const void *data, size_t n)
{
    uint8_t *at = dpl_bytes_extend(bytes, n);
    if (at && n > 0) {
        memcpy(at, data, n);
    }
}

void dpl_bytes_text(struct dpl_bytes *bytes, const char *text)
{
    dpl_bytes_add(bytes, text, strlen(text));
}

void dpl_bytes_printf(struct dpl_bytes *bytes, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof text) {
        bytes->failed = true;
        return;
    }
    dpl_bytes_add(bytes, text, (size_t)n);
}

void dpl_bytes_put(struct dpl_bytes *bytes, size_t at, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size && !bytes->failed; i++) {
        bytes->data[at + i] = (uint8_t)(value >> (8 * i));
    }
}

void dpl_bytes_number(struct dpl_bytes *bytes, uint64_t value, unsigned size)
{
    size_t at = bytes->n;
    if (dpl_bytes_extend(bytes, size)) {
        dpl_bytes_put(bytes, at, value, size);
    }
}

static void add_escaped(struct dpl_bytes *bytes, const char *clean)
{
    for (const char *c = clean; *c; c++) {
        if (*c == '"' || *c == '\\') {
            dpl_bytes_number(bytes, '\\', 1);
        }
        dpl_bytes_number(bytes, (uint8_t)*c, 1);
    }
}

void dpl_bytes_json(struct dpl_bytes *bytes, const char *text)
{
    if (!text) {
        dpl_bytes_text(bytes, "null");
        return;
    }
    size_t size = DPL_TEXT_CLEAN_SIZE(strlen(text));
    char *clean = malloc(size);
    if (!clean) {
        bytes->failed = true;
        return;
    }
    dpl_text_clean(text, clean, size);
    dpl_bytes_number(bytes, '"', 1);
    add_escaped(bytes, clean);
    dpl_bytes_number(bytes, '"', 1);
    free(clean);
}

void dpl_bytes_base64(struct dpl_bytes *bytes, const void *data, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *from = data;
    for (size_t i = 0; i < n; i += 3) {
        uint32_t left = (uint32_t)(n - i < 3 ? n - i : 3), bits = 0;
        for (uint32_t k = 0; k < 3; k++) {
            bits = bits << 8 | (k < left ? from[i + k] : 0u);
        }
        for (uint32_t k = 0; k < 4; k++) {
            char digit = k <= left ? digits[bits >> (18 - 6 * k) & 63] : '=';
            dpl_bytes_number(bytes, (uint8_t)digit, 1);
        }
    }
}
