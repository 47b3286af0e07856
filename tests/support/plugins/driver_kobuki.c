/* SPDX-License-Identifier: Apache-2.0 */
/* Test driver: the hardware side. */
#include "test_types.h"

struct properties {
    double wheel_diameter_m, axle_distance_m, maximum_velocity_m_s, acceleration_m_s2;
    char device[64];
};

static const struct dpl_field fields[] = {
    FIELD("WheelDiameter", DOUBLE, wheel_diameter_m, "0.07", .unit = "m", .min = 0.01, .max = 2),
    FIELD("AxleDistance", DOUBLE, axle_distance_m, "0.23", .unit = "m", .min = 0.01, .max = 5),
    FIELD("MaximumVelocity", DOUBLE, maximum_velocity_m_s, "0.5", .unit = "m/s", .min = 0,
          .max = 5),
    FIELD("Acceleration", DOUBLE, acceleration_m_s2, "0.5", .unit = "m/s^2", .min = 0, .max = 20),
    FIELD("Device", STRING, device, "/dev/kobuki"),
};

static const struct dpl_driver driver = {
    .name = "kobuki",
    .summary = "Test driver.",
    .device_class = &test_wheels,
    .api = test_wheel_api,
    .n_calls = DPL_COUNT(test_wheel_api),
    .backend = DPL_BACKEND_HARDWARE,
    PROPERTIES,
};

const struct dpl_plugin dpl_plugin = {DPL_PLUGIN_HEADER, .driver = &driver};
