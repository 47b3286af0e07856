/* SPDX-License-Identifier: Apache-2.0 */
/* The hardware driver of Kobuki bases on a serial port: wheel_line.h with the wire side of
 * kobuki_io.h. All functions but open and close run on the control thread. */
#include <doppel/plugin.h>

#include "kobuki_io.h"

struct properties {
    struct dpl_wheel_line_properties line;
    double tick_rad, filter_ms;
    int heading, stamp;
};

struct state {
    struct dpl_wheel_line line; /* the first member */
    struct kobuki_io io;
    enum kobuki_verdict told;
    uint64_t bumped;
};

static struct state *state_of(struct dpl_wheel_line *line)
{
    return line->device->state;
}

static int write_bytes(void *user, const void *bytes, size_t n)
{
    return dpl_wheel_line_write(user, bytes, n);
}

static void report_firmware(struct state *state)
{
    struct dpl_kobuki_version v = state->io.firmware;
    unsigned major = dpl_kobuki_version_major(v), minor = dpl_kobuki_version_minor(v),
             patch = dpl_kobuki_version_patch(v);
    if (state->io.verdict == state->told) {
        return;
    }
    state->told = state->io.verdict;
    switch (state->told) {
    case KOBUKI_FIRMWARE_UNKNOWN: break;
    case KOBUKI_FIRMWARE_UNTOLD:
        dpl_device_log(state->line.device, DPL_LOG_WARN,
                       "the base does not tell its firmware: it is driven as a Kobuki with 1.x");
        break;
    case KOBUKI_FIRMWARE_GOOD:
        dpl_device_log(state->line.device, DPL_LOG_INFO, "Kobuki with firmware %u.%u.%u", major,
                       minor, patch);
        break;
    case KOBUKI_FIRMWARE_UNTESTED:
        dpl_device_log(state->line.device, DPL_LOG_WARN,
                       "Kobuki with firmware %u.%u.%u; 1.1.4 or 1.2.0 is recommended", major, minor,
                       patch);
        break;
    case KOBUKI_FIRMWARE_REFUSED:
        dpl_device_lost(state->line.device,
                        "its firmware %u.%u.%u uses another protocol; this driver needs 1.x, "
                        "1.1.4 or 1.2.0 recommended",
                        major, minor, patch);
        break;
    }
}

static void report_contact(struct state *state)
{
    const struct dpl_wheel_line_sample *sample = &state->line.control.sample;
    uint64_t contacts = sample->stops - sample->late_stops;
    if (contacts != state->bumped) {
        state->bumped = contacts;
        static const char *const causes[] = {
            [KOBUKI_STOP_TOUCH] = "stopped by a touch",
            [KOBUKI_STOP_EDGE] = "stopped at an edge",
            [KOBUKI_STOP_WHEEL_DROP] = "held, a wheel hangs",
        };
        dpl_device_log(state->line.device, DPL_LOG_WARN, "%s: bumper %u, cliff %u, wheel drop %u",
                       causes[state->io.stopped_by], (unsigned)sample->details.bumper,
                       (unsigned)sample->details.cliff, (unsigned)sample->details.wheel_drop);
    }
}

static void on_opened(struct dpl_wheel_line *line, dpl_ns now)
{
    kobuki_io_opened(&state_of(line)->io, now);
}

static void on_data(struct dpl_wheel_line *line, const uint8_t *bytes, size_t n, dpl_ns now)
{
    struct state *state = state_of(line);
    if (kobuki_io_data(&state->io, bytes, n, now)) {
        report_firmware(state);
        report_contact(state);
        dpl_wheel_line_heard(line, state->io.verdict != KOBUKI_FIRMWARE_REFUSED);
    }
}

static void on_timer(struct dpl_wheel_line *line, dpl_ns now)
{
    kobuki_io_timer(&state_of(line)->io, now);
}

static void on_halt(struct dpl_wheel_line *line, dpl_ns now)
{
    kobuki_io_halt(&state_of(line)->io, now);
}

static const struct dpl_wheel_line_ops line_ops = {
    .opened = on_opened,
    .data = on_data,
    .timer = on_timer,
    .halt = on_halt,
};

/* ---- opening and closing ---- */

