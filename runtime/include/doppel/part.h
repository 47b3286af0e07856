/* SPDX-License-Identifier: Apache-2.0 */
/* The only symbol that a plugin with a part of a world exports: a sensor, an actuator, a signal, a
 * subsystem, a format of robots' files, a gate. Its file is KIND-NAME.so
 * ("sensor-inclinometer.so"); KIND says what `table` is, and NAME is the table's name
 * (dpl_name_equal). Loading a plugin runs no code. */
#ifndef DOPPEL_PART_H
#define DOPPEL_PART_H

#include <stdint.h>

#include <doppel/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_part {
    uint32_t abi;        /* DPL_PLUGIN_ABI */
    uint32_t table_size; /* sizeof of what `table` points to */
    uint32_t field_size; /* sizeof(struct dpl_field) */
    const void *table;   /* a class; its first member is its name */
};

/* The part of a class: const struct dpl_part dpl_part = DPL_PART(my_class); */
#define DPL_PART(table_)                                                                           \
    {                                                                                              \
        .abi = DPL_PLUGIN_ABI, .table_size = sizeof(table_),                                       \
        .field_size = sizeof(struct dpl_field), .table = &(table_),                                \
    }

extern const struct dpl_part dpl_part;

#ifdef __cplusplus
}
#endif

#endif
