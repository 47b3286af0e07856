/* SPDX-License-Identifier: Apache-2.0 */
/* Kobuki frames, feedback and commands from hostile bytes. The first byte says where the rest is
 * cut. Aborts when: cutting the stream changes what is found, a frame's check is wrong, or a
 * decoded payload does not survive encoding and decoding. */
#include <doppel/math/hash.h>

#include "fuzz.h"
#include <doppel/protocol/kobuki.h>

struct outcome {
    uint64_t hash, frames, checksum_errors, dropped_bytes, last_error_offset;
};

static void check_frame(const struct dpl_kobuki_frame *frame, const uint8_t *stream, size_t size)
{
    require(frame->offset + frame->length + 4 <= size);
    const uint8_t *wire = stream + frame->offset;
    uint8_t again[DPL_KOBUKI_MAX_FRAME];
    size_t length = dpl_kobuki_frame_write(frame->payload, frame->length, again);
    require(length == frame->length + 4 && memcmp(again, wire, length) == 0);
}

static void check_feedback(const uint8_t *payload, size_t length)
{
    struct dpl_kobuki_feedback feedback, again;
    size_t offset;
    if (dpl_kobuki_feedback_decode(payload, length, &feedback, &offset) != 0) {
        require(offset < length);
        return;
    }
    uint8_t once[DPL_KOBUKI_MAX_PAYLOAD], twice[DPL_KOBUKI_MAX_PAYLOAD];
    int size = dpl_kobuki_feedback_encode(&feedback, once, sizeof once);
    require(size >= 0 && (size_t)size <= length);
    require(dpl_kobuki_feedback_decode(once, (size_t)size, &again, NULL) == 0);
    require(again.present == feedback.present);
    require(dpl_kobuki_feedback_encode(&again, twice, sizeof twice) == size);
    require(memcmp(once, twice, (size_t)size) == 0);
}

static void check_commands(const uint8_t *payload, size_t length)
{
    struct dpl_byte_view rest = {payload, length};
    for (;;) {
        struct dpl_kobuki_command command;
        const uint8_t *start = rest.data;
        size_t before = rest.size;
        int got = dpl_kobuki_command_next(&rest, &command);
        if (got == 0 || rest.size == before) {
            return;
        }
        if (got < 0) {
            continue;
        }
        uint8_t again[DPL_KOBUKI_MAX_COMMAND];
        int size = dpl_kobuki_command_encode(&command, again, sizeof again);
        require(size > 0 && (size_t)size == before - rest.size);
        require(memcmp(again, start, (size_t)size) == 0);
        if (command.id == DPL_KOBUKI_BASE) {
            struct dpl_kobuki_base base = {command.base.speed_mm_s, command.base.radius_mm};
            struct dpl_twist2 twist = dpl_kobuki_base_to_twist(base, DPL_KOBUKI_AXLE_M);
            require(isfinite(twist.linear) && isfinite(twist.angular));
            (void)dpl_kobuki_base_from_twist(twist, DPL_KOBUKI_AXLE_M);
        }
    }
}

static struct outcome parse(const uint8_t *data, size_t size, size_t chunk)
{
    struct dpl_kobuki_parser parser;
    struct outcome outcome = {.hash = DPL_HASH_NONE};
    dpl_kobuki_parser_init(&parser, 0);
    for (size_t at = 0; at < size; at += chunk) {
        struct dpl_byte_view input = {data + at, size - at < chunk ? size - at : chunk};
        struct dpl_kobuki_frame frame;
        while (dpl_kobuki_parser_next(&parser, &input, &frame)) {
            check_frame(&frame, data, size);
            check_feedback(frame.payload, frame.length);
            check_commands(frame.payload, frame.length);
            outcome.hash = dpl_hash_more(outcome.hash, &frame.offset, sizeof frame.offset);
            outcome.hash = dpl_hash_more(outcome.hash, frame.payload, frame.length);
        }
        require(input.size == 0);
    }
    outcome.frames = parser.frames;
    outcome.checksum_errors = parser.checksum_errors;
    outcome.dropped_bytes = parser.dropped_bytes;
    outcome.last_error_offset = parser.last_error_offset;
    return outcome;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) {
        return 0;
    }
    struct outcome whole = parse(data + 1, size - 1, size - 1);
    struct outcome cut = parse(data + 1, size - 1, data[0] % 64u + 1u);
    require(memcmp(&whole, &cut, sizeof whole) == 0);
    check_feedback(data + 1, size - 1 < DPL_KOBUKI_MAX_PAYLOAD ? size - 1 : DPL_KOBUKI_MAX_PAYLOAD);
    check_commands(data + 1, size - 1);
    return 0;
}
