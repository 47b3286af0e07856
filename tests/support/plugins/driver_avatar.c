/* SPDX-License-Identifier: Apache-2.0 */
/* Test driver: the simulator side; it needs to know its robot. */
#include "test_types.h"

struct properties {
    double wheel_diameter_m, velocity_step_m_s;
    int64_t port, period_ms;
    char robot[32], right_motor[32], left_motor[32], right_encoder[32], left_encoder[32], ip[64];
};

static const struct dpl_field fields[] = {
    FIELD("WheelDiameter", DOUBLE, wheel_diameter_m, "0.13", .unit = "m", .min = 0.01, .max = 2),
    FIELD("VelocityStep", DOUBLE, velocity_step_m_s, "0.01", .unit = "m/s", .min = 0, .max = 1),
    FIELD("port", INT, port, "5500", .min = 1, .max = 65535),
    FIELD("Period", INT, period_ms, "100", .unit = "ms", .min = 1, .max = 10000),
    FIELD("RobotName", STRING, robot, NULL),
    FIELD("R_Motor_Name", STRING, right_motor, ""),
    FIELD("L_Motor_Name", STRING, left_motor, ""),
    FIELD("R_Enc_Name", STRING, right_encoder, ""),
    FIELD("L_Enc_Name", STRING, left_encoder, ""),
    FIELD("ip", STRING, ip, ""),
};

static const struct dpl_driver driver = {
    .name = "avatar",
    .summary = "Test driver.",
    .device_class = &test_wheels,
    .api = test_wheel_api,
    .n_calls = DPL_COUNT(test_wheel_api),
    .backend = DPL_BACKEND_SIMULATOR,
    PROPERTIES,
};

const struct dpl_plugin dpl_plugin = {DPL_PLUGIN_HEADER, .driver = &driver};
