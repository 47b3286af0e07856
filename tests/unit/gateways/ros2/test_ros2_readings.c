/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/drv/imu.h>
#include <doppel/drv/joints.h>
#include <doppel/drv/laser_scanner.h>

#include "ros2_messages.h"
#include "ros2_readings.h"

static struct dpl_laser_scan scan;
static float ranges[4000];

static const char *read_as(enum ros2_kind kind, const void *ros, void *ret_message)
{
    static const struct ros2_peer_config config;
    return ros2_readings[kind].read(&config, ros, ret_message);
}

static sensor_msgs_msg_dds__LaserScan_ scan_of(uint32_t n, float increment)
{
    return (sensor_msgs_msg_dds__LaserScan_){
        .header.stamp = {5, 500000000},
        .angle_min = -1.0F,
        .angle_increment = increment,
        .time_increment = 0.01F,
        .range_min = 0.1F,
        .range_max = 5.0F,
        .ranges = {n, n, ranges, false},
    };
}

Test(ros2_readings, have_no_return_where_ranges_are_not_in_range)
{
    const float given[] = {1.0F, INFINITY, NAN, 0.05F, 5.1F, 5.0F};
    memcpy(ranges, given, sizeof given);
    sensor_msgs_msg_dds__LaserScan_ ros = scan_of(6, 0.1F);
    cr_assert_null(read_as(ROS2_SCAN, &ros, &scan));
    const float expected[] = {1.0F, 0.0F, 0.0F, 0.0F, 0.0F, 5.0F};
    cr_assert_arr_eq(scan.ranges_m, expected, sizeof expected);
    cr_assert_eq(scan.n_intensities, 0);
    cr_assert_lt(llabs(scan.stamp - 5525000000), 1000, "of the middle of 6 beams: %ld",
                 (long)scan.stamp);
}

Test(ros2_readings, turn_a_clockwise_scan_around)
{
    ranges[0] = 1.0F;
    ranges[1] = 2.0F;
    ranges[2] = 3.0F;
    sensor_msgs_msg_dds__LaserScan_ ros = scan_of(3, -0.5F);
    cr_assert_null(read_as(ROS2_SCAN, &ros, &scan));
    cr_assert_float_eq(scan.start_angle_rad, -2.0, 1e-6);
    cr_assert_float_eq(scan.step_angle_rad, 0.5, 1e-6);
    cr_assert_float_eq(scan.ranges_m[0], 3.0F, 1e-6F);
}

Test(ros2_readings, refuse_scans_that_make_no_sense)
{
    sensor_msgs_msg_dds__LaserScan_ ros = scan_of(2049, 0.001F);
    cr_assert_str_eq(read_as(ROS2_SCAN, &ros, &scan), "it has more than 2048 ranges");
    ros = scan_of(0, 0.1F);
    cr_assert_not_null(read_as(ROS2_SCAN, &ros, &scan));
    const float increments[] = {0.0F, NAN, INFINITY, 1.0F};
    for (size_t i = 0; i < 4; i++) {
        ros = scan_of(10, increments[i]);
        cr_assert_not_null(read_as(ROS2_SCAN, &ros, &scan), "an increment of %g",
                           (double)increments[i]);
    }
    ros = scan_of(10, 0.1F);
    ros.time_increment = NAN;
    cr_assert_not_null(read_as(ROS2_SCAN, &ros, &scan));
    ros = scan_of(10, 0.1F);
    ros.range_max = INFINITY;
    cr_assert_not_null(read_as(ROS2_SCAN, &ros, &scan));
}

Test(ros2_readings, refuse_odometry_without_a_place)
{
    struct ros2_pose_reading reading;
    nav_msgs_msg_dds__Odometry_ ros = {.pose.pose = {{1.0, 2.0, 0.0}, {0.0, 0.0, 0.0, 0.0}}};
    cr_assert_str_eq(read_as(ROS2_ODOMETRY, &ros, &reading),
                     "its orientation is no unit quaternion");
    ros.pose.pose.orientation = (geometry_msgs_msg_dds__Quaternion_){0.0, 0.0, sin(0.5), cos(0.5)};
    cr_assert_null(read_as(ROS2_ODOMETRY, &ros, &reading));
    cr_assert_float_eq(reading.pose.theta, 1.0, 1e-12);
    ros.pose.pose.position.y = (double)NAN;
    cr_assert_not_null(read_as(ROS2_ODOMETRY, &ros, &reading));
}

Test(ros2_readings, take_an_imu_without_an_orientation_but_none_without_rates)
{
    struct dpl_imu_sample sample;
    sensor_msgs_msg_dds__Imu_ ros = {.angular_velocity.z = 0.5, .orientation_covariance = {-1.0}};
    cr_assert_null(read_as(ROS2_IMU, &ros, &sample));
    cr_assert_float_eq(sample.rate_rad_s[2], 0.5, 1e-12);
    ros.orientation_covariance[0] = 0.0;
    cr_assert_not_null(read_as(ROS2_IMU, &ros, &sample));
    ros.orientation_covariance[0] = -1.0;
    ros.angular_velocity_covariance[0] = -1.0;
    cr_assert_not_null(read_as(ROS2_IMU, &ros, &sample));
}

Test(ros2_readings, find_joints_by_their_names)
{
    char names[2][ROS2_JOINT_SIZE] = {"waist", "elbow"};
    const struct ros2_peer_config config = {.n_joints = 2, .joints = names};
    char elbow[] = "elbow", gripper[] = "gripper", waist[] = "waist";
    char *all[] = {elbow, gripper, waist};
    double positions[] = {1.0, 2.0, 3.0}, velocities[] = {0.1, 0.2, (double)NAN};
    sensor_msgs_msg_dds__JointState_ ros = {.name = {3, 3, all, false},
                                            .position = {3, 3, positions, false},
                                            .velocity = {3, 3, velocities, false}};
    struct dpl_joints_state state;
    memset(&state, 0xff, sizeof state);
    cr_assert_null(ros2_readings[ROS2_JOINTS].read(&config, &ros, &state));
    cr_assert_eq(state.n, 2);
    cr_assert_eq(state.fault, 0);
    cr_assert_float_eq(state.position[0], 3.0, 1e-12);
    cr_assert_float_eq(state.velocity[0], 0.0, 1e-12, "which is not known");
    cr_assert_float_eq(state.velocity[1], 0.1, 1e-12);
    ros.name._length = 2;
    cr_assert_str_eq(ros2_readings[ROS2_JOINTS].read(&config, &ros, &state),
                     "not all joints are in it");
    all[0] = gripper;
    cr_assert_str_eq(ros2_readings[ROS2_JOINTS].read(&config, &ros, &state), "", "of others");
    ros.name._length = 3;
    all[0] = elbow;
    positions[2] = (double)INFINITY;
    cr_assert_not_null(ros2_readings[ROS2_JOINTS].read(&config, &ros, &state));
    positions[2] = 0.0;
    ros.position._length = 2;
    cr_assert_not_null(ros2_readings[ROS2_JOINTS].read(&config, &ros, &state),
                       "positions are missing");
}
