/* SPDX-License-Identifier: Apache-2.0 */
/* Sends a message of each type that the gateway has to another vendor's participant (fast_peer
 * echo) and compares what comes back, byte by byte as it is on the wire. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define asm __asm__ /* as its header has it */
#include <dds/ddsi/ddsi_serdata.h>

#include <doppel/msg/imu.pb-c.h>
#include <doppel/msg/joints.pb-c.h>
#include <doppel/msg/laser_scanner.pb-c.h>
#include <doppel/msg/mobile.pb-c.h>
#include <doppel/msg/wheel_controller.pb-c.h>

#include "ros2_convert.h"
#include "ros2_node.h"
#include "standard.pb-c.h"

#define BEAMS 1081
#define TRIES 400 /* each 25 ms */

static void listen_to(void *observer, const struct dpl_topic *topic, int by)
{
    (void)observer;
    (void)topic;
    (void)by;
}

static void tell(void *observer, enum dpl_log_level level, const char *text)
{
    (void)observer;
    (void)level;
    fprintf(stderr, "%s\n", text);
}

static void rest(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 25000000}, NULL);
}

/* ---- messages ---- */

static const struct ros2_row *row_of(const ProtobufCMessageDescriptor *ours, const char *name)
{
    size_t i = 0;
    while (ros2_rows[i].ours != ours || strcmp(ros2_rows[i].name, name) != 0) {
        i++;
    }
    return &ros2_rows[i];
}

static void *convert(struct dpl_arena *arena, const ProtobufCMessageDescriptor *ours,
                     const char *name, const void *message, const struct ros2_type **ret_type)
{
    const struct ros2_row *row = row_of(ours, name);
    struct ros2_context context = {1234567890123456789, 0, "avatar/", "laser_scanner", arena};
    void *ros = dpl_arena_alloc(arena, row->ros.type->m_size);
    *ret_type = &row->ros;
    if (!row->to(&context, message, ros)) {
        fprintf(stderr, "%s: nothing was made\n", name);
        exit(1);
    }
    return ros;
}

static void *make_scan(struct dpl_arena *arena, const struct ros2_type **ret_type)
{
    static float ranges[BEAMS];
    Doppel__Scan scan = DOPPEL__SCAN__INIT;
    for (size_t i = 0; i < BEAMS; i++) {
        ranges[i] = i % 7 == 0 ? 0.0F : 0.1F + 0.01F * (float)i;
    }
    scan.start_angle = -2.35;
    scan.step_angle = 0.00436;
    scan.ranges = scan.intensities = ranges;
    scan.n_ranges = scan.n_intensities = BEAMS;
    return convert(arena, &doppel__scan__descriptor, "scan", &scan, ret_type);
}

static void *make_odometry(struct dpl_arena *arena, const struct ros2_type **ret_type)
{
    Doppel__Odometry odometry = DOPPEL__ODOMETRY__INIT;
    Doppel__Pose2 pose = DOPPEL__POSE2__INIT;
    pose.x = 1.25;
    pose.theta = -0.5;
    odometry.pose = &pose;
    return convert(arena, &doppel__odometry__descriptor, "odom", &odometry, ret_type);
}

static void *make_joints(struct dpl_arena *arena, const struct ros2_type **ret_type)
{
    static double values[6] = {0.1, -0.2, 0.3, 1e-300, -1e300, 5};
    Doppel__JointState joints = DOPPEL__JOINT_STATE__INIT;
    joints.valid = true;
    joints.position = joints.velocity = joints.effort = values;
    joints.n_position = joints.n_velocity = joints.n_effort = 6;
    return convert(arena, &doppel__joint_state__descriptor, "joint_states", &joints, ret_type);
}

static void *make_imu(struct dpl_arena *arena, const struct ros2_type **ret_type)
{
    Doppel__Imu imu = DOPPEL__IMU__INIT;
    imu.valid = true;
    imu.roll = 0.1;
    imu.pitch = -0.2;
    imu.yaw = 3.0;
    imu.acceleration_z = 9.81;
    return convert(arena, &doppel__imu__descriptor, "imu", &imu, ret_type);
}

static void *make_pose(struct dpl_arena *arena, const struct ros2_type **ret_type)
{
    Doppel__LocalizedPose pose = DOPPEL__LOCALIZED_POSE__INIT;
    return convert(arena, &doppel__localized_pose__descriptor, "pose", &pose, ret_type);
}

