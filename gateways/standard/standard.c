/* SPDX-License-Identifier: Apache-2.0 */
/* Our types as messages that viewers know (runtime/observe/standard.proto): a row a type. Frames
 * follow REP 105: "map" is the world, "odom" the frame of the odometry, "base_link" the robot. A
 * PoseEstimate names its own, as that of the avatar: "avatar/base_link" in "map". */
#include <math.h>
#include <string.h>

#include <doppel/host/gateway.h>
#include <doppel/msg/geometry.pb-c.h>
#include <doppel/msg/laser_scanner.pb-c.h>
#include <doppel/msg/mobile.pb-c.h>
#include <doppel/msg/wheel_controller.pb-c.h>

#include "bytes.h"
#include "standard.pb-c.h"

static char *text(const char *constant)
{
    return (char *)(uintptr_t)constant; /* protobuf-c only reads it */
}

static Google__Protobuf__Timestamp time_of(dpl_ns stamp)
{
    Google__Protobuf__Timestamp time = GOOGLE__PROTOBUF__TIMESTAMP__INIT;
    time.seconds = stamp / DPL_S;
    time.nanos = (int32_t)(stamp % DPL_S);
    return time;
}

static bool pack(const ProtobufCMessage *message, struct dpl_bytes *out)
{
    uint8_t *at = dpl_bytes_extend(out, protobuf_c_message_get_packed_size(message));
    if (at) {
        protobuf_c_message_pack(message, at);
    }
    return at != NULL;
}

/* ---- poses ---- */

/* A pose with the memory of its parts. */
struct pose {
    Foxglove__Vector3 position;
    Foxglove__Quaternion orientation;
    Foxglove__Pose pose;
};

static void set_pose(struct pose *pose, const double position[3], const double xyzw[4])
{
    foxglove__vector3__init(&pose->position);
    foxglove__quaternion__init(&pose->orientation);
    foxglove__pose__init(&pose->pose);
    pose->position.x = position[0];
    pose->position.y = position[1];
    pose->position.z = position[2];
    pose->orientation.x = xyzw[0];
    pose->orientation.y = xyzw[1];
    pose->orientation.z = xyzw[2];
    pose->orientation.w = xyzw[3];
    pose->pose.position = &pose->position;
    pose->pose.orientation = &pose->orientation;
}

/* NULL: no pose was given, the identity. */
static void set_planar(struct pose *pose, const Doppel__Pose2 *planar)
{
    double half = planar ? planar->theta / 2.0 : 0.0;
    double position[3] = {planar ? planar->x : 0.0, planar ? planar->y : 0.0, 0.0};
    double xyzw[4] = {0.0, 0.0, sin(half), cos(half)};
    set_pose(pose, position, xyzw);
}

static void set_spatial(struct pose *pose, const Doppel__Pose3 *spatial)
{
    double position[3] = {spatial->x, spatial->y, spatial->z};
    double xyzw[4] = {spatial->qx, spatial->qy, spatial->qz, spatial->qw};
    set_pose(pose, position, xyzw);
}

static bool pack_pose(dpl_ns stamp, const char *frame, struct pose *pose, struct dpl_bytes *out)
{
    Google__Protobuf__Timestamp time = time_of(stamp);
    Foxglove__PoseInFrame message;
    foxglove__pose_in_frame__init(&message);
    message.timestamp = &time;
    message.frame_id = text(frame);
    message.pose = &pose->pose;
    return pack(&message.base, out);
}

static bool pack_transform(dpl_ns stamp, const char *parent, const char *child, struct pose *pose,
                           struct dpl_bytes *out)
{
    Google__Protobuf__Timestamp time = time_of(stamp);
    Foxglove__FrameTransform one, *list[] = {&one};
    foxglove__frame_transform__init(&one);
    Foxglove__FrameTransforms message = FOXGLOVE__FRAME_TRANSFORMS__INIT;
    one.timestamp = &time;
    one.parent_frame_id = text(parent);
    one.child_frame_id = text(child);
    one.translation = &pose->position;
    one.rotation = &pose->orientation;
    message.transforms = list;
    message.n_transforms = 1;
    return pack(&message.base, out);
}

static bool odometry_to_pose(const void *message, dpl_ns stamp, struct dpl_bytes *out)
{
    struct pose pose;
    set_planar(&pose, ((const Doppel__Odometry *)message)->pose);
    return pack_pose(stamp, "odom", &pose, out);
}

static bool odometry_to_transform(const void *message, dpl_ns stamp, struct dpl_bytes *out)
{
    struct pose pose;
    set_planar(&pose, ((const Doppel__Odometry *)message)->pose);
    return pack_transform(stamp, "odom", "base_link", &pose, out);
}

static bool localized_to_pose(const void *message, dpl_ns stamp, struct dpl_bytes *out)
{
    struct pose pose;
    set_planar(&pose, ((const Doppel__LocalizedPose *)message)->pose);
    return pack_pose(stamp, "map", &pose, out);
}

static bool localized_to_transform(const void *message, dpl_ns stamp, struct dpl_bytes *out)
{
    struct pose pose;
    set_planar(&pose, ((const Doppel__LocalizedPose *)message)->correction);
    return pack_transform(stamp, "map", "odom", &pose, out);
}

static bool estimate_to_pose(const void *message, dpl_ns stamp, struct dpl_bytes *out)
{
    const Doppel__PoseEstimate *estimate = message;
    struct pose pose;
    if (!estimate->pose) {
        return false;
    }
    set_spatial(&pose, estimate->pose);
    return pack_pose(stamp, estimate->frame, &pose, out);
}

