/* SPDX-License-Identifier: Apache-2.0 */
/* Kobuki framing: finds frames in a byte stream, and wraps payloads. */
#include <doppel/protocol/kobuki_frame.h>

#include <assert.h>
#include <errno.h>
#include <string.h>

enum { HEADER_0 = 0xaa, HEADER_1 = 0x55, HEADER_SIZE = 3 };

static uint8_t check_of(const uint8_t *from_length, size_t count)
{
    uint8_t check = 0;
    for (size_t i = 0; i < count; i++) {
        check ^= from_length[i];
    }
    return check;
}

void dpl_kobuki_parser_init(struct dpl_kobuki_parser *parser, size_t max_payload)
{
    bool is_default = max_payload == 0 || max_payload > DPL_KOBUKI_MAX_PAYLOAD;
    *parser = (struct dpl_kobuki_parser){
        .max_payload = is_default ? DPL_KOBUKI_MAX_PAYLOAD : max_payload,
    };
}

static void remove_front(struct dpl_kobuki_parser *parser, size_t count)
{
    memmove(parser->buffer, parser->buffer + count, parser->filled - count);
    parser->filled -= count;
    parser->offset += count;
}

static void drop(struct dpl_kobuki_parser *parser, size_t count)
{
    if (count == 0) {
        return;
    }
    if (!parser->skipping) {
        parser->skipping = true;
        parser->last_error_offset = parser->offset;
    }
    parser->dropped_bytes += count;
    remove_front(parser, count);
}

/* Whether these first bytes of the buffer, from `at`, can be the start of a frame. */
static bool could_start(const struct dpl_kobuki_parser *parser, size_t at)
{
    const uint8_t *p = parser->buffer + at;
    size_t known = parser->filled - at;
    return (known < 1 || p[0] == HEADER_0) && (known < 2 || p[1] == HEADER_1) &&
           (known < 3 || p[2] <= parser->max_payload);
}

static void drop_garbage(struct dpl_kobuki_parser *parser)
{
    size_t at = 0;
    while (at < parser->filled && !could_start(parser, at)) {
        at++;
    }
    drop(parser, at);
}

/* The number of bytes that the buffer must have for the next decision. */
static size_t wanted(const struct dpl_kobuki_parser *parser)
{
    if (parser->filled < HEADER_SIZE) {
        return parser->filled + 1;
    }
    return (size_t)parser->buffer[2] + HEADER_SIZE + 1;
}

static bool extract_frame(struct dpl_kobuki_parser *parser, struct dpl_kobuki_frame *ret_frame)
{
    size_t length = parser->buffer[2];
    if (check_of(parser->buffer + 2, length + 2) != 0) {
        parser->checksum_errors++;
        drop(parser, 1);
        return false;
    }
    parser->frames++;
    parser->skipping = false;
    parser->delivered = length + HEADER_SIZE + 1;
    *ret_frame = (struct dpl_kobuki_frame){
        .payload = parser->buffer + HEADER_SIZE,
        .length = length,
        .offset = parser->offset,
    };
    return true;
}

bool dpl_kobuki_parser_next(struct dpl_kobuki_parser *parser, struct dpl_byte_view *input,
                            struct dpl_kobuki_frame *ret_frame)
{
    remove_front(parser, parser->delivered);
    parser->delivered = 0;
    for (;;) {
        drop_garbage(parser);
        size_t want = wanted(parser);
        if (parser->filled >= want) {
            if (extract_frame(parser, ret_frame)) {
                return true;
            }
            continue;
        }
        if (input->size == 0) {
            return false;
        }
        size_t missing = want - parser->filled;
        size_t take = missing < input->size ? missing : input->size;
        memcpy(parser->buffer + parser->filled, input->data, take);
        parser->filled += take;
        input->data += take;
        input->size -= take;
    }
}

size_t dpl_kobuki_frame_write(const uint8_t *payload, size_t length, uint8_t *frame)
{
    assert(length <= DPL_KOBUKI_MAX_PAYLOAD);
    frame[0] = HEADER_0;
    frame[1] = HEADER_1;
    frame[2] = (uint8_t)length;
    if (length > 0) {
        memcpy(frame + HEADER_SIZE, payload, length);
    }
    frame[HEADER_SIZE + length] = check_of(frame + 2, length + 1);
    return HEADER_SIZE + length + 1;
}

int dpl_kobuki_block_next(struct dpl_byte_view *payload, struct dpl_kobuki_block *ret_block)
{
    if (payload->size == 0) {
        return 0;
    }
    if (payload->size < 2 || payload->size - 2 < payload->data[1]) {
        return -EPROTO;
    }
    *ret_block = (struct dpl_kobuki_block){
        .id = payload->data[0],
        .length = payload->data[1],
        .data = payload->data + 2,
    };
    payload->data += 2 + (size_t)ret_block->length;
    payload->size -= 2 + (size_t)ret_block->length;
    return 1;
}
