/* SPDX-License-Identifier: Apache-2.0 */
/* The hardware driver of Kobuki bases on a serial port. The control thread owns the line: the wire,
 * the odometry and the ramp of the command (kobuki_line.h); the thread of the calls (this file)
 * owns the motion mode of the base (wheel_base.h). */
#include <errno.h>

#include <doppel/plugin.h>

#include "kobuki_line.h"
#include <doppel/drive/wheel_base.h>

struct properties {
    struct dpl_wheel_base_properties base;
    char port[256];
    int64_t baud;
    double silence_ms, tick_rad, filter_ms, stop_m_s2;
    int heading, stamp;
    bool stop_on_bumper;
};

/* The sample as numbers for the recorder. */
struct report {
    int64_t frames, checksum_errors, dropped_bytes, reconnects, stops, rejected;
    int64_t bumper, cliff, wheel_drop, charger;
    double battery_v;
};

struct state {
    struct kobuki_line line;
    /* owned by the thread of the calls */
    struct dpl_wheel_base base;
    bool brakes; /* for a stop for cause, until the next command */
    struct kobuki_sample sample;
    struct dpl_pose2 frame; /* the origin of the odometry, moved by set_position */
    struct report report;
};

/* ---- opening and closing ---- */

static struct kobuki_io_config io_config(struct dpl_device *device)
{
    const struct properties *props = device->properties;
    const struct state *state = device->state;
    struct dpl_odometry_config odometry = state->base.odometry_config;
    odometry.twist_filter_s = props->filter_ms * 1e-3;
    struct dpl_drive_limits limits = state->base.motion_config.limits, braking = limits;
    braking.linear.acceleration = props->stop_m_s2;
    braking.angular.acceleration = 2.0 * props->stop_m_s2 / props->base.axle_m;
    braking.linear.jerk = braking.angular.jerk = 0.0;
    return (struct kobuki_io_config){
        .odometry = odometry,
        .nominal = state->base.nominal,
        .limits = limits,
        .braking = braking,
        .tick_rad = props->tick_rad,
        .heading = (enum kobuki_heading)props->heading,
        .stamp = (enum kobuki_stamp)props->stamp,
        .stop_on_bumper = props->stop_on_bumper,
    };
}

static int kobuki_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    int err = dpl_wheel_base_init(&state->base, &props->base, 0.04, reterr);
    if (err < 0) {
        return err;
    }
    state->frame = state->base.odometry.pose;
    struct kobuki_line_config config = {
        .address = props->port,
        .baud = (uint32_t)props->baud,
        .silence = dpl_ns_from_s(props->silence_ms * 1e-3),
        .io = io_config(device),
    };
    return kobuki_line_open(&state->line, device, &config, reterr);
}

static void kobuki_close(struct dpl_device *device)
{
    struct state *state = device->state;
    kobuki_line_close(&state->line);
}

/* ---- calls ---- */

static void fill_report(struct state *state)
{
    const struct kobuki_sample *s = &state->sample;
    state->report = (struct report){
        .frames = (int64_t)s->frames,
        .checksum_errors = (int64_t)s->checksum_errors,
        .dropped_bytes = (int64_t)s->dropped_bytes,
        .reconnects = s->generation > 0 ? (int64_t)s->generation - 1 : 0,
        .stops = (int64_t)(s->stops - s->late_stops),
        .rejected = (int64_t)s->odometry.rejected,
        .bumper = s->bumper,
        .cliff = s->cliff,
        .wheel_drop = s->wheel_drop,
        .charger = s->charger,
        .battery_v = s->battery_v,
    };
}

/* Takes the newest sample. A new connection, a contact, or a late commander ends the motion
 * mode. */
static void receive(struct state *state)
{
    const struct kobuki_sample *sample = kobuki_line_newest(&state->line);
    if (!sample) {
        return;
    }
    bool is_first = state->sample.generation == 0;
    if ((sample->generation != state->sample.generation && !is_first) ||
        sample->stops != state->sample.stops) {
        dpl_wheel_base_stop(&state->base);
        state->brakes = true;
    }
    state->sample = *sample;
    state->base.odometry = sample->odometry;
    state->base.odometry.pose = dpl_pose2_compose(state->frame, sample->odometry.pose);
    state->base.last = sample->angles;
    state->base.stamp = sample->stamp;
    state->base.measured = sample->valid;
    fill_report(state);
}

