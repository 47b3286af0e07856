/* SPDX-License-Identifier: Apache-2.0 */
/* Modbus units of a world: which address of which table belongs to which channel. An element
 * <Modbus> of a mechanism describes a unit (docs/guides/modbus.md); doppel/sim/modbus_server.h
 * serves it. Const while a world runs. */
#ifndef DOPPEL_SIM_MODBUS_H
#define DOPPEL_SIM_MODBUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/sim/name.h>
#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_MODBUS_UNITS_MAX 247  /* of a mechanism, and of a world; numbers begin with 1 */
#define DPL_MODBUS_MAPS_MAX  4096 /* of a unit */

enum dpl_sim_modbus_table {
    DPL_MODBUS_DISCRETE, /* bits that masters read */
    DPL_MODBUS_INPUT,    /* registers that masters read */
    DPL_MODBUS_COIL,     /* bits that masters read and write */
    DPL_MODBUS_HOLDING,  /* registers that masters read and write */
    DPL_MODBUS_TABLES,
};

enum dpl_sim_modbus_type {
    DPL_MODBUS_BIT,
    DPL_MODBUS_INT16,
    DPL_MODBUS_UINT16,
    DPL_MODBUS_INT32, /* two registers, the high word first */
    DPL_MODBUS_UINT32,
};

enum dpl_sim_modbus_source {
    DPL_MODBUS_CHANNEL,   /* of the robot */
    DPL_MODBUS_TIME,      /* of the world, ms modulo 2^32 */
    DPL_MODBUS_HEARTBEAT, /* the same modulo 65536 */
    DPL_MODBUS_CONSTANT,
    DPL_MODBUS_MEMORY, /* the last written value; no channel */
};

/* For a coil: RISING, FALLING: its channel is on for one step after this change of the coil. LEVEL:
 * the channel follows the coil. */
enum dpl_sim_modbus_edge { DPL_MODBUS_LEVEL, DPL_MODBUS_RISING, DPL_MODBUS_FALLING };

struct dpl_sim_modbus_map {
    enum dpl_sim_modbus_table table;
    enum dpl_sim_modbus_type type;
    enum dpl_sim_modbus_source source;
    enum dpl_sim_modbus_edge edge;
    uint16_t address;     /* the first address */
    const char *signal;   /* path of the channel, relative to the robot */
    double scale, offset; /* the channel's value is raw * scale + offset */
    double value;         /* of a constant, in the unit of a channel */
    bool pace, watchdog;  /* this register paces the world; must change for the watchdog */
};

struct dpl_sim_modbus {
    char name[DPL_SIM_NAME_SIZE];
    int unit;
    dpl_ns watchdog;                       /* in the world's time */
    const struct dpl_sim_modbus_map *maps; /* [n_maps] in the order of tables and addresses */
    size_t n_maps;
};

/* "discrete|input|coil|holding", in the order of the enumeration. */
#define DPL_MODBUS_TABLE_WORDS "discrete|input|coil|holding"
extern const char *const dpl_sim_modbus_table_words[DPL_MODBUS_TABLES];

static inline bool dpl_modbus_is_bits(enum dpl_sim_modbus_table table)
{
    return table == DPL_MODBUS_DISCRETE || table == DPL_MODBUS_COIL;
}

static inline bool dpl_modbus_is_written(enum dpl_sim_modbus_table table)
{
    return table == DPL_MODBUS_COIL || table == DPL_MODBUS_HOLDING;
}

/* The number of addresses of a value. */
static inline unsigned dpl_modbus_width(enum dpl_sim_modbus_type type)
{
    return type == DPL_MODBUS_INT32 || type == DPL_MODBUS_UINT32 ? 2 : 1;
}

/* Computes the raw value nearest to a channel's value. True: the value is out of the range of the
 * type, and *ret_raw is the end of the range; or it is not a number, and *ret_raw is 0. */
bool dpl_modbus_raw(const struct dpl_sim_modbus_map *map, double value, int64_t *ret_raw);

/* Computes the channel's value from the words at the map's address. */
double dpl_modbus_value(const struct dpl_sim_modbus_map *map, const uint16_t *words);

/* Writes a raw value as the words of its type. */
void dpl_modbus_words(const struct dpl_sim_modbus_map *map, int64_t raw, uint16_t *ret_words);

#ifdef __cplusplus
}
#endif

#endif
