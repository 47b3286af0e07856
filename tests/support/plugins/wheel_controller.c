/* SPDX-License-Identifier: Apache-2.0 */
/* Test class: a device component with a provided service, data and event outputs. */
#include "test_types.h"

struct properties {
    double safe_radius_m, variance_distance_m, variance_direction_rad;
    char label[32];
    double grid_m;
    char frame[16];
};

static const struct dpl_field fields[] = {
    {.name = "SafeRadius",
     .type = DPL_FIELD_DOUBLE,
     DPL_MEMBER(struct properties, safe_radius_m),
     .unit = "m",
     .default_text = "0.3",
     .min = 0.05,
     .max = 5},
    {.name = "VarianceDistance",
     .type = DPL_FIELD_DOUBLE,
     DPL_MEMBER(struct properties, variance_distance_m),
     .unit = "m",
     .default_text = "0.05",
     .min = 0,
     .max = 1},
    {.name = "VarianceDirection",
     .type = DPL_FIELD_DOUBLE,
     DPL_MEMBER(struct properties, variance_direction_rad),
     .unit = "rad",
     .default_text = "1 deg",
     .min = 0,
     .max = 3.2},
    {.name = "Label",
     .type = DPL_FIELD_STRING,
     DPL_MEMBER(struct properties, label),
     .default_text = ""},
    {.name = "Grid",
     .type = DPL_FIELD_DOUBLE,
     DPL_MEMBER(struct properties, grid_m),
     .unit = "m",
     .default_text = "100 mm"},
    {.name = "Frame",
     .type = DPL_FIELD_STRING,
     DPL_MEMBER(struct properties, frame),
     .default_text = "ODOM"},
};

static const struct dpl_port_desc ports[] = {
    {.name = "WheelControllerService",
     .aliases = "wheel",
     .kind = DPL_PORT_SERVICE,
     .dir = DPL_PORT_OUT,
     .service = &test_base_service},
    {.name = "odometry", .kind = DPL_PORT_DATA, .dir = DPL_PORT_OUT, .message = &test_pose},
    {.name = "bumped", .kind = DPL_PORT_EVENT, .dir = DPL_PORT_OUT},
};

static const struct dpl_component_class class_ = {
    .name = "WheelController",
    .summary = "Test class.",
    .ops = &test_ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = fields,
    .n_properties = DPL_COUNT(fields),
    .properties_size = sizeof(struct properties),
    .device_class = "wheel_controller",
    .n_device_calls = DPL_COUNT(test_wheel_calls),
    .default_period = 100 * DPL_MS,
};

const struct dpl_plugin dpl_plugin = {DPL_PLUGIN_HEADER, .component = &class_};
