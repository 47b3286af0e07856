/* SPDX-License-Identifier: Apache-2.0 */
/* The hardware driver of joints that are nodes of ROS 2: JointState comes; positions go to a
 * controller of trajectories, or positions, velocities or efforts to one that forwards them
 * (Float64MultiArray). Limits and ramps are those of the controller, or of the application. */
#include <errno.h>
#include <string.h>

#include <doppel/drive/sensor_line.h>
#include <doppel/drv/joints.h>
#include <doppel/plugin.h>

#include "joint_names.h"
#include "ros2_link.h"

_Static_assert((int)ROS2_JOINT_SIZE == (int)JOINT_NAME_SIZE, "names of joints");

enum controller { TRAJECTORY, POSITION, VELOCITY, EFFORT };

struct properties {
    struct dpl_sensor_line_properties line; /* `address`: topic of the joints' state */
    struct ros2_link_properties link;
    char joints[2048], command_topic[256];
    int controller;
    double reach_ms;
};

struct slot {
    struct dpl_joints_state sample;
    struct ros2_counts counts;
    uint64_t losses; /* of the joints, and of who commands them */
};

struct order {
    struct dpl_joints_command command; /* n 0: the joints rest */
    uint64_t losses;                   /* known to who commanded it */
};

struct state {
    struct dpl_sensor_line line; /* the first member */
    struct slot slots[3], newest;
    bool is_enabled;
    struct {
        struct dpl_latest sync;
        struct order slot[3];
    } orders; /* calls -> control thread */
    /* control thread */
    struct ros2_link link;
    struct slot known;
    bool has_commanded; /* since the last rest */
    bool is_stopped;
};

/* ---- control thread ---- */

static void send_values(struct state *state, const double *values)
{
    const struct properties *props = state->line.device->properties;
    const struct ros2_joint_order order = {values, props->reach_ms * 1e-3};
    state->link.dds->send(state->link.peer, &order);
}

/* Where they are, or no velocities and efforts: once, after commands. */
static void rest(struct state *state)
{
    static const double zeros[DPL_JOINTS_MAX];
    const struct properties *props = state->line.device->properties;
    bool moves = props->controller == VELOCITY || props->controller == EFFORT;
    if (state->has_commanded) {
        send_values(state, moves ? zeros : state->known.sample.position);
    }
    state->has_commanded = false;
}

/* Nobody commands any more, or what was commanded is from before a loss. */
static void stop_for_cause(struct state *state)
{
    if (!state->is_stopped) {
        state->is_stopped = true;
        state->known.losses++;
        rest(state);
    }
}

static void obey(struct state *state)
{
    const struct dpl_device *device = state->line.device;
    if (!dpl_device_is_commanded(device) || dpl_device_is_halted(device) ||
        dpl_device_is_lost(device)) {
        stop_for_cause(state);
    } else {
        state->is_stopped = false;
    }
    if (!dpl_latest_update(&state->orders.sync)) {
        return;
    }
    const struct order *order = &state->orders.slot[dpl_latest_front(&state->orders.sync)];
    if (order->command.n == 0) {
        rest(state);
    } else if (!state->is_stopped && order->losses == state->known.losses) {
        state->has_commanded = true;
        send_values(state, order->command.value);
    }
}

static void poll_joints(struct dpl_sensor_line *line, dpl_ns now)
{
    struct state *state = line->device->state;
    struct dpl_joints_state sample;
    const char *why = state->link.dds->lack(state->link.peer);
    if (dpl_device_is_lost(line->device)) {
        ros2_link_forget(&state->link);
    }
    ros2_link_tell(&state->link, &state->known.counts, now);
    while (ros2_link_take(&state->link, &sample, &sample.stamp, now)) {
        state->known.sample = sample;
        if (!why) {
            dpl_sensor_line_heard(line, now);
        }
    }
    if (why) {
        dpl_device_lost(line->device, "%s", why);
    }
    obey(state);
    *(struct slot *)dpl_sensor_line_back(line) = state->known;
    dpl_sensor_line_publish(line);
}

static const char *lack(const struct dpl_sensor_line *line)
{
    (void)line;
    return "nothing is heard of its joints";
}

static const struct dpl_sensor_line_ops line_ops = {.poll = poll_joints, .lack = lack};

/* ---- opening and closing ---- */

static int ros2_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    struct joint_names names;
    joint_names_parse(props->joints, &names);
    const struct ros2_peer_config peer = {
        .kind = ROS2_JOINTS,
        .topic = props->line.address,
        .order = props->controller == TRAJECTORY ? ROS2_TRAJECTORY : ROS2_VALUES,
        .order_topic = props->command_topic,
        .n_joints = names.n,
        .joints = names.name,
    };
    const struct dpl_sensor_line_config config = {
        .ops = &line_ops,
        .properties = &props->line,
        .period_ms = 5,
        .slots = state->slots,
        .newest = &state->newest,
        .slot_size = sizeof state->newest,
    };
    state->newest.sample.n = state->known.sample.n = (int64_t)names.n;
    dpl_latest_init(&state->orders.sync);
    int r = ros2_link_open(&state->link, device, &props->link, &peer, reterr);
    if (r == 0) {
        r = dpl_sensor_line_open(&state->line, device, &config, reterr);
    }
    if (r < 0) {
        ros2_link_close(&state->link);
    }
    return r;
}

