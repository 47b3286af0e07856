/* SPDX-License-Identifier: Apache-2.0 */
/* A <Modbus> of a mechanism and its <map>s: see modbus_xml.h. */
#include "modbus_xml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/sim/modbus.h>

/* ---- tables ---------------------------------------------------------------------------------- */

enum { TYPE_AUTO };

struct map_spec {
    int table, type, edge;
    int64_t address;
    char signal[DPL_CHANNEL_PATH_MAX];
    double scale, offset, value;
    bool pace, watchdog;
};

static const struct dpl_field map_fields[] = {
    DPL_CHOICE(struct map_spec, table, "table", NULL, DPL_MODBUS_TABLE_WORDS,
               "discrete (bits, read), input (registers, read), coil (bits), holding (registers)"),
    DPL_INT(struct map_spec, address, "address", NULL, 0, 65535, "from 0; of 32 bit the first one"),
    DPL_TEXT(struct map_spec, signal, "signal", "",
             "channel of this mechanism (car/position), or world:time_ms, world:heartbeat"),
    DPL_CHOICE(struct map_spec, type, "type", "auto", "auto|bit|int16|uint16|int32|uint32",
               "of the registers; 32 bit: two, the high word first"),
    DPL_NUMBER(struct map_spec, scale, "scale", NULL, "1", -1e12, 1e12,
               "the channel's value is raw * scale + offset"),
    DPL_NUMBER(struct map_spec, offset, "offset", NULL, "0", -1e12, 1e12, "see scale"),
    DPL_NUMBER_OPTIONAL(struct map_spec, value, "value", NULL, -1e15, 1e15,
                        "a constant in place of a signal"),
    DPL_CHOICE(struct map_spec, edge, "edge", "level", "level|rising|falling",
               "of a coil: the signal is on for one step when the coil changes so"),
    DPL_BOOL(struct map_spec, pace, "pace", "false", "writing it paces the world"),
    DPL_BOOL(struct map_spec, watchdog, "watchdog", "false",
             "it must change within watchdog_ms, else all is released"),
};

struct modbus_spec {
    char name[DPL_SIM_NAME_SIZE];
    int64_t unit;
    double watchdog_ms;
};

static const struct dpl_field modbus_fields[] = {
    DPL_TEXT(struct modbus_spec, name, "name", "modbus", "for messages"),
    DPL_INT(struct modbus_spec, unit, "unit", "1", 1, DPL_MODBUS_UNITS_MAX,
            "number that masters address"),
    DPL_NUMBER(struct modbus_spec, watchdog_ms, "watchdog_ms", "ms", "500", 1.0, 1e6,
               "of the world's time: see watchdog of a map"),
};

/* The target while maps are read. */
struct unit_target {
    struct dpl__list signals; /* of struct dpl__channel_name */
    struct dpl__list maps;    /* of struct dpl_sim_modbus_map */
    bool has_pace, has_watchdog;
};

static const char *say(struct dpl_element_reader *reader, const struct map_spec *spec,
                       const char *text)
{
    return dpl_arena_printf(reader->arena, "%s %d: %s", dpl_sim_modbus_table_words[spec->table],
                            (int)spec->address, text);
}

static bool complain(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                     const struct map_spec *spec, const char *attribute, const char *text)
{
    dpl__node_complain(reader, node, attribute, say(reader, spec, text), NULL);
    return false;
}

/* ---- what it stands for ---------------------------------------------------------------------- */

static const struct dpl__channel_name *find_signal(struct dpl_element_reader *reader,
                                                   const struct dpl_xml_node *node,
                                                   const struct map_spec *spec)
{
    const struct unit_target *target = reader->target;
    const struct dpl__channel_name *found = dpl__channel_name_find(&target->signals, spec->signal);
    if (!found) {
        dpl__node_complain(
            reader, node, "signal",
            say(reader, spec,
                dpl_arena_printf(reader->arena, "there is no channel '%s'", spec->signal)),
            dpl__channel_name_nearest(reader->arena, &target->signals, spec->signal));
    }
    return found;
}

static bool check_direction(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                            const struct map_spec *spec, const struct dpl__channel_name *signal)
{
    const char *text = NULL;
    if (signal->dir == DPL_CHANNEL_REQUEST) {
        text = "channel '%s' is a request, which is done once for each value";
    } else if (dpl_modbus_is_written((enum dpl_sim_modbus_table)spec->table)) {
        text = dpl_channel_is_input(signal->dir)
                   ? NULL
                   : "channel '%s' can only be read: map it to discrete or input";
    } else if (dpl_channel_is_input(signal->dir)) {
        text = "channel '%s' can only be written: map it to coil or holding";
    }
    return !text || complain(reader, node, spec, "signal",
                             dpl_arena_printf(reader->arena, text, signal->path));
}

