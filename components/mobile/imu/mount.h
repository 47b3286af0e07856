/* SPDX-License-Identifier: Apache-2.0 */
/* How an inertial measurement unit is mounted: from its frame to the robot's. Pure. */
#ifndef IMU_MOUNT_H
#define IMU_MOUNT_H

#include <doppel/math/pose3.h>

/* The orientation of the unit's frame in the robot's. */
struct imu_mount {
    struct dpl_quaternion orientation;
};

/* Roll, pitch, yaw in rad: R = Rz Ry Rx. */
struct imu_mount imu_mount_from_rpy(const double rpy[3]);

/* A vector of the unit's frame in the robot's. */
void imu_mount_turn(const struct imu_mount *mount, const double unit[3], double ret_robot[3]);

/* The robot's roll, pitch, yaw in the world, from those of the unit. In rad. */
void imu_mount_orient(const struct imu_mount *mount, const double unit_rpy[3],
                      double ret_robot_rpy[3]);

#endif