static void send(struct state *state)
{
    struct kobuki_setpoint setpoint = {
        .aim = dpl_wheel_base_aim(&state->base),
        .enabled = state->base.enabled,
        .brakes = state->brakes,
        .generation = state->sample.generation,
        .stops = state->sample.stops,
    };
    kobuki_line_command(&state->line, &setpoint);
}

static int set_enabled(struct dpl_device *device, bool enabled)
{
    struct state *state = device->state;
    receive(state);
    dpl_wheel_base_enable(&state->base, enabled);
    send(state);
    return enabled && dpl_device_is_lost(device) ? -ENODEV : 0;
}

static int kobuki_enable(struct dpl_device *device, const void *in, void *out)
{
    return set_enabled(device, true);
}

static int kobuki_disable(struct dpl_device *device, const void *in, void *out)
{
    return set_enabled(device, false);
}

/* Before and after a command: the newest sample, and its consequences. */
static int begin(struct dpl_device *device)
{
    receive(device->state);
    return dpl_device_is_lost(device) ? -ENODEV : 0;
}

static int finish(struct dpl_device *device, int err)
{
    send(device->state);
    return err;
}

/* An accepted command. */
static int obey(struct dpl_device *device, int err)
{
    struct state *state = device->state;
    state->brakes = state->brakes && err < 0;
    return finish(device, err);
}

static int kobuki_drive(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_twist2 *twist = in;
    struct state *state = device->state;
    int err = begin(device);
    return err ? err
               : obey(device, dpl_wheel_base_drive(&state->base, twist->linear, twist->angular));
}

static int kobuki_move(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_wheel_move *asked = in;
    struct state *state = device->state;
    int err = begin(device);
    return err ? err
               : obey(device,
                      dpl_wheel_base_move(&state->base, asked->distance_m, asked->linear_m_s));
}

static int kobuki_rotate(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_wheel_rotate *asked = in;
    struct state *state = device->state;
    int err = begin(device);
    return err ? err
               : obey(device,
                      dpl_wheel_base_rotate(&state->base, asked->angle_rad, asked->angular_rad_s));
}

static int kobuki_stop(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    int err = begin(device);
    dpl_wheel_base_stop(&state->base);
    return finish(device, err);
}

static int kobuki_halt(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    int err = begin(device);
    dpl_wheel_base_stop(&state->base);
    state->brakes = true;
    return finish(device, err);
}

static int kobuki_execute(struct dpl_device *device, const void *in, void *out)
{
    int err = begin(device);
    return finish(device, err); /* moves and rotations need a new velocity each cycle */
}

static int kobuki_read(struct dpl_device *device, const void *in, void *out)
{
    struct dpl_wheel_state *ret = out;
    struct state *state = device->state;
    int err = begin(device);
    if (err < 0) {
        return err;
    }
    dpl_wheel_base_read(&state->base, ret);
    ret->left_m = state->sample.rolled_m.left;
    ret->right_m = state->sample.rolled_m.right;
    ret->has_gyro = state->sample.has_gyro;
    ret->gyro_rad = state->sample.gyro_rad;
    ret->has_bumper = true;
    ret->pressed = state->sample.bumper != 0;
    return 0;
}

static int kobuki_set_position(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pose2 *pose = in;
    struct state *state = device->state;
    receive(state);
    struct dpl_pose2 back = dpl_pose2_relative(state->sample.odometry.pose, (struct dpl_pose2){0});
    state->frame = dpl_pose2_compose(*pose, back);
    dpl_wheel_base_set_position(&state->base, pose); /* until the next frame */
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_WHEEL_CONTROLLER_N_CALLS] = {
    [DPL_DRV_WHEEL_CONTROLLER_ENABLE] = kobuki_enable,
    [DPL_DRV_WHEEL_CONTROLLER_DISABLE] = kobuki_disable,
    [DPL_DRV_WHEEL_CONTROLLER_DRIVE] = kobuki_drive,
    [DPL_DRV_WHEEL_CONTROLLER_MOVE] = kobuki_move,
    [DPL_DRV_WHEEL_CONTROLLER_ROTATE] = kobuki_rotate,
    [DPL_DRV_WHEEL_CONTROLLER_STOP] = kobuki_stop,
    [DPL_DRV_WHEEL_CONTROLLER_EXECUTE] = kobuki_execute,
    [DPL_DRV_WHEEL_CONTROLLER_READ] = kobuki_read,
    [DPL_DRV_WHEEL_CONTROLLER_SET_POSITION] = kobuki_set_position,
    [DPL_DRV_WHEEL_CONTROLLER_HALT] = kobuki_halt,
};

