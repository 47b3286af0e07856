/* SPDX-License-Identifier: Apache-2.0 */
/* Listing the units of a world: see units.h. */
#include "units.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct dpl_place nowhere;

/* ---- making ---- */

static size_t cells_of(const struct dpl_sim_modbus *from)
{
    size_t n = 0;
    for (size_t i = 0; i < from->n_maps; i++) {
        n += dpl_modbus_width(from->maps[i].type);
    }
    return n;
}

static void count(struct units *units)
{
    const struct dpl_sim_model *model = dpl_world_model(units->world);
    for (size_t r = 0; r < model->n_robots; r++) {
        const struct dpl_sim_robot *robot = &model->robots[r];
        units->n += robot->n_modbus;
        for (size_t i = 0; i < robot->n_modbus; i++) {
            units->n_maps += robot->modbus[i].n_maps;
            units->n_cells += cells_of(&robot->modbus[i]);
        }
    }
}

static int check_number(const struct units *units, size_t n, const struct dpl_sim_robot *robot,
                        const struct dpl_sim_modbus *from, struct dpl_diag *reterr)
{
    for (size_t i = 0; i < n; i++) {
        const struct unit *other = &units->all[i];
        if (other->from->unit == from->unit) {
            return dpl_fail(reterr, -EINVAL, nowhere,
                            "the robots '%s' and '%s' both have a Modbus unit %d: give one of them "
                            "another number",
                            other->robot->name, robot->name, from->unit);
        }
    }
    return 0;
}

static int find_channel(const struct units *units, const struct dpl_sim_robot *robot,
                        struct unit_map *map, struct dpl_diag *reterr)
{
    char path[DPL_CHANNEL_PATH_MAX];
    size_t n;
    struct dpl_channel_want want = {.path = path, .put = dpl_modbus_is_written(map->from->table)};
    if (map->from->source != DPL_MODBUS_CHANNEL) {
        return 0;
    }
    snprintf(path, sizeof path, "%s/%s", robot->name, map->from->signal);
    int channel = dpl_world_channels_find(units->channels, &want, reterr);
    if (channel < 0) {
        return channel;
    }
    map->channel = (size_t)channel;
    map->desc = &dpl_world_channels_describe(units->channels, &n)[channel];
    return 0;
}

/* Its maps are sorted: those that follow each other become one span. */
static void add_to_spans(struct unit *unit, const struct unit_map *map)
{
    const struct dpl_sim_modbus_map *from = map->from;
    struct unit_span *last = unit->n_spans > 0 ? &unit->spans[unit->n_spans - 1] : NULL;
    unsigned width = dpl_modbus_width(from->type);
    if (last && last->table == from->table && last->first + last->n == from->address) {
        last->n += width;
    } else {
        unit->spans[unit->n_spans++] =
            (struct unit_span){from->table, from->address, width, map->cell};
    }
}

static int add_maps(struct units *units, struct unit *unit, struct dpl_diag *reterr)
{
    size_t cell = unit->first_cell;
    for (size_t i = 0; i < unit->from->n_maps; i++) {
        struct unit_map *map = &units->maps[unit->first_map + i];
        *map = (struct unit_map){.from = &unit->from->maps[i], .cell = cell, .owner = -1};
        int err = find_channel(units, unit->robot, map, reterr);
        if (err < 0) {
            return err;
        }
        for (unsigned k = 0; k < dpl_modbus_width(map->from->type); k++) {
            units->map_of[cell++] = (uint32_t)(unit->first_map + i);
        }
        add_to_spans(unit, map);
        unit->pace = map->from->pace ? map : unit->pace;
        unit->watchdog = map->from->watchdog ? map : unit->watchdog;
    }
    unit->n_cells = cell - unit->first_cell;
    return 0;
}

