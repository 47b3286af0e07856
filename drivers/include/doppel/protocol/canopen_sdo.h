/* SPDX-License-Identifier: Apache-2.0 */
/* CANopen SDO: reading and writing objects of a node's dictionary, one per transfer: up to four
 * bytes in one message (expedited), more in segments of seven. Messages of both directions, and the
 * client's side of a read. The node's side: canopen_server.h. From general knowledge of CiA 301. */
#ifndef DPL_PROTOCOL_CANOPEN_SDO_H
#define DPL_PROTOCOL_CANOPEN_SDO_H

#include <doppel/protocol/bytes.h>
#include <doppel/protocol/can_frame.h>

#ifdef __cplusplus
extern "C" {
#endif

enum dpl_canopen_abort {
    DPL_SDO_TOGGLE = 0x05030000,
    DPL_SDO_TIMEOUT = 0x05040000,
    DPL_SDO_UNKNOWN_COMMAND = 0x05040001,
    DPL_SDO_UNSUPPORTED_ACCESS = 0x06010000,
    DPL_SDO_WRITE_ONLY = 0x06010001,
    DPL_SDO_READ_ONLY = 0x06010002,
    DPL_SDO_NO_OBJECT = 0x06020000,
    DPL_SDO_NOT_MAPPABLE = 0x06040041,
    DPL_SDO_MAP_TOO_LONG = 0x06040042,
    DPL_SDO_WRONG_LENGTH = 0x06070010,
    DPL_SDO_TOO_LONG = 0x06070012,
    DPL_SDO_TOO_SHORT = 0x06070013,
    DPL_SDO_NO_SUB_INDEX = 0x06090011,
    DPL_SDO_OUT_OF_RANGE = 0x06090030,
    DPL_SDO_GENERAL = 0x08000000,
    DPL_SDO_DEVICE_STATE = 0x08000022,
};

/* The meaning of a code. Never NULL. */
const char *dpl_canopen_abort_name(uint32_t code);

enum dpl_canopen_sdo_kind {
    DPL_SDO_READ,
    DPL_SDO_WRITE,
    DPL_SDO_READ_DONE,
    DPL_SDO_WRITE_DONE,
    DPL_SDO_ABORT,       /* `value` is the code */
    DPL_SDO_UNSUPPORTED, /* a block transfer */
    /* In segments: `value` is the length in bytes when `size` is 4; when `size` is 0 the length is
     * not given. */
    DPL_SDO_WRITE_BEGIN, /* answered by WRITE_DONE */
    DPL_SDO_READ_BEGUN,  /* answers READ */
    DPL_SDO_WRITE_SEGMENT,
    DPL_SDO_WRITE_SEGMENT_DONE,
    DPL_SDO_READ_SEGMENT,
    DPL_SDO_READ_SEGMENT_DONE,
};

enum { DPL_SDO_SEGMENT_MAX = 7 };

struct dpl_canopen_sdo {
    enum dpl_canopen_sdo_kind kind;
    uint16_t index; /* segments do not contain the object */
    uint8_t sub;
    /* of a value: 1 to 4; otherwise: the sender gives no size, four bytes are given */
    uint8_t size;
    uint32_t value;
    bool toggle;                       /* of segments: alternates, false first */
    bool is_last;                      /* of segments with data, whose `size` is 0 to 7 */
    uint8_t data[DPL_SDO_SEGMENT_MAX]; /* [size] */
};

/* A message of a client (identifier 600h + node), and of a server (580h + node). */
struct dpl_can_frame dpl_canopen_sdo_request(uint8_t node, const struct dpl_canopen_sdo *sdo);
struct dpl_can_frame dpl_canopen_sdo_answer(uint8_t node, const struct dpl_canopen_sdo *sdo);
/* -EPROTO: not eight bytes, or not a command of a client (a server). */
int dpl_canopen_sdo_request_decode(const struct dpl_can_frame *frame,
                                   struct dpl_canopen_sdo *ret_sdo);
int dpl_canopen_sdo_answer_decode(const struct dpl_can_frame *frame,
                                  struct dpl_canopen_sdo *ret_sdo);

/* ---- client ---- */

/* A read of up to `sizeof bytes`, expedited or in segments. Owned by the caller; all zero before
 * the first answer. */
struct dpl_canopen_reader {
    uint8_t bytes[64];
    size_t n; /* number of received bytes */
    bool is_segmented, toggle;
};

/* Takes the answer to a READ, or to the request of the previous call. 0: complete. 1: send
 * *ret_request next. -EPROTO: not an answer to the request. -EMSGSIZE: too long; send *ret_request,
 * an abort. The caller sets index and sub, as in all requests. */
int dpl_canopen_read_on(struct dpl_canopen_reader *reader, const struct dpl_canopen_sdo *answer,
                        struct dpl_canopen_sdo *ret_request);

#ifdef __cplusplus
}
#endif

#endif
