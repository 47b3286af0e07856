/* SPDX-License-Identifier: Apache-2.0 */
/* The gamepad driver of operator inputs: a gamepad or joystick of Linux's evdev. The robot moves
 * only while a button is pressed. The control thread reads the events and publishes the state; a
 * cycle takes it and applies the time-outs. */
#include <string.h>

#include <doppel/drv/operator_input.h>
#include <doppel/latest.h>
#include <doppel/plugin.h>
#include <doppel/text_check.h>

#include "pad_device.h"
#include "pad_events.h"

#define ALIVE_MS 20
#define ALIVE_MAX                                                                                  \
    (250 * DPL_MS) /* without a word of the control thread the switch counts as released */
#define PTY_LOW  (-32768)
#define PTY_HIGH 32767

struct properties {
    char port[512];
    char forward_axis[32], turn_axis[32], button[32];
    bool invert_forward, invert_turn;
    double dead_zone, timeout_ms;
};

struct view {
    struct dpl_operator_sample sample;
    dpl_ns alive_at; /* when the control thread published it */
    uint64_t n_events, n_dropped;
};

struct state {
    struct dpl_stream *stream;
    char path[512];
    struct pad pad; /* these two: owned by the control thread */
    dpl_ns stamp;
    struct {
        struct dpl_latest sync;
        struct view slot[3];
    } newest;
    struct dpl_operator_sample sample;
    int64_t n_events, n_dropped;
};

/* ---- control thread ---- */

static void publish(struct dpl_device *device, dpl_ns now)
{
    const struct properties *p = device->properties;
    struct state *state = device->state;
    bool held = pad_is_held(&state->pad);
    state->newest.slot[dpl_latest_back(&state->newest.sync)] = (struct view){
        .sample =
            {
                .held = held,
                .forward = held ? pad_deflection(&state->pad.forward, p->dead_zone) : 0.0,
                .turn = held ? pad_deflection(&state->pad.turn, p->dead_zone) : 0.0,
                .share = 1.0,
                .stamp = state->stamp,
            },
        .alive_at = now,
        .n_events = state->pad.n_events,
        .n_dropped = state->pad.n_dropped,
    };
    dpl_latest_publish(&state->newest.sync);
}

static void on_opened(struct dpl_stream *stream, void *user, dpl_ns now)
{
    struct dpl_device *device = user;
    struct state *state = device->state;
    const char *missing = NULL;
    pad_rest(&state->pad);
    int err = pad_device_read(&state->pad, state->path, &missing);
    if (err == -ENXIO) {
        char why[96];
        snprintf(why, sizeof why, "the device has no %s", missing ? missing : "such axis");
        dpl_stream_reopen(stream, why);
        return;
    }
    publish(device, now);
    dpl_device_found(device);
}

static void on_data(struct dpl_stream *stream, void *user, const uint8_t *bytes, size_t n,
                    dpl_ns now)
{
    (void)stream;
    struct dpl_device *device = user;
    struct state *state = device->state;
    uint64_t dropped = state->pad.n_dropped;
    if (pad_feed(&state->pad, bytes, n) > 0) {
        state->stamp = now;
    }
    if (state->pad.n_dropped != dropped) {
        const char *missing; /* the axes' values are no longer known */
        (void)pad_device_read(&state->pad, state->path, &missing);
    }
    publish(device, now);
}

static void on_timer(struct dpl_stream *stream, void *user, dpl_ns now)
{
    (void)stream;
    publish(user, now);
}

static void on_lost(struct dpl_stream *stream, void *user, const char *why)
{
    (void)stream;
    struct dpl_device *device = user;
    struct state *state = device->state;
    pad_rest(&state->pad);
    publish(device, dpl_device_now(device));
    dpl_device_lost(device, "%s: %s", state->path, why);
}

static const struct dpl_stream_ops stream_ops = {
    .opened = on_opened,
    .data = on_data,
    .timer = on_timer,
    .lost = on_lost,
};

/* ---- the device ---- */

static void set_up(struct dpl_device *device)
{
    const struct properties *p = device->properties;
    struct state *state = device->state;
    /* check_axis and check_button have checked the names */
    state->pad = (struct pad){
        .forward = {.code = (uint16_t)pad_axis_code(p->forward_axis),
                    .inverted = p->invert_forward,
                    .low = PTY_LOW,
                    .high = PTY_HIGH},
        .turn = {.code = (uint16_t)pad_axis_code(p->turn_axis),
                 .inverted = p->invert_turn,
                 .low = PTY_LOW,
                 .high = PTY_HIGH},
        .button = (uint16_t)pad_button_code(p->button),
    };
    pad_rest(&state->pad);
    state->sample = (struct dpl_operator_sample){.share = 1.0};
    dpl_latest_init(&state->newest.sync);
    publish(device, dpl_device_now(device));
}

