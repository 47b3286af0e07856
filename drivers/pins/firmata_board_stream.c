/* SPDX-License-Identifier: Apache-2.0 */
/* The wire of the driver `firmata_board`, on the control thread: the stream that waits for a
 * controller, the emulated board, and changes at their times. */
#include <stdio.h>
#include <string.h>

#include "firmata_board_stream.h"
#include "firmata_texts.h"

#define DEFAULT_PINS 20

/* ---- control thread: wires ---- */

static struct wire wire_of(const struct dpl_firmata_board *board, unsigned pin)
{
    struct dpl_firmata_output output = dpl_firmata_board_output(board, pin);
    const struct dpl_firmata_board_pin *own = &board->pins[pin];
    bool is_driven = output.kind == DPL_FIRMATA_LEVEL || output.kind == DPL_FIRMATA_PULSES;
    bool level = dpl_firmata_board_level(board, pin);
    return (struct wire){
        .level = level,
        .ratio = is_driven     ? output.duty
                 : own->driven ? own->ratio
                               : level,
        .frequency_hz = output.frequency_hz,
        .told_at = own->told_at,
    };
}

static void publish(struct state *state)
{
    struct sample *sample = &state->samples.slot[dpl_latest_back(&state->samples.sync)];
    for (unsigned i = 0; i < state->n_pins; i++) {
        sample->wires[i] = wire_of(&state->board, i);
    }
    sample->generation = state->generation;
    sample->messages = state->board.parser.messages;
    sample->dropped_bytes = state->board.parser.dropped_bytes;
    sample->refused = state->board.refused;
    sample->late = state->dropped_writes;
    dpl_latest_publish(&state->samples.sync);
}

static void apply(struct state *state, const struct pin_event *change)
{
    struct dpl_firmata_board *board = &state->board;
    switch ((enum change)change->kind) {
    case DRIVE_LEVEL: dpl_firmata_board_drive(board, change->pin, change->level, change->at); break;
    case DRIVE_RATIO:
        dpl_firmata_board_drive_ratio(board, change->pin, change->value, change->at);
        break;
    case LET_GO: dpl_firmata_board_release(board, change->pin, change->at); break;
    }
}

/* Inserts the change after those that are due before it or at the same time. */
static void keep(struct state *state, const struct pin_event *change)
{
    if (state->n_ahead == AHEAD_MAX) {
        state->dropped_writes++;
        return;
    }
    size_t i = state->n_ahead++;
    for (; i > 0 && state->ahead[i - 1].at > change->at; i--) {
        state->ahead[i] = state->ahead[i - 1];
    }
    state->ahead[i] = *change;
}

/* Applies the changes that are due; returns whether there were any. Changes while the wires rest
 * are dropped. */
static bool apply_due(struct dpl_device *device, dpl_ns now)
{
    struct state *state = device->state;
    struct pin_event change;
    while (pin_ring_pop(&state->changes, &change)) {
        if (state->rests && !dpl_device_is_commanded(device)) {
            state->dropped_writes++;
        } else {
            keep(state, &change);
        }
    }
    size_t n = 0;
    while (n < state->n_ahead && state->ahead[n].at <= now) {
        apply(state, &state->ahead[n++]);
    }
    state->n_ahead -= n;
    memmove(state->ahead, state->ahead + n, state->n_ahead * sizeof state->ahead[0]);
    return n > 0;
}

static void on_edge(void *user, unsigned pin, bool level, dpl_ns at)
{
    struct state *state = ((struct dpl_device *)user)->state;
    pin_ring_push(&state->edges,
                  &(struct pin_event){.at = at, .pin = (uint8_t)pin, .level = level});
}

static void send_message(void *user, const uint8_t *bytes, size_t n, dpl_ns now)
{
    (void)now;
    struct state *state = ((struct dpl_device *)user)->state;
    if (state->stream) {
        dpl_stream_write(state->stream, bytes, n);
    }
}

static void log_text(void *user, const char *text)
{
    struct dpl_device *device = user;
    struct state *state = device->state;
    firmata_log_text(device, &state->texts, "controller", text);
}

/* ---- control thread: the stream ---- */

static void on_opened(struct dpl_stream *stream, void *user, dpl_ns now)
{
    struct dpl_device *device = user;
    struct state *state = device->state;
    state->stream = stream;
    state->generation++;
    state->heard_at = now;
    state->dropped_before = state->board.parser.dropped_bytes;
    state->silent = false;
    dpl_firmata_board_connected(&state->board, now);
    apply_due(device, now);
    publish(state);
}