static bool check_channel(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                          const struct map_spec *spec, const struct dpl__channel_name *signal)
{
    bool is_flag = signal->type == &dpl_channel_flag;
    bool is_number = signal->type == &dpl_channel_number || signal->type == &dpl_channel_integer;
    const char *text = NULL;
    if (!is_flag && !is_number) {
        text = "channel '%s' is a %s: a map takes a number, an integer or a flag";
    } else if (dpl_modbus_is_bits((enum dpl_sim_modbus_table)spec->table) && !is_flag) {
        text = "channel '%s' is a %s, not a flag: map it to registers";
    }
    return !text ||
           complain(reader, node, spec, "signal",
                    dpl_arena_printf(reader->arena, text, signal->path, signal->type->name));
}

static bool take_signal(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                        const struct map_spec *spec, struct dpl_sim_modbus_map *map)
{
    bool is_time = strcmp(spec->signal, "world:time_ms") == 0;
    if (is_time || strcmp(spec->signal, "world:heartbeat") == 0) {
        map->source = is_time ? DPL_MODBUS_TIME : DPL_MODBUS_HEARTBEAT;
        return spec->table == DPL_MODBUS_INPUT ||
               complain(reader, node, spec, "signal", "the world's time is for input registers");
    }
    const struct dpl__channel_name *signal = find_signal(reader, node, spec);
    if (!signal || !check_direction(reader, node, spec, signal) ||
        !check_channel(reader, node, spec, signal)) {
        return false;
    }
    map->source = DPL_MODBUS_CHANNEL;
    map->signal = signal->path;
    return true;
}

static bool take_source(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                        const struct map_spec *spec, struct dpl_sim_modbus_map *map)
{
    bool is_written = dpl_modbus_is_written(map->table);
    bool has_value = dpl_xml_attribute_like(node, "value");
    if (spec->signal[0] != '\0') {
        return has_value ? complain(reader, node, spec, "value", "give a signal or a value")
                         : take_signal(reader, node, spec, map);
    }
    if (has_value && is_written) {
        return complain(reader, node, spec, "value", "a constant cannot be written");
    }
    if (!has_value && !is_written) {
        return complain(reader, node, spec, "signal", "give a signal or a value");
    }
    map->source = has_value ? DPL_MODBUS_CONSTANT : DPL_MODBUS_MEMORY;
    map->value = has_value ? spec->value : 0.0;
    return true;
}

/* ---- its type -------------------------------------------------------------------------------- */

static bool take_type(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                      const struct map_spec *spec, struct dpl_sim_modbus_map *map)
{
    bool is_bits = dpl_modbus_is_bits(map->table);
    enum dpl_sim_modbus_type fallback = is_bits                          ? DPL_MODBUS_BIT
                                        : map->source == DPL_MODBUS_TIME ? DPL_MODBUS_UINT32
                                                                         : DPL_MODBUS_UINT16;
    map->type = spec->type == TYPE_AUTO ? fallback : (enum dpl_sim_modbus_type)(spec->type - 1);
    const char *text = NULL;
    if (is_bits != (map->type == DPL_MODBUS_BIT)) {
        text = is_bits ? "its values are of type bit" : "its values are registers, not bits";
    } else if (map->source == DPL_MODBUS_TIME && map->type != DPL_MODBUS_UINT32) {
        text = "world:time_ms is of type uint32";
    } else if (map->source == DPL_MODBUS_HEARTBEAT && map->type != DPL_MODBUS_UINT16) {
        text = "world:heartbeat is of type uint16";
    } else if (spec->address + dpl_modbus_width(map->type) > 65536) {
        text = "its second register would be 65536";
    }
    return !text || complain(reader, node, spec, "type", text);
}

static bool take_numbers(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                         const struct map_spec *spec, struct dpl_sim_modbus_map *map)
{
    bool is_scaled = spec->scale != 1.0 || spec->offset != 0.0;
    bool is_value = map->source == DPL_MODBUS_CHANNEL || map->source == DPL_MODBUS_CONSTANT;
    int64_t raw;
    map->scale = spec->scale;
    map->offset = spec->offset;
    if (spec->scale == 0.0) {
        return complain(reader, node, spec, "scale", "the scale is 0");
    }
    if (is_scaled && (map->type == DPL_MODBUS_BIT || !is_value)) {
        return complain(reader, node, spec, spec->scale != 1.0 ? "scale" : "offset",
                        "only registers of a channel or a constant are scaled");
    }
    if (map->source == DPL_MODBUS_CONSTANT && dpl_modbus_raw(map, map->value, &raw)) {
        return complain(reader, node, spec, "value", "its type cannot hold this value");
    }
    return true;
}

/* ---- its part in the whole ------------------------------------------------------------------- */

