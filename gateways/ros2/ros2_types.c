/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges without a return are +infinity (REP 117). Covariances of zeros are not known. Frames: see
 * gateways/standard. */
#include <math.h>
#include <string.h>

#include <doppel/field.h>
#include <doppel/msg/geometry.pb-c.h>
#include <doppel/msg/imu.pb-c.h>
#include <doppel/msg/joints.pb-c.h>
#include <doppel/msg/laser_scanner.pb-c.h>
#include <doppel/msg/mobile.pb-c.h>
#include <doppel/msg/wheel_controller.pb-c.h>

#include "ros2_convert.h"
#include "standard.pb-c.h"

/* ---- parts ---- */

static const char *framed(const struct ros2_context *context, const char *frame)
{
    return dpl_arena_printf(context->arena, "%s%s", context->prefix, frame);
}

static std_msgs_msg_dds__Header_ header(const struct ros2_context *context, const char *frame)
{
    return ros2_header(context->stamp, framed(context, frame));
}

static geometry_msgs_msg_dds__Quaternion_ turn(double yaw)
{
    return (geometry_msgs_msg_dds__Quaternion_){.z = sin(yaw / 2.0), .w = cos(yaw / 2.0)};
}

/* NULL: the identity. */
static geometry_msgs_msg_dds__Pose_ planar(const Doppel__Pose2 *pose)
{
    return (geometry_msgs_msg_dds__Pose_){
        .position = {pose ? pose->x : 0.0, pose ? pose->y : 0.0, 0.0},
        .orientation = turn(pose ? pose->theta : 0.0)};
}

static geometry_msgs_msg_dds__Twist_ planar_twist(const Doppel__Twist2 *twist)
{
    return (geometry_msgs_msg_dds__Twist_){.linear.x = twist ? twist->linear : 0.0,
                                           .angular.z = twist ? twist->angular : 0.0};
}

geometry_msgs_msg_dds__TransformStamped_
ros2_transform(dpl_ns stamp, const char *parent, const char *child, const struct dpl_pose2 *pose)
{
    return (geometry_msgs_msg_dds__TransformStamped_){
        .header = ros2_header(stamp, parent),
        .child_frame_id = ros2_text(child),
        .transform = {.translation = {pose->x, pose->y, 0.0}, .rotation = turn(pose->theta)}};
}

static dds_sequence_double doubles(double *values, size_t n)
{
    return (dds_sequence_double){(uint32_t)n, (uint32_t)n, values, false};
}

static dds_sequence_string texts(char **values, size_t n)
{
    return (dds_sequence_string){(uint32_t)n, (uint32_t)n, values, false};
}

/* ---- sensors ---- */

static bool scan_to(const struct ros2_context *context, const void *message, void *ret_ros)
{
    const Doppel__Scan *scan = message;
    sensor_msgs_msg_dds__LaserScan_ *ros = ret_ros;
    size_t n = scan->n_ranges;
    float *ranges = dpl_arena_alloc(context->arena, (n + 1) * sizeof *ranges);
    for (size_t i = 0; i < n; i++) {
        ranges[i] = scan->ranges[i] > 0.0F ? scan->ranges[i] : INFINITY;
    }
    ros->header = header(context, context->sensor);
    ros->angle_min = (float)scan->start_angle;
    ros->angle_max = (float)(scan->start_angle + (double)(n > 0 ? n - 1 : 0) * scan->step_angle);
    ros->angle_increment = (float)scan->step_angle;
    ros->scan_time = (float)scan->period;
    ros->range_min = (float)scan->range_min;
    ros->range_max = (float)scan->range_max;
    ros->ranges = (dds_sequence_float){(uint32_t)n, (uint32_t)n, ranges, false};
    ros->intensities = (dds_sequence_float){
        (uint32_t)scan->n_intensities, (uint32_t)scan->n_intensities, scan->intensities, false};
    return n > 0;
}

static struct dpl_pose2 scan_mount(const void *message)
{
    const Doppel__Pose2 *mount = ((const Doppel__Scan *)message)->mount;
    return mount ? (struct dpl_pose2){mount->x, mount->y, mount->theta} : (struct dpl_pose2){0};
}

