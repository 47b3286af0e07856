/* SPDX-License-Identifier: Apache-2.0 */
/* Covariances are not looked at, but for those that say that a value is not known (REP 145). */
#include "ros2_readings.h"

#include <math.h>
#include <string.h>

#include <doppel/drv/imu.h>
#include <doppel/drv/joints.h>
#include <doppel/drv/laser_scanner.h>

#include "ros2_messages.h"

#define SCAN_MOST_S 1.0 /* from the first to the last beam */
#define FAR_M       1e6

static dpl_ns stamp_of(const std_msgs_msg_dds__Header_ *header)
{
    return header->stamp.sec * DPL_S + header->stamp.nanosec;
}

/* A zero, of a message that nobody filled, is none. */
static bool is_orientation(const geometry_msgs_msg_dds__Quaternion_ *q)
{
    double n = q->x * q->x + q->y * q->y + q->z * q->z + q->w * q->w;
    return n > 0.81 && n < 1.21;
}

static bool is_vector(const geometry_msgs_msg_dds__Vector3_ *v)
{
    return isfinite(v->x) && isfinite(v->y) && isfinite(v->z);
}

static double yaw_of(const geometry_msgs_msg_dds__Quaternion_ *q)
{
    return atan2(2.0 * (q->w * q->z + q->x * q->y), 1.0 - 2.0 * (q->y * q->y + q->z * q->z));
}

static const char *read_odometry(const struct ros2_peer_config *config, const void *ros,
                                 void *ret_message)
{
    const nav_msgs_msg_dds__Odometry_ *from = ros;
    const geometry_msgs_msg_dds__Pose_ *pose = &from->pose.pose;
    (void)config;
    if (!(fabs(pose->position.x) < FAR_M) || !(fabs(pose->position.y) < FAR_M)) {
        return "its position is no number, or farther than 1000 km";
    }
    if (!is_orientation(&pose->orientation)) {
        return "its orientation is no unit quaternion";
    }
    *(struct ros2_pose_reading *)ret_message = (struct ros2_pose_reading){
        stamp_of(&from->header), {pose->position.x, pose->position.y, yaw_of(&pose->orientation)}};
    return NULL;
}

static const char *check_scan(const sensor_msgs_msg_dds__LaserScan_ *from)
{
    double lasts = fabs((double)from->time_increment) * from->ranges._length;
    return from->ranges._length == 0                     ? "it has no ranges"
           : from->ranges._length > DPL_LASER_RANGES_MAX ? "it has more than 2048 ranges"
           : !isfinite(from->angle_min)                  ? "angle_min is no number"
           : !(fabsf(from->angle_increment) > 1e-6F) || !isfinite(from->angle_increment) ||
                   from->ranges._length * fabs((double)from->angle_increment) > 6.4
               ? "its angle_increment does not fit"
           : !(from->range_min >= 0.0F) || !(from->range_max > from->range_min) ||
                   !isfinite(from->range_max)
               ? "its range_min and range_max do not fit"
           : !(lasts <= SCAN_MOST_S) ? "its time_increment does not fit"
                                     : NULL;
}

/* Clockwise beams are taken from the last one on. What is not in range is no return (REP 117). */
static const char *read_scan(const struct ros2_peer_config *config, const void *ros,
                             void *ret_message)
{
    const sensor_msgs_msg_dds__LaserScan_ *from = ros;
    struct dpl_laser_scan *scan = ret_message;
    uint32_t n = from->ranges._length;
    bool is_reversed = from->angle_increment < 0.0F, shines = from->intensities._length == n;
    const char *why = check_scan(from);
    (void)config;
    if (why) {
        return why;
    }
    double step = (double)from->angle_increment, last = (double)(n - 1);
    double half = 0.5 * last * fabs((double)from->time_increment);
    scan->stamp = stamp_of(&from->header);
    scan->stamp += scan->stamp > 0 ? dpl_ns_from_s(half) : 0;
    scan->start_angle_rad = (double)from->angle_min + (is_reversed ? last * step : 0.0);
    scan->step_angle_rad = fabs(step);
    scan->min_range_m = (double)from->range_min;
    scan->max_range_m = (double)from->range_max;
    scan->period_s =
        from->scan_time > 0.0F && from->scan_time < 10.0F ? (double)from->scan_time : 0.0;
    scan->n = n;
    scan->n_intensities = shines ? n : 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = is_reversed ? n - 1 - i : i;
        float range = from->ranges._buffer[k];
        scan->ranges_m[i] = range >= from->range_min && range <= from->range_max ? range : 0.0F;
        scan->intensities[i] =
            shines && isfinite(from->intensities._buffer[k]) ? from->intensities._buffer[k] : 0.0F;
    }
    return NULL;
}

