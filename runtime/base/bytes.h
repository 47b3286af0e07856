/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes that grow, for files and messages that are put together: numbers in little-endian order,
 * texts, other bytes. Without memory nothing more is added; `failed` says so, once for all. */
#ifndef DOPPEL_BASE_BYTES_H
#define DOPPEL_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero-initialise. Set `n` to 0 to use the memory again. */
struct dpl_bytes {
    uint8_t *data;
    size_t n, capacity;
    bool failed;
};

void dpl_bytes_finish(struct dpl_bytes *bytes);
/* Adds `n` bytes for the caller to fill; NULL: no memory. Valid until the next call. */
uint8_t *dpl_bytes_extend(struct dpl_bytes *bytes, size_t n);
void dpl_bytes_add(struct dpl_bytes *bytes, const void *data, size_t n);
void dpl_bytes_text(struct dpl_bytes *bytes, const char *text); /* without its end */
void dpl_bytes_printf(struct dpl_bytes *bytes, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The low `size` bytes of a number, the lowest first. */
void dpl_bytes_number(struct dpl_bytes *bytes, uint64_t value, unsigned size);
/* Writes a number over the bytes at `at`, which exist. */
void dpl_bytes_put(struct dpl_bytes *bytes, size_t at, uint64_t value, unsigned size);
/* A text as JSON, with quotes. It is cleaned first (doppel/text.h). NULL: null. */
void dpl_bytes_json(struct dpl_bytes *bytes, const char *text);
/* The bytes as base64 (RFC 4648). */
void dpl_bytes_base64(struct dpl_bytes *bytes, const void *data, size_t n);

/* The number of `size` bytes at `data`, the lowest first. */
static inline uint64_t dpl_bytes_get(const uint8_t *data, unsigned size)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++) {
        value |= (uint64_t)data[i] << (8 * i);
    }
    return value;
}

#endif