static bool points_to(const struct ros2_context *context, const void *message, void *ret_ros)
{
    static const uint8_t kinds[] = {0, 2, 1, 4, 3, 6, 5, 7, 8}; /* theirs by the number of ours */
    const Foxglove__PointCloud *cloud = message;
    sensor_msgs_msg_dds__PointCloud2_ *ros = ret_ros;
    sensor_msgs_msg_dds__PointField_ *fields =
        dpl_arena_alloc(context->arena, (cloud->n_fields + 1) * sizeof *fields);
    for (size_t i = 0; i < cloud->n_fields; i++) {
        const Foxglove__PackedElementField *field = cloud->fields[i];
        unsigned kind = (unsigned)field->type < DPL_COUNT(kinds) ? (unsigned)field->type : 0;
        fields[i] = (sensor_msgs_msg_dds__PointField_){field->name, field->offset, kinds[kind], 1};
    }
    if (cloud->point_stride == 0 || cloud->data.len > UINT32_MAX) {
        return false;
    }
    ros->header = header(context, context->sensor);
    ros->height = 1;
    ros->width = (uint32_t)cloud->data.len / cloud->point_stride;
    ros->fields = (dds_sequence_sensor_msgs_msg_dds__PointField_){
        (uint32_t)cloud->n_fields, (uint32_t)cloud->n_fields, fields, false};
    ros->point_step = cloud->point_stride;
    ros->row_step = ros->width * cloud->point_stride;
    ros->data = (dds_sequence_uint8){ros->row_step, ros->row_step, cloud->data.data, false};
    ros->is_dense = true;
    return true;
}

static bool imu_to(const struct ros2_context *context, const void *message, void *ret_ros)
{
    const Doppel__Imu *imu = message;
    sensor_msgs_msg_dds__Imu_ *ros = ret_ros;
    double cr = cos(imu->roll / 2.0), sr = sin(imu->roll / 2.0);
    double cp = cos(imu->pitch / 2.0), sp = sin(imu->pitch / 2.0);
    double cy = cos(imu->yaw / 2.0), sy = sin(imu->yaw / 2.0);
    ros->header = header(context, "base_link");
    ros->orientation = (geometry_msgs_msg_dds__Quaternion_){
        .x = sr * cp * cy - cr * sp * sy,
        .y = cr * sp * cy + sr * cp * sy,
        .z = cr * cp * sy - sr * sp * cy,
        .w = cr * cp * cy + sr * sp * sy,
    };
    ros->angular_velocity =
        (geometry_msgs_msg_dds__Vector3_){imu->rate_x, imu->rate_y, imu->rate_z};
    ros->linear_acceleration = (geometry_msgs_msg_dds__Vector3_){
        imu->acceleration_x, imu->acceleration_y, imu->acceleration_z};
    return imu->valid;
}

/* ---- joints ---- */

/* Without names of their own: "arm_1", "arm_2", ... */
static bool joints_to(const struct ros2_context *context, const void *message, void *ret_ros)
{
    const Doppel__JointState *joints = message;
    sensor_msgs_msg_dds__JointState_ *ros = ret_ros;
    size_t n = joints->n_position;
    char **names = dpl_arena_alloc(context->arena, (n + 1) * sizeof *names);
    for (size_t i = 0; i < n; i++) {
        names[i] =
            dpl_arena_printf(context->arena, "%s%s_%zu", context->prefix, context->sensor, i + 1);
    }
    ros->header = header(context, "base_link");
    ros->name = texts(names, n);
    ros->position = doubles(joints->position, n);
    ros->velocity = doubles(joints->velocity, joints->n_velocity == n ? n : 0);
    ros->effort = doubles(joints->effort, joints->n_effort == n ? n : 0);
    return joints->valid && n > 0;
}

static bool wheels_to(const struct ros2_context *context, const void *message, void *ret_ros)
{
    static const char *const sides[] = {"left_wheel", "right_wheel"};
    const Doppel__Odometry *odometry = message;
    sensor_msgs_msg_dds__JointState_ *ros = ret_ros;
    double *angles = dpl_arena_alloc(context->arena, 2 * sizeof *angles);
    char **names = dpl_arena_alloc(context->arena, 2 * sizeof *names);
    angles[0] = odometry->left_angle;
    angles[1] = odometry->right_angle;
    for (size_t i = 0; i < 2; i++) {
        names[i] = ros2_text(framed(context, sides[i]));
    }
    ros->header = header(context, "base_link");
    ros->name = texts(names, 2);
    ros->position = doubles(angles, 2);
    return true;
}

