/* SPDX-License-Identifier: Apache-2.0 */
/* The units of a world: where the value of each address is, and which channel it stands for.
 *
 * A *cell* is the value of one address, of all tables of all units in one row. Which cells there
 * are never changes; their values belong to the thread of the world. */
#ifndef DOPPEL_SIM_MODBUS_UNITS_H
#define DOPPEL_SIM_MODBUS_UNITS_H

#include <stdatomic.h>

#include <doppel/sim/modbus_server.h>

#include "request.h"

/* Addresses without a gap between them. */
struct unit_span {
    enum dpl_sim_modbus_table table;
    unsigned first, n;
    size_t cell; /* of the first */
};

struct unit_map {
    const struct dpl_sim_modbus_map *from;
    size_t cell; /* the first */
    size_t channel;
    const struct dpl_channel_desc *desc; /* NULL: it stands for no channel */
    /* of the world's thread */
    int owner;      /* number of the master that has commanded it; -1: none */
    bool held;      /* it was put, and not released since */
    bool pending;   /* it was written while the watchdog had tripped */
    bool on;        /* of a coil with an edge: as it was written last */
    bool is_pulse;  /* it is on until the next step is over */
    dpl_ns since;   /* of a pulse: when it began */
    bool saturated; /* the newest value was out of range */
};

struct unit {
    const struct dpl_sim_modbus *from;
    const struct dpl_sim_robot *robot;
    struct unit_span *spans; /* [n_spans] */
    size_t n_spans;
    size_t first_map, first_cell, n_cells;
    const struct unit_map *pace, *watchdog; /* NULL: none */
    /* of the world's thread */
    size_t n_held;   /* channels that are commanded */
    bool is_claimed; /* the channels that its maps write, for masters */
    bool tripped;
    dpl_ns fed;     /* when the watchdog has changed, or the first command came */
    bool is_pacing; /* the world waits for it */
    dpl_ns paced;   /* the last write to its pace register */
    int pacer;      /* the master that wrote it; -1: none */
    /* counted for notices */
    atomic_uint n_trips, n_time_outs;
    unsigned said_trips, said_time_outs; /* of the thread of the sockets */
};

struct units {
    struct dpl_world *world;
    const struct dpl_world_channels *channels;
    struct unit *all; /* [n] */
    size_t n;
    struct unit_map *maps; /* [n_maps] */
    size_t n_maps;
    uint32_t *map_of; /* [n_cells] */
    size_t n_cells;
};

/* Lists the units of a world. -EINVAL with reterr: there is none, or two have one number; -ENOMEM.
 */
int units_make(struct units *units, struct dpl_world *world,
               const struct dpl_world_channels *channels, struct dpl_diag *reterr);
void units_free(struct units *units);

/* 0 and 255 mean the server itself: its unit if it has one. NULL: there is none of this number, or
 * 0 or 255 could be any of several. */
struct unit *units_find(const struct units *units, unsigned number);

/* Whether the unit has all addresses of a good request, and no half of a value is written. */
enum request_exception unit_check(const struct units *units, const struct unit *unit,
                                  const struct request *request);

/* The cell of an address that there is. */
size_t unit_cell(const struct unit *unit, enum dpl_sim_modbus_table table, unsigned address);

#endif
