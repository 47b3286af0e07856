/* SPDX-License-Identifier: Apache-2.0 */
/* SDO messages, and a client for reading. */
#include <doppel/protocol/canopen_sdo.h>

#include <errno.h>
#include <string.h>

#include <doppel/protocol/canopen.h>

/* First byte: three bits of command, then parameters of the command. */
enum {
    CLIENT_WRITE_SEGMENT = 0 << 5,
    CLIENT_WRITE = 1 << 5,
    CLIENT_READ = 2 << 5,
    CLIENT_READ_SEGMENT = 3 << 5,
    SERVER_READ_SEGMENT = 0 << 5,
    SERVER_WRITE_SEGMENT = 1 << 5,
    SERVER_READ = 2 << 5,
    SERVER_WRITE = 3 << 5,
    ABORT = 4 << 5,
    COMMAND = 7 << 5,
    EXPEDITED = 1 << 1,
    SIZED = 1 << 0,
    TOGGLE = 1 << 4,
    LAST = 1 << 0,
};

static const struct {
    uint32_t code;
    const char *name;
} aborts[] = {
    {DPL_SDO_TOGGLE, "toggle bit not alternated"},
    {DPL_SDO_TIMEOUT, "no answer in time"},
    {DPL_SDO_UNKNOWN_COMMAND, "unknown command"},
    {DPL_SDO_UNSUPPORTED_ACCESS, "access not supported"},
    {DPL_SDO_WRITE_ONLY, "the object cannot be read"},
    {DPL_SDO_READ_ONLY, "the object cannot be written"},
    {DPL_SDO_NO_OBJECT, "no such object"},
    {DPL_SDO_NOT_MAPPABLE, "the object cannot be mapped into a PDO"},
    {DPL_SDO_MAP_TOO_LONG, "the mapped objects exceed the PDO"},
    {DPL_SDO_WRONG_LENGTH, "wrong length"},
    {DPL_SDO_TOO_LONG, "too long"},
    {DPL_SDO_TOO_SHORT, "too short"},
    {DPL_SDO_NO_SUB_INDEX, "no such sub-index"},
    {DPL_SDO_OUT_OF_RANGE, "value out of range"},
    {DPL_SDO_GENERAL, "general error"},
    {DPL_SDO_DEVICE_STATE, "not in this state of the device"},
};

const char *dpl_canopen_abort_name(uint32_t code)
{
    for (size_t i = 0; i < sizeof aborts / sizeof aborts[0]; i++) {
        if (aborts[i].code == code) {
            return aborts[i].name;
        }
    }
    return "a reason of its own";
}

/* ---- writing ---- */

/* The bits of a transfer's first byte that encode its size. At most four bytes fit. A larger size
 * means four bytes without a size, like a sender that gives none. */
static uint8_t size_bits(const struct dpl_canopen_sdo *sdo)
{
    return sdo->size == 0 || sdo->size > 4
               ? EXPEDITED
               : (uint8_t)((unsigned)(4 - sdo->size) << 2 | EXPEDITED | SIZED);
}

static struct dpl_can_frame head(uint32_t id, uint8_t command, const struct dpl_canopen_sdo *sdo)
{
    struct dpl_can_frame frame = {.id = id, .length = 8, .data = {command}};
    dpl_put_u16le(frame.data + 1, sdo->index);
    frame.data[3] = sdo->sub;
    return frame;
}

/* Contains only `sdo->size` bytes of the value; 0: all. */
static struct dpl_can_frame with_value(uint32_t id, uint8_t command,
                                       const struct dpl_canopen_sdo *sdo)
{
    struct dpl_can_frame frame = head(id, command, sdo);
    for (unsigned i = 0; i < 4; i++) {
        bool is_there = sdo->size == 0 || i < sdo->size;
        frame.data[4 + i] = is_there ? (uint8_t)(sdo->value >> (8 * i)) : 0;
    }
    return frame;
}

static struct dpl_can_frame abort_frame(uint32_t id, const struct dpl_canopen_sdo *sdo)
{
    struct dpl_canopen_sdo whole = *sdo;
    whole.size = 0;
    return with_value(id, ABORT, &whole);
}

/* The start of a transfer in segments. */
static struct dpl_can_frame begin(uint32_t id, uint8_t command, const struct dpl_canopen_sdo *sdo)
{
    return sdo->size == 0 ? head(id, command, sdo) : with_value(id, command | SIZED, sdo);
}

