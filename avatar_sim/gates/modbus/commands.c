/* SPDX-License-Identifier: Apache-2.0 */
/* What masters write into channels and read from them. On the thread that owns the world, between
 * two steps: nothing here allocates, locks or calls the system. */
#include <math.h>

#include <doppel/math/geometry.h>

#include "served.h"

static dpl_ns now_of(const struct dpl_sim_modbus_server *server)
{
    return dpl_world_now(server->options.world);
}

static struct unit_map *maps_of(struct dpl_sim_modbus_server *server, const struct unit *unit)
{
    return &server->units.maps[unit->first_map];
}

static void note_range(struct dpl_sim_modbus_server *server, struct unit_map *map, bool is_out)
{
    if (is_out && !map->saturated) {
        atomic_fetch_add_explicit(&server->counts.saturated, 1, memory_order_relaxed);
    }
    map->saturated = is_out;
}

/* ---- who commands ---- */

static bool commands(const struct unit_map *map)
{
    return map->desc && dpl_modbus_is_written(map->from->table);
}

static void hold(struct dpl_sim_modbus_server *server, struct unit *unit, struct unit_map *map)
{
    if (!map->held) {
        map->held = true;
        unit->fed = unit->n_held++ == 0 ? now_of(server) : unit->fed;
    }
}

static void let_go(struct unit *unit, struct unit_map *map)
{
    unit->n_held -= map->held;
    map->held = false;
}

/* The first `n` maps do not command any more. */
static void unclaim(struct dpl_sim_modbus_server *server, struct unit *unit, size_t n)
{
    const struct dpl_sim_modbus_options *options = &server->options;
    const struct unit_map *maps = maps_of(server, unit);
    for (size_t i = 0; options->unclaim && i < n; i++) {
        if (commands(&maps[i])) {
            options->unclaim(options->claim_user, maps[i].channel);
        }
    }
}

/* All channels that the unit writes, or none. NULL, or the map whose channel somebody else
 * commands.
 */
static const struct unit_map *claim(struct dpl_sim_modbus_server *server, struct unit *unit)
{
    const struct dpl_sim_modbus_options *options = &server->options;
    const struct unit_map *maps = maps_of(server, unit);
    for (size_t i = 0; options->claim && !unit->is_claimed && i < unit->from->n_maps; i++) {
        if (commands(&maps[i]) && !options->claim(options->claim_user, maps[i].channel)) {
            unclaim(server, unit, i);
            return &maps[i];
        }
    }
    unit->is_claimed = true;
    return NULL;
}

static void unclaim_if_idle(struct dpl_sim_modbus_server *server, struct unit *unit)
{
    if (unit->is_claimed && unit->n_held == 0) {
        unit->is_claimed = false;
        unclaim(server, unit, unit->from->n_maps);
    }
}

/* ---- putting ---- */

static double within(double value, const struct dpl_channel_desc *desc, bool *ret_is_out)
{
    bool has_range = desc->min != 0.0 || desc->max != 0.0;
    double kept = !has_range          ? value
                  : value < desc->min ? desc->min
                  : value > desc->max ? desc->max
                                      : value;
    *ret_is_out = kept != value;
    return kept;
}

static void put_flag(struct dpl_sim_modbus_server *server, struct unit *unit, struct unit_map *map,
                     bool on)
{
    struct dpl_world_channels *channels = server->options.channels;
    if (map->desc->dir != DPL_CHANNEL_SHARED) {
        dpl_world_channels_put(channels, map->channel, &on);
        hold(server, unit, map);
        return;
    }
    if (on != map->held) {
        dpl_world_channels_share(channels, map->channel, on);
    }
    if (on) {
        hold(server, unit, map);
    } else {
        let_go(unit, map);
    }
}

static void put_number(struct dpl_sim_modbus_server *server, struct unit *unit,
                       struct unit_map *map)
{
    bool is_out;
    double value =
        within(dpl_modbus_value(map->from, &server->cells[map->cell]), map->desc, &is_out);
    int64_t whole = dpl_whole(value);
    bool is_integer = map->desc->type == &dpl_channel_integer;
    note_range(server, map, is_out);
    dpl_world_channels_put(server->options.channels, map->channel,
                           is_integer ? (const void *)&whole : &value);
    hold(server, unit, map);
}

