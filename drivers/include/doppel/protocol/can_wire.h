/* SPDX-License-Identifier: Apache-2.0 */
/* CAN frames on a byte stream, as slcan text or as the records of 16 bytes of Linux' raw CAN
 * sockets (struct can_frame: id and flags as 32 bits in the machine's byte order, length, three
 * unused bytes, eight of data). The host's side. */
#ifndef DPL_PROTOCOL_CAN_WIRE_H
#define DPL_PROTOCOL_CAN_WIRE_H

#include <doppel/protocol/slcan.h>

#ifdef __cplusplus
extern "C" {
#endif

enum dpl_can_wire_kind {
    DPL_CAN_WIRE_SLCAN,
    DPL_CAN_WIRE_RECORDS,
};

enum {
    DPL_CAN_RECORD_SIZE = 16,
    DPL_CAN_WIRE_MAX = 32, /* bytes of one frame in both formats */
};

/* Events in the received stream. */
enum dpl_can_wire_event {
    DPL_CAN_WIRE_NOTHING, /* all input is consumed */
    DPL_CAN_WIRE_FRAME,
    DPL_CAN_WIRE_DONE,    /* slcan: the adapter has executed the command */
    DPL_CAN_WIRE_REFUSED, /* slcan: the adapter has refused the command */
};

/* Owned by the caller; counters may be read, the rest is private. */
struct dpl_can_wire {
    uint64_t frames, errors, dropped_bytes, last_error_offset;
    enum dpl_can_wire_kind kind;
    struct dpl_slcan_parser slcan;
    uint8_t record[DPL_CAN_RECORD_SIZE];
    size_t filled;
    uint64_t offset;
};

void dpl_can_wire_init(struct dpl_can_wire *wire, enum dpl_can_wire_kind kind);

/* Consumes `input` up to the next event; *ret_frame is written with DPL_CAN_WIRE_FRAME. Records of
 * errors and of invalid lengths are skipped and counted. */
enum dpl_can_wire_event dpl_can_wire_next(struct dpl_can_wire *wire, struct dpl_byte_view *input,
                                          struct dpl_can_frame *ret_frame);

/* Writes the frame as bytes; returns their number. */
size_t dpl_can_wire_encode(enum dpl_can_wire_kind kind, const struct dpl_can_frame *frame,
                           uint8_t bytes[DPL_CAN_WIRE_MAX]);

/* One record. False: an error frame, or more than eight bytes of data. */
bool dpl_can_record_decode(const uint8_t record[DPL_CAN_RECORD_SIZE],
                           struct dpl_can_frame *ret_frame);
void dpl_can_record_encode(const struct dpl_can_frame *frame, uint8_t record[DPL_CAN_RECORD_SIZE]);

#ifdef __cplusplus
}
#endif

#endif
