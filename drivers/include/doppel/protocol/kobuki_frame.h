/* SPDX-License-Identifier: Apache-2.0 */
/* Kobuki frames, both directions: AA 55 length payload check, where check is the XOR of the length
 * byte and all payload bytes. The payload is a sequence of blocks: id, length, data. Source: the
 * published Kobuki protocol; from it follows that the checksum of an empty payload is 0. */
#ifndef DPL_PROTOCOL_KOBUKI_FRAME_H
#define DPL_PROTOCOL_KOBUKI_FRAME_H

#include <stdbool.h>

#include <doppel/protocol/bytes.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    DPL_KOBUKI_MAX_PAYLOAD = 255,
    DPL_KOBUKI_MAX_FRAME = DPL_KOBUKI_MAX_PAYLOAD + 4, /* two header bytes, length, check */
};

/* A received frame. `payload` is borrowed from the parser and valid until its next call. */
struct dpl_kobuki_frame {
    const uint8_t *payload;
    size_t length;
    uint64_t offset; /* of the frame's first byte in the stream, counted from 0 */
};

/* Incremental parser. The caller owns it; fields under "counters" may be read, the rest is private.
 * The same stream gives the same frames for every division into chunks. */
struct dpl_kobuki_parser {
    /* counters, since init */
    uint64_t frames;
    uint64_t checksum_errors;
    uint64_t dropped_bytes;     /* bytes that belong to no valid frame */
    uint64_t last_error_offset; /* stream offset of the last sequence of dropped bytes */
    /* private */
    uint64_t offset; /* stream offset of buffer[0] */
    size_t filled, delivered;
    size_t max_payload;
    bool skipping;
    uint8_t buffer[DPL_KOBUKI_MAX_FRAME];
};

/* Starts at stream offset 0. A length byte above `max_payload` is treated as garbage at once, so
 * that the parser does not wait for more bytes. 0, and anything above 255, means 255. */
void dpl_kobuki_parser_init(struct dpl_kobuki_parser *parser, size_t max_payload);

/* Consumes `input` up to the end of the next valid frame. Returns true and writes `ret_frame` when
 * there is one: call again, there may be more, even with no input left. Returns false when all
 * input is consumed. After a wrong check byte the search starts again one byte after the false
 * header, so that a frame inside garbage is found. Never blocks, never allocates. */
bool dpl_kobuki_parser_next(struct dpl_kobuki_parser *parser, struct dpl_byte_view *input,
                            struct dpl_kobuki_frame *ret_frame);

/* Wraps `length` payload bytes (at most 255) into `frame`, which holds `length` + 4 bytes or more.
 * Returns the frame's size. `payload` and `frame` must not overlap. */
size_t dpl_kobuki_frame_write(const uint8_t *payload, size_t length, uint8_t *frame);

/* One block of a payload; `data` is borrowed from the payload. */
struct dpl_kobuki_block {
    uint8_t id, length;
    const uint8_t *data;
};

/* Takes the next block from `payload`. Returns 1 and writes `ret_block`, 0 at the end, or -EPROTO
 * when the block is incomplete; then `payload` is left at the faulty block. */
int dpl_kobuki_block_next(struct dpl_byte_view *payload, struct dpl_kobuki_block *ret_block);

#ifdef __cplusplus
}
#endif

#endif
