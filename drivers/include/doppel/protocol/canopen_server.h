/* SPDX-License-Identifier: Apache-2.0 */
/* The server's side of CANopen SDO: a node's dictionary as a const table of objects, and transfers
 * of its values, expedited and in segments, in both directions. Pure: no allocation. */
#ifndef DPL_PROTOCOL_CANOPEN_SERVER_H
#define DPL_PROTOCOL_CANOPEN_SERVER_H

#include <doppel/protocol/canopen_sdo.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DPL_CANOPEN_TEXT_MAX = 64 }; /* characters of a text object */

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
    uint8_t sub, size; /* 1, 2 or 4 bytes; 0: a text */
    unsigned access;
    uint32_t initial; /* of a text: its number in `texts` */
};

/* A node's dictionary: a const table, and the values in the same order. */
struct dpl_canopen_dictionary {
    const struct dpl_canopen_entry *entries;
    size_t n;
    uint32_t *values;                        /* [n]; unused for a text */
    char (*texts)[DPL_CANOPEN_TEXT_MAX + 1]; /* NUL-terminated; NULL: no texts */
    /* Called before a number is written: 0, or the abort code of a refusal. NULL: all values are
     * accepted. */
    uint32_t (*check)(void *user, size_t entry, uint32_t value);
    /* Called after a write. NULL: nothing to do. */
    void (*changed)(void *user, size_t entry);
    void *user;
};

/* Sets all numbers to their initial values. */
void dpl_canopen_dictionary_reset(const struct dpl_canopen_dictionary *dictionary);

/* The index of the entry; -ENOENT: no such object; -ENXIO: the object does not have this
 * sub-index. */
int dpl_canopen_find(const struct dpl_canopen_dictionary *dictionary, uint16_t index, uint8_t sub);

/* The transfers of one client. Owned by the caller; at the beginning all zero except the
 * dictionary. */
struct dpl_canopen_server {
    const struct dpl_canopen_dictionary *dictionary; /* borrowed */
    /* private */
    enum { DPL_CANOPEN_IDLE, DPL_CANOPEN_READING, DPL_CANOPEN_WRITING } transfer;
    size_t entry;
    bool has_length, toggle;
    size_t length, at; /* number of bytes; number of transferred bytes */
    uint8_t bytes[DPL_CANOPEN_TEXT_MAX];
};

/* Handles a request. True: *ret_answer, which may be an abort, must be sent. False: the client has
 * aborted, and nothing must be sent. A value in segments is written with the last segment, or not
 * at all. */
bool dpl_canopen_serve(struct dpl_canopen_server *server, const struct dpl_canopen_sdo *request,
                       struct dpl_canopen_sdo *ret_answer);

#ifdef __cplusplus
}
#endif

#endif