static struct dpl_can_frame segment(uint32_t id, uint8_t command, const struct dpl_canopen_sdo *sdo,
                                    bool has_data)
{
    struct dpl_can_frame frame = {.id = id, .length = 8};
    unsigned size = sdo->size < DPL_SDO_SEGMENT_MAX ? sdo->size : DPL_SDO_SEGMENT_MAX;
    frame.data[0] = (uint8_t)(command | (sdo->toggle ? TOGGLE : 0));
    if (has_data) {
        frame.data[0] |= (uint8_t)((DPL_SDO_SEGMENT_MAX - size) << 1 | (sdo->is_last ? LAST : 0));
        memcpy(frame.data + 1, sdo->data, size);
    }
    return frame;
}

struct dpl_can_frame dpl_canopen_sdo_request(uint8_t node, const struct dpl_canopen_sdo *sdo)
{
    uint32_t id = dpl_canopen_cob_id(DPL_CANOPEN_SDO_REQUEST, node, 0);
    switch (sdo->kind) {
    case DPL_SDO_WRITE: return with_value(id, CLIENT_WRITE | size_bits(sdo), sdo);
    case DPL_SDO_READ: return head(id, CLIENT_READ, sdo);
    case DPL_SDO_WRITE_BEGIN: return begin(id, CLIENT_WRITE, sdo);
    case DPL_SDO_WRITE_SEGMENT: return segment(id, CLIENT_WRITE_SEGMENT, sdo, true);
    case DPL_SDO_READ_SEGMENT: return segment(id, CLIENT_READ_SEGMENT, sdo, false);
    default: return abort_frame(id, sdo);
    }
}

struct dpl_can_frame dpl_canopen_sdo_answer(uint8_t node, const struct dpl_canopen_sdo *sdo)
{
    uint32_t id = dpl_canopen_cob_id(DPL_CANOPEN_SDO_ANSWER, node, 0);
    switch (sdo->kind) {
    case DPL_SDO_READ_DONE: return with_value(id, SERVER_READ | size_bits(sdo), sdo);
    case DPL_SDO_WRITE_DONE: return head(id, SERVER_WRITE, sdo);
    case DPL_SDO_READ_BEGUN: return begin(id, SERVER_READ, sdo);
    case DPL_SDO_READ_SEGMENT_DONE: return segment(id, SERVER_READ_SEGMENT, sdo, true);
    case DPL_SDO_WRITE_SEGMENT_DONE: return segment(id, SERVER_WRITE_SEGMENT, sdo, false);
    default: return abort_frame(id, sdo);
    }
}

/* ---- reading ---- */

static struct dpl_canopen_sdo head_of(const struct dpl_can_frame *frame,
                                      enum dpl_canopen_sdo_kind kind)
{
    return (struct dpl_canopen_sdo){
        .kind = kind, .index = dpl_get_u16le(frame->data + 1), .sub = frame->data[3]};
}

/* Reads a value. When it comes in segments, reads its length, and the message is `begun`. */
static void read_value(const struct dpl_can_frame *frame, enum dpl_canopen_sdo_kind begun,
                       struct dpl_canopen_sdo *sdo)
{
    uint8_t command = frame->data[0];
    if (!(command & EXPEDITED)) {
        sdo->kind = begun;
        sdo->size = command & SIZED ? 4 : 0;
        sdo->value = command & SIZED ? dpl_get_u32le(frame->data + 4) : 0;
        return;
    }
    sdo->size = command & SIZED ? (uint8_t)(4 - (command >> 2 & 3)) : 0;
    sdo->value = dpl_get_u32le(frame->data + 4);
    if (sdo->size > 0 && sdo->size < 4) {
        sdo->value &= (1u << (8 * sdo->size)) - 1;
    }
}

static struct dpl_canopen_sdo read_segment(const struct dpl_can_frame *frame,
                                           enum dpl_canopen_sdo_kind kind, bool has_data)
{
    uint8_t command = frame->data[0];
    struct dpl_canopen_sdo sdo = {.kind = kind, .toggle = (command & TOGGLE) != 0};
    if (has_data) {
        sdo.size = (uint8_t)(DPL_SDO_SEGMENT_MAX - (command >> 1 & 7));
        sdo.is_last = (command & LAST) != 0;
        memcpy(sdo.data, frame->data + 1, sdo.size);
    }
    return sdo;
}

