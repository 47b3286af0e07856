/* SPDX-License-Identifier: Apache-2.0 */
/* CANopen frames other than SDO. */
#include <doppel/protocol/canopen.h>

#include <errno.h>

#define SYNC_ID 0x080u

/* The functions of the predefined connection set: four bits above the node number. */
static const struct {
    enum dpl_canopen_service service;
    uint8_t pdo;
} functions[16] = {
    [0x1] = {DPL_CANOPEN_EMCY, 0},        [0x3] = {DPL_CANOPEN_TPDO, 1},
    [0x4] = {DPL_CANOPEN_RPDO, 1},        [0x5] = {DPL_CANOPEN_TPDO, 2},
    [0x6] = {DPL_CANOPEN_RPDO, 2},        [0x7] = {DPL_CANOPEN_TPDO, 3},
    [0x8] = {DPL_CANOPEN_RPDO, 3},        [0x9] = {DPL_CANOPEN_TPDO, 4},
    [0xa] = {DPL_CANOPEN_RPDO, 4},        [0xb] = {DPL_CANOPEN_SDO_ANSWER, 0},
    [0xc] = {DPL_CANOPEN_SDO_REQUEST, 0}, [0xe] = {DPL_CANOPEN_HEARTBEAT, 0},
};

struct dpl_canopen_cob dpl_canopen_classify(const struct dpl_can_frame *frame)
{
    struct dpl_canopen_cob cob = {.service = DPL_CANOPEN_OTHER};
    if (frame->extended || frame->remote || frame->id > DPL_CAN_STANDARD_MAX) {
        return cob;
    }
    uint8_t node = frame->id & 0x7f;
    if (node == 0) {
        cob.service = frame->id == 0         ? DPL_CANOPEN_NMT
                      : frame->id == SYNC_ID ? DPL_CANOPEN_SYNC
                                             : DPL_CANOPEN_OTHER;
        return cob;
    }
    cob.service = functions[frame->id >> 7].service;
    if (cob.service != DPL_CANOPEN_OTHER) {
        cob.pdo = functions[frame->id >> 7].pdo;
        cob.node = node;
    }
    return cob;
}

uint32_t dpl_canopen_cob_id(enum dpl_canopen_service service, uint8_t node, uint8_t pdo)
{
    if (service == DPL_CANOPEN_SYNC) {
        return SYNC_ID;
    }
    for (uint32_t function = 0; function < 16; function++) {
        if (functions[function].service == service && service != DPL_CANOPEN_OTHER &&
            (functions[function].pdo == 0 || functions[function].pdo == pdo)) {
            return function << 7 | node;
        }
    }
    return 0;
}

/* ---- network management ---- */

struct dpl_can_frame dpl_canopen_nmt(enum dpl_canopen_nmt_command command, uint8_t node)
{
    return (struct dpl_can_frame){.id = 0, .length = 2, .data = {(uint8_t)command, node}};
}

int dpl_canopen_nmt_decode(const struct dpl_can_frame *frame,
                           enum dpl_canopen_nmt_command *ret_command, uint8_t *ret_node)
{
    if (frame->length < 2 || frame->data[1] > DPL_CANOPEN_NODE_MAX) {
        return -EPROTO;
    }
    switch (frame->data[0]) {
    case DPL_CANOPEN_START:
    case DPL_CANOPEN_STOP:
    case DPL_CANOPEN_ENTER_PRE_OPERATIONAL:
    case DPL_CANOPEN_RESET_NODE:
    case DPL_CANOPEN_RESET_COMMUNICATION: break;
    default: return -EPROTO;
    }
    *ret_command = (enum dpl_canopen_nmt_command)frame->data[0];
    *ret_node = frame->data[1];
    return 0;
}

struct dpl_can_frame dpl_canopen_sync(void)
{
    return (struct dpl_can_frame){.id = SYNC_ID};
}

struct dpl_can_frame dpl_canopen_heartbeat(uint8_t node, enum dpl_canopen_state state)
{
    return (struct dpl_can_frame){
        .id = dpl_canopen_cob_id(DPL_CANOPEN_HEARTBEAT, node, 0),
        .length = 1,
        .data = {(uint8_t)state},
    };
}

int dpl_canopen_heartbeat_decode(const struct dpl_can_frame *frame,
                                 enum dpl_canopen_state *ret_state)
{
    if (frame->length < 1) {
        return -EPROTO;
    }
    enum dpl_canopen_state state = (enum dpl_canopen_state)(frame->data[0] & 0x7f);
    switch (state) {
    case DPL_CANOPEN_BOOT_UP:
    case DPL_CANOPEN_STOPPED:
    case DPL_CANOPEN_OPERATIONAL:
    case DPL_CANOPEN_PRE_OPERATIONAL: *ret_state = state; return 0;
    }
    return -EPROTO;
}

