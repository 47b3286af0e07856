/* SPDX-License-Identifier: Apache-2.0 */
/* Modbus units of a world: which address of which table stands for which channel. A <Modbus> of a
 * mechanism describes one (docs/modbus.md); doppel/sim/modbus_server.h serves them. Const while a
 * world runs. */
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
    DPL_MODBUS_INPUT,    /* registers that they read */
    DPL_MODBUS_COIL,     /* bits that they also write */
    DPL_MODBUS_HOLDING,  /* registers that they also write */
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
    DPL_MODBUS_MEMORY, /* what was written, and nothing else */
};

/* Of a coil: its channel is on for one step when the coil changes that way. */
enum dpl_sim_modbus_edge { DPL_MODBUS_LEVEL, DPL_MODBUS_RISING, DPL_MODBUS_FALLING };

struct dpl_sim_modbus_map {
    enum dpl_sim_modbus_table table;
    enum dpl_sim_modbus_type type;
    enum dpl_sim_modbus_source source;
    enum dpl_sim_modbus_edge edge;
    uint16_t address;     /* the first */
    const char *signal;   /* path of the channel from the robot on */
    double scale, offset; /* the channel's value is raw * scale + offset */
    double value;         /* of a constant, as that of a channel */
    bool pace, watchdog;  /* the register that paces the world; that must change */
};

struct dpl_sim_modbus {
    char name[DPL_SIM_NAME_SIZE];
    int unit;
    dpl_ns watchdog;                       /* of the world's time */
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

/* How many addresses a value takes. */
static inline unsigned dpl_modbus_width(enum dpl_sim_modbus_type type)
{
    return type == DPL_MODBUS_INT32 || type == DPL_MODBUS_UINT32 ? 2 : 1;
}

/* The raw value nearest to a channel's value; true: it is out of the range of the type, or not a
 * number (which gives 0), and *ret_raw is the end of the range. */
bool dpl_modbus_raw(const struct dpl_sim_modbus_map *map, double value, int64_t *ret_raw);

/* The channel's value that the words at the map's address stand for. */
double dpl_modbus_value(const struct dpl_sim_modbus_map *map, const uint16_t *words);

/* Writes a raw value as the words of its type. */
void dpl_modbus_words(const struct dpl_sim_modbus_map *map, int64_t raw, uint16_t *ret_words);

#ifdef __cplusplus
}
#endif

#endif
