/* SPDX-License-Identifier: Apache-2.0 */
/* The keyboard driver of operator inputs: keys in the terminal in which doppel runs. The control
 * thread reads them and publishes what they mean; a cycle takes it and applies the time-outs. */
#include <string.h>

#include <doppel/drv/operator_input.h>
#include <doppel/latest.h>
#include <doppel/plugin.h>

#include "keys.h"
#include "terminal.h"

#define READ_MS      10
#define ESCAPE_READS 5 /* reads without a byte after which an unfinished sequence has ended */

struct properties {
    char terminal[512];
    double first_ms, repeat_ms;
};

struct state {
    struct terminal terminal;
    struct dpl_stream *timer;
    struct key_times times;
    struct key_decoder decoder; /* these three: owned by the control thread */
    struct key_drive drive;
    unsigned n_empty_reads;
    struct {
        struct dpl_latest sync;
        struct key_drive slot[3];
    } newest;
    struct dpl_operator_sample sample;
    int64_t n_keys;
};

/* ---- control thread ---- */

static void publish(struct state *state)
{
    state->newest.slot[dpl_latest_back(&state->newest.sync)] = state->drive;
    dpl_latest_publish(&state->newest.sync);
}

static void decode_bytes(struct state *state, const uint8_t *bytes, size_t n, dpl_ns now)
{
    enum key key;
    for (size_t i = 0; i < n; i++) {
        if (key_decode(&state->decoder, bytes[i], &key)) {
            key_drive_press(&state->drive, &state->times, key, now);
        }
    }
    state->n_empty_reads = 0;
    publish(state);
}

static void handle_empty_read(struct state *state, dpl_ns now)
{
    enum key key;
    if (++state->n_empty_reads == ESCAPE_READS && key_decode_end(&state->decoder, &key)) {
        key_drive_press(&state->drive, &state->times, key, now);
        publish(state);
    }
}

static void on_timer(struct dpl_stream *stream, void *user, dpl_ns now)
{
    (void)stream;
    struct dpl_device *device = user;
    const struct properties *p = device->properties;
    struct state *state = device->state;
    uint8_t bytes[256];
    if (dpl_device_is_lost(device)) {
        return;
    }
    ssize_t n = terminal_read(&state->terminal, bytes, sizeof bytes);
    if (n > 0) {
        decode_bytes(state, bytes, (size_t)n, now);
    } else if (n == 0) {
        handle_empty_read(state, now);
    } else {
        key_drive_release(&state->drive);
        publish(state);
        dpl_device_lost(device, "%s: the terminal is gone (%s)", p->terminal, strerror((int)-n));
    }
}

static const struct dpl_stream_ops stream_ops = {.timer = on_timer};

/* ---- the device ---- */

static int keyboard_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *p = device->properties;
    struct state *state = device->state;
    state->times =
        (struct key_times){dpl_ns_from_s(p->first_ms * 1e-3), dpl_ns_from_s(p->repeat_ms * 1e-3)};
    key_drive_init(&state->drive);
    state->sample = (struct dpl_operator_sample){.share = 1.0};
    dpl_latest_init(&state->newest.sync);
    publish(state);
    int err = terminal_open(&state->terminal, p->terminal, reterr);
    if (err < 0) {
        return err;
    }
    struct dpl_stream_config config = {
        .address = "timer:", .timer_ms = READ_MS, .ops = &stream_ops, .user = device};
    err = dpl_device_open_stream(device, &config, &state->timer, reterr);
    if (err < 0) {
        terminal_close(&state->terminal);
        return err;
    }
    dpl_device_log(device, DPL_LOG_INFO, "%s", key_help);
    return 0;
}

static void keyboard_close(struct dpl_device *device)
{
    struct state *state = device->state;
    dpl_stream_close(state->timer);
    state->timer = NULL;
    terminal_close(&state->terminal);
}

static int keyboard_execute(struct dpl_device *device, const void *in, void *out)
{
    (void)out;
    const struct dpl_tick *tick = in;
    struct state *state = device->state;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    dpl_latest_update(&state->newest.sync);
    const struct key_drive *drive = &state->newest.slot[dpl_latest_front(&state->newest.sync)];
    bool held = key_drive_is_held(drive, tick->now);
    state->n_keys = (int64_t)drive->n_keys;
    state->sample = (struct dpl_operator_sample){
        .held = held,
        .forward = held ? drive->forward : 0.0,
        .turn = held ? drive->turn : 0.0,
        .share = drive->share,
        .stamp = drive->stamp,
    };
    return 0;
}

static int keyboard_read(struct dpl_device *device, const void *in, void *out)
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
    [DPL_DRV_OPERATOR_INPUT_EXECUTE] = keyboard_execute,
    [DPL_DRV_OPERATOR_INPUT_READ] = keyboard_read,
};

static const struct dpl_field properties[] = {
    DPL_TEXT(struct properties, terminal, "Terminal", "/dev/tty",
             "the terminal whose keys are read; /dev/tty: the terminal in which doppel runs"),
    DPL_NUMBER(struct properties, first_ms, "FirstTimeout", "ms", "700", 50, 5000,
               "a pressed key counts as held for this long: longer than the terminal waits before "
               "it repeats a key"),
    DPL_NUMBER(struct properties, repeat_ms, "RepeatTimeout", "ms", "200", 20, 5000,
               "a key that repeats counts as held for this long after each repetition"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_INT(struct state, n_keys, "keys", NULL, DPL_FIELD_SUMMARY, "that have come"),
};

static const struct dpl_driver driver = {
    .name = "keyboard",
    .summary = "keys in the terminal of doppel",
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
    .open = keyboard_open,
    .close = keyboard_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