static void *make_command(struct dpl_arena *arena, const struct ros2_type **ret_type)
{
    Doppel__VelocityCommand command = DOPPEL__VELOCITY_COMMAND__INIT;
    Doppel__Twist2 twist = DOPPEL__TWIST2__INIT;
    twist.linear = 0.25;
    command.active = true;
    command.twist = &twist;
    return convert(arena, &doppel__velocity_command__descriptor, "cmd_vel_out", &command, ret_type);
}

static void *make_twist(struct dpl_arena *arena, const struct ros2_type **ret_type)
{
    geometry_msgs_msg_dds__Twist_ *twist = dpl_arena_alloc(arena, sizeof *twist);
    twist->linear.x = 0.1;
    twist->angular.z = -7.0;
    *ret_type = &row_of(&doppel__velocity_command__descriptor, "cmd_vel")->ros;
    return twist;
}

static void *make_points(struct dpl_arena *arena, const struct ros2_type **ret_type)
{
    static uint8_t data[12 * BEAMS];
    static char name[] = "x";
    Foxglove__PointCloud cloud;
    Foxglove__PackedElementField field, *fields[] = {&field};
    foxglove__point_cloud__init(&cloud);
    foxglove__packed_element_field__init(&field);
    for (size_t i = 0; i < sizeof data; i++) {
        data[i] = (uint8_t)(i * 31);
    }
    field.name = name;
    field.type = FOXGLOVE__PACKED_ELEMENT_FIELD__NUMERIC_TYPE__FLOAT32;
    cloud.fields = fields;
    cloud.n_fields = 1;
    cloud.point_stride = 12;
    cloud.data = (ProtobufCBinaryData){sizeof data, data};
    return convert(arena, &foxglove__point_cloud__descriptor, "points", &cloud, ret_type);
}

static void *make_transforms(struct dpl_arena *arena, const struct ros2_type **ret_type)
{
    static char parent[] = "odom", child[] = "base_link";
    Foxglove__FrameTransforms all = FOXGLOVE__FRAME_TRANSFORMS__INIT;
    Foxglove__FrameTransform one, *list[] = {&one, &one};
    Foxglove__Vector3 translation = FOXGLOVE__VECTOR3__INIT;
    Foxglove__Quaternion rotation = FOXGLOVE__QUATERNION__INIT;
    foxglove__frame_transform__init(&one);
    translation.x = 3.5;
    rotation.w = 1.0;
    one.parent_frame_id = parent;
    one.child_frame_id = child;
    one.translation = &translation;
    one.rotation = &rotation;
    all.transforms = list;
    all.n_transforms = 2;
    return convert(arena, &foxglove__frame_transforms__descriptor, "tf", &all, ret_type);
}

static void *make_log(struct dpl_arena *arena, const struct ros2_type **ret_type)
{
    static char text[] = "Räder stehen";
    Foxglove__Log log;
    foxglove__log__init(&log);
    log.message = text;
    log.level = FOXGLOVE__LOG__LEVEL__WARNING;
    log.line = 7;
    return convert(arena, &foxglove__log__descriptor, "rosout", &log, ret_type);
}

static void *make_clock(struct dpl_arena *arena, const struct ros2_type **ret_type)
{
    rosgraph_msgs_msg_dds__Clock_ *clock = dpl_arena_alloc(arena, sizeof *clock);
    clock->clock = ros2_time(-1);
    *ret_type = &ros2_clock;
    return clock;
}

static void *make_text(struct dpl_arena *arena, const struct ros2_type **ret_type)
{
    std_msgs_msg_dds__String_ *text = dpl_arena_alloc(arena, sizeof *text);
    text->data = dpl_arena_alloc(arena, 100001);
    memset(text->data, 'x', 100000);
    *ret_type = &ros2_description;
    return text;
}

static void *make_diagnostics(struct dpl_arena *arena, const struct ros2_type **ret_type)
{
    diagnostic_msgs_msg_dds__DiagnosticArray_ *all = dpl_arena_alloc(arena, sizeof *all);
    diagnostic_msgs_msg_dds__DiagnosticStatus_ *one = dpl_arena_alloc(arena, 3 * sizeof *one);
    diagnostic_msgs_msg_dds__KeyValue_ *value = dpl_arena_alloc(arena, sizeof *value);
    *value = (diagnostic_msgs_msg_dds__KeyValue_){ros2_text("key"), ros2_text("")};
    for (size_t i = 0; i < 3; i++) {
        one[i] = (diagnostic_msgs_msg_dds__DiagnosticStatus_){
            (uint8_t)i, ros2_text("a"), ros2_text("bc"), ros2_text(""), {1, 1, value, false}};
    }
    all->header = ros2_header(5, "");
    all->status = (dds_sequence_diagnostic_msgs_msg_dds__DiagnosticStatus_){3, 3, one, false};
    *ret_type = &ros2_diagnostics;
    return all;
}

