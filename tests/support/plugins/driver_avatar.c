/* SPDX-License-Identifier: Apache-2.0 */
/* Test driver: the simulator side; it needs to know its robot. */
#include "test_types.h"

struct properties {
    double wheel_diameter_m, velocity_step_m_s;
    int64_t port, period_ms;
    char robot[32], right_motor[32], left_motor[32], right_encoder[32], left_encoder[32], ip[64];
};

#define TEXT_FIELD(field_name, member)                                                             \
    {                                                                                              \
        .name = field_name, .type = DPL_FIELD_STRING, DPL_MEMBER(struct properties, member),       \
        .default_text = ""                                                                         \
    }

static const struct dpl_field fields[] = {
    {.name = "WheelDiameter",
     .type = DPL_FIELD_DOUBLE,
     DPL_MEMBER(struct properties, wheel_diameter_m),
     .unit = "m",
     .default_text = "0.13",
     .min = 0.01,
     .max = 2},
    {.name = "VelocityStep",
     .type = DPL_FIELD_DOUBLE,
     DPL_MEMBER(struct properties, velocity_step_m_s),
     .unit = "m/s",
     .default_text = "0.01",
     .min = 0,
     .max = 1},
    {.name = "port",
     .type = DPL_FIELD_INT,
     DPL_MEMBER(struct properties, port),
     .default_text = "5500",
     .min = 1,
     .max = 65535},
    {.name = "Period",
     .type = DPL_FIELD_INT,
     DPL_MEMBER(struct properties, period_ms),
     .unit = "ms",
     .default_text = "100",
     .min = 1,
     .max = 10000},
    {.name = "RobotName", .type = DPL_FIELD_STRING, DPL_MEMBER(struct properties, robot)},
    TEXT_FIELD("R_Motor_Name", right_motor),
    TEXT_FIELD("L_Motor_Name", left_motor),
    TEXT_FIELD("R_Enc_Name", right_encoder),
    TEXT_FIELD("L_Enc_Name", left_encoder),
    TEXT_FIELD("ip", ip),
};

static const struct dpl_driver driver = {
    .name = "avatar",
    .summary = "Test driver.",
    .device_class = &test_wheels,
    .api = test_wheel_api,
    .n_calls = DPL_COUNT(test_wheel_api),
    .backend = DPL_BACKEND_SIMULATOR,
    .properties = fields,
    .n_properties = DPL_COUNT(fields),
    .properties_size = sizeof(struct properties),
};

const struct dpl_plugin dpl_plugin = {DPL_PLUGIN_HEADER, .driver = &driver};