static int add_units(struct units *units, struct dpl_diag *reterr)
{
    const struct dpl_sim_model *model = dpl_world_model(units->world);
    size_t n = 0, map = 0, cell = 0;
    for (size_t r = 0; r < model->n_robots; r++) {
        const struct dpl_sim_robot *robot = &model->robots[r];
        for (size_t i = 0; i < robot->n_modbus; i++) {
            struct unit *unit = &units->all[n];
            unit->from = &robot->modbus[i];
            unit->robot = robot;
            unit->first_map = map;
            unit->first_cell = cell;
            unit->spans = calloc(unit->from->n_maps + 1, sizeof *unit->spans);
            int err = unit->spans ? check_number(units, n, robot, unit->from, reterr) : -ENOMEM;
            err = err < 0 ? err : add_maps(units, unit, reterr);
            if (err < 0) {
                return err;
            }
            map += unit->from->n_maps;
            cell += unit->n_cells;
            n++;
        }
    }
    return 0;
}

int units_make(struct units *units, struct dpl_world *world,
               const struct dpl_world_channels *channels, struct dpl_diag *reterr)
{
    *units = (struct units){.world = world, .channels = channels};
    count(units);
    if (units->n == 0) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "no robot of world '%s' has a <Modbus>: there is nothing to serve",
                        dpl_world_model(world)->name);
    }
    units->all = calloc(units->n, sizeof *units->all);
    units->maps = calloc(units->n_maps + 1, sizeof *units->maps);
    units->map_of = calloc(units->n_cells + 1, sizeof *units->map_of);
    bool is_full = !units->all || !units->maps || !units->map_of;
    int err = is_full ? -ENOMEM : add_units(units, reterr);
    if (err == -ENOMEM) {
        dpl_fail(reterr, err, nowhere, "out of memory");
    }
    if (err < 0) {
        units_free(units);
    }
    return err;
}

void units_free(struct units *units)
{
    for (size_t i = 0; units->all && i < units->n; i++) {
        free(units->all[i].spans);
    }
    free(units->all);
    free(units->maps);
    free(units->map_of);
    *units = (struct units){0};
}

/* ---- looking things up ---- */

/* "MODBUS Messaging on TCP/IP Implementation Guide V1.0b", section 4.4.1.1: the server that is
 * addressed by its IP address has the unit 255, and 0 is accepted, too. */
static bool is_server_itself(unsigned number)
{
    return number == 0 || number == 255;
}

struct unit *units_find(const struct units *units, unsigned number)
{
    if (is_server_itself(number)) {
        return units->n == 1 ? &units->all[0] : NULL;
    }
    for (size_t i = 0; i < units->n; i++) {
        if ((unsigned)units->all[i].from->unit == number) {
            return &units->all[i];
        }
    }
    return NULL;
}

static const struct unit_span *find_span(const struct unit *unit, enum dpl_sim_modbus_table table,
                                         unsigned first, unsigned n)
{
    for (size_t i = 0; i < unit->n_spans; i++) {
        const struct unit_span *span = &unit->spans[i];
        if (span->table == table && first >= span->first && first + n <= span->first + span->n) {
            return span;
        }
    }
    return NULL;
}

size_t unit_cell(const struct unit *unit, enum dpl_sim_modbus_table table, unsigned address)
{
    const struct unit_span *span = find_span(unit, table, address, 1);
    return span ? span->cell + (address - span->first) : 0;
}

/* Half a value would be a command that nobody has given. */
static bool cuts_a_value(const struct units *units, size_t first, size_t n)
{
    const struct unit_map *begin = &units->maps[units->map_of[first]];
    const struct unit_map *end = &units->maps[units->map_of[first + n - 1]];
    return begin->cell != first || end->cell + dpl_modbus_width(end->from->type) != first + n;
}

enum request_exception unit_check(const struct units *units, const struct unit *unit,
                                  const struct request *request)
{
    if (request->n_read > 0 &&
        !find_span(unit, request->table, request->read_first, request->n_read)) {
        return REQUEST_BAD_ADDRESS;
    }
    if (request->n_written == 0) {
        return REQUEST_GOOD;
    }
    const struct unit_span *span =
        find_span(unit, request->table, request->write_first, request->n_written);
    if (!span) {
        return REQUEST_BAD_ADDRESS;
    }
    size_t cell = span->cell + (request->write_first - span->first);
    return cuts_a_value(units, cell, request->n_written) ? REQUEST_BAD_ADDRESS : REQUEST_GOOD;
}
