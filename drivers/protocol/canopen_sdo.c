/* SPDX-License-Identifier: Apache-2.0 */
/* SDO messages and the server over a table of objects. */
#include "canopen_sdo.h"

#include <errno.h>

#include "canopen.h"

/* First byte: three bits of command, then what goes with it. */
enum {
    CLIENT_WRITE = 1 << 5,
    CLIENT_READ = 2 << 5,
    SERVER_READ = 2 << 5,
    SERVER_WRITE = 3 << 5,
    ABORT = 4 << 5,
    COMMAND = 7 << 5,
    EXPEDITED = 1 << 1,
    SIZED = 1 << 0,
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

/* ---- messages ---- */

/* The bits of a transfer's first byte that tell its size. No more than four bytes fit: a sender
 * who says more gives four and does not say how many, as one who says none. */
static uint8_t size_bits(const struct dpl_canopen_sdo *sdo)
{
    return sdo->size == 0 || sdo->size > 4
               ? EXPEDITED
               : (uint8_t)((unsigned)(4 - sdo->size) << 2 | EXPEDITED | SIZED);
}

/* The bytes of a value. */
static unsigned value_size(const struct dpl_canopen_sdo *sdo)
{
    bool whole = sdo->size == 0 || sdo->size > 4 || sdo->kind == DPL_SDO_ABORT;
    return whole ? 4u : sdo->size;
}

static struct dpl_can_frame encode(uint32_t id, uint8_t command, const struct dpl_canopen_sdo *sdo,
                                   bool has_value)
{
    struct dpl_can_frame frame = {.id = id, .length = 8, .data = {command}};
    dpl_put_u16le(frame.data + 1, sdo->index);
    frame.data[3] = sdo->sub;
    if (has_value) {
        for (unsigned i = 0; i < value_size(sdo); i++) {
            frame.data[4 + i] = (uint8_t)(sdo->value >> (8 * i));
        }
    }
    return frame;
}

struct dpl_can_frame dpl_canopen_sdo_request(uint8_t node, const struct dpl_canopen_sdo *sdo)
{
    uint32_t id = dpl_canopen_cob_id(DPL_CANOPEN_SDO_REQUEST, node, 0);
    switch (sdo->kind) {
    case DPL_SDO_WRITE: return encode(id, CLIENT_WRITE | size_bits(sdo), sdo, true);
    case DPL_SDO_READ: return encode(id, CLIENT_READ, sdo, false);
    default: return encode(id, ABORT, sdo, true);
    }
}

struct dpl_can_frame dpl_canopen_sdo_answer(uint8_t node, const struct dpl_canopen_sdo *sdo)
{
    uint32_t id = dpl_canopen_cob_id(DPL_CANOPEN_SDO_ANSWER, node, 0);
    switch (sdo->kind) {
    case DPL_SDO_READ_DONE: return encode(id, SERVER_READ | size_bits(sdo), sdo, true);
    case DPL_SDO_WRITE_DONE: return encode(id, SERVER_WRITE, sdo, false);
    default: return encode(id, ABORT, sdo, true);
    }
}

static struct dpl_canopen_sdo head_of(const struct dpl_can_frame *frame,
                                      enum dpl_canopen_sdo_kind kind)
{
    return (struct dpl_canopen_sdo){
        .kind = kind, .index = dpl_get_u16le(frame->data + 1), .sub = frame->data[3]};
}

static void read_value(const struct dpl_can_frame *frame, struct dpl_canopen_sdo *sdo)
{
    uint8_t command = frame->data[0];
    if (!(command & EXPEDITED)) {
        sdo->kind = DPL_SDO_UNSUPPORTED;
        return;
    }
    sdo->size = command & SIZED ? (uint8_t)(4 - (command >> 2 & 3)) : 0;
    sdo->value = dpl_get_u32le(frame->data + 4);
    if (sdo->size > 0 && sdo->size < 4) {
        sdo->value &= (1u << (8 * sdo->size)) - 1;
    }
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
        read_value(frame, ret_sdo);
        return 0;
    case CLIENT_READ: *ret_sdo = head_of(frame, DPL_SDO_READ); return 0;
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
        read_value(frame, ret_sdo);
        return 0;
    case SERVER_WRITE: *ret_sdo = head_of(frame, DPL_SDO_WRITE_DONE); return 0;
    case ABORT: return decode_abort(frame, ret_sdo);
    default: *ret_sdo = head_of(frame, DPL_SDO_UNSUPPORTED); return 0;
    }
}

/* ---- server ---- */

void dpl_canopen_dictionary_reset(const struct dpl_canopen_dictionary *dictionary)
{
    for (size_t i = 0; i < dictionary->n; i++) {
        dictionary->values[i] = dictionary->entries[i].initial;
    }
}

int dpl_canopen_find(const struct dpl_canopen_dictionary *dictionary, uint16_t index, uint8_t sub)
{
    int err = -ENOENT;
    for (size_t i = 0; i < dictionary->n; i++) {
        if (dictionary->entries[i].index == index) {
            if (dictionary->entries[i].sub == sub) {
                return (int)i;
            }
            err = -ENXIO;
        }
    }
    return err;
}

static uint32_t write_entry(const struct dpl_canopen_dictionary *dictionary, size_t entry,
                            const struct dpl_canopen_sdo *request)
{
    const struct dpl_canopen_entry *e = &dictionary->entries[entry];
    if (!(e->access & (DPL_CANOPEN_RW | DPL_CANOPEN_WO))) {
        return DPL_SDO_READ_ONLY;
    }
    if (request->size > 0 && request->size != e->size) {
        return request->size > e->size ? DPL_SDO_TOO_LONG : DPL_SDO_TOO_SHORT;
    }
    uint32_t value = e->size == 4 ? request->value : request->value & ((1u << (8 * e->size)) - 1);
    uint32_t code = dictionary->check ? dictionary->check(dictionary->user, entry, value) : 0;
    if (code == 0) {
        dictionary->values[entry] = value;
        if (dictionary->changed) {
            dictionary->changed(dictionary->user, entry);
        }
    }
    return code;
}

static struct dpl_canopen_sdo abort_with(const struct dpl_canopen_sdo *request, uint32_t code)
{
    return (struct dpl_canopen_sdo){
        .kind = DPL_SDO_ABORT, .index = request->index, .sub = request->sub, .value = code};
}

struct dpl_canopen_sdo dpl_canopen_serve(const struct dpl_canopen_dictionary *dictionary,
                                         const struct dpl_canopen_sdo *request)
{
    if (request->kind != DPL_SDO_READ && request->kind != DPL_SDO_WRITE) {
        return abort_with(request, DPL_SDO_UNKNOWN_COMMAND);
    }
    int entry = dpl_canopen_find(dictionary, request->index, request->sub);
    if (entry < 0) {
        return abort_with(request, entry == -ENXIO ? DPL_SDO_NO_SUB_INDEX : DPL_SDO_NO_OBJECT);
    }
    struct dpl_canopen_sdo answer = {.index = request->index, .sub = request->sub};
    if (request->kind == DPL_SDO_WRITE) {
        uint32_t code = write_entry(dictionary, (size_t)entry, request);
        answer.kind = DPL_SDO_WRITE_DONE;
        return code == 0 ? answer : abort_with(request, code);
    }
    if (dictionary->entries[entry].access & DPL_CANOPEN_WO) {
        return abort_with(request, DPL_SDO_WRITE_ONLY);
    }
    answer.kind = DPL_SDO_READ_DONE;
    answer.size = dictionary->entries[entry].size;
    answer.value = dictionary->values[entry];
    return answer;
}
