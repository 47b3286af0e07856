/* SPDX-License-Identifier: Apache-2.0 */
/* CANopen (CiA 301) frames, for both ends: identification of frames, network management, SYNC,
 * heartbeats, emergencies, and values packed into process data. SDO: canopen_sdo.h. From general
 * knowledge of CiA 301. Pure: no state, no allocation. */
#ifndef DPL_PROTOCOL_CANOPEN_H
#define DPL_PROTOCOL_CANOPEN_H

#include <doppel/protocol/bytes.h>
#include <doppel/protocol/can_frame.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    DPL_CANOPEN_NODE_MAX = 127,
    DPL_CANOPEN_PDOS = 4, /* that have default identifiers */
    DPL_CANOPEN_MAP_MAX = 8,
};

/* The kind of a frame, by its identifier: the predefined connection set. R and T are from the
 * node's view: it receives RPDOs and transmits TPDOs. */
enum dpl_canopen_service {
    DPL_CANOPEN_OTHER,
    DPL_CANOPEN_NMT,
    DPL_CANOPEN_SYNC,
    DPL_CANOPEN_EMCY,
    DPL_CANOPEN_TPDO,
    DPL_CANOPEN_RPDO,
    DPL_CANOPEN_SDO_ANSWER,
    DPL_CANOPEN_SDO_REQUEST,
    DPL_CANOPEN_HEARTBEAT,
};

struct dpl_canopen_cob {
    enum dpl_canopen_service service;
    uint8_t node; /* 1 to 127; 0 for NMT, SYNC and others */
    uint8_t pdo;  /* 1 to 4 for PDOs, else 0 */
};

/* Extended and remote frames are OTHER. */
struct dpl_canopen_cob dpl_canopen_classify(const struct dpl_can_frame *frame);

/* The identifier; `pdo` counts from 1 and is used for PDOs only. */
uint32_t dpl_canopen_cob_id(enum dpl_canopen_service service, uint8_t node, uint8_t pdo);

/* ---- network management ---- */

enum dpl_canopen_nmt_command {
    DPL_CANOPEN_START = 0x01,
    DPL_CANOPEN_STOP = 0x02,
    DPL_CANOPEN_ENTER_PRE_OPERATIONAL = 0x80,
    DPL_CANOPEN_RESET_NODE = 0x81,
    DPL_CANOPEN_RESET_COMMUNICATION = 0x82,
};

/* `node` 0: all. */
struct dpl_can_frame dpl_canopen_nmt(enum dpl_canopen_nmt_command command, uint8_t node);
/* -EPROTO: not an NMT command. */
int dpl_canopen_nmt_decode(const struct dpl_can_frame *frame,
                           enum dpl_canopen_nmt_command *ret_command, uint8_t *ret_node);

struct dpl_can_frame dpl_canopen_sync(void);

enum dpl_canopen_state {
    DPL_CANOPEN_BOOT_UP = 0x00, /* sent once, after a reset */
    DPL_CANOPEN_STOPPED = 0x04,
    DPL_CANOPEN_OPERATIONAL = 0x05,
    DPL_CANOPEN_PRE_OPERATIONAL = 0x7f,
};

struct dpl_can_frame dpl_canopen_heartbeat(uint8_t node, enum dpl_canopen_state state);
/* -EPROTO: not a state. */
int dpl_canopen_heartbeat_decode(const struct dpl_can_frame *frame,
                                 enum dpl_canopen_state *ret_state);
const char *dpl_canopen_state_name(enum dpl_canopen_state state);

/* ---- emergencies ---- */

struct dpl_canopen_emcy {
    uint16_t code;     /* 0: no error any more */
    uint8_t registers; /* object 1001h */
    uint8_t data[5];   /* specific to the manufacturer */
};

struct dpl_can_frame dpl_canopen_emcy(uint8_t node, const struct dpl_canopen_emcy *emcy);
/* -EPROTO: fewer than eight bytes. */
int dpl_canopen_emcy_decode(const struct dpl_can_frame *frame, struct dpl_canopen_emcy *ret_emcy);
/* The class of an error code as text. Never NULL. */
const char *dpl_canopen_emcy_name(uint16_t code);

/* ---- process data ---- */

/* A PDO's map: the objects of its bits, in order, whole bytes. */
struct dpl_canopen_object {
    uint16_t index;
    uint8_t sub, bits; /* 8, 16 or 32 */
};

struct dpl_canopen_map {
    uint8_t n;
    struct dpl_canopen_object objects[DPL_CANOPEN_MAP_MAX];
};

/* An entry of a mapping object (1600h, 1A00h) as its 32 bits, and back. */
uint32_t dpl_canopen_map_word(const struct dpl_canopen_object *object);
struct dpl_canopen_object dpl_canopen_map_object(uint32_t word);

/* Bytes of the mapped objects; more than 8 is not allowed. */
unsigned dpl_canopen_map_size(const struct dpl_canopen_map *map);

/* Packs the low bits of each value; the map's size must be 8 at most. */
void dpl_canopen_pack(const struct dpl_canopen_map *map, const int32_t *values,
                      struct dpl_can_frame *frame);
/* Unpacks the values with sign extension. -EPROTO: the frame is shorter than the map. */
int dpl_canopen_unpack(const struct dpl_canopen_map *map, const struct dpl_can_frame *frame,
                       int32_t *ret_values);

#ifdef __cplusplus
}
#endif

#endif
