/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion of frames from and to slcan text or socket records. */
#include <doppel/protocol/can_wire.h>

/* Flags in the upper bits of a record's id. */
#define EXTENDED 0x80000000u
#define REMOTE   0x40000000u
#define ERROR    0x20000000u

bool dpl_can_record_decode(const uint8_t record[DPL_CAN_RECORD_SIZE],
                           struct dpl_can_frame *ret_frame)
{
    uint32_t id;
    struct dpl_can_frame frame = {.length = record[4]};
    memcpy(&id, record, sizeof id);
    if ((id & ERROR) || frame.length > DPL_CAN_DATA_MAX) {
        return false;
    }
    frame.extended = (id & EXTENDED) != 0;
    frame.remote = (id & REMOTE) != 0;
    frame.id = id & (frame.extended ? DPL_CAN_EXTENDED_MAX : DPL_CAN_STANDARD_MAX);
    if (!frame.remote) {
        memcpy(frame.data, record + 8, frame.length);
    }
    *ret_frame = frame;
    return true;
}

void dpl_can_record_encode(const struct dpl_can_frame *frame, uint8_t record[DPL_CAN_RECORD_SIZE])
{
    uint32_t id = frame->id | (frame->extended ? EXTENDED : 0) | (frame->remote ? REMOTE : 0);
    memset(record, 0, DPL_CAN_RECORD_SIZE);
    memcpy(record, &id, sizeof id);
    record[4] = frame->length;
    if (!frame->remote) {
        memcpy(record + 8, frame->data, frame->length);
    }
}

void dpl_can_wire_init(struct dpl_can_wire *wire, enum dpl_can_wire_kind kind)
{
    *wire = (struct dpl_can_wire){.kind = kind};
    dpl_slcan_parser_init(&wire->slcan);
}

static enum dpl_can_wire_event next_record(struct dpl_can_wire *wire, struct dpl_byte_view *input,
                                           struct dpl_can_frame *ret_frame)
{
    while (input->size > 0) {
        size_t missing = DPL_CAN_RECORD_SIZE - wire->filled;
        size_t take = missing < input->size ? missing : input->size;
        memcpy(wire->record + wire->filled, input->data, take);
        input->data += take;
        input->size -= take;
        wire->filled += take;
        wire->offset += take;
        if (wire->filled < DPL_CAN_RECORD_SIZE) {
            break;
        }
        wire->filled = 0;
        if (dpl_can_record_decode(wire->record, ret_frame)) {
            wire->frames++;
            return DPL_CAN_WIRE_FRAME;
        }
        wire->errors++;
        wire->dropped_bytes += DPL_CAN_RECORD_SIZE;
        wire->last_error_offset = wire->offset - DPL_CAN_RECORD_SIZE;
    }
    return DPL_CAN_WIRE_NOTHING;
}

static enum dpl_can_wire_event next_line(struct dpl_can_wire *wire, struct dpl_byte_view *input,
                                         struct dpl_can_frame *ret_frame)
{
    struct dpl_slcan_message message;
    enum dpl_can_wire_event event = DPL_CAN_WIRE_NOTHING;
    while (event == DPL_CAN_WIRE_NOTHING && dpl_slcan_parser_next(&wire->slcan, input, &message)) {
        switch (message.kind) {
        case DPL_SLCAN_DONE: event = DPL_CAN_WIRE_DONE; break;
        case DPL_SLCAN_REFUSED: event = DPL_CAN_WIRE_REFUSED; break;
        case DPL_SLCAN_FRAME:
            wire->frames++;
            *ret_frame = message.frame;
            event = DPL_CAN_WIRE_FRAME;
            break;
        default: break; /* an adapter sends no commands to its host */
        }
    }
    wire->errors = wire->slcan.errors;
    wire->dropped_bytes = wire->slcan.dropped_bytes;
    wire->last_error_offset = wire->slcan.last_error_offset;
    return event;
}

enum dpl_can_wire_event dpl_can_wire_next(struct dpl_can_wire *wire, struct dpl_byte_view *input,
                                          struct dpl_can_frame *ret_frame)
{
    return wire->kind == DPL_CAN_WIRE_SLCAN ? next_line(wire, input, ret_frame)
                                            : next_record(wire, input, ret_frame);
}

size_t dpl_can_wire_encode(enum dpl_can_wire_kind kind, const struct dpl_can_frame *frame,
                           uint8_t bytes[DPL_CAN_WIRE_MAX])
{
    if (kind == DPL_CAN_WIRE_RECORDS) {
        dpl_can_record_encode(frame, bytes);
        return DPL_CAN_RECORD_SIZE;
    }
    struct dpl_slcan_message message = {.kind = DPL_SLCAN_FRAME, .frame = *frame};
    return dpl_slcan_encode(&message, (char *)bytes);
}