/* ---- motion ---- */

static bool odometry_to(const struct ros2_context *context, const void *message, void *ret_ros)
{
    const Doppel__Odometry *odometry = message;
    nav_msgs_msg_dds__Odometry_ *ros = ret_ros;
    ros->header = header(context, "odom");
    ros->child_frame_id = ros2_text(framed(context, "base_link"));
    ros->pose.pose = planar(odometry->pose);
    ros->twist.twist = planar_twist(odometry->twist);
    return true;
}

static bool localized_to(const struct ros2_context *context, const void *message, void *ret_ros)
{
    geometry_msgs_msg_dds__PoseStamped_ *ros = ret_ros;
    ros->header = ros2_header(context->stamp, "map");
    ros->pose = planar(((const Doppel__LocalizedPose *)message)->pose);
    return true;
}

static bool estimate_to(const struct ros2_context *context, const void *message, void *ret_ros)
{
    const Doppel__PoseEstimate *estimate = message;
    const Doppel__Pose3 *pose = estimate->pose;
    geometry_msgs_msg_dds__PoseStamped_ *ros = ret_ros;
    if (!pose || !*estimate->frame) {
        return false;
    }
    ros->header = ros2_header(context->stamp, estimate->frame);
    ros->pose.position = (geometry_msgs_msg_dds__Point_){pose->x, pose->y, pose->z};
    ros->pose.orientation =
        (geometry_msgs_msg_dds__Quaternion_){pose->qx, pose->qy, pose->qz, pose->qw};
    return true;
}

static bool transforms_to(const struct ros2_context *context, const void *message, void *ret_ros)
{
    const Foxglove__FrameTransforms *all = message;
    tf2_msgs_msg_dds__TFMessage_ *ros = ret_ros;
    size_t n = all->n_transforms;
    geometry_msgs_msg_dds__TransformStamped_ *list =
        dpl_arena_alloc(context->arena, (n + 1) * sizeof *list);
    for (size_t i = 0; i < n; i++) {
        const Foxglove__FrameTransform *one = all->transforms[i];
        const Google__Protobuf__Timestamp *time = one->timestamp;
        dpl_ns stamp =
            time ? time->seconds * DPL_S + time->nanos + context->offset : context->stamp;
        if (!one->translation || !one->rotation) {
            return false;
        }
        list[i] = (geometry_msgs_msg_dds__TransformStamped_){
            .header = ros2_header(stamp, one->parent_frame_id),
            .child_frame_id = ros2_text(one->child_frame_id),
            .transform = {.translation = {one->translation->x, one->translation->y,
                                          one->translation->z},
                          .rotation = {one->rotation->x, one->rotation->y, one->rotation->z,
                                       one->rotation->w}},
        };
    }
    ros->transforms = (dds_sequence_geometry_msgs_msg_dds__TransformStamped_){
        (uint32_t)n, (uint32_t)n, list, false};
    return n > 0;
}

static bool command_to(const struct ros2_context *context, const void *message, void *ret_ros)
{
    const Doppel__VelocityCommand *command = message;
    geometry_msgs_msg_dds__TwistStamped_ *ros = ret_ros;
    ros->header = header(context, "base_link");
    ros->twist = planar_twist(command->active ? command->twist : NULL);
    return true;
}

/* A wheel base has no other directions: they are ignored, but must be numbers. */
static bool twist_from(const void *ros, struct dpl_bytes *out)
{
    const geometry_msgs_msg_dds__Twist_ *twist = ros;
    Doppel__Twist2 planar = DOPPEL__TWIST2__INIT;
    Doppel__VelocityCommand command = DOPPEL__VELOCITY_COMMAND__INIT;
    const geometry_msgs_msg_dds__Vector3_ *a = &twist->linear, *b = &twist->angular;
    planar.linear = twist->linear.x;
    planar.angular = twist->angular.z;
    command.twist = &planar;
    command.active = true;
    if (!isfinite(a->x + a->y + a->z) || !isfinite(b->x + b->y + b->z)) {
        return false;
    }
    uint8_t *at = dpl_bytes_extend(out, doppel__velocity_command__get_packed_size(&command));
    if (at) {
        doppel__velocity_command__pack(&command, at);
    }
    return at != NULL;
}