static void begin_pulse(struct dpl_sim_modbus_server *server, struct unit *unit,
                        struct unit_map *map)
{
    bool was_on = map->on;
    map->on = server->cells[map->cell] != 0;
    bool is_edge = map->from->edge == DPL_MODBUS_RISING ? !was_on && map->on : was_on && !map->on;
    if (is_edge) {
        map->is_pulse = true;
        map->since = now_of(server);
        put_flag(server, unit, map, true);
    }
}

/* Puts what the cells say. */
static void put(struct dpl_sim_modbus_server *server, struct unit *unit, struct unit_map *map)
{
    map->pending = false;
    if (map->from->edge != DPL_MODBUS_LEVEL) {
        begin_pulse(server, unit, map);
    } else if (map->desc->type == &dpl_channel_flag) {
        put_flag(server, unit, map, server->cells[map->cell] != 0);
    } else {
        put_number(server, unit, map);
    }
}

static void end_pulse(struct dpl_sim_modbus_server *server, struct unit *unit, struct unit_map *map)
{
    map->is_pulse = false;
    put_flag(server, unit, map, false);
    let_go(unit, map);
}

void commands_end_pulses(struct dpl_sim_modbus_server *server)
{
    dpl_ns now = now_of(server);
    for (size_t u = 0; u < server->units.n; u++) {
        struct unit *unit = &server->units.all[u];
        struct unit_map *maps = maps_of(server, unit);
        for (size_t i = 0; i < unit->from->n_maps; i++) {
            if (maps[i].is_pulse && maps[i].since < now) {
                end_pulse(server, unit, &maps[i]);
            }
        }
        unclaim_if_idle(server, unit);
    }
}

/* ---- requests ---- */

/* What was written while the watchdog had tripped counts from now on. */
static void put_pending(struct dpl_sim_modbus_server *server, struct unit *unit)
{
    struct unit_map *maps = maps_of(server, unit);
    for (size_t i = 0; i < unit->from->n_maps; i++) {
        if (maps[i].pending) {
            put(server, unit, &maps[i]);
        }
    }
}

static bool has_pending(struct dpl_sim_modbus_server *server, const struct unit *unit)
{
    const struct unit_map *maps = maps_of(server, unit);
    for (size_t i = 0; i < unit->from->n_maps; i++) {
        if (maps[i].pending) {
            return true;
        }
    }
    return false;
}

/* What is kept waits for a later change while somebody else commands what the unit writes. */
static void feed(struct dpl_sim_modbus_server *server, struct unit *unit)
{
    unit->fed = now_of(server);
    if (unit->tripped && (!has_pending(server, unit) || !claim(server, unit))) {
        unit->tripped = false;
        put_pending(server, unit);
    }
}

static void take_map(struct dpl_sim_modbus_server *server, struct unit *unit, struct unit_map *map,
                     int master)
{
    if (!map->desc) {
        return;
    }
    map->owner = master;
    if (unit->tripped) {
        map->pending = true;
    } else {
        put(server, unit, map);
    }
}

enum request_exception commands_take(struct dpl_sim_modbus_server *server, struct unit *unit,
                                     const struct request *request, int master)
{
    const struct units *units = &server->units;
    size_t first = unit_cell(unit, request->table, request->write_first);
    size_t end = first + request->n_written;
    bool fed = false;
    for (size_t i = first; i < end; i++) {
        const struct unit_map *taken =
            units->maps[units->map_of[i]].desc ? claim(server, unit) : NULL;
        if (taken) {
            server->masters[master].busy = taken->desc->path;
            return REQUEST_BUSY;
        }
    }
    for (size_t i = first; i < end; i++) {
        const struct unit_map *map = &units->maps[units->map_of[i]];
        fed |= map == unit->watchdog && server->cells[i] != request->words[i - first];
        server->cells[i] = request->words[i - first];
    }
    for (size_t i = first; i < end; i++) {
        struct unit_map *map = &units->maps[units->map_of[i]];
        if (map->cell == i) {
            take_map(server, unit, map, master);
        }
        if (map == unit->pace) {
            unit->is_pacing = true;
            unit->paced = now_of(server);
            unit->pacer = master;
        }
    }
    if (fed) {
        feed(server, unit);
    }
    unclaim_if_idle(server, unit);
    if (unit->is_claimed) {
        server->masters[master].busy = NULL;
    }
    return REQUEST_GOOD;
}

/* ---- releasing ---- */