/* Without an orientation (a covariance of -1) its angles are 0. */
static const char *read_imu(const struct ros2_peer_config *config, const void *ros,
                            void *ret_message)
{
    const sensor_msgs_msg_dds__Imu_ *from = ros;
    const geometry_msgs_msg_dds__Quaternion_ *q = &from->orientation;
    struct dpl_imu_sample *sample = ret_message;
    bool is_oriented = !(from->orientation_covariance[0] < 0.0);
    (void)config;
    if (!is_vector(&from->angular_velocity) || !is_vector(&from->linear_acceleration)) {
        return "its rates or accelerations are no numbers";
    }
    if (from->angular_velocity_covariance[0] < 0.0 ||
        from->linear_acceleration_covariance[0] < 0.0) {
        return "it has no rates or no accelerations";
    }
    if (is_oriented && !is_orientation(q)) {
        return "its orientation is no unit quaternion";
    }
    *sample = (struct dpl_imu_sample){
        .valid = true,
        .stamp = stamp_of(&from->header),
        .rate_rad_s = {from->angular_velocity.x, from->angular_velocity.y,
                       from->angular_velocity.z},
        .acceleration_m_s2 = {from->linear_acceleration.x, from->linear_acceleration.y,
                              from->linear_acceleration.z},
    };
    if (is_oriented) {
        sample->roll_rad =
            atan2(2.0 * (q->w * q->x + q->y * q->z), 1.0 - 2.0 * (q->x * q->x + q->y * q->y));
        sample->pitch_rad = asin(fmax(-1.0, fmin(1.0, 2.0 * (q->w * q->y - q->z * q->x))));
        sample->yaw_rad = yaw_of(q);
    }
    return NULL;
}

static size_t find_joint(const dds_sequence_string *names, const char *name)
{
    size_t i = 0;
    while (i < names->_length && strcmp(names->_buffer[i], name) != 0) {
        i++;
    }
    return i;
}

/* Velocities and efforts that a robot does not know are not there, or no numbers. */
static double known(const dds_sequence_double *values, size_t i)
{
    return i < values->_length && isfinite(values->_buffer[i]) ? values->_buffer[i] : 0.0;
}

/* Others, such as those of a gripper, may come in the same topic. */
static const char *read_joints(const struct ros2_peer_config *config, const void *ros,
                               void *ret_message)
{
    const sensor_msgs_msg_dds__JointState_ *from = ros;
    struct dpl_joints_state *state = ret_message;
    size_t n_found = 0;
    *state =
        (struct dpl_joints_state){.stamp = stamp_of(&from->header), .n = (int64_t)config->n_joints};
    for (size_t i = 0; i < config->n_joints; i++) {
        size_t k = find_joint(&from->name, config->joints[i]);
        if (k == from->name._length) {
            continue;
        }
        if (k >= from->position._length || !(fabs(from->position._buffer[k]) < FAR_M)) {
            return "a joint's position is no number";
        }
        state->position[i] = from->position._buffer[k];
        state->velocity[i] = known(&from->velocity, k);
        state->effort[i] = known(&from->effort, k);
        n_found++;
    }
    state->valid = n_found == config->n_joints;
    return state->valid ? NULL : n_found > 0 ? "not all joints are in it" : "";
}

const struct ros2_reading ros2_readings[] = {
    [ROS2_ODOMETRY] = {&ros2_odometry, read_odometry},
    [ROS2_SCAN] = {&ros2_scan, read_scan},
    [ROS2_IMU] = {&ros2_imu, read_imu},
    [ROS2_JOINTS] = {&ros2_joint_state, read_joints},
};