static int kobuki_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    const struct kobuki_io_config io = {
        .tick_rad = props->tick_rad,
        .heading = (enum kobuki_heading)props->heading,
        .stamp = (enum kobuki_stamp)props->stamp,
        .stop_on_bumper = props->line.stop_on_bumper,
        .send = write_bytes,
        .user = &state->line,
    };
    const struct dpl_wheel_line_config line = {
        .ops = &line_ops,
        .properties = &props->line,
        .lead_s = 0.04,
        .twist_filter_s = props->filter_ms * 1e-3,
        .longest_ramp_s = 0.05,
        .no_feedback = "nothing on this port speaks as a Kobuki does",
        .silent = "the base has fallen silent",
    };
    kobuki_io_init(&state->io, &io, &state->line.control);
    int err = dpl_wheel_line_open(&state->line, device, &line, reterr);
    state->line.newest.has_bumper = true; /* also before the first connection */
    return err;
}

static void kobuki_close(struct dpl_device *device)
{
    struct state *state = device->state;
    dpl_wheel_line_close(&state->line);
}

/* ---- tables ---- */

static const struct dpl_field properties[] = {
    DPL_WHEEL_BASE_FIELDS(struct properties, line.base, "0.07", "0.23", "0.2"),
    {
        .name = "Address",
        .aliases = "Device|SerialPort",
        .type = DPL_FIELD_STRING,
        DPL_MEMBER(struct properties, line.address),
        .default_text = "/dev/kobuki",
        .summary = "serial port of the base, or tcp://host:port of a serial server",
    },
    DPL_INT(struct properties, line.baud, "Baud", "115200", 1200, 4000000,
            "speed of the serial port"),
    DPL_NUMBER(struct properties, line.silence_ms, "SilenceTimeout", "ms", "300", 40, 60000,
               "without feedback for this long the base is lost"),
    DPL_NUMBER(struct properties, tick_rad, "TickRad", "rad", "0.002436916871", 1e-6, 1,
               "angle of a wheel between two ticks of its encoder"),
    DPL_NUMBER(struct properties, filter_ms, "VelocityFilter", "ms", "40", 0, 1000,
               "time constant of the measured velocity; stamps in whole ms make it rough"),
    DPL_NUMBER(struct properties, line.stop_m_s2, "StopDeceleration", "m/s^2", "0", 0, 100,
               "of a stop for cause: a lost device, a late commander; 0: as hard as the base's own "
               "motors brake"),
    DPL_CHOICE(struct properties, heading, "HeadingSource", "wheels", "wheels|gyro",
               "where the odometry's heading comes from"),
    DPL_CHOICE(struct properties, stamp, "StampSource", "device", "device|arrival",
               "when feedback was taken: by the base's clock, or when it arrived"),
    DPL_BOOL(struct properties, line.stop_on_bumper, "StopOnBumper", "true",
             "a touch, an edge or a hanging wheel stops the base; it may back off"),
};

#define COUNTER(name_, member_, flags_, text_)                                                     \
    DPL_EXPORT_INT(struct state, line.member_, name_, NULL, flags_, text_)
#define DETAIL(member_, flags_, text_) COUNTER(#member_, newest.details.member_, flags_, text_)

static const struct dpl_field exports[] = {
    COUNTER("frames", report.frames, DPL_FIELD_SUMMARY, "feedback frames"),
    DETAIL(checksum_errors, DPL_FIELD_SUMMARY, "frames with a wrong check"),
    DETAIL(dropped_bytes, DPL_FIELD_SUMMARY, "bytes of no valid frame"),
    COUNTER("reconnects", report.reconnects, DPL_FIELD_SUMMARY, "connections after the first"),
    COUNTER("stops", report.stops, DPL_FIELD_SUMMARY, "bumper, cliff and wheel drop events"),
    COUNTER("rejected", report.rejected, DPL_FIELD_SUMMARY, "steps that no wheel can make"),
    DETAIL(bumper, DPL_FIELD_TRACE, "bits: 1 right, 2 centre, 4 left"),
    DETAIL(cliff, DPL_FIELD_TRACE, "bits: 1 right, 2 centre, 4 left"),
    DETAIL(wheel_drop, DPL_FIELD_TRACE, "bits: 1 right, 2 left"),
    DETAIL(charger, 0, "0 discharging, 2 full, 6 charging, 16 adapter"),
    DPL_EXPORT_NUMBER(struct state, line.newest.details.battery_v, "battery_v", "V",
                      DPL_FIELD_SUMMARY, "voltage of the battery"),
};

static const struct dpl_driver driver = {
    .name = "kobuki",
    .summary = "Kobuki base on a serial port",
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
    .open = kobuki_open,
    .close = kobuki_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
