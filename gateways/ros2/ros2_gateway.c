/* SPDX-License-Identifier: Apache-2.0 */
#include "ros2_gateway.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <uv.h>

#include <doppel/system_clock.h>

#include "ros2_convert.h"
#include "ros2_description.h"
#include "ros2_diagnostics.h"
#include "ros2_names.h"

#define TURN_MS    10
#define LOOK_EVERY 10  /* turns, of what others have */
#define TELL_EVERY 100 /* turns, of diagnostics */
#define JUMP       DPL_MS

static const struct dpl_place nowhere;

static const struct dpl_field options[] = {
    DPL_BOOL(struct dpl_ros2_options, control, "control", "false", "other nodes may command"),
    DPL_BOOL(struct dpl_ros2_options, simulated, "simulated", "false",
             "the run's clock is no time "
             "of the calendar"),
};

/* A topic of the run as one of ROS. */
struct feed {
    struct feed *next;
    const struct dpl_topic *topic;
    const struct ros2_row *row;
    struct ros2_endpoint *writer;
    struct ros2_origin origin;
    bool listens, is_mounted;
    struct dpl_pose2 mount;
};

struct gateway {
    struct ros2_node node;
    struct ros2_inputs inputs;
    struct dpl_gateway_setup setup;
    const struct dpl_ros2_options *options;
    char *application;
    uv_timer_t *timer; /* freed by the loop */
    unsigned n_turns;
    dpl_ns offset, told_clock;
    struct feed *feeds;
    struct ros2_endpoint *clock, *statics, *diagnostics, *description;
    struct ros2_description robot;
    json_t *components; /* newest of /run/components */
    bool has_moved;     /* a sensor */
    bool has_own_odom;  /* the base is a node of ROS */
};

/* ---- time ---- */

static dpl_ns run_now(const struct gateway *gateway)
{
    return gateway->setup.ops->now(gateway->setup.observer);
}

/* Stamps of a run on the real clock become times of the calendar, as other nodes have them. */
static void set_offset(struct gateway *gateway)
{
    dpl_ns offset = gateway->options->simulated ? 0 : dpl_calendar_now() - run_now(gateway);
    dpl_ns change = offset - gateway->offset;
    if (change > JUMP || change < -JUMP) {
        gateway->offset = offset;
    }
}

/* Who joins while the time stands needs it, too. */
static void tell_clock(struct gateway *gateway)
{
    dpl_ns now = run_now(gateway);
    if (gateway->clock && (now != gateway->told_clock || gateway->n_turns % LOOK_EVERY == 0)) {
        const rosgraph_msgs_msg_dds__Clock_ clock = {ros2_time(now)};
        ros2_endpoint_write(gateway->clock, &clock);
        gateway->told_clock = now;
    }
}

/* ---- what holds ---- */

static void tell_statics(struct gateway *gateway)
{
    struct dpl_arena arena = {0};
    uint32_t n = 0;
    dpl_ns stamp = run_now(gateway) + gateway->offset;
    for (const struct feed *feed = gateway->feeds; feed; feed = feed->next) {
        n += feed->is_mounted;
    }
    geometry_msgs_msg_dds__TransformStamped_ *list =
        dpl_arena_alloc(&arena, (n + 1) * sizeof *list);
    n = 0;
    for (const struct feed *feed = gateway->feeds; feed; feed = feed->next) {
        const char *prefix = feed->origin.is_avatar ? "avatar/" : "";
        if (feed->is_mounted) {
            list[n++] = ros2_transform(
                stamp, dpl_arena_printf(&arena, "%sbase_link", prefix),
                dpl_arena_printf(&arena, "%s%s", prefix, feed->origin.component), &feed->mount);
        }
    }
    const tf2_msgs_msg_dds__TFMessage_ all = {{n, n, list, false}};
    ros2_endpoint_write(gateway->statics, &all);
    dpl_arena_finish(&arena);
    gateway->has_moved = false;
}

static void tell_description(struct gateway *gateway)
{
    struct dpl_bytes bytes = {0};
    ros2_description_write(&gateway->robot, gateway->application, &bytes);
    if (!bytes.failed) {
        const std_msgs_msg_dds__String_ text = {(char *)bytes.data};
        ros2_endpoint_write(gateway->description, &text);
    }
    dpl_bytes_finish(&bytes);
    gateway->robot.has_changed = false;
}

static void tell_diagnostics(const struct gateway *gateway)
{
    struct dpl_arena arena = {0};
    ros2_diagnostics_write(gateway->diagnostics, gateway->components, gateway->application,
                           &gateway->inputs, run_now(gateway) + gateway->offset, &arena);
    dpl_arena_finish(&arena);
}

/* ---- turns ---- */