/* ---- tables ---- */

static const struct dpl_field properties[] = {
    DPL_WHEEL_BASE_FIELDS(struct properties, base, "0.07", "0.23", "0.2"),
    {
        .name = "Address",
        .aliases = "Device|SerialPort",
        .type = DPL_FIELD_STRING,
        DPL_MEMBER(struct properties, port),
        .default_text = "/dev/kobuki",
        .summary = "serial port of the base, or tcp://host:port of a serial server",
    },
    DPL_INT(struct properties, baud, "Baud", "115200", 1200, 4000000, "speed of the serial port"),
    DPL_NUMBER(struct properties, silence_ms, "SilenceTimeout", "ms", "300", 40, 60000,
               "without feedback for this long the base is lost"),
    DPL_NUMBER(struct properties, tick_rad, "TickRad", "rad", "0.002436916871", 1e-6, 1,
               "angle of a wheel between two ticks of its encoder"),
    DPL_NUMBER(struct properties, filter_ms, "VelocityFilter", "ms", "40", 0, 1000,
               "time constant of the measured velocity; stamps in whole ms make it rough"),
    DPL_NUMBER(struct properties, stop_m_s2, "StopDeceleration", "m/s^2", "0", 0, 100,
               "of a stop for cause: a lost device, a late commander; 0: as hard as the base's own "
               "motors brake"),
    DPL_CHOICE(struct properties, heading, "HeadingSource", "wheels", "wheels|gyro",
               "where the odometry's heading comes from"),
    DPL_CHOICE(struct properties, stamp, "StampSource", "device", "device|arrival",
               "when feedback was taken: by the base's clock, or when it arrived"),
    DPL_BOOL(struct properties, stop_on_bumper, "StopOnBumper", "true",
             "a touch, an edge or a hanging wheel stops the base; it may back off"),
};

#define COUNTER(name_, member_, flags_, text_)                                                     \
    DPL_EXPORT_INT(struct state, report.member_, name_, NULL, flags_, text_)

static const struct dpl_field exports[] = {
    COUNTER("frames", frames, DPL_FIELD_SUMMARY, "feedback frames"),
    COUNTER("checksum_errors", checksum_errors, DPL_FIELD_SUMMARY, "frames with a wrong check"),
    COUNTER("dropped_bytes", dropped_bytes, DPL_FIELD_SUMMARY, "bytes of no valid frame"),
    COUNTER("reconnects", reconnects, DPL_FIELD_SUMMARY, "connections after the first"),
    COUNTER("stops", stops, DPL_FIELD_SUMMARY, "bumper, cliff and wheel drop events"),
    COUNTER("rejected", rejected, DPL_FIELD_SUMMARY, "steps that no wheel can make"),
    COUNTER("bumper", bumper, DPL_FIELD_TRACE, "bits: 1 right, 2 centre, 4 left"),
    COUNTER("cliff", cliff, DPL_FIELD_TRACE, "bits: 1 right, 2 centre, 4 left"),
    COUNTER("wheel_drop", wheel_drop, DPL_FIELD_TRACE, "bits: 1 right, 2 left"),
    COUNTER("charger", charger, 0, "0 discharging, 2 full, 6 charging, 16 adapter"),
    DPL_EXPORT_NUMBER(struct state, report.battery_v, "battery_v", "V", DPL_FIELD_SUMMARY,
                      "voltage of the battery"),
};

static const struct dpl_driver driver = {
    .name = "kobuki",
    .summary = "Kobuki base on a serial port",
    .device_class = &dpl_wheel_controller_class,
    .backend = DPL_BACKEND_HARDWARE,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .open = kobuki_open,
    .close = kobuki_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
