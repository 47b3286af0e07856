/* SPDX-License-Identifier: Apache-2.0 */
/* Test driver: two sides, one of which has a driver by default. */
#include "test_types.h"

struct properties {
    char hardware[32], simulation[32];
    int failure;
};

static const struct dpl_field fields[] = {
    FIELD("HardwareDriver", STRING, hardware, ""),
    FIELD("SimulationDriver", STRING, simulation, "avatar"),
    FIELD("OnSimulationFailure", CHOICE, failure, "continue", .choices = "continue|stop"),
};

static const struct dpl_driver_side sides[] = {
    {.name = "hardware", .driver_property = "HardwareDriver"},
    {.name = "simulation", .driver_property = "SimulationDriver"},
};

static const struct dpl_driver driver = {
    .name = "hil",
    .summary = "Test driver.",
    .device_class = &test_wheels,
    .api = test_wheel_api,
    .n_calls = DPL_COUNT(test_wheel_api),
    .backend = DPL_BACKEND_HIL,
    PROPERTIES,
    .sides = sides,
    .n_sides = DPL_COUNT(sides),
};

const struct dpl_plugin dpl_plugin = {DPL_PLUGIN_HEADER, .driver = &driver};