static bool estimate_to_transform(const void *message, dpl_ns stamp, struct dpl_bytes *out)
{
    const Doppel__PoseEstimate *estimate = message;
    struct pose pose;
    if (!estimate->pose || !*estimate->frame || !*estimate->child_frame) {
        return false;
    }
    set_spatial(&pose, estimate->pose);
    return pack_transform(stamp, estimate->frame, estimate->child_frame, &pose, out);
}

/* ---- scans ---- */

#define POINTS_MAX 16384

/* Of the ray of a point; NaN: nothing came back. */
static double range_at(const Doppel__Scan *scan, size_t i)
{
    double range = (double)scan->ranges[i];
    return range > 0.0 ? range : (double)NAN;
}

static bool scan_to_laser(const void *message, dpl_ns stamp, struct dpl_bytes *out)
{
    const Doppel__Scan *scan = message;
    double ranges[POINTS_MAX], intensities[POINTS_MAX];
    size_t n = scan->n_ranges;
    if (n == 0 || n > POINTS_MAX || scan->n_intensities > n) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        ranges[i] = range_at(scan, i);
        intensities[i] = i < scan->n_intensities ? (double)scan->intensities[i] : 0.0;
    }
    struct pose mount;
    Google__Protobuf__Timestamp time = time_of(stamp);
    Foxglove__LaserScan laser;
    foxglove__laser_scan__init(&laser);
    set_planar(&mount, scan->mount);
    laser.timestamp = &time;
    laser.frame_id = text("base_link");
    laser.pose = &mount.pose;
    laser.start_angle = scan->start_angle;
    laser.end_angle = scan->start_angle + (double)(n - 1) * scan->step_angle;
    laser.ranges = ranges;
    laser.n_ranges = n;
    laser.intensities = intensities;
    laser.n_intensities = scan->n_intensities;
    return pack(&laser.base, out);
}

/* Little-endian, as PointCloud has it. */
static void put_float(uint8_t *at, double value)
{
    float number = (float)value;
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    for (unsigned i = 0; i < 4; i++) {
        at[i] = (uint8_t)(bits >> (8 * i));
    }
}

/* Where rays ended; viewers that do not know LaserScan know this one. */
static bool scan_to_points(const void *message, dpl_ns stamp, struct dpl_bytes *out)
{
    enum { STRIDE = 12 };
    const Doppel__Scan *scan = message;
    uint8_t data[POINTS_MAX * STRIDE];
    size_t n = 0;
    for (size_t i = 0; i < scan->n_ranges && n < POINTS_MAX; i++) {
        double range = range_at(scan, i);
        double angle = scan->start_angle + (double)i * scan->step_angle;
        if (!isnan(range)) {
            put_float(data + n * STRIDE, range * cos(angle));
            put_float(data + n * STRIDE + 4, range * sin(angle));
            put_float(data + n * STRIDE + 8, 0.0);
            n++;
        }
    }
    static const char *const names[] = {"x", "y", "z"};
    Foxglove__PackedElementField fields[3], *list[3];
    for (size_t i = 0; i < 3; i++) {
        foxglove__packed_element_field__init(&fields[i]);
        fields[i].name = text(names[i]);
        fields[i].offset = (uint32_t)(4 * i);
        fields[i].type = FOXGLOVE__PACKED_ELEMENT_FIELD__NUMERIC_TYPE__FLOAT32;
        list[i] = &fields[i];
    }
    struct pose mount;
    Google__Protobuf__Timestamp time = time_of(stamp);
    Foxglove__PointCloud cloud;
    foxglove__point_cloud__init(&cloud);
    set_planar(&mount, scan->mount);
    cloud.timestamp = &time;
    cloud.frame_id = text("base_link");
    cloud.pose = &mount.pose;
    cloud.point_stride = STRIDE;
    cloud.fields = list;
    cloud.n_fields = 3;
    cloud.data.data = data;
    cloud.data.len = n * STRIDE;
    return pack(&cloud.base, out);
}

/* ---- the table ---- */

/* Odometry of a simulated side is of no frame in the tree: the true pose of the avatar is known. */
static bool is_of_robot(const char *port)
{
    return strncmp(port, "simulation_", strlen("simulation_")) != 0;
}

static const struct dpl_converter converters[] = {
    {&doppel__scan__descriptor, &foxglove__laser_scan__descriptor, "LaserScan", NULL,
     scan_to_laser},
    {&doppel__scan__descriptor, &foxglove__point_cloud__descriptor, "PointCloud", NULL,
     scan_to_points},
    {&doppel__odometry__descriptor, &foxglove__pose_in_frame__descriptor, "PoseInFrame",
     is_of_robot, odometry_to_pose},
    {&doppel__odometry__descriptor, &foxglove__frame_transforms__descriptor, "/tf", is_of_robot,
     odometry_to_transform},
    {&doppel__localized_pose__descriptor, &foxglove__pose_in_frame__descriptor, "PoseInFrame", NULL,
     localized_to_pose},
    {&doppel__localized_pose__descriptor, &foxglove__frame_transforms__descriptor, "/tf", NULL,
     localized_to_transform},
    {&doppel__pose_estimate__descriptor, &foxglove__pose_in_frame__descriptor, "PoseInFrame", NULL,
     estimate_to_pose},
    {&doppel__pose_estimate__descriptor, &foxglove__frame_transforms__descriptor, "/tf", NULL,
     estimate_to_transform},
};

extern const struct dpl_converter_module dpl_module;

const struct dpl_converter_module dpl_module = {
    .bytes = sizeof dpl_module,
    .converters = converters,
    .n_converters = DPL_COUNT(converters),
};
