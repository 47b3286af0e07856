/* SPDX-License-Identifier: Apache-2.0 */
/* What an emulated WitMotion sensor feels, and what it says of it. Pure. */
#ifndef EMULATE_IMU_MOTION_H
#define EMULATE_IMU_MOTION_H

#include <doppel/protocol/witmotion.h>

enum { IMU_MOTION_BYTES = 3 * DPL_WITMOTION_PACKET };

/* In the sensor's frame; angles: roll, pitch, yaw. */
struct imu_motion {
    double acceleration_m_s2[3]; /* specific force: at rest it points up */
    double rate_rad_s[3], angles_rad[3];
};

/* A sensor that lies level and at rest. */
extern const struct imu_motion imu_motion_at_rest;

/* The packets of one measurement as the sensor sends them: acceleration, angular velocity, angles.
 */
void imu_motion_write(const struct imu_motion *motion, uint8_t ret_bytes[IMU_MOTION_BYTES]);

#endif
