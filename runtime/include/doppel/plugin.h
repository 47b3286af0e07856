/* SPDX-License-Identifier: Apache-2.0 */
/* The only symbol that a plugin exports. Loading a plugin runs no code. Rule for file names:
 * component-<name>.so has the class whose name is equal to <name> (dpl_name_equal), and
 * driver-<device class>-<name>.so has that driver. */
#ifndef DOPPEL_PLUGIN_H
#define DOPPEL_PLUGIN_H

#include <stdint.h>

#include <doppel/component.h>
#include <doppel/device.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_PLUGIN_ABI 2u

struct dpl_plugin {
    uint32_t abi;                                /* DPL_PLUGIN_ABI */
    uint32_t component_size;                     /* sizeof(struct dpl_component_class) */
    uint32_t driver_size;                        /* sizeof(struct dpl_driver) */
    uint32_t port_size;                          /* sizeof(struct dpl_port_desc) */
    uint32_t field_size;                         /* sizeof(struct dpl_field) */
    const struct dpl_component_class *component; /* NULL in a driver plugin */
    const struct dpl_driver *driver;             /* NULL in a component plugin */
};

#define DPL_PLUGIN_HEADER                                                                          \
    .abi = DPL_PLUGIN_ABI, .component_size = sizeof(struct dpl_component_class),                   \
    .driver_size = sizeof(struct dpl_driver), .port_size = sizeof(struct dpl_port_desc),           \
    .field_size = sizeof(struct dpl_field)

extern const struct dpl_plugin dpl_plugin;

#ifdef __cplusplus
}
#endif

#endif