static void ros2_close(struct dpl_device *device)
{
    struct state *state = device->state;
    dpl_sensor_line_close(&state->line);
    rest(state);
    ros2_link_close(&state->link);
}

/* ---- calls ---- */

static void order(struct state *state, const struct dpl_joints_command *command)
{
    state->orders.slot[dpl_latest_back(&state->orders.sync)] =
        (struct order){*command, state->newest.losses};
    dpl_latest_publish(&state->orders.sync);
}

static bool is_ready(const struct state *state)
{
    return state->is_enabled && state->newest.sample.valid;
}

static int ros2_enable(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    (void)in, (void)out;
    state->is_enabled = !dpl_device_is_lost(device);
    return state->is_enabled ? 0 : -ENODEV;
}

static int ros2_stop(struct dpl_device *device, const void *in, void *out)
{
    (void)in, (void)out;
    order(device->state, &(struct dpl_joints_command){0});
    return dpl_device_is_lost(device) ? -ENODEV : 0;
}

static int ros2_disable(struct dpl_device *device, const void *in, void *out)
{
    ((struct state *)device->state)->is_enabled = false;
    (void)ros2_stop(device, in, out);
    return 0;
}

static int ros2_command(struct dpl_device *device, const void *in, void *out)
{
    static const enum dpl_joints_mode modes[] = {[TRAJECTORY] = DPL_JOINTS_POSITION,
                                                 [POSITION] = DPL_JOINTS_POSITION,
                                                 [VELOCITY] = DPL_JOINTS_VELOCITY,
                                                 [EFFORT] = DPL_JOINTS_EFFORT};
    const struct properties *props = device->properties;
    const struct dpl_joints_command *command = in;
    struct state *state = device->state;
    (void)out;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    if (command->n != state->newest.sample.n ||
        (int)command->mode != (int)modes[props->controller]) {
        return -EINVAL;
    }
    if (!is_ready(state)) {
        return -EPERM;
    }
    order(state, command);
    return 0;
}

static int ros2_read(struct dpl_device *device, const void *in, void *out)
{
    const struct state *state = device->state;
    struct dpl_joints_state *ret = out;
    (void)in;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    *ret = state->newest.sample;
    ret->ready = is_ready(state);
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_JOINTS_N_CALLS] = {
    [DPL_DRV_JOINTS_ENABLE] = ros2_enable,
    [DPL_DRV_JOINTS_DISABLE] = ros2_disable,
    [DPL_DRV_JOINTS_COMMAND] = ros2_command,
    [DPL_DRV_JOINTS_STOP] = ros2_stop,
    [DPL_DRV_JOINTS_EXECUTE] = dpl_sensor_line_execute,
    [DPL_DRV_JOINTS_READ] = ros2_read,
};

static int check(const void *properties, struct dpl_diag *reterr)
{
    const struct properties *props = properties;
    int r = ros2_topic_check(props->line.address, reterr);
    return r < 0 ? r : ros2_topic_check(props->command_topic, reterr);
}

/* ---- tables ---- */

static const struct dpl_field properties[] = {
    JOINT_NAMES_FIELD(struct properties, joints),
    DPL_TEXT(struct properties, command_topic, "CommandTopic",
             "/joint_trajectory_controller/joint_trajectory",
             "of the controller; one that forwards: /forward_position_controller/commands"),
    DPL_CHOICE(struct properties, controller, "Controller", "trajectory",
               "trajectory|position|velocity|effort",
               "what it takes: JointTrajectory, or Float64MultiArray of this mode"),
    DPL_NUMBER(struct properties, reach_ms, "ReachTime", "ms", "100", 1, 10000,
               "from a trajectory's command to its position"),
    DPL_NUMBER(struct properties, line.silence_ms, "SilenceTimeout", "ms", "300", 20, 60000,
               "without a state for this long the joints are lost"),
    ROS2_LINK_FIELDS(struct properties, line.address, "/joint_states", "topic of the joints' state",
                     link),
};

static const struct dpl_field exports[] = {
    ROS2_LINK_EXPORTS(struct state, newest.counts),
};

static const struct dpl_driver driver = {
    .name = "ros2",
    .summary = "joints that are nodes of ROS 2 (package doppel-ros2)",
    .device_class = &dpl_joints_class,
    .backend = DPL_BACKEND_HARDWARE,
    .api = api,
    .n_calls = DPL_COUNT(api),
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
