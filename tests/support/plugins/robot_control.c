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
    {.name = "Enabled",
     .type = DPL_FIELD_BOOL,
     DPL_MEMBER(struct properties, enabled),
     .default_text = "true"},
    {.name = "Steps",
     .type = DPL_FIELD_INT,
     DPL_MEMBER(struct properties, steps),
     .default_text = "10",
     .min = 1,
     .max = 100},
    {.name = "Speed",
     .type = DPL_FIELD_DOUBLE,
     DPL_MEMBER(struct properties, speed_m_s),
     .unit = "m/s",
     .default_text = "0.2",
     .min = 0,
     .max = 2},
    {.name = "Mode",
     .type = DPL_FIELD_CHOICE,
     DPL_MEMBER(struct properties, mode),
     .choices = "wander|waypoints",
     .default_text = "wander"},
    {.name = "Goal",
     .type = DPL_FIELD_STRING,
     DPL_MEMBER(struct properties, goal),
     .default_text = "home"},
};

static const struct dpl_port_desc ports[] = {
    {.name = "base",
     .kind = DPL_PORT_SERVICE,
     .dir = DPL_PORT_IN,
     .service = &test_base_service,
     .required = true,
     .commands = true},
    {.name = "map", .kind = DPL_PORT_SERVICE, .dir = DPL_PORT_IN, .service = &test_map_service},
    {.name = "odometry",
     .kind = DPL_PORT_DATA,
     .dir = DPL_PORT_IN,
     .message = &test_pose,
     .policy = DPL_QUEUE_FIFO,
     .depth = 4},
    {.name = "scan", .kind = DPL_PORT_DATA, .dir = DPL_PORT_IN, .message = &test_scan},
    {.name = "bumped", .kind = DPL_PORT_EVENT, .dir = DPL_PORT_IN},
    {.name = "goal", .kind = DPL_PORT_DATA, .dir = DPL_PORT_OUT, .message = &test_pose},
};

static const struct dpl_component_class class_ = {
    .name = "RobotControl",
    .summary = "Test class.",
    .ops = &test_ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = fields,
    .n_properties = DPL_COUNT(fields),
    .properties_size = sizeof(struct properties),
    .default_period = 50 * DPL_MS,
};

const struct dpl_plugin dpl_plugin = {DPL_PLUGIN_HEADER, .component = &class_};
