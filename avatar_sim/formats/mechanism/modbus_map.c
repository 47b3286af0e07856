/* SPDX-License-Identifier: Apache-2.0 */
/* Values of channels as registers: see doppel/sim/modbus.h. */
#include <doppel/sim/modbus.h>

#include <math.h>

const char *const dpl_sim_modbus_table_words[DPL_MODBUS_TABLES] = {"discrete", "input", "coil",
                                                                   "holding"};

static const struct range {
    double least, most;
} ranges[] = {
    [DPL_MODBUS_BIT] = {0.0, 1.0},           [DPL_MODBUS_INT16] = {INT16_MIN, INT16_MAX},
    [DPL_MODBUS_UINT16] = {0.0, UINT16_MAX}, [DPL_MODBUS_INT32] = {INT32_MIN, INT32_MAX},
    [DPL_MODBUS_UINT32] = {0.0, UINT32_MAX},
};

bool dpl_modbus_raw(const struct dpl_sim_modbus_map *map, double value, int64_t *ret_raw)
{
    const struct range *range = &ranges[map->type];
    double raw = round((value - map->offset) / map->scale);
    if (isnan(raw)) {
        *ret_raw = 0;
        return true;
    }
    bool is_out = raw < range->least || raw > range->most;
    *ret_raw = (int64_t)(raw < range->least ? range->least : is_out ? range->most : raw);
    return is_out;
}

static int64_t raw_of(enum dpl_sim_modbus_type type, const uint16_t *words)
{
    switch (type) {
    case DPL_MODBUS_BIT: return words[0] != 0;
    case DPL_MODBUS_INT16: return (int16_t)words[0];
    case DPL_MODBUS_UINT16: return words[0];
    case DPL_MODBUS_INT32: return (int32_t)((uint32_t)words[0] << 16 | words[1]);
    case DPL_MODBUS_UINT32: return (uint32_t)words[0] << 16 | words[1];
    }
    return 0;
}

double dpl_modbus_value(const struct dpl_sim_modbus_map *map, const uint16_t *words)
{
    return (double)raw_of(map->type, words) * map->scale + map->offset;
}

void dpl_modbus_words(const struct dpl_sim_modbus_map *map, int64_t raw, uint16_t *ret_words)
{
    bool is_long = dpl_modbus_width(map->type) == 2;
    ret_words[0] = (uint16_t)((uint64_t)raw >> (is_long ? 16 : 0));
    if (is_long) {
        ret_words[1] = (uint16_t)raw;
    }
}