static bool stamped_twist_from(const void *ros, struct dpl_bytes *out)
{
    return twist_from(&((const geometry_msgs_msg_dds__TwistStamped_ *)ros)->twist, out);
}

/* ---- lines ---- */

static bool log_to(const struct ros2_context *context, const void *message, void *ret_ros)
{
    static const uint8_t levels[] = {20, 10, 20, 30, 40, 50};
    const Foxglove__Log *log = message;
    rcl_interfaces_msg_dds__Log_ *ros = ret_ros;
    ros->stamp = ros2_time(context->stamp);
    ros->level = (unsigned)log->level < DPL_COUNT(levels) ? levels[log->level] : 20;
    ros->name = log->name;
    ros->msg = log->message;
    ros->file = log->file;
    ros->function = ros2_text("");
    ros->line = log->line;
    return true;
}

/* ---- the table ---- */

#define DESCRIBED(type_, hash_) &type_##_desc, "RIHS01_" hash_

#define LASER_SCAN                                                                                 \
    DESCRIBED(sensor_msgs_msg_dds__LaserScan_,                                                     \
              "64c191398013af96509d518dac71d5164f9382553fce5c1f8cca5be7924bd828")
#define POINT_CLOUD2                                                                               \
    DESCRIBED(sensor_msgs_msg_dds__PointCloud2_,                                                   \
              "9198cabf7da3796ae6fe19c4cb3bdd3525492988c70522628af5daa124bae2b5")
#define IMU                                                                                        \
    DESCRIBED(sensor_msgs_msg_dds__Imu_,                                                           \
              "7d9a00ff131080897a5ec7e26e315954b8eae3353c3f995c55faf71574000b5b")
#define JOINT_STATE                                                                                \
    DESCRIBED(sensor_msgs_msg_dds__JointState_,                                                    \
              "a13ee3a330e346c9d87b5aa18d24e11690752bd33a0350f11c5882bc9179260e")
#define ODOMETRY                                                                                   \
    DESCRIBED(nav_msgs_msg_dds__Odometry_,                                                         \
              "3cc97dc7fb7502f8714462c526d369e35b603cfc34d946e3f2eda2766dfec6e0")
#define POSE_STAMPED                                                                               \
    DESCRIBED(geometry_msgs_msg_dds__PoseStamped_,                                                 \
              "10f3786d7d40fd2b54367835614bff85d4ad3b5dab62bf8bca0cc232d73b4cd8")
#define TWIST                                                                                      \
    DESCRIBED(geometry_msgs_msg_dds__Twist_,                                                       \
              "9c45bf16fe0983d80e3cfe750d6835843d265a9a6c46bd2e609fcddde6fb8d2a")
#define TWIST_STAMPED                                                                              \
    DESCRIBED(geometry_msgs_msg_dds__TwistStamped_,                                                \
              "5f0fcd4f81d5d06ad9b4c4c63e3ea51b82d6ae4d0558f1d475229b1121db6f64")
#define TF_MESSAGE                                                                                 \
    DESCRIBED(tf2_msgs_msg_dds__TFMessage_,                                                        \
              "e369d0f05a23ae52508854b66f6aa0437f3449d652e8cbf22d5abe85d020f087")
#define LOG                                                                                        \
    DESCRIBED(rcl_interfaces_msg_dds__Log_,                                                        \
              "e28ce254ca8abc06abf92773b74602cdbf116ed34fbaf294fb9f81da9f318eac")
#define CLOCK                                                                                      \
    DESCRIBED(rosgraph_msgs_msg_dds__Clock_,                                                       \
              "692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564")
#define DIAGNOSTIC_ARRAY                                                                           \
    DESCRIBED(diagnostic_msgs_msg_dds__DiagnosticArray_,                                           \
              "5a8a36efb05fb25070fa0fb3810290c0e6cd4862b54a8fb975a1ee8dc55a333e")
