/* SPDX-License-Identifier: Apache-2.0 */
/* The joystick driver of force sensors: the user applies forces to a simulated or a real machine.
 * The control thread reads the events and publishes the newest forces; a cycle takes them. A
 * joystick that does not move sends nothing, so each cycle counts as a measurement while it is
 * connected. */
#include <stdint.h>

#include <doppel/drv/force_sensor.h>
#include <doppel/latest.h>
#include <doppel/plugin.h>
#include <doppel/text_check.h>

#include "js_events.h"

struct properties {
    char port[512];
    int64_t baud;
    char axes[1024];
    double dead_zone;
};

struct forces {
    double wrench[DPL_SIX];
    uint64_t n_events, n_unknown;
};

struct state {
    struct dpl_stream *stream;
    struct js_map map;
    struct js_parser parser; /* owned by the control thread */
    struct {
        struct dpl_latest sync;
        struct forces slot[3];
    } newest;
    struct dpl_force_sample sample;
    double zero[DPL_SIX];
    int64_t n_events, n_unknown;
};

/* ---- control thread ---- */

static void publish(struct state *state)
{
    struct forces *forces = &state->newest.slot[dpl_latest_back(&state->newest.sync)];
    js_map_apply(&state->map, &state->parser, forces->wrench);
    forces->n_events = state->parser.n_events;
    forces->n_unknown = state->parser.n_unknown;
    dpl_latest_publish(&state->newest.sync);
}

static void on_opened(struct dpl_stream *stream, void *user, dpl_ns now)
{
    (void)stream;
    (void)now;
    struct dpl_device *device = user;
    struct state *state = device->state;
    js_parser_rest(&state->parser);
    publish(state);
    dpl_device_found(device);
}

static void on_data(struct dpl_stream *stream, void *user, const uint8_t *bytes, size_t n,
                    dpl_ns now)
{
    (void)stream;
    (void)now;
    struct dpl_device *device = user;
    struct state *state = device->state;
    if (js_parser_feed(&state->parser, bytes, n) > 0) {
        publish(state);
    }
}

/* When the joystick is lost, the force becomes zero. */
static void on_lost(struct dpl_stream *stream, void *user, const char *why)
{
    (void)stream;
    struct dpl_device *device = user;
    const struct properties *p = device->properties;
    struct state *state = device->state;
    js_parser_rest(&state->parser);
    publish(state);
    dpl_device_lost(device, "%s: %s", p->port, why);
}

static const struct dpl_stream_ops stream_ops = {
    .opened = on_opened,
    .data = on_data,
    .lost = on_lost,
};

/* ---- the device ---- */

static int joystick_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *p = device->properties;
    struct state *state = device->state;
    struct force_error bad;
    if (js_map_parse(p->axes, &state->map, &bad) < 0) {
        return -EINVAL; /* check_axes has checked the text */
    }
    state->map.dead_zone = p->dead_zone;
    dpl_latest_init(&state->newest.sync);
    struct dpl_stream_config config = {
        .address = p->port,
        .baud = (uint32_t)p->baud,
        .ops = &stream_ops,
        .user = device,
    };
    return dpl_device_open_stream(device, &config, &state->stream, reterr);
}

static void joystick_close(struct dpl_device *device)
{
    struct state *state = device->state;
    dpl_stream_close(state->stream);
    state->stream = NULL;
}

static int joystick_execute(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_tick *tick = in;
    struct state *state = device->state;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    dpl_latest_update(&state->newest.sync);
    const struct forces *forces = &state->newest.slot[dpl_latest_front(&state->newest.sync)];
    struct dpl_force_sample *sample = &state->sample;
    state->n_events = (int64_t)forces->n_events;
    state->n_unknown = (int64_t)forces->n_unknown;
    for (int i = 0; i < DPL_SIX; i++) {
        sample->applied[i] = forces->wrench[i];
        sample->wrench[i] = forces->wrench[i] - state->zero[i];
    }
    sample->valid = true;
    sample->stamp = tick->now;
    sample->sequence++;
    return 0;
}

static int joystick_read(struct dpl_device *device, const void *in, void *out)
{
    struct dpl_force_sample *ret = out;
    const struct state *state = device->state;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    *ret = state->sample;
    return 0;
}

static int joystick_tare(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    memcpy(state->zero, state->sample.applied, sizeof state->zero);
    memset(state->sample.wrench, 0, sizeof state->sample.wrench);
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_FORCE_SENSOR_N_CALLS] = {
    [DPL_DRV_FORCE_SENSOR_EXECUTE] = joystick_execute,
    [DPL_DRV_FORCE_SENSOR_READ] = joystick_read,
    [DPL_DRV_FORCE_SENSOR_TARE] = joystick_tare,
};

static int check_axes(const char *text, struct dpl_diag *reterr)
{
    struct js_map map;
    struct force_error bad;
    return js_map_parse(text, &map, &bad) == 0
               ? 0
               : dpl_check_fail(text, text + bad.offset, bad.what, reterr);
}

static const struct dpl_field properties[] = {
    DPL_TEXT(
        struct properties, port, "Port", "/dev/input/js0",
        "the joystick: a device of Linux's joystick interface, or a pty that sends its events"),
    DPL_INT(struct properties, baud, "Baud", "0", 0, 4000000,
            "of a serial port; 0: leave it as it is"),
    DPL_TEXT_CHECKED(
        struct properties, axes, "Axes", "0 y -50; 1 x -50; 3 yaw -5; 4 z -50", check_axes,
        "rows \"JS AXIS scale\" separated by ';': the joystick's axis, x y z roll pitch yaw, "
        "N or N m at full deflection"),
    DPL_NUMBER(struct properties, dead_zone, "DeadZone", NULL, "0.05", 0, 0.9,
               "part of the deflection that does nothing"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_INT(struct state, n_events, "events", NULL, DPL_FIELD_SUMMARY,
                   "events that the joystick sent"),
    DPL_EXPORT_INT(struct state, n_unknown, "unknown_events", NULL, DPL_FIELD_SUMMARY,
                   "events that belong to neither an axis nor a button"),
};

static const struct dpl_driver driver = {
    .name = "joystick",
    .summary = "a Linux joystick whose axes are forces and torques",
    .device_class = &dpl_force_sensor_class,
    .backend = DPL_BACKEND_HARDWARE,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .open = joystick_open,
    .close = joystick_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
