/* SPDX-License-Identifier: Apache-2.0 */
/* Test driver: the hardware side. */
#include "test_types.h"

struct properties {
    double wheel_diameter_m, axle_distance_m, maximum_velocity_m_s, acceleration_m_s2;
    char device[64];
};

static const struct dpl_field fields[] = {
    {.name = "WheelDiameter",
     .type = DPL_FIELD_DOUBLE,
     DPL_MEMBER(struct properties, wheel_diameter_m),
     .unit = "m",
     .default_text = "0.07",
     .min = 0.01,
     .max = 2},
    {.name = "AxleDistance",
     .type = DPL_FIELD_DOUBLE,
     DPL_MEMBER(struct properties, axle_distance_m),
     .unit = "m",
     .default_text = "0.23",
     .min = 0.01,
     .max = 5},
    {.name = "MaximumVelocity",
     .type = DPL_FIELD_DOUBLE,
     DPL_MEMBER(struct properties, maximum_velocity_m_s),
     .unit = "m/s",
     .default_text = "0.5",
     .min = 0,
     .max = 5},
    {.name = "Acceleration",
     .type = DPL_FIELD_DOUBLE,
     DPL_MEMBER(struct properties, acceleration_m_s2),
     .unit = "m/s^2",
     .default_text = "0.5",
     .min = 0,
     .max = 20},
    {.name = "Device",
     .type = DPL_FIELD_STRING,
     DPL_MEMBER(struct properties, device),
     .default_text = "/dev/kobuki"},
};

static const struct dpl_driver driver = {
    .name = "kobuki",
    .summary = "Test driver.",
    .device_class = &test_wheels,
    .api = test_wheel_api,
    .n_calls = DPL_COUNT(test_wheel_api),
    .backend = DPL_BACKEND_HARDWARE,
    .properties = fields,
    .n_properties = DPL_COUNT(fields),
    .properties_size = sizeof(struct properties),
};

const struct dpl_plugin dpl_plugin = {DPL_PLUGIN_HEADER, .driver = &driver};
