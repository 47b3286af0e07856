/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a board with range finders from hostile bytes. The first byte says where the rest is
 * cut. Aborts when: cutting the stream changes what is found, bytes are lost or counted twice, or
 * what was read does not survive writing and reading. */
#include <math.h>

#include <doppel/math/hash.h>

#include "fuzz.h"
#include <doppel/protocol/range_line.h>

struct outcome {
    uint64_t hash, lines, checksum_errors, dropped_bytes, filled;
};

static void check_line(const struct dpl_range_line *line)
{
    char bytes[DPL_RANGE_LINE_MAX];
    struct dpl_range_parser parser = {0};
    struct dpl_range_line again;
    struct dpl_byte_view input = {(const uint8_t *)bytes, dpl_range_line_write(line, bytes)};
    require(!isnan(line->value) && line->value >= 0.0);
    require(dpl_range_line_next(&parser, &input, &again) && input.size == 0);
    require(again.is_contact == line->is_contact && strcmp(again.id, line->id) == 0);
    require(line->value > 9999.0 ? isinf(again.value)
                                 : fabs(again.value - line->value) < 0.5001e-3);
}

static struct outcome parse(const uint8_t *data, size_t size, size_t chunk)
{
    struct dpl_range_parser parser = {0};
    struct outcome outcome = {.hash = DPL_HASH_NONE};
    for (size_t at = 0; at < size; at += chunk) {
        struct dpl_byte_view input = {data + at, size - at < chunk ? size - at : chunk};
        struct dpl_range_line line;
        while (dpl_range_line_next(&parser, &input, &line)) {
            check_line(&line);
            outcome.hash = dpl_hash_more(outcome.hash, line.id, strlen(line.id));
            outcome.hash = dpl_hash_more(outcome.hash, &line.value, sizeof line.value);
        }
        require(input.size == 0);
    }
    outcome.lines = parser.lines;
    outcome.checksum_errors = parser.checksum_errors;
    outcome.dropped_bytes = parser.dropped_bytes;
    outcome.filled = parser.filled;
    require(outcome.dropped_bytes + outcome.filled <= size);
    return outcome;
}

FUZZ_WHOLE_AND_CUT(parse, 32u)
