/* SPDX-License-Identifier: Apache-2.0 */
/* SCIP replies from hostile bytes. The first byte says where the rest is cut. Aborts when: cutting
 * the stream changes what is found, or a scan that was accepted is not read again as it was after a
 * device's writer has written it. */
#include <doppel/math/hash.h>

#include "fuzz.h"
#include <doppel/protocol/scip_reply.h>
#include <doppel/protocol/scip_writer.h>

struct outcome {
    uint64_t hash, replies, faults, fault_offset;
};

static uint64_t mix_reply(uint64_t hash, const struct dpl_scip_reply *reply)
{
    hash = dpl_hash_more(hash, &reply->offset, sizeof reply->offset);
    hash = dpl_hash_more(hash, reply->echo, reply->echo_length);
    hash = dpl_hash_more(hash, reply->status, strlen(reply->status));
    hash = dpl_hash_more(hash, &reply->stamp_ms, sizeof reply->stamp_ms);
    hash = dpl_hash_more(hash, reply->ranges_mm, reply->count * sizeof reply->ranges_mm[0]);
    hash = dpl_hash_more(hash, reply->intensities, reply->count * sizeof reply->intensities[0]);
    for (size_t i = 0; i < reply->lines; i++) {
        hash = dpl_hash_more(hash, reply->text[i], strlen(reply->text[i]));
    }
    return hash;
}

static void check_scan(const struct dpl_scip_reply *reply)
{
    static char wire[DPL_SCIP_MAX_STEPS * 7 + 1024];
    static struct dpl_scip_reply_parser reader;
    struct dpl_scip_scan_fields fields = reply->request.scan;
    struct dpl_scip_request request;
    require(reply->count >= 1 && reply->count <= DPL_SCIP_MAX_STEPS);
    fields.start = 0;
    fields.end = (uint16_t)(reply->count - 1);
    fields.cluster = 1;
    require(dpl_scip_request_scan(fields, &request) == 0);
    struct dpl_scip_measurement measurement = {
        .stamp_ms = reply->stamp_ms,
        .ranges_mm = reply->ranges_mm,
        .intensities = reply->intensities,
        .steps = reply->count,
        .echoes = 1,
    };
    struct dpl_scip_writer writer = dpl_scip_writer_on(wire, dpl_scip_scan_size(&request, 1));
    require(dpl_scip_write_scan(&writer, &request, fields.count, &measurement) == 0);
    require(!writer.overflow && writer.capacity <= sizeof wire);
    struct dpl_byte_view input = {(const uint8_t *)wire, writer.length};
    dpl_scip_reply_parser_init(&reader);
    require(dpl_scip_reply_next(&reader, &input) == 1 && input.size == 0);
    require(reader.reply.count == reply->count && reader.reply.stamp_ms == reply->stamp_ms);
    size_t bytes = reply->count * sizeof reply->ranges_mm[0];
    require(memcmp(reader.reply.ranges_mm, reply->ranges_mm, bytes) == 0);
    require(memcmp(reader.reply.intensities, reply->intensities, bytes) == 0);
}

static void check_reply(const struct dpl_scip_reply *reply)
{
    struct dpl_scip_geometry geometry;
    const char *key;
    require(reply->echo_length <= DPL_SCIP_MAX_REQUEST && reply->lines <= DPL_SCIP_MAX_TEXT_LINES);
    if (reply->kind == DPL_SCIP_REPLY_SCAN) {
        check_scan(reply);
    }
    if (dpl_scip_reply_geometry(reply, &geometry, &key) == 0) {
        require(geometry.steps_per_turn > 0 && geometry.end_step < DPL_SCIP_MAX_STEPS);
        require(dpl_scip_scan_period_ns(&geometry) > 0);
    }
}

static struct outcome parse(const uint8_t *data, size_t size, size_t chunk)
{
    static struct dpl_scip_reply_parser parser;
    struct outcome outcome = {.hash = DPL_HASH_NONE};
    dpl_scip_reply_parser_init(&parser);
    for (size_t at = 0; at < size; at += chunk) {
        struct dpl_byte_view input = {data + at, size - at < chunk ? size - at : chunk};
        for (int got; (got = dpl_scip_reply_next(&parser, &input)) != 0;) {
            if (got == 1) {
                check_reply(&parser.reply);
                outcome.hash = mix_reply(outcome.hash, &parser.reply);
            } else {
                require(parser.fault != DPL_SCIP_FAULT_NONE && parser.fault_offset < size);
                outcome.hash = dpl_hash_more(outcome.hash, dpl_scip_fault_text(parser.fault), 8);
            }
        }
        require(input.size == 0);
    }
    outcome.replies = parser.replies;
    outcome.faults = parser.faults;
    outcome.fault_offset = parser.fault_offset;
    return outcome;
}

FUZZ_WHOLE_AND_CUT(parse, 64u)