static int decode_abort(const struct dpl_can_frame *frame, struct dpl_canopen_sdo *ret_sdo)
{
    *ret_sdo = head_of(frame, DPL_SDO_ABORT);
    ret_sdo->value = dpl_get_u32le(frame->data + 4);
    return 0;
}

int dpl_canopen_sdo_request_decode(const struct dpl_can_frame *frame,
                                   struct dpl_canopen_sdo *ret_sdo)
{
    if (frame->length != 8) {
        return -EPROTO;
    }
    switch (frame->data[0] & COMMAND) {
    case CLIENT_WRITE:
        *ret_sdo = head_of(frame, DPL_SDO_WRITE);
        read_value(frame, DPL_SDO_WRITE_BEGIN, ret_sdo);
        return 0;
    case CLIENT_READ: *ret_sdo = head_of(frame, DPL_SDO_READ); return 0;
    case CLIENT_WRITE_SEGMENT:
        *ret_sdo = read_segment(frame, DPL_SDO_WRITE_SEGMENT, true);
        return 0;
    case CLIENT_READ_SEGMENT: *ret_sdo = read_segment(frame, DPL_SDO_READ_SEGMENT, false); return 0;
    case ABORT: return decode_abort(frame, ret_sdo);
    default: *ret_sdo = head_of(frame, DPL_SDO_UNSUPPORTED); return 0;
    }
}

int dpl_canopen_sdo_answer_decode(const struct dpl_can_frame *frame,
                                  struct dpl_canopen_sdo *ret_sdo)
{
    if (frame->length != 8) {
        return -EPROTO;
    }
    switch (frame->data[0] & COMMAND) {
    case SERVER_READ:
        *ret_sdo = head_of(frame, DPL_SDO_READ_DONE);
        read_value(frame, DPL_SDO_READ_BEGUN, ret_sdo);
        return 0;
    case SERVER_WRITE: *ret_sdo = head_of(frame, DPL_SDO_WRITE_DONE); return 0;
    case SERVER_READ_SEGMENT:
        *ret_sdo = read_segment(frame, DPL_SDO_READ_SEGMENT_DONE, true);
        return 0;
    case SERVER_WRITE_SEGMENT:
        *ret_sdo = read_segment(frame, DPL_SDO_WRITE_SEGMENT_DONE, false);
        return 0;
    case ABORT: return decode_abort(frame, ret_sdo);
    default: *ret_sdo = head_of(frame, DPL_SDO_UNSUPPORTED); return 0;
    }
}

/* ---- client ---- */

static int next_segment(struct dpl_canopen_reader *reader, struct dpl_canopen_sdo *ret_request)
{
    *ret_request = (struct dpl_canopen_sdo){
        .kind = DPL_SDO_READ_SEGMENT,
        .toggle = reader->toggle,
    };
    return 1;
}

static int give_up(struct dpl_canopen_sdo *ret_request)
{
    *ret_request = (struct dpl_canopen_sdo){.kind = DPL_SDO_ABORT, .value = DPL_SDO_TOO_LONG};
    return -EMSGSIZE;
}

static int append_segment(struct dpl_canopen_reader *reader, const struct dpl_canopen_sdo *answer,
                          struct dpl_canopen_sdo *ret_request)
{
    if (answer->toggle != reader->toggle) {
        return -EPROTO;
    }
    if (answer->size > sizeof reader->bytes - reader->n) {
        return give_up(ret_request);
    }
    memcpy(reader->bytes + reader->n, answer->data, answer->size);
    reader->n += answer->size;
    reader->toggle = !reader->toggle;
    return answer->is_last ? 0 : next_segment(reader, ret_request);
}

int dpl_canopen_read_on(struct dpl_canopen_reader *reader, const struct dpl_canopen_sdo *answer,
                        struct dpl_canopen_sdo *ret_request)
{
    if (reader->is_segmented && answer->kind == DPL_SDO_READ_SEGMENT_DONE) {
        return append_segment(reader, answer, ret_request);
    }
    if (reader->is_segmented || reader->n > 0) {
        return -EPROTO;
    }
    if (answer->kind == DPL_SDO_READ_DONE) {
        reader->n = answer->size > 0 ? answer->size : 4;
        dpl_put_u32le(reader->bytes, answer->value);
        return 0;
    }
    if (answer->kind != DPL_SDO_READ_BEGUN) {
        return -EPROTO;
    }
    reader->is_segmented = true;
    return next_segment(reader, ret_request);
}