/* Lines are listened to in any case, and a sensor until it is known where it is. */
static void listen_to_feeds(const struct gateway *gateway)
{
    for (struct feed *feed = gateway->feeds; feed; feed = feed->next) {
        bool wanted = feed->row->ros.qos == ROS2_LINES || (feed->row->mount && !feed->is_mounted) ||
                      ros2_endpoint_is_read(feed->writer);
        if (wanted != feed->listens) {
            feed->listens = wanted;
            gateway->setup.ops->listen(gateway->setup.observer, feed->topic, wanted ? 1 : -1);
        }
    }
}

static void on_turn(uv_timer_t *timer)
{
    struct gateway *gateway = timer->data;
    set_offset(gateway);
    ros2_inputs_turn(&gateway->inputs);
    tell_clock(gateway);
    if (gateway->n_turns % LOOK_EVERY == 0) {
        ros2_node_turn(&gateway->node);
        listen_to_feeds(gateway);
    }
    if (gateway->has_moved) {
        tell_statics(gateway);
    }
    if (gateway->n_turns % TELL_EVERY == 0) {
        if (gateway->robot.has_changed && gateway->description) {
            tell_description(gateway);
        }
        tell_diagnostics(gateway);
    }
    gateway->n_turns++;
}

/* ---- topics ---- */

static void add_feed(struct gateway *gateway, const struct dpl_topic *topic,
                     const struct ros2_row *row)
{
    char name[ROS2_NAME_MAX];
    struct feed *feed = calloc(1, sizeof *feed);
    unsigned attempt = 0;
    if (!feed) {
        return;
    }
    ros2_origin_read(topic->name, &feed->origin);
    do {
        ros2_name_make(&feed->origin, row->name, attempt++, name, sizeof name);
    } while (attempt < 3 && ros2_node_has(&gateway->node, name));
    /* A device takes it from another node: it is not published a second time. */
    feed->writer = ros2_session_takes(name, &row->ros)
                       ? NULL
                       : ros2_node_add(&gateway->node, name, &row->ros, true);
    if (!feed->writer) {
        free(feed);
        return;
    }
    feed->topic = topic;
    feed->row = row;
    feed->next = gateway->feeds;
    gateway->feeds = feed;
}

static bool is_of_base(const struct ros2_row *row)
{
    return strcmp(row->name, "odom") == 0;
}

static void advertise(void *self, const struct dpl_topic *topic)
{
    struct gateway *gateway = self;
    for (size_t i = 0; i < ros2_n_rows; i++) {
        const struct ros2_row *row = &ros2_rows[i];
        if (!row->to || strcmp(topic->schema_name, row->ours->name) != 0 ||
            (row->topic && strcmp(row->topic, topic->name) != 0)) {
            continue;
        }
        add_feed(gateway, topic, row);
        if (is_of_base(row) && !gateway->description) {
            gateway->description =
                ros2_node_add(&gateway->node, "/robot_description", &ros2_description, true);
            gateway->robot.has_changed = true;
        }
    }
    ros2_inputs_see(&gateway->inputs, topic);
    if (strcmp(topic->name, "/run/inputs") == 0 || strcmp(topic->name, "/run/components") == 0 ||
        strcmp(topic->name, "/scene") == 0) {
        gateway->setup.ops->listen(gateway->setup.observer, topic, 1);
    }
}

/* ---- messages ---- */

static void look_at_mount(struct gateway *gateway, struct feed *feed, const void *message)
{
    struct dpl_pose2 mount = feed->row->mount(message);
    if (feed->is_mounted && mount.x == feed->mount.x && mount.y == feed->mount.y &&
        mount.theta == feed->mount.theta) {
        return;
    }
    if (!feed->is_mounted && !feed->origin.is_avatar) {
        ros2_description_sensor(&gateway->robot, feed->origin.component, &mount);
    }
    feed->mount = mount;
    feed->is_mounted = true;
    gateway->has_moved = true;
}

/* A base that is a node itself publishes its odometry's frame, which does not begin where ours
 * does. Whether others are left. */
static bool leave_out_odom(tf2_msgs_msg_dds__TFMessage_ *all)
{
    geometry_msgs_msg_dds__TransformStamped_ *list = all->transforms._buffer;
    uint32_t n = 0;
    for (uint32_t i = 0; i < all->transforms._length; i++) {
        if (strcmp(list[i].header.frame_id, "odom") != 0 &&
            strcmp(list[i].child_frame_id, "odom") != 0) {
            list[n++] = list[i];
        }
    }
    all->transforms._length = n;
    return n > 0;
}

static void convert(struct gateway *gateway, struct feed *feed, const ProtobufCMessage *message,
                    dpl_ns stamp)
{
    struct dpl_arena arena = {0};
    const char *prefix = feed->origin.is_avatar ? "avatar/" : "";
    const struct ros2_context context = {stamp + gateway->offset, gateway->offset, prefix,
                                         feed->origin.component, &arena};
    void *ros = dpl_arena_alloc(&arena, feed->row->ros.type->m_size);
    if (feed->row->mount) {
        look_at_mount(gateway, feed, message);
    }
    bool is_made = feed->row->to(&context, message, ros);
    if (is_made && feed->row->ros.qos == ROS2_TRANSFORM && gateway->has_own_odom) {
        is_made = leave_out_odom(ros);
    }
    if (is_made) {
        ros2_endpoint_write(feed->writer, ros);
    }
    dpl_arena_finish(&arena);
}

