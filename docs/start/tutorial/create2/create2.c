/* SPDX-License-Identifier: Apache-2.0 */
/* The driver of the iRobot Create 2 on a serial port. This file converts between wheel angles and
 * the bytes of the Open Interface; doppel/drive/wheel_line.h does the rest. All functions run on
 * the control thread. */
#include <doppel/drive/wheel_line.h>
#include <doppel/plugin.h>

#include "create2_codec.h"

struct properties {
    struct dpl_wheel_line_properties line;
};

/* Numbers for the summary and the trace. */
struct report {
    int64_t mode, dropped;
    double voltage_v;
};

struct state {
    struct dpl_wheel_line line; /* the first member */
    struct create2_parser parser;
    bool counted; /* the counts of this connection are known: */
    uint16_t left, right;
    struct dpl_drive_wheels angles;
    unsigned bumps;
    bool was_safe; /* the base has been in mode safe on this connection */
    struct report report;
};

static struct state *state_of(struct dpl_wheel_line *line)
{
    return line->device->state;
}

/* Starts the interface, asks for the mode in which the base obeys, and for the stream. */
static void on_opened(struct dpl_wheel_line *line, dpl_ns now)
{
    static const uint8_t start[] = {
        CREATE2_START,   CREATE2_SAFE, CREATE2_STREAM, 5, CREATE2_BUMPS, CREATE2_MODE,
        CREATE2_VOLTAGE, CREATE2_LEFT, CREATE2_RIGHT,
    };
    struct state *state = state_of(line);
    state->parser = (struct create2_parser){0};
    state->counted = state->was_safe = false;
    state->angles = (struct dpl_drive_wheels){0};
    dpl_wheel_line_write(line, start, sizeof start);
}

/* The base leaves mode safe by itself when a wheel hangs or at a cliff; then its motors are off.
 * Back to safe as soon as the wheels stand on the ground. */
static void keep_mode(struct state *state, unsigned mode)
{
    static const uint8_t safe[] = {CREATE2_SAFE};
    bool hangs = (state->bumps & 12u) != 0;
    if (state->was_safe && state->report.mode >= CREATE2_MODE_SAFE && mode < CREATE2_MODE_SAFE) {
        dpl_device_log(state->line.device, DPL_LOG_WARN, "the base has left mode safe: %s",
                       hangs ? "a wheel hangs" : "a cliff, or the charger");
    }
    state->was_safe |= mode >= CREATE2_MODE_SAFE;
    state->report.mode = mode;
    if (mode < CREATE2_MODE_SAFE && !hangs) {
        dpl_wheel_line_write(&state->line, safe, sizeof safe);
    }
}

/* The counts wrap after 65536: the difference of two of them is a number with sign. */
static void turn(struct state *state, uint16_t left, uint16_t right)
{
    if (state->counted) {
        state->angles.left += (int16_t)(uint16_t)(left - state->left) * CREATE2_COUNT_RAD;
        state->angles.right += (int16_t)(uint16_t)(right - state->right) * CREATE2_COUNT_RAD;
    }
    state->counted = true;
    state->left = left;
    state->right = right;
}

static void take(struct state *state, const struct create2_frame *frame, dpl_ns now)
{
    unsigned mode, voltage, left, right;
    if (!create2_frame_find(frame, CREATE2_BUMPS, &state->bumps) ||
        !create2_frame_find(frame, CREATE2_MODE, &mode) ||
        !create2_frame_find(frame, CREATE2_VOLTAGE, &voltage) ||
        !create2_frame_find(frame, CREATE2_LEFT, &left) ||
        !create2_frame_find(frame, CREATE2_RIGHT, &right)) {
        return; /* a stream that another host has asked for */
    }
    keep_mode(state, mode);
    turn(state, (uint16_t)left, (uint16_t)right);
    state->report.voltage_v = voltage * 1e-3;
    state->report.dropped = (int64_t)state->parser.dropped;
    dpl_wheel_line_feed(&state->line, &(struct dpl_wheel_feedback){
                                          .stamp = now,
                                          .angles = state->angles,
                                          .has_bumper = true,
                                          .pressed = state->bumps != 0 ||
                                                     (state->was_safe && mode < CREATE2_MODE_SAFE),
                                      });
}

static void on_data(struct dpl_wheel_line *line, const uint8_t *bytes, size_t n, dpl_ns now)
{
    struct state *state = state_of(line);
    struct dpl_byte_view input = {bytes, n};
    struct create2_frame frame;
    while (create2_parser_next(&state->parser, &input, &frame)) {
        take(state, &frame, now);
    }
}

static void on_command(struct dpl_wheel_line *line, struct dpl_drive_wheels speeds_rad_s,
                       bool enabled)
{
    const struct properties *props = line->device->properties;
    double radius_m = props->line.base.wheel_diameter_m / 2.0;
    uint8_t bytes[5];
    size_t n =
        create2_direct_write(speeds_rad_s.left * radius_m, speeds_rad_s.right * radius_m, bytes);
    dpl_wheel_line_write(line, bytes, n);
}

/* To mode passive, without the stream: the base may sleep. */
static void on_closing(struct dpl_wheel_line *line)
{
    static const uint8_t rest[] = {CREATE2_PAUSE, 0, CREATE2_START};
    dpl_wheel_line_write(line, rest, sizeof rest);
}

static const struct dpl_wheel_line_ops line_ops = {
    .opened = on_opened,
    .data = on_data,
    .command = on_command,
    .closing = on_closing,
};

static int create2_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    const struct dpl_wheel_line_config config = {
        .ops = &line_ops,
        .properties = &props->line,
        .lead_s = 0.03,
        .period_ms = CREATE2_PERIOD_MS,
        .no_feedback = "no stream of a Create 2 comes: is it switched on?",
    };
    return dpl_wheel_line_open(&state->line, device, &config, reterr);
}

static void create2_close(struct dpl_device *device)
{
    struct state *state = device->state;
    dpl_wheel_line_close(&state->line);
}

static const struct dpl_field properties[] = {
    DPL_WHEEL_LINE_FIELDS(struct properties, line, "0.072", "0.235", "0.5", "/dev/create2",
                          "115200"),
};

static const struct dpl_field exports[] = {
    DPL_WHEEL_LINE_EXPORTS(struct state, line),
    DPL_EXPORT_NUMBER(struct state, report.voltage_v, "battery_v", "V", DPL_FIELD_SUMMARY,
                      "voltage of the battery"),
    DPL_EXPORT_INT(struct state, report.mode, "mode", NULL, DPL_FIELD_TRACE,
                   "0 off, 1 passive, 2 safe, 3 full"),
    DPL_EXPORT_INT(struct state, report.dropped, "dropped_bytes", NULL, DPL_FIELD_SUMMARY,
                   "bytes of no valid frame"),
};

static const struct dpl_driver driver = {
    .name = "create2",
    .summary = "iRobot Create 2 on a serial port",
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
    .open = create2_open,
    .close = create2_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
