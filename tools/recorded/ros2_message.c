/* SPDX-License-Identifier: Apache-2.0 */
/* Fields and their order are those of the published definitions (docs.ros.org). */
#include "ros2_message.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <doppel/field.h>
#include <doppel/msg/imu.h>
#include <doppel/msg/joints.h>
#include <doppel/msg/laser_scanner.h>
#include <doppel/msg/poses.h>
#include <doppel/msg/wheel_controller.h>

#include "arena.h"
#include "recording.h"

#define HEAD       4   /* bytes in front: how it is encoded */
#define PADDING    7   /* bytes that may follow */
#define NAME_MOST  255 /* bytes of a frame or joint */
#define LEAST_NORM 0.5 /* of a quaternion: shorter ones turn nothing */

static const char is_cut[] = "it is cut off";

/* ---- CDR ---- */

/* What does not fit is noted in `why`, and all that follows is 0 or empty. */
struct cdr {
    const uint8_t *data;
    size_t n, at;
    bool is_big;
    const char *why; /* NULL: all is well */
    struct dpl_arena *arena;
};

static void blame(struct cdr *cdr, const char *why)
{
    cdr->why = cdr->why ? cdr->why : why;
}

/* `n` items of `size` bytes each, aligned to their size; NULL: they are not there. */
static const uint8_t *take(struct cdr *cdr, size_t n, size_t size)
{
    size_t at = cdr->at + (0 - cdr->at) % size;
    if (cdr->why || at > cdr->n || n > (cdr->n - at) / size) {
        blame(cdr, is_cut);
        return NULL;
    }
    cdr->at = at + n * size;
    return cdr->data + at;
}

static uint64_t number_at(const struct cdr *cdr, const uint8_t *at, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; at && i < size; i++) {
        value = value << 8 | at[cdr->is_big ? i : size - 1 - i];
    }
    return value;
}

static uint32_t take_u32(struct cdr *cdr)
{
    return (uint32_t)number_at(cdr, take(cdr, 1, 4), 4);
}

