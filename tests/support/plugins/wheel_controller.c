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
    FIELD("SafeRadius", DOUBLE, safe_radius_m, "0.3", .unit = "m", .min = 0.05, .max = 5),
    FIELD("VarianceDistance", DOUBLE, variance_distance_m, "0.05", .unit = "m", .min = 0, .max = 1),
    FIELD("VarianceDirection", DOUBLE, variance_direction_rad, "1 deg", .unit = "rad", .min = 0,
          .max = 3.2),
    FIELD("Label", STRING, label, ""),
    FIELD("Grid", DOUBLE, grid_m, "100 mm", .unit = "m"),
    FIELD("Frame", STRING, frame, "ODOM"),
};

static const struct dpl_port_desc ports[] = {
    PORT_SERVICE("WheelControllerService", OUT, &test_base_service, .aliases = "wheel"),
    PORT_DATA("odometry", OUT, &test_pose),
    {.name = "bumped", .kind = DPL_PORT_EVENT, .dir = DPL_PORT_OUT},
};

static const struct dpl_component_class class_ = {
    .name = "WheelController",
    .summary = "Test class.",
    .ops = &test_ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    PROPERTIES,
    .device_class = "wheel_controller",
    .n_device_calls = DPL_COUNT(test_wheel_calls),
    .default_period = 100 * DPL_MS,
};

const struct dpl_plugin dpl_plugin = {DPL_PLUGIN_HEADER, .component = &class_};
