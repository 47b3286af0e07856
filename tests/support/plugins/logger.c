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
    FIELD("File", STRING, file, NULL),
    FIELD("Grid", DOUBLE, grid_m, "0.1", .unit = "m", .agrees_over = "pose"),
    FIELD("Frame", STRING, frame, "odom", .agrees_over = "pose", .same = is_same_frame),
    FIELD("Output", STRING, output, "", .flags = DPL_FIELD_RESULT),
};

static const struct dpl_port_desc ports[] = {
    PORT_DATA("pose", IN, &test_pose),
    PORT_DATA("scan", IN, &test_scan),
};

static const struct dpl_component_class class_ = {
    .name = "Logger",
    .summary = "Test class.",
    .ops = &test_ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    PROPERTIES,
};

const struct dpl_plugin dpl_plugin = {DPL_PLUGIN_HEADER, .component = &class_};