static float float_at(const struct cdr *cdr, const uint8_t *at)
{
    uint32_t bits = (uint32_t)number_at(cdr, at, 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double double_at(const struct cdr *cdr, const uint8_t *at)
{
    uint64_t bits = number_at(cdr, at, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double take_float(struct cdr *cdr)
{
    return (double)float_at(cdr, take(cdr, 1, 4));
}

/* One that must be finite. */
static double take_double(struct cdr *cdr)
{
    double value = double_at(cdr, take(cdr, 1, 8));
    if (!isfinite(value)) {
        blame(cdr, "a number is not finite");
        return 0.0;
    }
    return value;
}

/* A name of a frame or joint. */
static const char *take_name(struct cdr *cdr)
{
    uint32_t n = take_u32(cdr);
    const char *text = (const char *)take(cdr, n, 1);
    if (!text || n == 0) {
        return "";
    }
    bool is_plain = n <= NAME_MOST + 1 && text[n - 1] == '\0';
    for (size_t i = 0; is_plain && i + 1 < n; i++) {
        is_plain = text[i] > ' ' && text[i] < 0x7f;
    }
    if (!is_plain) {
        blame(cdr, "a name is not of printable ASCII");
        return "";
    }
    size_t skipped = text[0] == '/'; /* as frames were named once */
    return dpl_arena_strndup(cdr->arena, text + skipped, n - 1 - skipped);
}

static dpl_ns take_header(struct cdr *cdr, const char **ret_frame)
{
    uint32_t seconds = take_u32(cdr), nanos = take_u32(cdr);
    if (seconds > INT32_MAX || nanos >= 1000000000U) {
        blame(cdr, "its stamp is no time");
    }
    *ret_frame = take_name(cdr);
    return (dpl_ns)seconds * DPL_S + nanos;
}

static struct dpl_vector3 take_vector(struct cdr *cdr)
{
    double x = take_double(cdr), y = take_double(cdr), z = take_double(cdr);
    return (struct dpl_vector3){x, y, z};
}

/* *ret_length: before it is made 1. */
static struct dpl_quaternion take_quaternion(struct cdr *cdr, double *ret_length)
{
    struct dpl_vector3 v = take_vector(cdr);
    struct dpl_quaternion q = {take_double(cdr), v.x, v.y, v.z};
    *ret_length = sqrt(q.w * q.w + v.x * v.x + v.y * v.y + v.z * v.z);
    return *ret_length >= LEAST_NORM && isfinite(*ret_length) ? dpl_quaternion_normalise(q)
                                                              : (struct dpl_quaternion){.w = 1.0};
}

static struct dpl_pose3 take_pose(struct cdr *cdr)
{
    double length;
    struct dpl_pose3 pose = {.position = take_vector(cdr)};
    pose.orientation = take_quaternion(cdr, &length);
    if (!(length >= LEAST_NORM && isfinite(length))) {
        blame(cdr, "its quaternion turns nothing");
    }
    return pose;
}

/* A sequence of doubles for a message of ours. */
static double *take_doubles(struct cdr *cdr, size_t *ret_n)
{
    size_t n = take_u32(cdr);
    const uint8_t *at = n > 0 ? take(cdr, n, 8) : NULL;
    double *values = dpl_arena_alloc(cdr->arena, at ? n * sizeof *values : 1);
    for (size_t i = 0; at && i < n; i++) {
        values[i] = double_at(cdr, at + 8 * i);
    }
    *ret_n = at ? n : 0;
    return values;
}

/* ---- messages ---- */

#define NEW(cdr, type, init)                                                                       \
    ((type *)memcpy(dpl_arena_alloc((cdr)->arena, sizeof(type)), &(type)init, sizeof(type)))

/* Ranges that ROS has for nothing, or for what is no measurement (REP 117), are 0. */
static void read_scan(struct cdr *cdr, struct ros2_message *message)
{
    Doppel__Scan *scan = NEW(cdr, Doppel__Scan, DOPPEL__SCAN__INIT);
    scan->start_angle = take_float(cdr);
    take_float(cdr); /* where it ends */
    scan->step_angle = take_float(cdr);
    take_float(cdr); /* between beams */
    scan->period = take_float(cdr);
    scan->range_min = take_float(cdr);
    scan->range_max = take_float(cdr);
    size_t n = take_u32(cdr);
    const uint8_t *at = take(cdr, n, 4);
    size_t n_intensities = take_u32(cdr);
    take(cdr, n_intensities, 4);
    if (n == 0 || n > RECORDING_BEAMS_MAX) {
        blame(cdr, "it has no beams, or more than 8192");
    }
    if (!isfinite(scan->start_angle) || !isfinite(scan->step_angle) || scan->step_angle == 0.0) {
        blame(cdr, "its angles are no fan");
    }
    scan->ranges = dpl_arena_alloc(cdr->arena, cdr->why ? 1 : n * sizeof *scan->ranges);
    for (size_t i = 0; !cdr->why && i < n; i++) {
        float range = float_at(cdr, at + 4 * i);
        bool is_there = range > 0.0F && isfinite(range) && (double)range >= scan->range_min &&
                        (double)range <= scan->range_max;
        scan->ranges[i] = is_there ? range : 0.0F;
    }
    scan->n_ranges = cdr->why ? 0 : n;
    message->ours = &scan->base;
}

static void read_odometry(struct cdr *cdr, struct ros2_message *message)
{
    Doppel__Odometry *odometry = NEW(cdr, Doppel__Odometry, DOPPEL__ODOMETRY__INIT);
    odometry->pose = NEW(cdr, Doppel__Pose2, DOPPEL__POSE2__INIT);
    odometry->twist = NEW(cdr, Doppel__Twist2, DOPPEL__TWIST2__INIT);
    message->child = take_name(cdr);
    dpl_pose2_set(odometry->pose, dpl_pose3_to_planar(take_pose(cdr)));
    take(cdr, 36, 8);
    struct dpl_vector3 linear = take_vector(cdr), angular = take_vector(cdr);
    take(cdr, 36, 8);
    dpl_twist2_set(odometry->twist, (struct dpl_twist2){linear.x, angular.z});
    message->ours = &odometry->base;
}

static void read_imu(struct cdr *cdr, struct ros2_message *message)
{
    Doppel__Imu *imu = NEW(cdr, Doppel__Imu, DOPPEL__IMU__INIT);
    double length; /* many have no orientation */
    struct dpl_quaternion orientation = take_quaternion(cdr, &length);
    take(cdr, 9, 8);
    struct dpl_vector3 rate = take_vector(cdr);
    take(cdr, 9, 8);
    struct dpl_vector3 force = take_vector(cdr);
    take(cdr, 9, 8);
    dpl_quaternion_to_rpy(orientation, &imu->roll, &imu->pitch, &imu->yaw);
    imu->rate_x = rate.x;
    imu->rate_y = rate.y;
    imu->rate_z = rate.z;
    imu->acceleration_x = force.x;
    imu->acceleration_y = force.y;
    imu->acceleration_z = force.z;
    imu->valid = true;
    message->ours = &imu->base;
}

static void read_joints(struct cdr *cdr, struct ros2_message *message)
{
    Doppel__JointState *joints = NEW(cdr, Doppel__JointState, DOPPEL__JOINT_STATE__INIT);
    size_t n = take_u32(cdr);
    for (size_t i = 0; i < n && !cdr->why; i++) {
        take_name(cdr);
    }
    joints->position = take_doubles(cdr, &joints->n_position);
    joints->velocity = take_doubles(cdr, &joints->n_velocity);
    joints->effort = take_doubles(cdr, &joints->n_effort);
    if ((joints->n_position != n && joints->n_position > 0) ||
        (joints->n_velocity != n && joints->n_velocity > 0) ||
        (joints->n_effort != n && joints->n_effort > 0)) {
        blame(cdr, "it has not one value a name");
    }
    joints->valid = true;
    message->ours = &joints->base;
}

static void read_transforms(struct cdr *cdr, struct ros2_message *message)
{
    const size_t least = 64; /* bytes of a transform */
    size_t n = take_u32(cdr);
    if (n > cdr->n / least) {
        blame(cdr, is_cut);
        n = 0;
    }
    message->transforms = dpl_arena_alloc(cdr->arena, (n + 1) * sizeof *message->transforms);
    for (size_t i = 0; i < n && !cdr->why; i++) {
        struct ros2_transform *one = &message->transforms[i];
        dpl_ns stamp = take_header(cdr, &one->parent);
        message->stamp = i == 0 ? stamp : message->stamp;
        one->child = take_name(cdr);
        one->pose = take_pose(cdr);
        message->n_transforms++;
    }
}

static const struct row {
    const char *type;
    void (*read)(struct cdr *cdr, struct ros2_message *message);
} rows[] = {
    [ROS2_SCAN] = {"sensor_msgs/msg/LaserScan", read_scan},
    [ROS2_ODOMETRY] = {"nav_msgs/msg/Odometry", read_odometry},
    [ROS2_IMU] = {"sensor_msgs/msg/Imu", read_imu},
    [ROS2_JOINTS] = {"sensor_msgs/msg/JointState", read_joints},
    [ROS2_TRANSFORMS] = {"tf2_msgs/msg/TFMessage", read_transforms},
};

enum ros2_kind ros2_kind_of(const char *type, size_t n)
{
    size_t i = DPL_COUNT(rows) - 1;
    while (i > ROS2_OTHER && (strlen(rows[i].type) != n || memcmp(rows[i].type, type, n) != 0)) {
        i--;
    }
    return (enum ros2_kind)i;
}

const char *ros2_message_read(enum ros2_kind kind, const void *data, size_t n,
                              struct dpl_arena *arena, struct ros2_message *ret_message)
{
    const uint8_t *bytes = data;
    *ret_message = (struct ros2_message){.frame = "", .child = ""};
    if (n < HEAD) {
        return is_cut;
    }
    if (bytes[0] != 0 || bytes[1] > 1) {
        return "it is not in plain CDR";
    }
    struct cdr cdr = {.data = bytes + HEAD, .n = n - HEAD, .is_big = bytes[1] == 0, .arena = arena};
    if (kind != ROS2_TRANSFORMS) {
        ret_message->stamp = take_header(&cdr, &ret_message->frame);
    }
    rows[kind].read(&cdr, ret_message);
    if (cdr.n - cdr.at > PADDING) {
        blame(&cdr, "it is longer than its type");
    }
    return cdr.why;
}
