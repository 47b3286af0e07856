/* SPDX-License-Identifier: Apache-2.0 */
/* The table of a drive's objects. */
#include "drive_objects.h"

/* The entries of a PDO: its communication object `how_`, and its map 200h later. */
#define PDO(at_, how_, id_)                                                                        \
    [(at_) + DRIVE_PDO_HOW] = {how_, 0, 1, DPL_CANOPEN_CONST, 5},                                  \
             [(at_) + DRIVE_PDO_ID] = {how_, 1, 4, DPL_CANOPEN_RW, (id_) | DRIVE_PDO_DISABLED},    \
             [(at_) + DRIVE_PDO_KIND] = {how_, 2, 1, DPL_CANOPEN_RW, 255},                         \
             [(at_) + DRIVE_PDO_TIMER] = {how_, 5, 2, DPL_CANOPEN_RW, 0},                          \
             [(at_) + DRIVE_PDO_COUNT] = {(how_) + 0x200, 0, 1, DPL_CANOPEN_RW, 0},                \
             [(at_) + DRIVE_PDO_MAP] = {(how_) + 0x200, 1, 4, DPL_CANOPEN_RW, 0},                  \
             [(at_) + DRIVE_PDO_MAP + 1] = {(how_) + 0x200, 2, 4, DPL_CANOPEN_RW, 0},              \
             [(at_) + DRIVE_PDO_MAP + 2] = {(how_) + 0x200, 3, 4, DPL_CANOPEN_RW, 0},              \
             [(at_) + DRIVE_PDO_MAP + 3] = {(how_) + 0x200, 4, 4, DPL_CANOPEN_RW, 0}

#define RPDO_RW (DPL_CANOPEN_RW | DPL_CANOPEN_RPDO_OK)
#define TPDO_RO (DPL_CANOPEN_RO | DPL_CANOPEN_TPDO_OK)

