/* SPDX-License-Identifier: Apache-2.0 */
/* The object dictionary of an emulated drive: a const table, the index of each entry, the values,
 * and the PDO maps from them. Pure. */
#ifndef EMULATE_DRIVE_OBJECTS_H
#define EMULATE_DRIVE_OBJECTS_H

#include <doppel/protocol/canopen.h>
#include <doppel/protocol/canopen_server.h>
#include <doppel/protocol/cia402.h>

enum { DRIVE_MAP_MAX = 4, DRIVE_PDOS = 2, DRIVE_ERRORS_MAX = 4 };
#define DRIVE_PDO_DISABLED 0x80000000u /* bit of a PDO's identifier */

/* A PDO is a sequence of entries: its communication parameters (count, identifier, transmission
 * type, event timer), and its map (count, then objects). */
enum {
    DRIVE_PDO_HOW,
    DRIVE_PDO_ID,
    DRIVE_PDO_KIND,
    DRIVE_PDO_TIMER,
    DRIVE_PDO_COUNT,
    DRIVE_PDO_MAP,
    DRIVE_PDO_ENTRIES = DRIVE_PDO_MAP + DRIVE_MAP_MAX,
};

enum drive_object {
    DRIVE_DEVICE_TYPE,
    DRIVE_ERROR_REGISTER,
    DRIVE_ERROR_COUNT,
    DRIVE_ERRORS, /* newest first */
    DRIVE_SYNC_ID = DRIVE_ERRORS + DRIVE_ERRORS_MAX,
    DRIVE_DEVICE_NAME,
    DRIVE_HARDWARE,
    DRIVE_SOFTWARE,
    DRIVE_EMCY_ID,
    DRIVE_HEARTBEAT,
    DRIVE_IDENTITY,
    DRIVE_VENDOR,
    DRIVE_PRODUCT,
    DRIVE_REVISION,
    DRIVE_SERIAL,
    DRIVE_RPDO,
    DRIVE_TPDO = DRIVE_RPDO + DRIVE_PDOS * DRIVE_PDO_ENTRIES,
    DRIVE_ABORT_OPTION = DRIVE_TPDO + DRIVE_PDOS * DRIVE_PDO_ENTRIES,
    DRIVE_ERROR_CODE,
    DRIVE_CONTROLWORD,
    DRIVE_STATUSWORD,
    DRIVE_QUICK_STOP_OPTION,
    DRIVE_FAULT_OPTION,
    DRIVE_MODE,
    DRIVE_MODE_DISPLAY,
    DRIVE_POSITION,
    DRIVE_FOLLOWING_WINDOW,
    DRIVE_VELOCITY,
    DRIVE_TORQUE,
    DRIVE_TARGET,
    DRIVE_LIMIT_COUNT,
    DRIVE_LIMIT_LEAST,
    DRIVE_LIMIT_GREATEST,
    DRIVE_MAX_VELOCITY,
    DRIVE_MAX_MOTOR_SPEED,
    DRIVE_DECELERATION,
    DRIVE_QUICK_STOP_DECELERATION,
    DRIVE_VELOCITY_OFFSET,
    DRIVE_TORQUE_OFFSET,
    DRIVE_INTERPOLATION_COUNT,
    DRIVE_INTERPOLATION_VALUE,
    DRIVE_INTERPOLATION_POWER,
    DRIVE_FOLLOWING_ERROR,
    DRIVE_MOTOR_NUMBER,
    DRIVE_SUPPORTED_MODES,
    DRIVE_OBJECTS,
};

/* Objects that are texts. */
enum {
    DRIVE_TEXT_NAME,
    DRIVE_TEXT_HARDWARE,
    DRIVE_TEXT_SOFTWARE,
    DRIVE_TEXT_MOTOR,
    DRIVE_TEXTS,
};

extern const struct dpl_canopen_entry drive_objects[DRIVE_OBJECTS];
extern const char *const drive_texts[DRIVE_TEXTS]; /* initial texts */

/* The PDO of an entry: 0 and 1 RPDOs, 2 and 3 TPDOs; -1: none. *ret_part: DRIVE_PDO_... */
int drive_object_pdo(size_t entry, int *ret_part);

/* The entry of a part of a PDO. */
static inline size_t drive_pdo_entry(int pdo, int part)
{
    return (size_t)(DRIVE_RPDO + pdo * DRIVE_PDO_ENTRIES + part);
}

struct drive_store {
    uint32_t values[DRIVE_OBJECTS];
    char texts[DRIVE_TEXTS][DPL_CANOPEN_TEXT_MAX + 1];
    struct dpl_canopen_map maps[2 * DRIVE_PDOS];         /* RPDOs, then TPDOs */
    uint8_t mapped[2 * DRIVE_PDOS][DPL_CANOPEN_MAP_MAX]; /* entries of the objects */
};

/* A value with sign extension. */
int32_t drive_store_signed(const struct drive_store *store, size_t entry);

/* Checks whether a part of a PDO may get the value `value`: 0, or the abort code. */
uint32_t drive_store_check(const struct drive_store *store, int pdo, int part, uint32_t value);
/* Creates the map of a PDO from its objects. */
void drive_store_map(struct drive_store *store, int pdo);

#endif
