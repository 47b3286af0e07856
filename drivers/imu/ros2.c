/* SPDX-License-Identifier: Apache-2.0 */
/* The hardware driver of inertial sensors that are nodes of ROS 2 (sensor_msgs/Imu). */
#include <doppel/drive/sensor_line.h>
#include <doppel/drv/imu.h>
#include <doppel/plugin.h>

#include "ros2_link.h"

struct properties {
    struct dpl_sensor_line_properties line; /* `address`: the topic */
    struct ros2_link_properties link;
};

struct slot {
    struct dpl_imu_sample sample;
    struct ros2_counts counts;
};

struct state {
    struct dpl_sensor_line line; /* the first member */
    struct slot slots[3], newest;
    struct ros2_link link; /* control thread, and what follows */
    struct ros2_counts counts;
    uint64_t sequence;
};

static void poll_samples(struct dpl_sensor_line *line, dpl_ns now)
{
    struct state *state = line->device->state;
    struct dpl_imu_sample sample;
    if (dpl_device_is_lost(line->device)) {
        ros2_link_forget(&state->link);
    }
    ros2_link_tell(&state->link, &state->counts, now);
    while (ros2_link_take(&state->link, &sample, &sample.stamp, now)) {
        sample.sequence = ++state->sequence;
        *(struct slot *)dpl_sensor_line_back(line) = (struct slot){sample, state->counts};
        dpl_sensor_line_publish(line);
        dpl_sensor_line_heard(line, now);
    }
}

static const char *lack(const struct dpl_sensor_line *line)
{
    const struct state *state = line->device->state;
    const char *why = state->link.dds->lack(state->link.peer);
    return why ? why : "no measurement comes";
}

static const struct dpl_sensor_line_ops line_ops = {.poll = poll_samples, .lack = lack};

static int ros2_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    const struct ros2_peer_config peer = {.kind = ROS2_IMU, .topic = props->line.address};
    const struct dpl_sensor_line_config config = {
        .ops = &line_ops,
        .properties = &props->line,
        .period_ms = 5,
        .slots = state->slots,
        .newest = &state->newest,
        .slot_size = sizeof state->newest,
        .read_size = sizeof state->newest.sample,
    };
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
    ros2_link_close(&state->link);
}

static int check(const void *properties, struct dpl_diag *reterr)
{
    const struct properties *props = properties;
    return ros2_topic_check(props->line.address, reterr);
}

static const dpl_device_call_fn api[DPL_DRV_IMU_N_CALLS] = {
    [DPL_DRV_IMU_EXECUTE] = dpl_sensor_line_execute,
    [DPL_DRV_IMU_READ] = dpl_sensor_line_read,
};

static const struct dpl_field properties[] = {
    DPL_NUMBER(struct properties, line.silence_ms, "SilenceTimeout", "ms", "500", 20, 60000,
               "without a measurement for this long the sensor is lost"),
    ROS2_LINK_FIELDS(struct properties, line.address, "/imu",
                     "topic of the measurements; without an orientation its angles are 0", link),
};

static const struct dpl_field exports[] = {
    ROS2_LINK_EXPORTS(struct state, newest.counts),
};

static const struct dpl_driver driver = {
    .name = "ros2",
    .summary = "inertial sensor that is a node of ROS 2 (package doppel-ros2)",
    .device_class = &dpl_imu_class,
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
