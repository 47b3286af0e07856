/* SPDX-License-Identifier: Apache-2.0 */
/* Test class: inputs only, and a property that has no default. */
#include "test_types.h"

struct properties {
    char file[64];
};

static const struct dpl_field fields[] = {
    {.name = "File", .type = DPL_FIELD_STRING, DPL_MEMBER(struct properties, file)},
};

static const struct dpl_port_desc ports[] = {
    {.name = "pose", .kind = DPL_PORT_DATA, .dir = DPL_PORT_IN, .message = &test_pose},
    {.name = "scan", .kind = DPL_PORT_DATA, .dir = DPL_PORT_IN, .message = &test_scan},
};

static const struct dpl_component_class class_ = {
    .name = "Logger",
    .summary = "Test class.",
    .ops = &test_ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = fields,
    .n_properties = DPL_COUNT(fields),
    .properties_size = sizeof(struct properties),
};

const struct dpl_plugin dpl_plugin = {DPL_PLUGIN_HEADER, .component = &class_};
