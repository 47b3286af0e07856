/* SPDX-License-Identifier: Apache-2.0 */
/* Test class: requires a service, has inputs of each kind and properties of each type. */
#include "test_types.h"

struct properties {
    bool enabled;
    int64_t steps;
    double speed_m_s;
    int mode;
    char goal[16];
};

static const struct dpl_field fields[] = {
    FIELD("Enabled", BOOL, enabled, "true"),
    FIELD("Steps", INT, steps, "10", .min = 1, .max = 100),
    FIELD("Speed", DOUBLE, speed_m_s, "0.2", .unit = "m/s", .min = 0, .max = 2),
    FIELD("Mode", CHOICE, mode, "wander", .choices = "wander|waypoints"),
    FIELD("Goal", STRING, goal, "home"),
};

static const struct dpl_port_desc ports[] = {
    PORT_SERVICE("base", IN, &test_base_service, .required = true, .commands = true),
    PORT_SERVICE("map", IN, &test_map_service),
    PORT_DATA("odometry", IN, &test_pose, .policy = DPL_QUEUE_FIFO, .depth = 4),
    PORT_DATA("scan", IN, &test_scan),
    {.name = "bumped", .kind = DPL_PORT_EVENT, .dir = DPL_PORT_IN},
    PORT_DATA("goal", OUT, &test_pose),
};

static const struct dpl_component_class class_ = {
    .name = "RobotControl",
    .summary = "Test class.",
    .ops = &test_ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    PROPERTIES,
    .default_period = 50 * DPL_MS,
};

const struct dpl_plugin dpl_plugin = {DPL_PLUGIN_HEADER, .component = &class_};
