/* SPDX-License-Identifier: Apache-2.0 */
/* The hardware driver of scanners that are nodes of ROS 2 (sensor_msgs/LaserScan). Nothing turns
 * them off: they serve others, too. Its state is of the control thread, but for `newest`. */
#include <errno.h>

#include <doppel/drive/sensor_line.h>
#include <doppel/drv/laser_scanner.h>
#include <doppel/plugin.h>

#include "ros2_link.h"

struct properties {
    struct dpl_sensor_line_properties line; /* `address`: the topic */
    struct ros2_link_properties link;
};

struct sample {
    struct dpl_laser_scan scan;
    struct ros2_counts counts;
};

struct state {
    struct dpl_sensor_line line; /* the first member */
    struct sample slots[3], newest;
    struct ros2_link link;
    struct ros2_counts counts;
    uint64_t sequence;
    dpl_ns stamp; /* of the newest scan */
    char lack[ROS2_TEXT_SIZE];
};

static void poll_scans(struct dpl_sensor_line *line, dpl_ns now)
{
    struct state *state = line->device->state;
    struct sample *sample = dpl_sensor_line_back(line);
    if (dpl_device_is_lost(line->device)) {
        ros2_link_forget(&state->link);
    }
    ros2_link_tell(&state->link, &state->counts, now);
    while (ros2_link_take(&state->link, &sample->scan, &sample->scan.stamp, now)) {
        double passed_s = dpl_ns_to_s(sample->scan.stamp - state->stamp);
        if (sample->scan.period_s <= 0.0 && state->sequence > 0) {
            sample->scan.period_s = passed_s;
        }
        state->stamp = sample->scan.stamp;
        sample->scan.sequence = ++state->sequence;
        sample->counts = state->counts;
        dpl_sensor_line_publish(line);
        dpl_sensor_line_heard(line, now);
        sample = dpl_sensor_line_back(line);
    }
}

static const char *lack(const struct dpl_sensor_line *line)
{
    const struct state *state = line->device->state;
    const char *why = state->link.dds->lack(state->link.peer);
    return why ? why : "no scan comes";
}

static const struct dpl_sensor_line_ops line_ops = {.poll = poll_scans, .lack = lack};

/* ---- opening and closing ---- */

static int ros2_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    const struct ros2_peer_config peer = {.kind = ROS2_SCAN, .topic = props->line.address};
    const struct dpl_sensor_line_config config = {
        .ops = &line_ops,
        .properties = &props->line,
        .period_ms = 5,
        .slots = state->slots,
        .newest = &state->newest,
        .slot_size = sizeof state->newest,
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

/* ---- calls ---- */

static int ros2_switch(struct dpl_device *device, const void *in, void *out)
{
    (void)in, (void)out;
    return dpl_device_is_lost(device) ? -ENODEV : 0;
}

static int ros2_read(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_laser_scan **ret_scan = out;
    uint64_t after = ((const struct dpl_laser_read *)in)->after;
    const struct state *state = device->state;
    const struct dpl_laser_scan *scan = &state->newest.scan;
    int err = dpl_sensor_line_execute(device, NULL, NULL);
    if (err < 0) {
        return err;
    }
    if (scan->sequence == 0 || (after != UINT64_MAX && scan->sequence <= after)) {
        return -EAGAIN;
    }
    *ret_scan = scan;
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_LASER_SCANNER_N_CALLS] = {
    [DPL_DRV_LASER_SCANNER_ENABLE] = ros2_switch,
    [DPL_DRV_LASER_SCANNER_DISABLE] = ros2_switch,
    [DPL_DRV_LASER_SCANNER_EXECUTE] = dpl_sensor_line_execute,
    [DPL_DRV_LASER_SCANNER_READ] = ros2_read,
};

static int check(const void *properties, struct dpl_diag *reterr)
{
    const struct properties *props = properties;
    return ros2_topic_check(props->line.address, reterr);
}

/* ---- tables ---- */

static const struct dpl_field properties[] = {
    DPL_NUMBER(struct properties, line.silence_ms, "SilenceTimeout", "ms", "250", 50, 60000,
               "without a scan for this long the scanner is lost; at least 2.5 turns"),
    ROS2_LINK_FIELDS(struct properties, line.address, "/scan", "topic of the scans", link),
};

static const struct dpl_field exports[] = {
    ROS2_LINK_EXPORTS(struct state, newest.counts),
};

static const struct dpl_driver driver = {
    .name = "ros2",
    .summary = "scanner that is a node of ROS 2 (package doppel-ros2)",
    .device_class = &dpl_laser_scanner_class,
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
