/* SPDX-License-Identifier: Apache-2.0 */
/* The hardware driver of wheel bases that are nodes of ROS 2: nav_msgs/Odometry comes, Twist or
 * TwistStamped goes. The ways of the wheels are made from the odometry's poses, with the nominal
 * geometry. All functions but open and close run on the control thread. */
#include <math.h>
#include <string.h>

#include <doppel/drive/wheel_line.h>
#include <doppel/plugin.h>

#include "ros2_link.h"

#define PERIOD_MS    10
#define COMMAND_GAP  (19 * DPL_MS)
#define LAST_ZEROS   25 /* after the motors are off; then another node may drive */
#define DEFAULT_LEAD 0.06

struct properties {
    struct dpl_wheel_line_properties line; /* `address`: topic of the odometry */
    struct ros2_link_properties link;
    char command_topic[256];
    double filter_ms;
};

_Static_assert(sizeof(struct ros2_counts) ==
                   sizeof((struct dpl_wheel_line_sample *)NULL)->details.counts,
               "all counters");

struct state {
    struct dpl_wheel_line line; /* the first member */
    struct ros2_link link;
    struct dpl_pose2 pose; /* of the last message */
    bool has_pose;
    struct dpl_drive_wheels angles;
    dpl_ns sent_at;
    unsigned n_zeros;
};

static struct state *state_of(const struct dpl_wheel_line *line)
{
    return line->device->state;
}

static void send_twist(struct state *state, struct dpl_twist2 twist, dpl_ns now)
{
    state->sent_at = now;
    state->link.dds->send(state->link.peer, &twist);
}

/* The way between two poses, along the mean heading. */
static void roll(struct state *state, const struct dpl_pose2 *to)
{
    const struct dpl_pose2 *from = &state->pose;
    double turned = dpl_wrap_angle(to->theta - from->theta);
    double middle = from->theta + turned / 2.0;
    double way = (to->x - from->x) * cos(middle) + (to->y - from->y) * sin(middle);
    struct dpl_drive_wheels wheels =
        dpl_drive_wheels_from_twist(&state->line.control.nominal, (struct dpl_twist2){way, turned});
    state->angles.left += wheels.left;
    state->angles.right += wheels.right;
}

static void take_all(struct state *state, dpl_ns now)
{
    struct ros2_pose_reading reading;
    while (ros2_link_take(&state->link, &reading, &reading.stamp, now)) {
        if (state->has_pose) {
            roll(state, &reading.pose);
        }
        state->has_pose = true;
        state->pose = reading.pose;
        const struct dpl_wheel_feedback feedback = {.stamp = reading.stamp,
                                                    .angles = state->angles};
        if (state->line.is_reached) {
            dpl_wheel_line_feed(&state->line, &feedback);
        }
    }
}

static const char *lack(struct dpl_wheel_line *line)
{
    struct state *state = state_of(line);
    struct ros2_counts counts;
    ros2_link_tell(&state->link, &counts, line->now);
    memcpy(line->control.sample.details.counts, &counts, sizeof counts);
    take_all(state, line->now);
    return state->link.dds->lack(state->link.peer);
}

static void on_opened(struct dpl_wheel_line *line, dpl_ns now)
{
    struct state *state = state_of(line);
    ros2_link_forget(&state->link);
    state->has_pose = false;
    state->n_zeros = 0;
    send_twist(state, (struct dpl_twist2){0}, now);
}

static void on_timer(struct dpl_wheel_line *line, dpl_ns now)
{
    struct state *state = state_of(line);
    if (now - state->sent_at < COMMAND_GAP) {
        return;
    }
    struct dpl_twist2 twist = dpl_wheel_control_step(&line->control, now);
    bool may_move = line->control.setpoint.enabled && line->control.sample.valid;
    bool rests = !may_move && twist.linear == 0.0 && twist.angular == 0.0;
    state->n_zeros = rests ? state->n_zeros + (state->n_zeros < LAST_ZEROS) : 0;
    if (state->n_zeros < LAST_ZEROS) {
        send_twist(state, twist, now);
    }
}

