/* SPDX-License-Identifier: Apache-2.0 */
/* slcan text from hostile bytes. The first byte says where the rest is cut. Aborts when: cutting
 * the stream changes what is found, or a message does not survive being written and read. */
#include <doppel/math/hash.h>

#include "fuzz.h"
#include <doppel/protocol/can_wire.h>

struct outcome {
    uint64_t hash, messages, errors, dropped_bytes, last_error_offset;
};

static void check_message(const struct dpl_slcan_message *message)
{
    char once[DPL_SLCAN_LINE_MAX], twice[DPL_SLCAN_LINE_MAX];
    struct dpl_slcan_parser parser;
    struct dpl_slcan_message again;
    size_t n = dpl_slcan_encode(message, once);
    struct dpl_byte_view input = {(const uint8_t *)once, n};
    require(n <= sizeof once);
    dpl_slcan_parser_init(&parser);
    require(dpl_slcan_parser_next(&parser, &input, &again) && input.size == 0);
    require(again.kind == message->kind && again.value == message->value);
    require(dpl_can_frame_equal(&again.frame, &message->frame));
    require(dpl_slcan_encode(&again, twice) == n && memcmp(once, twice, n) == 0);
    if (message->kind == DPL_SLCAN_FRAME) {
        uint8_t record[DPL_CAN_RECORD_SIZE];
        struct dpl_can_frame frame;
        dpl_can_record_encode(&message->frame, record);
        require(dpl_can_record_decode(record, &frame));
        require(dpl_can_frame_equal(&frame, &message->frame));
    }
}

static struct outcome parse(const uint8_t *data, size_t size, size_t chunk)
{
    struct dpl_slcan_parser parser;
    struct outcome outcome = {.hash = DPL_HASH_NONE};
    dpl_slcan_parser_init(&parser);
    for (size_t at = 0; at < size; at += chunk) {
        struct dpl_byte_view input = {data + at, size - at < chunk ? size - at : chunk};
        struct dpl_slcan_message message;
        while (dpl_slcan_parser_next(&parser, &input, &message)) {
            check_message(&message);
            outcome.hash = dpl_hash_more(outcome.hash, &message.kind, sizeof message.kind);
            outcome.hash = dpl_hash_more(outcome.hash, &message.offset, sizeof message.offset);
            outcome.hash =
                dpl_hash_more(outcome.hash, message.frame.data, sizeof message.frame.data);
        }
        require(input.size == 0);
    }
    outcome.messages = parser.messages;
    outcome.errors = parser.errors;
    outcome.dropped_bytes = parser.dropped_bytes;
    outcome.last_error_offset = parser.last_error_offset;
    return outcome;
}

FUZZ_WHOLE_AND_CUT(parse, 64u)