static bool release(struct dpl_sim_modbus_server *server, struct unit *unit, struct unit_map *map)
{
    struct dpl_world_channels *channels = server->options.channels;
    bool was_held = map->held;
    if (was_held && map->desc->dir == DPL_CHANNEL_SHARED) {
        dpl_world_channels_share(channels, map->channel, false);
    } else if (was_held) {
        dpl_world_channels_release(channels, map->channel);
    }
    let_go(unit, map);
    for (unsigned k = 0; k < dpl_modbus_width(map->from->type); k++) {
        server->cells[map->cell + k] = 0; /* so that masters see it */
    }
    map->owner = -1;
    map->pending = map->on = map->is_pulse = false;
    return was_held;
}

size_t commands_release(struct dpl_sim_modbus_server *server, struct unit *unit, int master)
{
    size_t n = 0;
    for (size_t u = 0; u < server->units.n; u++) {
        struct unit *at = &server->units.all[u];
        struct unit_map *maps = maps_of(server, at);
        for (size_t i = 0; i < at->from->n_maps && (!unit || unit == at); i++) {
            bool is_its = maps[i].owner >= 0 && (master < 0 || maps[i].owner == master);
            n += is_its && release(server, at, &maps[i]);
        }
        unclaim_if_idle(server, at);
    }
    return n;
}

/* A shared flag is wanted as before: dpl_world_channels_restored sees to it. */
void commands_put_again(struct dpl_sim_modbus_server *server)
{
    for (size_t u = 0; u < server->units.n; u++) {
        struct unit *unit = &server->units.all[u];
        struct unit_map *maps = maps_of(server, unit);
        for (size_t i = 0; i < unit->from->n_maps; i++) {
            if (maps[i].is_pulse) {
                end_pulse(server, unit, &maps[i]);
            } else if (maps[i].held && maps[i].desc->dir != DPL_CHANNEL_SHARED &&
                       maps[i].from->edge == DPL_MODBUS_LEVEL) {
                put(server, unit, &maps[i]);
            }
        }
    }
}

/* ---- reading ---- */

/* False: there is none yet. */
static bool channel_value(const struct dpl_sim_modbus_server *server, const struct unit_map *map,
                          double *ret_value)
{
    union {
        double number;
        int64_t integer;
        bool flag;
    } value;
    dpl_ns stamp;
    if (dpl_world_channels_get(server->options.channels, map->channel, &value, &stamp) < 0) {
        return false;
    }
    if (map->desc->type == &dpl_channel_flag) {
        *ret_value = value.flag;
    } else if (map->desc->type == &dpl_channel_integer) {
        *ret_value = (double)value.integer;
    } else {
        *ret_value = value.number;
    }
    return true;
}

static void read_map(struct dpl_sim_modbus_server *server, struct unit_map *map)
{
    int64_t raw = 0;
    dpl_ns ms = now_of(server) / DPL_MS;
    double value;
    switch (map->from->source) {
    case DPL_MODBUS_CHANNEL:
        if (channel_value(server, map, &value)) {
            note_range(server, map, dpl_modbus_raw(map->from, value, &raw));
        }
        break;
    case DPL_MODBUS_TIME:
    case DPL_MODBUS_HEARTBEAT: raw = ms; break;
    case DPL_MODBUS_CONSTANT: dpl_modbus_raw(map->from, map->from->value, &raw); break;
    case DPL_MODBUS_MEMORY: break;
    }
    dpl_modbus_words(map->from, raw, &server->cells[map->cell]);
}

void commands_read_world(struct dpl_sim_modbus_server *server)
{
    for (size_t i = 0; i < server->units.n_maps; i++) {
        struct unit_map *map = &server->units.maps[i];
        if (!dpl_modbus_is_written(map->from->table)) {
            read_map(server, map);
        }
    }
}

void commands_show_overruled(const struct dpl_sim_modbus_server *server, uint16_t *cells)
{
    for (size_t i = 0; i < server->units.n_maps; i++) {
        const struct unit_map *map = &server->units.maps[i];
        if (!commands(map) || map->from->edge == DPL_MODBUS_FALLING) {
            continue; /* nobody writes it; or what its channel does says nothing of the coil */
        }
        double value = dpl_world_channels_overruled(server->options.channels, map->channel);
        int64_t raw;
        if (!isnan(value)) {
            (void)dpl_modbus_raw(map->from, value, &raw);
            dpl_modbus_words(map->from, raw, &cells[map->cell]);
        }
    }
}