static void on_halt(struct dpl_wheel_line *line, dpl_ns now)
{
    dpl_wheel_control_halt(&line->control, now);
    send_twist(state_of(line), (struct dpl_twist2){0}, now);
}

static const struct dpl_wheel_line_ops line_ops = {
    .opened = on_opened,
    .timer = on_timer,
    .halt = on_halt,
    .lack = lack,
};

/* ---- opening and closing ---- */

static int ros2_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    const struct ros2_peer_config peer = {
        .kind = ROS2_ODOMETRY,
        .topic = props->line.address,
        .order = ROS2_TWIST,
        .order_topic = props->command_topic,
    };
    const struct dpl_wheel_line_config line = {
        .ops = &line_ops,
        .properties = &props->line,
        .lead_s = DEFAULT_LEAD,
        .twist_filter_s = props->filter_ms * 1e-3,
        .period_ms = PERIOD_MS,
        .no_feedback = "no odometry comes",
        .silent = "its odometry is silent",
    };
    int r = ros2_link_open(&state->link, device, &props->link, &peer, reterr);
    if (r == 0) {
        r = dpl_wheel_line_open(&state->line, device, &line, reterr);
    }
    if (r < 0) {
        ros2_link_close(&state->link);
    }
    return r;
}

static void ros2_close(struct dpl_device *device)
{
    struct state *state = device->state;
    dpl_wheel_line_close(&state->line);
    ros2_link_close(&state->link);
}

static int check(const void *properties, struct dpl_diag *reterr)
{
    const struct properties *props = properties;
    int r = ros2_topic_check(props->line.address, reterr);
    return r < 0 ? r : ros2_topic_check(props->command_topic, reterr);
}

/* ---- tables ---- */

static const struct dpl_field properties[] = {
    DPL_WHEEL_BASE_FIELDS(struct properties, line.base, "0.07", "0.23", "0.2"),
    DPL_TEXT(struct properties, command_topic, "CommandTopic", "/cmd_vel",
             "velocities for the base: Twist or TwistStamped, as it reads them"),
    DPL_NUMBER(struct properties, line.silence_ms, "SilenceTimeout", "ms", "300", 40, 60000,
               "without odometry for this long the base is lost"),
    DPL_NUMBER(struct properties, filter_ms, "VelocityFilter", "ms", "40", 0, 1000,
               "time constant of the measured velocity"),
    DPL_NUMBER(struct properties, line.stop_m_s2, "StopDeceleration", "m/s^2", "0", 0, 100,
               "of a stop for cause: a lost device, a late commander; 0: 0 is sent at once"),
    ROS2_LINK_FIELDS(struct properties, line.address, "/odom", "topic of the odometry", link),
};

#define COUNTER(i_, name_, text_)                                                                  \
    DPL_EXPORT_INT(struct state, line.newest.details.counts[i_], name_, NULL, DPL_FIELD_SUMMARY,   \
                   text_)

static const struct dpl_field exports[] = {
    COUNTER(0, "messages", "taken"),
    COUNTER(1, "refused", "whose values make no sense"),
    COUNTER(2, "strangers", "of another publisher than the first one"),
    COUNTER(3, "malformed", "bytes of no message, of all topics of this process"),
    DPL_EXPORT_INT(struct state, line.report.reconnects, "reconnects", NULL, DPL_FIELD_SUMMARY,
                   "times it was there again"),
    DPL_EXPORT_INT(struct state, line.report.rejected, "rejected", NULL, DPL_FIELD_SUMMARY,
                   "steps that no wheel can make"),
};

static const struct dpl_driver driver = {
    .name = "ros2",
    .summary = "wheel base that is a node of ROS 2 (package doppel-ros2)",
    .device_class = &dpl_wheel_controller_class,
    .backend = DPL_BACKEND_HARDWARE,
    .api = dpl_wheel_line_api,
    .n_calls = DPL_DRV_WHEEL_CONTROLLER_N_CALLS,
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .open = ros2_open,
    .close = ros2_close,
    .check = check,
};

const struct dpl_plugin dpl_plugin = {DPL_PLUGIN_HEADER, .driver = &driver};