static bool take_marks(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                       const struct map_spec *spec, struct dpl_sim_modbus_map *map)
{
    struct unit_target *target = reader->target;
    const char *mark = spec->pace ? "pace" : "watchdog";
    if ((spec->pace || spec->watchdog) && !dpl_modbus_is_written(map->table)) {
        return complain(reader, node, spec, mark, "nobody can write it");
    }
    if ((spec->pace && target->has_pace) || (spec->watchdog && target->has_watchdog)) {
        return complain(reader, node, spec, mark, "another map has this mark");
    }
    if (spec->edge != DPL_MODBUS_LEVEL &&
        (map->table != DPL_MODBUS_COIL || map->source != DPL_MODBUS_CHANNEL)) {
        return complain(reader, node, spec, "edge", "only the coil of a channel has an edge");
    }
    target->has_pace |= spec->pace;
    target->has_watchdog |= spec->watchdog;
    map->pace = spec->pace;
    map->watchdog = spec->watchdog;
    map->edge = (enum dpl_sim_modbus_edge)spec->edge;
    return true;
}

static bool check_room(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                       const struct map_spec *spec, const struct dpl_sim_modbus_map *map)
{
    const struct unit_target *target = reader->target;
    const struct dpl_sim_modbus_map *maps = target->maps.items;
    unsigned end = map->address + dpl_modbus_width(map->type);
    for (size_t i = 0; i < target->maps.n; i++) {
        unsigned other_end = maps[i].address + dpl_modbus_width(maps[i].type);
        if (maps[i].table == map->table && map->address < other_end && maps[i].address < end) {
            bool is_long = other_end > maps[i].address + 1u;
            const char *range =
                is_long ? dpl_arena_printf(reader->arena, "%d-%d", maps[i].address, other_end - 1)
                        : dpl_arena_printf(reader->arena, "%d", maps[i].address);
            return complain(reader, node, spec, "address",
                            dpl_arena_printf(reader->arena, "another map has %s %s",
                                             dpl_sim_modbus_table_words[map->table], range));
        }
    }
    return true;
}

static void read_map(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct unit_target *target = reader->target;
    struct map_spec spec = {0};
    if (!dpl_element_fields(reader, node, map_fields, DPL_COUNT(map_fields), &spec)) {
        return;
    }
    struct dpl_sim_modbus_map map = {.table = (enum dpl_sim_modbus_table)spec.table,
                                     .address = (uint16_t)spec.address};
    if (take_source(reader, node, &spec, &map) && take_type(reader, node, &spec, &map) &&
        take_numbers(reader, node, &spec, &map) && check_room(reader, node, &spec, &map) &&
        take_marks(reader, node, &spec, &map)) {
        *(struct dpl_sim_modbus_map *)dpl__list_add(reader->arena, &target->maps, sizeof map) = map;
    }
}

/* ---- the element ----------------------------------------------------------------------------- */

static const struct dpl_element_table map_table = DPL_ELEMENT_TABLE(map_fields);
static const struct dpl_element_kind modbus_kinds[] = {
    {"map", read_map, DPL_MODBUS_MAPS_MAX, &map_table, "what stands at an address of a table"},
};
const struct dpl_element_table dpl__modbus_table =
    DPL_ELEMENT_TABLE_OF(modbus_fields, modbus_kinds);

static int compare(const void *a, const void *b)
{
    const struct dpl_sim_modbus_map *left = a, *right = b;
    return left->table != right->table ? (left->table > right->table) - (left->table < right->table)
                                       : (int)left->address - (int)right->address;
}

/* Whether another <Modbus> of the mechanism has the number. */
static bool is_taken(struct dpl_element_reader *reader, const struct dpl_xml_node *node, int unit)
{
    const struct dpl__mechanism_target *target = reader->target;
    const struct dpl_sim_modbus *units = target->modbus.items;
    for (size_t i = 0; i < target->modbus.n; i++) {
        if (units[i].unit == unit) {
            dpl__node_complain(reader, node, "unit",
                               dpl_arena_printf(reader->arena, "<Modbus> '%s' has the unit %d",
                                                units[i].name, unit),
                               NULL);
            return true;
        }
    }
    return false;
}

void dpl__modbus_read(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__mechanism_target *target = reader->target;
    struct unit_target unit = {0};
    struct modbus_spec spec = {0};
    size_t errors = reader->diags->n_errors;
    dpl_element_fields(reader, node, modbus_fields, DPL_COUNT(modbus_fields), &spec);
    dpl__channel_names(reader->arena, target, &unit.signals);
    dpl__element_children_into(reader, node, &dpl__modbus_table, &unit);
    if (reader->diags->n_errors > errors || is_taken(reader, node, (int)spec.unit)) {
        return;
    }
    if (unit.maps.n > 0) {
        qsort(unit.maps.items, unit.maps.n, sizeof(struct dpl_sim_modbus_map), compare);
    }
    struct dpl_sim_modbus made = {.unit = (int)spec.unit,
                                  .watchdog = dpl_ns_from_s(1e-3 * spec.watchdog_ms),
                                  .maps = unit.maps.items,
                                  .n_maps = unit.maps.n};
    snprintf(made.name, sizeof made.name, "%s", spec.name);
    *(struct dpl_sim_modbus *)dpl__list_add(reader->arena, &target->modbus, sizeof made) = made;
}
