/* The driver of template_name, a wheel base on a serial port. This file converts between wheel
 * angles and bytes; doppel/drive/wheel_line.h does the rest. All functions run on the control
 * thread. */
#include <doppel/drive/wheel_line.h>
#include <doppel/plugin.h>
#include <math.h>

#include "template_name_codec.h"

struct properties {
    struct dpl_wheel_line_properties line;
};

struct state {
    struct dpl_wheel_line line; /* the first member */
    struct template_name_parser parser;
    bool counted; /* the counts of this connection are known: */
    uint32_t left, right;
    struct dpl_drive_wheels angles;
};

static struct state *state_of(struct dpl_wheel_line *line)
{
    return line->device->state;
}

static void on_opened(struct dpl_wheel_line *line, dpl_ns now)
{
    struct state *state = state_of(line);
    state->parser = (struct template_name_parser){0};
    state->counted = false;
    state->angles = (struct dpl_drive_wheels){0};
    /* Here a base gets what starts it, by dpl_wheel_line_write. This one starts by itself. */
}

static void take(struct state *state, const struct template_name_feedback *feedback, dpl_ns now)
{
    if (state->counted) {
        state->angles.left += (int32_t)(feedback->left - state->left) * TEMPLATE_NAME_COUNT_RAD;
        state->angles.right += (int32_t)(feedback->right - state->right) * TEMPLATE_NAME_COUNT_RAD;
    }
    state->counted = true;
    state->left = feedback->left;
    state->right = feedback->right;
    dpl_wheel_line_feed(&state->line, &(struct dpl_wheel_feedback){
                                          .stamp = now,
                                          .angles = state->angles,
                                          .has_bumper = true,
                                          .pressed = feedback->pressed,
                                      });
}

static void on_data(struct dpl_wheel_line *line, const uint8_t *bytes, size_t n, dpl_ns now)
{
    struct state *state = state_of(line);
    struct dpl_byte_view input = {bytes, n};
    struct template_name_frame frame;
    struct template_name_feedback feedback;
    while (template_name_parser_next(&state->parser, &input, &frame)) {
        if (template_name_feedback_decode(&frame, &feedback)) {
            take(state, &feedback, now);
        }
    }
}

static int16_t to_mm_s(double m_s)
{
    return (int16_t)lround(dpl_clamp(m_s * 1000.0, -32767.0, 32767.0));
}

static void on_command(struct dpl_wheel_line *line, struct dpl_drive_wheels speeds_rad_s,
                       bool enabled)
{
    const struct properties *props = line->device->properties;
    double radius_m = props->line.base.wheel_diameter_m / 2.0;
    struct template_name_speeds speeds = {
        .left_mm_s = to_mm_s(speeds_rad_s.left * radius_m),
        .right_mm_s = to_mm_s(speeds_rad_s.right * radius_m),
    };
    uint8_t frame[TEMPLATE_NAME_MAX_FRAME];
    dpl_wheel_line_write(line, frame, template_name_speeds_encode(&speeds, frame));
}

static const struct dpl_wheel_line_ops line_ops = {
    .opened = on_opened,
    .data = on_data,
    .command = on_command,
};

static int template_name_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    const struct dpl_wheel_line_config config = {
        .ops = &line_ops,
        .properties = &props->line,
        .lead_s = 0.04,
    };
    return dpl_wheel_line_open(&state->line, device, &config, reterr);
}

static void template_name_close(struct dpl_device *device)
{
    struct state *state = device->state;
    dpl_wheel_line_close(&state->line);
}

static const struct dpl_field properties[] = {
    DPL_WHEEL_LINE_FIELDS(struct properties, line, "0.07", "0.23", "0.5", "/dev/template_name",
                          "115200"),
};

static const struct dpl_field exports[] = {
    DPL_WHEEL_LINE_EXPORTS(struct state, line),
};

static const struct dpl_driver driver = {
    .name = "template_name",
    .summary = "template_name base on a serial port",
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
    .open = template_name_open,
    .close = template_name_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