const char *dpl_canopen_state_name(enum dpl_canopen_state state)
{
    switch (state) {
    case DPL_CANOPEN_BOOT_UP: return "booting";
    case DPL_CANOPEN_STOPPED: return "stopped";
    case DPL_CANOPEN_OPERATIONAL: return "operational";
    case DPL_CANOPEN_PRE_OPERATIONAL: return "pre-operational";
    }
    return "in no known state";
}

/* ---- emergencies ---- */

struct dpl_can_frame dpl_canopen_emcy(uint8_t node, const struct dpl_canopen_emcy *emcy)
{
    struct dpl_can_frame frame = {
        .id = dpl_canopen_cob_id(DPL_CANOPEN_EMCY, node, 0),
        .length = 8,
    };
    dpl_put_u16le(frame.data, emcy->code);
    frame.data[2] = emcy->registers;
    memcpy(frame.data + 3, emcy->data, sizeof emcy->data);
    return frame;
}

int dpl_canopen_emcy_decode(const struct dpl_can_frame *frame, struct dpl_canopen_emcy *ret_emcy)
{
    if (frame->length < 8) {
        return -EPROTO;
    }
    struct dpl_canopen_emcy emcy = {dpl_get_u16le(frame->data), frame->data[2], {0}};
    memcpy(emcy.data, frame->data + 3, sizeof emcy.data);
    *ret_emcy = emcy;
    return 0;
}

/* The first class that matches is used; the table is ordered from special to general. */
static const struct {
    uint16_t mask, code;
    const char *name;
} emcy_names[] = {
    {0xffff, 0x0000, "no error"},
    {0xffff, 0x8130, "heartbeat of the master missing"},
    {0xffff, 0x8250, "set-points missing"},
    {0xffff, 0x8611, "following error"},
    {0xffff, 0x8700, "synchronization"},
    {0xff00, 0x2300, "too much current"},
    {0xff00, 0x3100, "mains voltage"},
    {0xff00, 0x3200, "voltage inside"},
    {0xff00, 0x4300, "too hot"},
    {0xff00, 0x5400, "power stage"},
    {0xff00, 0x7100, "brake or motor blocked"},
    {0xff00, 0x7300, "sensor"},
    {0xff00, 0x8100, "communication"},
    {0xf000, 0x2000, "current"},
    {0xf000, 0x3000, "voltage"},
    {0xf000, 0x4000, "temperature"},
    {0xf000, 0x5000, "hardware"},
    {0xf000, 0x6000, "software"},
    {0xf000, 0x7000, "module"},
    {0xf000, 0x8000, "monitoring"},
    {0xf000, 0xf000, "maker's own"},
};

const char *dpl_canopen_emcy_name(uint16_t code)
{
    for (size_t i = 0; i < sizeof emcy_names / sizeof emcy_names[0]; i++) {
        if ((code & emcy_names[i].mask) == emcy_names[i].code) {
            return emcy_names[i].name;
        }
    }
    return "generic error";
}

/* ---- process data ---- */

uint32_t dpl_canopen_map_word(const struct dpl_canopen_object *object)
{
    return (uint32_t)object->index << 16 | (uint32_t)object->sub << 8 | object->bits;
}

struct dpl_canopen_object dpl_canopen_map_object(uint32_t word)
{
    return (struct dpl_canopen_object){(uint16_t)(word >> 16), (uint8_t)(word >> 8), (uint8_t)word};
}

unsigned dpl_canopen_map_size(const struct dpl_canopen_map *map)
{
    unsigned bits = 0;
    for (int i = 0; i < map->n; i++) {
        bits += map->objects[i].bits;
    }
    return (bits + 7) / 8;
}

void dpl_canopen_pack(const struct dpl_canopen_map *map, const int32_t *values,
                      struct dpl_can_frame *frame)
{
    uint8_t *at = frame->data;
    memset(frame->data, 0, sizeof frame->data);
    for (int i = 0; i < map->n; i++) {
        for (unsigned bit = 0; bit < map->objects[i].bits; bit += 8) {
            *at++ = (uint8_t)((uint32_t)values[i] >> bit);
        }
    }
    frame->length = (uint8_t)(at - frame->data);
}

static int32_t extend_sign(uint32_t value, unsigned bits)
{
    uint32_t sign = 1u << (bits - 1);
    return (int32_t)((value ^ sign) - sign);
}

int dpl_canopen_unpack(const struct dpl_canopen_map *map, const struct dpl_can_frame *frame,
                       int32_t *ret_values)
{
    const uint8_t *at = frame->data;
    if (frame->length < dpl_canopen_map_size(map)) {
        return -EPROTO;
    }
    for (int i = 0; i < map->n; i++) {
        uint32_t value = 0;
        for (unsigned bit = 0; bit < map->objects[i].bits; bit += 8) {
            value |= (uint32_t)*at++ << bit;
        }
        ret_values[i] = extend_sign(value, map->objects[i].bits);
    }
    return 0;
}
