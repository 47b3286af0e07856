/* SPDX-License-Identifier: Apache-2.0 */
/* From the frame of an inertial measurement unit to the robot's: see mount.h. */
#include "mount.h"

static struct dpl_quaternion from_rpy(const double rpy[3])
{
    return dpl_quaternion_from_rpy(rpy[0], rpy[1], rpy[2]);
}

struct imu_mount imu_mount_from_rpy(const double rpy[3])
{
    return (struct imu_mount){from_rpy(rpy)};
}

void imu_mount_turn(const struct imu_mount *mount, const double unit[3], double ret_robot[3])
{
    struct dpl_vector3 turned =
        dpl_quaternion_turn(mount->orientation, (struct dpl_vector3){unit[0], unit[1], unit[2]});
    ret_robot[0] = turned.x;
    ret_robot[1] = turned.y;
    ret_robot[2] = turned.z;
}

void imu_mount_orient(const struct imu_mount *mount, const double unit_rpy[3],
                      double ret_robot_rpy[3])
{
    struct dpl_quaternion robot =
        dpl_quaternion_multiply(from_rpy(unit_rpy), dpl_quaternion_conjugate(mount->orientation));
    dpl_quaternion_to_rpy(robot, &ret_robot_rpy[0], &ret_robot_rpy[1], &ret_robot_rpy[2]);
}
