/* SPDX-License-Identifier: Apache-2.0 */
/* CANopen SDO: reading and writing objects of a node's dictionary, one a transfer, at most four
 * bytes each (expedited). Messages of both directions, and the node's side as a server over a
 * table of objects. Facts from shared/spec/devices.md and general knowledge of CiA 301. */
#ifndef DPL_PROTOCOL_CANOPEN_SDO_H
#define DPL_PROTOCOL_CANOPEN_SDO_H

#include "bytes.h"
#include "can_frame.h"

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

/* What a code means. Never NULL. */
const char *dpl_canopen_abort_name(uint32_t code);

enum dpl_canopen_sdo_kind {
    DPL_SDO_READ,
    DPL_SDO_WRITE,
    DPL_SDO_READ_DONE,
    DPL_SDO_WRITE_DONE,
    DPL_SDO_ABORT,       /* `value` is the code */
    DPL_SDO_UNSUPPORTED, /* a segmented or block transfer */
};

struct dpl_canopen_sdo {
    enum dpl_canopen_sdo_kind kind;
    uint16_t index;
    uint8_t sub;
    uint8_t size; /* of a value: 1 to 4; else: the sender does not say, four bytes are given */
    uint32_t value;
};

/* What a client says (identifier 600h + node), and what a server answers (580h + node). */
struct dpl_can_frame dpl_canopen_sdo_request(uint8_t node, const struct dpl_canopen_sdo *sdo);
struct dpl_can_frame dpl_canopen_sdo_answer(uint8_t node, const struct dpl_canopen_sdo *sdo);
/* -EPROTO: not eight bytes, or no command that a client (a server) has. */
int dpl_canopen_sdo_request_decode(const struct dpl_can_frame *frame,
                                   struct dpl_canopen_sdo *ret_sdo);
int dpl_canopen_sdo_answer_decode(const struct dpl_can_frame *frame,
                                  struct dpl_canopen_sdo *ret_sdo);

/* ---- server ---- */

enum dpl_canopen_access {
    DPL_CANOPEN_CONST = 0, /* as RO; the value never changes */
    DPL_CANOPEN_RO = 1 << 0,
    DPL_CANOPEN_WO = 1 << 1,
    DPL_CANOPEN_RW = 1 << 2,
    DPL_CANOPEN_TPDO_OK = 1 << 3, /* may be mapped into a TPDO */
    DPL_CANOPEN_RPDO_OK = 1 << 4,
};

struct dpl_canopen_entry {
    uint16_t index;
    uint8_t sub, size; /* 1, 2 or 4 bytes */
    unsigned access;
    uint32_t initial;
};

/* A node's dictionary: a const table, and the values in the same order. */
struct dpl_canopen_dictionary {
    const struct dpl_canopen_entry *entries;
    size_t n;
    uint32_t *values; /* [n] */
    /* Before a value is written: 0, or the abort code that refuses it. NULL: all goes. */
    uint32_t (*check)(void *user, size_t entry, uint32_t value);
    /* Behind it. NULL: nothing follows. */
    void (*changed)(void *user, size_t entry);
    void *user;
};

/* Sets all values to their initial ones. */
void dpl_canopen_dictionary_reset(const struct dpl_canopen_dictionary *dictionary);

/* The entry's number; -ENOENT: no such object; -ENXIO: no such sub-index of it. */
int dpl_canopen_find(const struct dpl_canopen_dictionary *dictionary, uint16_t index, uint8_t sub);

/* Serves a request; the answer may be an abort. */
struct dpl_canopen_sdo dpl_canopen_serve(const struct dpl_canopen_dictionary *dictionary,
                                         const struct dpl_canopen_sdo *request);

#endif