/* ---- the round trip ---- */

/* The newest message of a reader as bytes, which the caller frees; NULL: there is none. */
static char *take_bytes(dds_entity_t reader, uint32_t *ret_n)
{
    struct ddsi_serdata *data = NULL;
    dds_sample_info_t info;
    if (dds_takecdr(reader, &data, 1, &info, DDS_ANY_STATE) < 1) {
        return NULL;
    }
    *ret_n = ddsi_serdata_size(data);
    char *bytes = malloc(*ret_n);
    if (bytes) {
        ddsi_serdata_to_ser(data, 0, *ret_n, bytes);
    }
    ddsi_serdata_unref(data);
    return bytes;
}

/* Without the bytes that fill the last word: the header names the representation, and may say how
 * many these are. */
static bool are_the_same(const char *a, uint32_t n_a, const char *b, uint32_t n_b)
{
    uint32_t n = n_a < n_b ? n_a : n_b, n_fill = n > 4 ? (uint32_t)(a[3] | b[3]) & 3 : 0;
    n -= n % 4 == 0 ? n_fill : 0;
    return n > 4 && (n_a + 3) / 4 == (n_b + 3) / 4 && memcmp(a, b, 2) == 0 &&
           memcmp(a + 4, b + 4, n - 4) == 0;
}

static bool round_trip(struct ros2_node *node,
                       void *(*make)(struct dpl_arena *arena, const struct ros2_type **ret_type))
{
    struct dpl_arena arena = {0};
    const struct ros2_type *type;
    char name[64], there[96], back[96], *sent = NULL, *returned = NULL;
    uint32_t n_sent = 0, n_returned = 0;
    const void *ros = make(&arena, &type);
    struct ros2_type plain = {type->type, type->hash, ROS2_PLAIN};
    const char *end = strstr(type->type->m_typename, "dds_::") + strlen("dds_::");
    snprintf(name, sizeof name, "%.*s", (int)strlen(end) - 1, end);
    snprintf(there, sizeof there, "/echo/%s", name);
    snprintf(back, sizeof back, "/echoed/%s", name);
    struct ros2_endpoint *mine = ros2_node_add(node, there, &plain, false);
    struct ros2_endpoint *writer = ros2_node_add(node, there, &plain, true);
    struct ros2_endpoint *reader = ros2_node_add(node, back, &plain, false);
    dds_subscription_matched_status_t from = {0};
    dds_publication_matched_status_t to = {0};
    for (int i = 0; i < TRIES && (from.current_count < 1 || to.current_count < 2); i++) {
        rest();
        dds_get_subscription_matched_status(reader->entity, &from);
        dds_get_publication_matched_status(writer->entity, &to);
    }
    ros2_endpoint_write(writer, ros);
    for (int i = 0; i < TRIES && !returned; i++) {
        rest();
        sent = sent ? sent : take_bytes(mine->entity, &n_sent);
        returned = take_bytes(reader->entity, &n_returned);
    }
    bool same = sent && returned && are_the_same(sent, n_sent, returned, n_returned);
    printf("%s: %s, %u bytes\n", name,
           same       ? "the same"
           : returned ? "DIFFERENT"
                      : "NOTHING came back",
           n_returned);
    free(sent);
    free(returned);
    dpl_arena_finish(&arena);
    return same;
}

int main(void)
{
    static void *(*const makers[])(struct dpl_arena * arena, const struct ros2_type **ret_type) = {
        make_scan,    make_odometry, make_joints,     make_imu, make_pose,
        make_command, make_twist,    make_points,     make_log, make_transforms,
        make_clock,   make_text,     make_diagnostics};
    static const struct dpl_observer_ops ops = {.listen = listen_to, .tell = tell};
    struct dpl_gateway_setup setup = {.ops = &ops, .name = "echo"};
    struct dpl_diag why = {0};
    struct ros2_node node;
    size_t n = 0;
    if (ros2_node_open(&node, &setup, &why) < 0) {
        fprintf(stderr, "%s\n", why.text);
        return 1;
    }
    for (size_t i = 0; i < DPL_COUNT(makers); i++) {
        n += round_trip(&node, makers[i]);
    }
    ros2_node_close(&node);
    return n == DPL_COUNT(makers) ? 0 : 1;
}
