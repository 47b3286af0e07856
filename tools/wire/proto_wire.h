/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of an encoded protobuf message, one after the other. */
#ifndef DOPPEL_WIRE_PROTO_WIRE_H
#define DOPPEL_WIRE_PROTO_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes.h"

enum proto_wire { PROTO_VARINT, PROTO_64, PROTO_LENGTH, PROTO_32 = 5 };

struct proto_reader {
    const uint8_t *at, *end;
    bool failed; /* cut off, or no protobuf */
};

struct proto_part {
    uint32_t number; /* of the field */
    enum proto_wire wire;
    uint64_t value;      /* numbers */
    const uint8_t *data; /* PROTO_LENGTH */
    size_t n;
};

static inline uint64_t proto_varint(struct proto_reader *reader)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && reader->at < reader->end; shift += 7) {
        uint8_t byte = *reader->at++;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            return value;
        }
    }
    reader->failed = true;
    return 0;
}

/* A number of this form; what is not there is a failure. */
static inline uint64_t proto_number(struct proto_reader *reader, enum proto_wire wire)
{
    unsigned size = wire == PROTO_64 ? 8 : 4;
    if (wire == PROTO_VARINT) {
        return proto_varint(reader);
    }
    if ((size_t)(reader->end - reader->at) < size) {
        reader->failed = true;
        return 0;
    }
    reader->at += size;
    return dpl_bytes_get(reader->at - size, size);
}

/* The next field: true; false at the end and after a failure. */
static inline bool proto_next(struct proto_reader *reader, struct proto_part *ret_part)
{
    if (reader->failed || reader->at == reader->end) {
        return false;
    }
    uint64_t key = proto_varint(reader);
    struct proto_part part = {.number = (uint32_t)(key >> 3), .wire = (enum proto_wire)(key & 7)};
    if (part.wire == PROTO_LENGTH) {
        uint64_t n = proto_varint(reader);
        reader->failed |= n > (uint64_t)(reader->end - reader->at);
        part.data = reader->at;
        part.n = reader->failed ? 0 : (size_t)n;
        reader->at += part.n;
    } else {
        reader->failed |= part.wire > PROTO_32 || part.wire == 3 || part.wire == 4;
        part.value = reader->failed ? 0 : proto_number(reader, part.wire);
    }
    reader->failed |= key >> 3 == 0 || key >> 3 > UINT32_MAX >> 3;
    *ret_part = part;
    return !reader->failed;
}

#endif
