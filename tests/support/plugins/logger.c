/* SPDX-License-Identifier: Apache-2.0 */
/* Test class: inputs only, a property that has no default, two that must be as those of the
 * component whose poses it gets, and one that names a result file. */
#include <strings.h>

#include "test_types.h"

struct properties {
    char file[64];
    double grid_m;
    char frame[16];
    char output[32];
};

static bool is_same_frame(const char *a, const char *b)
{
    return strcasecmp(a, b) == 0;
}

static const struct dpl_field fields[] = {
    {.name = "File", .type = DPL_FIELD_STRING, DPL_MEMBER(struct properties, file)},
    {.name = "Grid",
     .type = DPL_FIELD_DOUBLE,
     DPL_MEMBER(struct properties, grid_m),
     .unit = "m",
     .default_text = "0.1",
     .agrees_over = "pose"},
    {.name = "Frame",
     .type = DPL_FIELD_STRING,
     DPL_MEMBER(struct properties, frame),
     .default_text = "odom",
     .agrees_over = "pose",
     .same = is_same_frame},
    {.name = "Output",
     .type = DPL_FIELD_STRING,
     .flags = DPL_FIELD_RESULT,
     DPL_MEMBER(struct properties, output),
     .default_text = ""},
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
