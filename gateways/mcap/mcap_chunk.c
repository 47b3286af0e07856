/* SPDX-License-Identifier: Apache-2.0 */
#include "mcap_chunk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>
#include <zstd.h>

static bool is_text(struct dpl_mcap_span span, const char *text)
{
    return span.n == strlen(text) && memcmp(span.data, text, span.n) == 0;
}

static int decompress(struct mcap_chunk *chunk, struct dpl_mcap_span packed, uint64_t size)
{
    if (size > DPL_MCAP_CHUNK_MAX ||
        ZSTD_getFrameContentSize(packed.data, packed.n) == ZSTD_CONTENTSIZE_ERROR) {
        return -EBADMSG;
    }
    chunk->owned = malloc((size_t)size + 1);
    if (!chunk->owned) {
        return -ENOMEM;
    }
    chunk->data = chunk->owned;
    chunk->n = ZSTD_decompress(chunk->owned, (size_t)size, packed.data, packed.n);
    return ZSTD_isError(chunk->n) || chunk->n != size ? -EBADMSG : 0;
}

static int unpack(struct mcap_chunk *chunk, struct dpl_mcap_span body)
{
    struct parse parse = {body.data, body.n, false};
    parse_number(&parse, 8);
    parse_number(&parse, 8);
    uint64_t size = parse_number(&parse, 8);
    uint64_t crc = parse_number(&parse, 4);
    struct dpl_mcap_span compression = parse_text(&parse);
    struct dpl_mcap_span packed = parse_bytes(&parse, parse_number(&parse, 8));
    int r = parse.failed ? -EBADMSG : 0;
    if (r == 0 && is_text(compression, "zstd")) {
        r = decompress(chunk, packed, size);
    } else if (r == 0 && compression.n == 0 && packed.n == size) {
        chunk->data = packed.data;
        chunk->n = packed.n;
    } else if (r == 0) {
        chunk->compression = compression;
        r = compression.n > 0 ? -EOPNOTSUPP : -EBADMSG;
    }
    return r == 0 && crc != 0 && crc32_z(0, chunk->data, chunk->n) != crc ? -EBADMSG : r;
}

int mcap_chunk_open(const struct mcap_place *place, struct mcap_chunk *ret_chunk)
{
    struct mcap_chunk chunk = {
        .place = place->body.data, .data = place->body.data, .n = place->body.n};
    int r = place->raw ? 0 : unpack(&chunk, place->body);
    if (r < 0) {
        free(chunk.owned);
        ret_chunk->compression = chunk.compression;
        return r;
    }
    *ret_chunk = chunk;
    return 0;
}

static int compare(const void *a, const void *b)
{
    const struct mcap_entry *x = a, *y = b;
    return x->time != y->time ? (x->time > y->time) - (x->time < y->time)
                              : (x->at > y->at) - (x->at < y->at);
}

int mcap_chunk_sort(struct mcap_chunk *chunk)
{
    struct parse parse = {chunk->data, chunk->n, false}, body;
    size_t capacity = 0;
    unsigned op;
    for (const uint8_t *at = parse.at; parse_record(&parse, &op, &body); at = parse.at) {
        if (op != MCAP_MESSAGE || body.left < 22) {
            continue;
        }
        if (chunk->n_entries == capacity) {
            capacity = capacity > 0 ? 2 * capacity : 256;
            struct mcap_entry *entries = realloc(chunk->entries, capacity * sizeof *entries);
            if (!entries) {
                return -ENOMEM;
            }
            chunk->entries = entries;
        }
        chunk->entries[chunk->n_entries++] =
            (struct mcap_entry){dpl_bytes_get(body.at + 6, 8), (size_t)(at - chunk->data)};
    }
    if (chunk->n_entries > 1) {
        qsort(chunk->entries, chunk->n_entries, sizeof *chunk->entries, compare);
    }
    return 0;
}

void mcap_chunk_close(struct mcap_chunk *chunk)
{
    free(chunk->owned);
    free(chunk->entries);
    *chunk = (struct mcap_chunk){0};
}