static int gamepad_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *p = device->properties;
    struct state *state = device->state;
    snprintf(state->path, sizeof state->path, "%s", p->port);
    if (p->port[0] == '\0' && pad_device_find(state->path, sizeof state->path) < 0) {
        return dpl_fail(reterr, -ENODEV, (struct dpl_place){0},
                        "no gamepad or joystick that this user may read is among "
                        "/dev/input/event*; connect one, or name it with Port");
    }
    set_up(device);
    struct dpl_stream_config config = {
        .address = state->path, .timer_ms = ALIVE_MS, .ops = &stream_ops, .user = device};
    return dpl_device_open_stream(device, &config, &state->stream, reterr);
}

static void gamepad_close(struct dpl_device *device)
{
    struct state *state = device->state;
    dpl_stream_close(state->stream);
    state->stream = NULL;
}

static bool is_silent(const struct properties *p, const struct view *view, dpl_ns now)
{
    dpl_ns timeout = dpl_ns_from_s(p->timeout_ms * 1e-3);
    return now - view->alive_at > ALIVE_MAX || (timeout > 0 && now - view->sample.stamp > timeout);
}

static int gamepad_execute(struct dpl_device *device, const void *in, void *out)
{
    (void)out;
    const struct dpl_tick *tick = in;
    struct state *state = device->state;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    dpl_latest_update(&state->newest.sync);
    const struct view *view = &state->newest.slot[dpl_latest_front(&state->newest.sync)];
    state->n_events = (int64_t)view->n_events;
    state->n_dropped = (int64_t)view->n_dropped;
    state->sample = view->sample;
    if (is_silent(device->properties, view, tick->now)) {
        state->sample.held = false;
        state->sample.forward = state->sample.turn = 0.0;
    }
    return 0;
}

static int gamepad_read(struct dpl_device *device, const void *in, void *out)
{
    (void)in;
    const struct state *state = device->state;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    *(struct dpl_operator_sample *)out = state->sample;
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_OPERATOR_INPUT_N_CALLS] = {
    [DPL_DRV_OPERATOR_INPUT_EXECUTE] = gamepad_execute,
    [DPL_DRV_OPERATOR_INPUT_READ] = gamepad_read,
};

static int check_axis(const char *text, struct dpl_diag *reterr)
{
    return pad_axis_code(text) < 0 ? dpl_check_fail(text, text,
                                                    "expected an axis of evdev, such as "
                                                    "ABS_Y (linux/input-event-codes.h)",
                                                    reterr)
                                   : 0;
}

static int check_button(const char *text, struct dpl_diag *reterr)
{
    return pad_button_code(text) < 0 ? dpl_check_fail(text, text,
                                                      "expected a button of evdev, such as BTN_TL "
                                                      "(linux/input-event-codes.h)",
                                                      reterr)
                                     : 0;
}

static const struct dpl_field properties[] = {
    DPL_TEXT(struct properties, port, "Port", "",
             "the device, such as /dev/input/by-id/NAME-event-joystick, or a pty that sends its "
             "events; empty: the first of /dev/input/event* that is a gamepad or joystick"),
    DPL_TEXT_CHECKED(struct properties, forward_axis, "ForwardAxis", "ABS_Y", check_axis,
                     "drives forward and back"),
    DPL_BOOL(struct properties, invert_forward, "InvertForward", "true",
             "low values of ForwardAxis drive forward, as with a stick"),
    DPL_TEXT_CHECKED(struct properties, turn_axis, "TurnAxis", "ABS_X", check_axis,
                     "turns left and right"),
    DPL_BOOL(struct properties, invert_turn, "InvertTurn", "true",
             "low values of TurnAxis turn left, as with a stick"),
    DPL_TEXT_CHECKED(struct properties, button, "DeadManButton", "BTN_TL", check_button,
                     "the robot moves only while it is pressed; joysticks have BTN_TRIGGER"),
    DPL_NUMBER(struct properties, dead_zone, "DeadZone", NULL, "0.1", 0, 0.9,
               "part of the deflection that does nothing"),
    DPL_NUMBER(struct properties, timeout_ms, "EventTimeout", "ms", "0", 0, 60000,
               "without an event for this long the robot stops; 0: never, because a stick that "
               "does not move sends none"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_INT(struct state, n_events, "events", NULL, DPL_FIELD_SUMMARY, "that have come"),
    DPL_EXPORT_INT(struct state, n_dropped, "dropped", NULL, DPL_FIELD_SUMMARY,
                   "times the kernel has dropped events"),
};

static const struct dpl_driver driver = {
    .name = "gamepad",
    .summary = "a gamepad or joystick of Linux's evdev",
    .device_class = &dpl_operator_input_class,
    .backend = DPL_BACKEND_HARDWARE,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .open = gamepad_open,
    .close = gamepad_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