const struct dpl_canopen_entry drive_objects[DRIVE_OBJECTS] = {
    [DRIVE_DEVICE_TYPE] = {0x1000, 0, 4, DPL_CANOPEN_CONST, 0x00020000u | DPL_CIA402_PROFILE},
    [DRIVE_ERROR_REGISTER] = {0x1001, 0, 1, TPDO_RO, 0},
    [DRIVE_ERROR_COUNT] = {0x1003, 0, 1, DPL_CANOPEN_RW, 0},
    [DRIVE_ERRORS] = {0x1003, 1, 4, DPL_CANOPEN_RO, 0},
    [DRIVE_ERRORS + 1] = {0x1003, 2, 4, DPL_CANOPEN_RO, 0},
    [DRIVE_ERRORS + 2] = {0x1003, 3, 4, DPL_CANOPEN_RO, 0},
    [DRIVE_ERRORS + 3] = {0x1003, 4, 4, DPL_CANOPEN_RO, 0},
    [DRIVE_SYNC_ID] = {0x1005, 0, 4, DPL_CANOPEN_CONST, 0x80},
    [DRIVE_DEVICE_NAME] = {0x1008, 0, 0, DPL_CANOPEN_CONST, DRIVE_TEXT_NAME},
    [DRIVE_HARDWARE] = {0x1009, 0, 0, DPL_CANOPEN_CONST, DRIVE_TEXT_HARDWARE},
    [DRIVE_SOFTWARE] = {0x100a, 0, 0, DPL_CANOPEN_CONST, DRIVE_TEXT_SOFTWARE},
    [DRIVE_EMCY_ID] = {0x1014, 0, 4, DPL_CANOPEN_RO, 0x80},
    [DRIVE_HEARTBEAT] = {0x1017, 0, 2, DPL_CANOPEN_RW, 0},
    [DRIVE_IDENTITY] = {0x1018, 0, 1, DPL_CANOPEN_CONST, 4},
    [DRIVE_VENDOR] = {0x1018, 1, 4, DPL_CANOPEN_CONST, 0}, /* no number from CiA */
    [DRIVE_PRODUCT] = {0x1018, 2, 4, DPL_CANOPEN_CONST, 0x402},
    [DRIVE_REVISION] = {0x1018, 3, 4, DPL_CANOPEN_CONST, 0x00010000},
    [DRIVE_SERIAL] = {0x1018, 4, 4, DPL_CANOPEN_CONST, 402000}, /* plus the node number */
    PDO(DRIVE_RPDO, 0x1400, 0x200),
    PDO(DRIVE_RPDO + DRIVE_PDO_ENTRIES, 0x1401, 0x300),
    PDO(DRIVE_TPDO, 0x1800, 0x180),
    PDO(DRIVE_TPDO + DRIVE_PDO_ENTRIES, 0x1801, 0x280),
    [DRIVE_ABORT_OPTION] = {DPL_CIA402_ABORT_OPTION, 0, 2, DPL_CANOPEN_RW,
                            DPL_CIA402_ABORT_QUICK_STOP},
    [DRIVE_ERROR_CODE] = {DPL_CIA402_ERROR_CODE, 0, 2, TPDO_RO, 0},
    [DRIVE_CONTROLWORD] = {DPL_CIA402_CONTROLWORD, 0, 2, RPDO_RW, 0},
    [DRIVE_STATUSWORD] = {DPL_CIA402_STATUSWORD, 0, 2, TPDO_RO, 0},
    [DRIVE_QUICK_STOP_OPTION] = {DPL_CIA402_QUICK_STOP_OPTION, 0, 2, DPL_CANOPEN_RW,
                                 DPL_CIA402_QUICK_STOP_AND_OFF},
    [DRIVE_FAULT_OPTION] = {DPL_CIA402_FAULT_OPTION, 0, 2, DPL_CANOPEN_RW, DPL_CIA402_STOP_QUICK},
    [DRIVE_MODE] = {DPL_CIA402_MODE, 0, 1, RPDO_RW, 0},
    [DRIVE_MODE_DISPLAY] = {DPL_CIA402_MODE_DISPLAY, 0, 1, TPDO_RO, 0},
    [DRIVE_POSITION] = {DPL_CIA402_POSITION, 0, 4, TPDO_RO, 0},
    [DRIVE_FOLLOWING_WINDOW] = {DPL_CIA402_FOLLOWING_WINDOW, 0, 4, DPL_CANOPEN_RW, 0xffffffffu},
    [DRIVE_VELOCITY] = {DPL_CIA402_VELOCITY, 0, 4, TPDO_RO, 0},
    [DRIVE_TORQUE] = {DPL_CIA402_TORQUE, 0, 2, TPDO_RO, 0},
    [DRIVE_TARGET] = {DPL_CIA402_TARGET_POSITION, 0, 4, RPDO_RW, 0},
    [DRIVE_LIMIT_COUNT] = {DPL_CIA402_POSITION_LIMITS, 0, 1, DPL_CANOPEN_CONST, 2},
    [DRIVE_LIMIT_LEAST] = {DPL_CIA402_POSITION_LIMITS, 1, 4, DPL_CANOPEN_RW, 0},
    [DRIVE_LIMIT_GREATEST] = {DPL_CIA402_POSITION_LIMITS, 2, 4, DPL_CANOPEN_RW, 0},
    [DRIVE_MAX_VELOCITY] = {DPL_CIA402_MAX_VELOCITY, 0, 4, RPDO_RW, 0},
    [DRIVE_MAX_MOTOR_SPEED] = {DPL_CIA402_MAX_MOTOR_SPEED, 0, 4, RPDO_RW, 0},
    [DRIVE_DECELERATION] = {DPL_CIA402_DECELERATION, 0, 4, RPDO_RW, 0},
    [DRIVE_QUICK_STOP_DECELERATION] = {DPL_CIA402_QUICK_STOP_DECELERATION, 0, 4, RPDO_RW, 0},
    [DRIVE_VELOCITY_OFFSET] = {DPL_CIA402_VELOCITY_OFFSET, 0, 4, RPDO_RW, 0},
    [DRIVE_TORQUE_OFFSET] = {DPL_CIA402_TORQUE_OFFSET, 0, 2, RPDO_RW, 0},
    [DRIVE_INTERPOLATION_COUNT] = {DPL_CIA402_INTERPOLATION, 0, 1, DPL_CANOPEN_CONST, 2},
    [DRIVE_INTERPOLATION_VALUE] = {DPL_CIA402_INTERPOLATION, 1, 1, DPL_CANOPEN_RW, 1},
    [DRIVE_INTERPOLATION_POWER] = {DPL_CIA402_INTERPOLATION, 2, 1, DPL_CANOPEN_RW, 0xfd},
    [DRIVE_FOLLOWING_ERROR] = {DPL_CIA402_FOLLOWING_ERROR, 0, 4, TPDO_RO, 0},
    [DRIVE_MOTOR_NUMBER] = {DPL_CIA402_MOTOR_NUMBER, 0, 0, DPL_CANOPEN_RW, DRIVE_TEXT_MOTOR},
    [DRIVE_SUPPORTED_MODES] = {DPL_CIA402_SUPPORTED_MODES, 0, 4, DPL_CANOPEN_CONST,
                               DPL_CIA402_CSP_SUPPORTED},
};

