/* SPDX-License-Identifier: Apache-2.0 */
/* Both directions of the Open Interface (docs/start/tutorial/create2) from hostile bytes. The first
 * byte says where the rest is cut. Aborts when: cutting the stream changes what is found, or a byte
 * is counted twice or not at all. */
#include <doppel/math/hash.h>

#include "../../docs/start/tutorial/create2/create2_codec.h"
#include "fuzz.h"

static uint64_t frames(const uint8_t *data, size_t size, size_t chunk)
{
    struct create2_parser parser = {0};
    struct create2_frame frame;
    uint64_t hash = DPL_HASH_NONE, taken = 0;
    unsigned value;
    for (size_t at = 0; at < size; at += chunk) {
        struct dpl_byte_view input = {data + at, size - at < chunk ? size - at : chunk};
        while (create2_parser_next(&parser, &input, &frame)) {
            taken += frame.length + 3u;
            hash = dpl_hash_more(hash, frame.data, frame.length);
            for (unsigned packet = 0; packet < 256; packet++) {
                require(!create2_frame_find(&frame, packet, &value) || value <= UINT16_MAX);
            }
        }
        require(input.size == 0);
    }
    require(taken + parser.dropped + parser.n == size);
    return hash;
}

static uint64_t commands(const uint8_t *data, size_t size, size_t chunk)
{
    struct create2_commands parser = {0};
    struct create2_command command;
    uint64_t hash = DPL_HASH_NONE, taken = 0;
    for (size_t at = 0; at < size; at += chunk) {
        struct dpl_byte_view input = {data + at, size - at < chunk ? size - at : chunk};
        while (create2_commands_next(&parser, &input, &command)) {
            taken += 1 + command.n;
            hash = dpl_hash_more(hash, &command.opcode, 1);
            hash = dpl_hash_more(hash, command.data, command.n);
        }
        require(input.size == 0);
    }
    require(taken + parser.unknown + parser.n == size);
    return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) {
        return 0;
    }
    size_t chunk = data[0] % 32u + 1u;
    require(frames(data + 1, size - 1, size - 1) == frames(data + 1, size - 1, chunk));
    require(commands(data + 1, size - 1, size - 1) == commands(data + 1, size - 1, chunk));
    return 0;
}