static void on_data(struct dpl_stream *stream, void *user, const uint8_t *bytes, size_t n,
                    dpl_ns now)
{
    (void)stream;
    struct dpl_device *device = user;
    struct state *state = device->state;
    apply_due(device, now);
    dpl_firmata_board_receive(&state->board, bytes, n, now);
    publish(state);
    if (state->board.parser.messages != state->heard) {
        state->heard = state->board.parser.messages;
        state->heard_at = now;
        state->dropped_before = state->board.parser.dropped_bytes;
        state->silent = false;
        dpl_device_found(device);
    }
}

static void watch_silence(struct dpl_device *device, dpl_ns now)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    dpl_ns patience = dpl_ns_from_s(props->silent_ms * 1e-3);
    if (patience == 0 || state->silent || now - state->heard_at <= patience) {
        return;
    }
    state->silent = true;
    uint64_t nonsense = state->board.parser.dropped_bytes - state->dropped_before;
    if (nonsense > 0) {
        dpl_device_lost(
            device, "%s: the controller has sent no valid message for %g ms: %llu invalid bytes",
            props->address, props->silent_ms, (unsigned long long)nonsense);
    } else {
        dpl_device_lost(device, "%s: no message from the controller for %g ms", props->address,
                        props->silent_ms);
    }
}

/* When the bench hangs, its sensors' last values must not look like new measurements: the
 * controller then sees wires that nothing drives. A later write drives a wire again. */
static void watch_commander(struct dpl_device *device, dpl_ns now)
{
    struct state *state = device->state;
    bool rests = !dpl_device_is_commanded(device);
    if (rests && !state->rests) {
        apply_due(device, now);
        state->n_ahead = 0;
        for (unsigned i = 0; i < state->n_pins; i++) {
            dpl_firmata_board_release(&state->board, i, now);
        }
        publish(state);
    }
    state->rests = rests;
}

static void on_timer(struct dpl_stream *stream, void *user, dpl_ns now)
{
    (void)stream;
    struct dpl_device *device = user;
    struct state *state = device->state;
    watch_commander(device, now);
    if (apply_due(device, now)) {
        publish(state);
    }
    dpl_firmata_board_tick(&state->board, now);
    watch_silence(device, now);
}

static void on_lost(struct dpl_stream *stream, void *user, const char *why)
{
    (void)stream;
    struct dpl_device *device = user;
    const struct properties *props = device->properties;
    struct state *state = device->state;
    dpl_firmata_board_disconnected(&state->board, dpl_device_now(device));
    publish(state);
    dpl_device_lost(device, "%s: the controller has disconnected: %s", props->address, why);
}

static const struct dpl_stream_ops stream_ops = {
    .opened = on_opened,
    .data = on_data,
    .timer = on_timer,
    .lost = on_lost,
};

/* ---- opening and closing ---- */

/* Every pin supports every mode; the first sixteen have an ADC channel each, in order. */
static struct dpl_firmata_board_config board_config(struct dpl_device *device, size_t n_pins)
{
    struct dpl_firmata_board_config config = {
        .firmware = "DoppelFirmata.ino",
        .major = 2,
        .minor = 5,
        .n_pins = n_pins,
        .send = send_message,
        .edge = on_edge,
        .text = log_text,
        .user = device,
    };
    for (size_t i = 0; i < n_pins; i++) {
        config.pins[i] = (struct dpl_firmata_pin_kind){
            .abilities = DPL_FIRMATA_CAN_DIGITAL | DPL_FIRMATA_CAN_PWM | DPL_FIRMATA_CAN_SERVO |
                         DPL_FIRMATA_CAN_PING,
            .channel = i < DPL_FIRMATA_CHANNELS_MAX ? (uint8_t)i : DPL_FIRMATA_NO_CHANNEL,
        };
    }
    return config;
}

int board_stream_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    int err = pin_names_read(props->pins, &state->names, reterr);
    if (err < 0) {
        return err;
    }
    state->n_pins = state->names.n > 0 ? state->names.n : DEFAULT_PINS;
    for (unsigned i = 0; i < state->n_pins; i++) {
        state->newest[i] = (struct pin_event){.pin = (uint8_t)i, .kind = LET_GO};
    }
    dpl_latest_init(&state->samples.sync);
    struct dpl_firmata_board_config config = board_config(device, state->n_pins);
    dpl_firmata_board_init(&state->board, &config);
    publish(state);
    struct dpl_stream_config stream = {
        .address = props->address,
        .baud = (uint32_t)props->baud,
        .timer_ms = TIMER_MS,
        .ops = &stream_ops,
        .user = device,
    };
    return dpl_device_open_stream(device, &stream, &state->stream, reterr);
}

void board_stream_close(struct dpl_device *device)
{
    struct state *state = device->state;
    dpl_stream_close(state->stream);
    state->stream = NULL;
}