#define JOINT_TRAJECTORY                                                                           \
    DESCRIBED(trajectory_msgs_msg_dds__JointTrajectory_,                                           \
              "179b33eba59d676f6d967ac71fe35e7ca2f64b2f3928f4a018cec115e213796e")
#define FLOAT64_MULTI_ARRAY                                                                        \
    DESCRIBED(std_msgs_msg_dds__Float64MultiArray_,                                                \
              "1025ddc6b9552d191f89ef1a8d2f60f3d373e28b283d8891ddcc974e8c55397f")
#define STRING                                                                                     \
    DESCRIBED(std_msgs_msg_dds__String_,                                                           \
              "df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18")

const struct ros2_type ros2_clock = {CLOCK, ROS2_CLOCK};
const struct ros2_type ros2_static_transforms = {TF_MESSAGE, ROS2_HOLDS};
const struct ros2_type ros2_diagnostics = {DIAGNOSTIC_ARRAY, ROS2_PLAIN};
const struct ros2_type ros2_description = {STRING, ROS2_HOLDS};
const struct ros2_type ros2_odometry = {ODOMETRY, ROS2_PLAIN};
const struct ros2_type ros2_scan = {LASER_SCAN, ROS2_SENSOR};
const struct ros2_type ros2_imu = {IMU, ROS2_SENSOR};
const struct ros2_type ros2_joint_state = {JOINT_STATE, ROS2_PLAIN};
const struct ros2_type ros2_twist = {TWIST, ROS2_PLAIN};
const struct ros2_type ros2_stamped_twist = {TWIST_STAMPED, ROS2_PLAIN};
const struct ros2_type ros2_joint_trajectory = {JOINT_TRAJECTORY, ROS2_PLAIN};
const struct ros2_type ros2_numbers = {FLOAT64_MULTI_ARRAY, ROS2_PLAIN};

const struct ros2_row ros2_rows[] = {
    {&doppel__scan__descriptor, "scan", NULL, {LASER_SCAN, ROS2_SENSOR}, scan_to, NULL, scan_mount},
    {&foxglove__point_cloud__descriptor,
     "points",
     NULL,
     {POINT_CLOUD2, ROS2_SENSOR},
     points_to,
     NULL,
     NULL},
    {&doppel__imu__descriptor, "imu", NULL, {IMU, ROS2_SENSOR}, imu_to, NULL, NULL},
    {&doppel__odometry__descriptor, "odom", NULL, {ODOMETRY, ROS2_PLAIN}, odometry_to, NULL, NULL},
    {&doppel__odometry__descriptor,
     "joint_states",
     NULL,
     {JOINT_STATE, ROS2_PLAIN},
     wheels_to,
     NULL,
     NULL},
    {&doppel__joint_state__descriptor,
     "joint_states",
     NULL,
     {JOINT_STATE, ROS2_PLAIN},
     joints_to,
     NULL,
     NULL},
    {&doppel__localized_pose__descriptor,
     "pose",
     NULL,
     {POSE_STAMPED, ROS2_PLAIN},
     localized_to,
     NULL,
     NULL},
    {&doppel__pose_estimate__descriptor,
     "pose",
     NULL,
     {POSE_STAMPED, ROS2_PLAIN},
     estimate_to,
     NULL,
     NULL},
    {&foxglove__frame_transforms__descriptor,
     "tf",
     "/tf",
     {TF_MESSAGE, ROS2_TRANSFORM},
     transforms_to,
     NULL,
     NULL},
    {&foxglove__log__descriptor, "rosout", "/log", {LOG, ROS2_LINES}, log_to, NULL, NULL},
    {&doppel__velocity_command__descriptor,
     "cmd_vel",
     NULL,
     {TWIST, ROS2_PLAIN},
     NULL,
     twist_from,
     NULL},
    {&doppel__velocity_command__descriptor,
     "cmd_vel",
     NULL,
     {TWIST_STAMPED, ROS2_PLAIN},
     NULL,
     stamped_twist_from,
     NULL},
    {&doppel__velocity_command__descriptor,
     "cmd_vel_out",
     NULL,
     {TWIST_STAMPED, ROS2_PLAIN},
     command_to,
     NULL,
     NULL},
};

const size_t ros2_n_rows = DPL_COUNT(ros2_rows);
