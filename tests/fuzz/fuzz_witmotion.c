/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of a WitMotion sensor from hostile bytes. The first byte says where the rest is cut.
 * Aborts when: cutting the stream changes what is found, a packet's bytes are not those of the
 * stream, or its values do not survive decoding and encoding. */
#include <math.h>

#include <doppel/math/hash.h>

#include "fuzz.h"
#include <doppel/protocol/witmotion.h>

struct outcome {
    uint64_t hash, packets, checksum_errors, dropped_bytes, filled;
};

static void check_bytes(const struct dpl_witmotion_packet *packet, const uint8_t *stream,
                        size_t size)
{
    uint8_t again[DPL_WITMOTION_PACKET];
    require(packet->offset + DPL_WITMOTION_PACKET <= size);
    dpl_witmotion_write(packet, again);
    require(memcmp(again, stream + packet->offset, sizeof again) == 0);
}

static void check_values(const struct dpl_witmotion_packet *packet)
{
    if (packet->type < DPL_WITMOTION_ACCELERATION || packet->type > DPL_WITMOTION_ANGLES) {
        return;
    }
    double vector[3];
    dpl_witmotion_vector(packet, vector);
    struct dpl_witmotion_packet again =
        dpl_witmotion_of((enum dpl_witmotion_type)packet->type, vector, packet->words[3]);
    for (int i = 0; i < 3; i++) {
        require(isfinite(vector[i]));
        /* half a turn to the right is half a turn to the left */
        bool is_half_turn = packet->type == DPL_WITMOTION_ANGLES && packet->words[i] == INT16_MIN;
        require(again.words[i] == (is_half_turn ? INT16_MAX : packet->words[i]));
    }
    require(again.words[3] == packet->words[3]);
}

static struct outcome parse(const uint8_t *data, size_t size, size_t chunk)
{
    struct dpl_witmotion_parser parser = {0};
    struct outcome outcome = {.hash = DPL_HASH_NONE};
    for (size_t at = 0; at < size; at += chunk) {
        struct dpl_byte_view input = {data + at, size - at < chunk ? size - at : chunk};
        struct dpl_witmotion_packet packet;
        while (dpl_witmotion_next(&parser, &input, &packet)) {
            check_bytes(&packet, data, size);
            check_values(&packet);
            outcome.hash = dpl_hash_more(outcome.hash, &packet.offset, sizeof packet.offset);
        }
        require(input.size == 0);
    }
    outcome.packets = parser.packets;
    outcome.checksum_errors = parser.checksum_errors;
    outcome.dropped_bytes = parser.dropped_bytes;
    outcome.filled = parser.filled;
    require(outcome.packets * DPL_WITMOTION_PACKET + outcome.dropped_bytes + outcome.filled ==
            size);
    return outcome;
}

FUZZ_WHOLE_AND_CUT(parse, 32u)
