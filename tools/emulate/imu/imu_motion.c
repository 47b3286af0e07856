/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of an emulated WitMotion sensor: see imu_motion.h. */
#include "imu_motion.h"

/* Fourth words: the temperature in hundredths of a degree, and the firmware's version. */
enum { CENTIDEGREES = 2500, FIRMWARE_VERSION = 1 };

const struct imu_motion imu_motion_at_rest = {.acceleration_m_s2 = {0.0, 0.0, 9.80665}};

void imu_motion_write(const struct imu_motion *motion, uint8_t ret_bytes[IMU_MOTION_BYTES])
{
    const struct dpl_witmotion_packet packets[] = {
        dpl_witmotion_of(DPL_WITMOTION_ACCELERATION, motion->acceleration_m_s2, CENTIDEGREES),
        dpl_witmotion_of(DPL_WITMOTION_RATE, motion->rate_rad_s, CENTIDEGREES),
        dpl_witmotion_of(DPL_WITMOTION_ANGLES, motion->angles_rad, FIRMWARE_VERSION),
    };
    for (size_t i = 0; i < sizeof packets / sizeof packets[0]; i++) {
        dpl_witmotion_write(&packets[i], ret_bytes + i * DPL_WITMOTION_PACKET);
    }
}