static void take_json(struct gateway *gateway, const struct dpl_topic *topic,
                      const struct dpl_sample *sample)
{
    if (strcmp(topic->name, "/run/inputs") == 0) {
        ros2_inputs_set(&gateway->inputs, sample->data, sample->n);
    } else if (strcmp(topic->name, "/run/components") == 0) {
        json_decref(gateway->components);
        gateway->components = json_loadb(sample->data, sample->n, 0, NULL);
    }
}

static void take_message(void *self, const struct dpl_topic *topic, const struct dpl_sample *sample)
{
    struct gateway *gateway = self;
    ProtobufCMessage *message = NULL;
    if (strcmp(topic->encoding, "json") == 0) {
        take_json(gateway, topic, sample);
        return;
    }
    if (strcmp(topic->name, "/scene") == 0) {
        ros2_description_scene(&gateway->robot, sample->data, sample->n);
        return;
    }
    for (struct feed *feed = gateway->feeds; feed; feed = feed->next) {
        if (feed->topic != topic || !feed->listens) {
            continue;
        }
        message = message
                      ? message
                      : protobuf_c_message_unpack(feed->row->ours, NULL, sample->n, sample->data);
        if (message) {
            convert(gateway, feed, message, sample->stamp);
        }
    }
    if (message) {
        protobuf_c_message_free_unpacked(message, NULL);
    }
}

static void take_answer(void *self, const struct dpl_answer *answer)
{
    ros2_inputs_answer(&((struct gateway *)self)->inputs, answer);
}

/* ---- life ---- */

static void free_handle(uv_handle_t *handle)
{
    free(handle);
}

static int close_gateway(void *self, struct dpl_diag *reterr)
{
    struct gateway *gateway = self;
    (void)reterr;
    if (gateway->timer) {
        uv_close((uv_handle_t *)gateway->timer, free_handle);
    }
    ros2_node_close(&gateway->node);
    for (struct feed *feed = gateway->feeds, *next; feed; feed = next) {
        next = feed->next;
        free(feed);
    }
    ros2_description_finish(&gateway->robot);
    json_decref(gateway->components);
    free(gateway->application);
    free(gateway);
    return 0;
}

static bool add_own(struct gateway *gateway)
{
    struct ros2_node *node = &gateway->node;
    gateway->statics = ros2_node_add(node, "/tf_static", &ros2_static_transforms, true);
    gateway->diagnostics = ros2_node_add(node, "/diagnostics", &ros2_diagnostics, true);
    if (gateway->options->simulated) {
        gateway->clock = ros2_node_add(node, "/clock", &ros2_clock, true);
    }
    return gateway->statics && gateway->diagnostics &&
           (gateway->clock || !gateway->options->simulated);
}

static int open_gateway(const struct dpl_gateway_setup *setup, void **ret_self,
                        struct dpl_diag *reterr)
{
    struct gateway *gateway = calloc(1, sizeof *gateway);
    uv_timer_t *timer = malloc(sizeof *timer);
    char *application = strdup(setup->name);
    int r = gateway && timer && application ? ros2_node_open(&gateway->node, setup, reterr)
                                            : dpl_fail(reterr, -ENOMEM, nowhere, "no memory");
    if (r < 0) {
        free(gateway);
        free(timer);
        free(application);
        return r;
    }
    gateway->setup = *setup;
    gateway->options = setup->options;
    gateway->application = application;
    gateway->inputs.node = &gateway->node;
    gateway->inputs.gateway = gateway;
    gateway->inputs.may_control = gateway->options->control;
    gateway->timer = timer;
    uv_timer_init(setup->loop, timer);
    timer->data = gateway;
    uv_timer_start(timer, on_turn, 0, TURN_MS);
    gateway->has_own_odom = ros2_session_takes(NULL, &ros2_odometry);
    set_offset(gateway);
    if (!add_own(gateway)) {
        close_gateway(gateway, NULL);
        return dpl_fail(reterr, -EIO, nowhere, "DDS refuses the topics of the node");
    }
    *ret_self = gateway;
    return 0;
}

const struct dpl_gateway dpl_ros2_gateway = {
    .name = "ros2",
    .summary = "makes the run a node of ROS 2",
    .options = options,
    .n_options = DPL_COUNT(options),
    .options_size = sizeof(struct dpl_ros2_options),
    .open = open_gateway,
    .advertise = advertise,
    .message = take_message,
    .answer = take_answer,
    .close = close_gateway,
};