const char *const drive_texts[DRIVE_TEXTS] = {
    [DRIVE_TEXT_NAME] = "Doppel emulated CiA 402 drive",
    [DRIVE_TEXT_HARDWARE] = "no hardware",
    [DRIVE_TEXT_SOFTWARE] = ("doppel " DOPPEL_VERSION),
    [DRIVE_TEXT_MOTOR] = "linear axis, 20 kg, 2000 N",
};

int drive_object_pdo(size_t entry, int *ret_part)
{
    if (entry < DRIVE_RPDO || entry >= DRIVE_TPDO + DRIVE_PDOS * DRIVE_PDO_ENTRIES) {
        return -1;
    }
    *ret_part = (int)((entry - DRIVE_RPDO) % DRIVE_PDO_ENTRIES);
    return (int)((entry - DRIVE_RPDO) / DRIVE_PDO_ENTRIES);
}

/* ---- the store ---- */

static const struct dpl_canopen_dictionary table = {.entries = drive_objects, .n = DRIVE_OBJECTS};

int32_t drive_store_signed(const struct drive_store *store, size_t entry)
{
    uint32_t value = store->values[entry];
    switch (drive_objects[entry].size) {
    case 1: return (int8_t)value;
    case 2: return (int16_t)value;
    default: return (int32_t)value;
    }
}

/* The entry of a mapping word, if it may be in this PDO; otherwise the abort code. */
static uint32_t resolve(int pdo, uint32_t word, int *ret_entry)
{
    struct dpl_canopen_object object = dpl_canopen_map_object(word);
    unsigned allowed = pdo < DRIVE_PDOS ? DPL_CANOPEN_RPDO_OK : DPL_CANOPEN_TPDO_OK;
    *ret_entry = dpl_canopen_find(&table, object.index, object.sub);
    if (*ret_entry < 0) {
        return DPL_SDO_NO_OBJECT;
    }
    const struct dpl_canopen_entry *entry = &drive_objects[*ret_entry];
    return (entry->access & allowed) && object.bits == 8 * entry->size ? 0 : DPL_SDO_NOT_MAPPABLE;
}

/* Whether the first `n` entries of the map fit into a PDO. */
static uint32_t check_map(const struct drive_store *store, int pdo, uint32_t n)
{
    struct dpl_canopen_map map = {.n = (uint8_t)n};
    if (n > DRIVE_MAP_MAX) {
        return DPL_SDO_MAP_TOO_LONG;
    }
    for (uint32_t i = 0; i < n; i++) {
        int entry;
        uint32_t word = store->values[drive_pdo_entry(pdo, DRIVE_PDO_MAP) + i];
        uint32_t code = resolve(pdo, word, &entry);
        if (code != 0) {
            return code;
        }
        map.objects[i] = dpl_canopen_map_object(word);
    }
    return dpl_canopen_map_size(&map) <= DPL_CAN_DATA_MAX ? 0 : DPL_SDO_MAP_TOO_LONG;
}

uint32_t drive_store_check(const struct drive_store *store, int pdo, int part, uint32_t value)
{
    bool is_on = !(store->values[drive_pdo_entry(pdo, DRIVE_PDO_ID)] & DRIVE_PDO_DISABLED);
    int entry;
    if (part == DRIVE_PDO_ID || part == DRIVE_PDO_TIMER) {
        return 0;
    }
    if (is_on) {
        return DPL_SDO_UNSUPPORTED_ACCESS;
    }
    if (part == DRIVE_PDO_COUNT) {
        return check_map(store, pdo, value);
    }
    if (part >= DRIVE_PDO_MAP) {
        return store->values[drive_pdo_entry(pdo, DRIVE_PDO_COUNT)] != 0
                   ? DPL_SDO_UNSUPPORTED_ACCESS
                   : resolve(pdo, value, &entry);
    }
    return 0;
}

void drive_store_map(struct drive_store *store, int pdo)
{
    struct dpl_canopen_map *map = &store->maps[pdo];
    map->n = (uint8_t)store->values[drive_pdo_entry(pdo, DRIVE_PDO_COUNT)];
    for (int i = 0; i < map->n; i++) {
        int entry = 0;
        uint32_t word = store->values[drive_pdo_entry(pdo, DRIVE_PDO_MAP) + (size_t)i];
        resolve(pdo, word, &entry);
        map->objects[i] = dpl_canopen_map_object(word);
        store->mapped[pdo][i] = (uint8_t)entry;
    }
}
