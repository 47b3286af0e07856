/* SPDX-License-Identifier: Apache-2.0 */
/* Pins whose other side is a controller program that speaks Firmata: we pose as its board. What it
 * drives is what `read`, `read_pwm`, `read_analog` and `read_edges` give; what is written here is
 * what it reads. The control thread owns the wire and the board (protocol/firmata_board.h).
 *
 * As with simulated pins, an output drives its wire from its first write on, and a mode set after a
 * write for a later instant takes effect then. A write for later reaches the controller within
 * TIMER_MS of its instant, while the length of a pulse that it measures with PING_READ is exact. */
#include <stdio.h>
#include <string.h>

#include <doppel/latest.h>
#include <doppel/plugin.h>

#include "pin_exchange.h"
#include "pin_names.h"
#include "protocol/firmata_board.h"

#define TIMER_MS     2
#define AHEAD_MAX    256
#define DEFAULT_PINS 20

struct properties {
    char address[256];
    int64_t baud;
    char pins[1024];
    double silent_ms;
};

enum change {
    DRIVE_LEVEL,
    DRIVE_RATIO,
    LET_GO,
};

/* One end of a wire, as the calls see it. */
struct wire {
    bool level;
    double ratio, frequency_hz;
    dpl_ns told_at; /* negative: the controller never drove it */
};

struct sample {
    struct wire wires[DPL_PINS_MAX];
    uint64_t generation; /* counts connections */
    uint64_t messages, refused, dropped_bytes, late;
};

struct report {
    int64_t messages, refused, dropped_bytes, connections, lost_edges, dropped_writes;
};

struct state {
    struct pin_names names;
    size_t n_pins;
    struct pin_ring changes; /* calls -> control thread */
    struct pin_ring edges;   /* control thread -> calls */
    struct {
        struct dpl_latest sync;
        struct sample slot[3];
    } samples; /* control thread -> calls */
    /* control thread */
    struct dpl_stream *stream;
    struct dpl_firmata_board board;
    struct pin_event ahead[AHEAD_MAX]; /* changes whose instant has not come, in order */
    size_t n_ahead;
    uint64_t generation, dropped_writes, heard;
    dpl_ns heard_at;
    bool silent;
    /* thread of the calls */
    struct sample sample;
    enum dpl_pin_mode modes[DPL_PINS_MAX];
    struct pin_event newest[DPL_PINS_MAX]; /* what was last asked of each pin */
    struct pin_edges waiting[DPL_PINS_MAX];
    struct report report;
};

/* ---- control thread: wires ---- */

static struct wire look_at(const struct dpl_firmata_board *board, unsigned pin)
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
        sample->wires[i] = look_at(&state->board, i);
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

/* Behind those that are due before it or at the same instant. */
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

/* Applies what is due; returns whether anything was. */
static bool apply_due(struct state *state, dpl_ns now)
{
    struct pin_event change;
    while (pin_ring_pop(&state->changes, &change)) {
        keep(state, &change);
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
    dpl_device_log(user, DPL_LOG_INFO, "the controller says: %s", text);
}

/* ---- control thread: the stream ---- */

static void on_opened(struct dpl_stream *stream, void *user, dpl_ns now)
{
    struct dpl_device *device = user;
    struct state *state = device->state;
    state->stream = stream;
    state->generation++;
    state->heard_at = now;
    state->silent = false;
    dpl_firmata_board_connected(&state->board, now);
    apply_due(state, now);
    publish(state);
}

static void on_data(struct dpl_stream *stream, void *user, const uint8_t *bytes, size_t n,
                    dpl_ns now)
{
    (void)stream;
    struct dpl_device *device = user;
    struct state *state = device->state;
    apply_due(state, now);
    dpl_firmata_board_receive(&state->board, bytes, n, now);
    publish(state);
    if (state->board.parser.messages != state->heard) {
        state->heard = state->board.parser.messages;
        state->heard_at = now;
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
    dpl_device_lost(device, "%s: the controller has said nothing for %g ms", props->address,
                    props->silent_ms);
}

static void on_timer(struct dpl_stream *stream, void *user, dpl_ns now)
{
    (void)stream;
    struct dpl_device *device = user;
    struct state *state = device->state;
    if (apply_due(state, now)) {
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
    dpl_device_lost(device, "%s: the controller has gone: %s", props->address, why);
}

static const struct dpl_stream_ops stream_ops = {
    .opened = on_opened,
    .data = on_data,
    .timer = on_timer,
    .lost = on_lost,
};

/* ---- opening and closing ---- */

/* Every pin can do everything; the first sixteen have an ADC each, in order. */
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

static int board_open(struct dpl_device *device, struct dpl_diag *reterr)
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

static void board_close(struct dpl_device *device)
{
    struct state *state = device->state;
    dpl_stream_close(state->stream);
    state->stream = NULL;
}

/* ---- calls ---- */

static void fill_report(struct state *state)
{
    const struct sample *s = &state->sample;
    state->report.messages = (int64_t)s->messages;
    state->report.refused = (int64_t)s->refused;
    state->report.dropped_bytes = (int64_t)s->dropped_bytes;
    state->report.connections = (int64_t)s->generation;
    state->report.dropped_writes =
        (int64_t)(s->late + atomic_load_explicit(&state->changes.lost, memory_order_relaxed));
    state->report.lost_edges =
        (int64_t)atomic_load_explicit(&state->edges.lost, memory_order_relaxed);
}

/* What has come since the last call. Nothing of what was written while nobody was there has been
 * told: a new connection gets the newest of each pin. */
static void receive(struct state *state)
{
    struct pin_event edge;
    while (pin_ring_pop(&state->edges, &edge)) {
        pin_edges_add(&state->waiting[edge.pin], (struct dpl_pin_edge){edge.at, edge.level});
    }
    if (!dpl_latest_update(&state->samples.sync)) {
        return;
    }
    uint64_t before = state->sample.generation;
    state->sample = state->samples.slot[dpl_latest_front(&state->samples.sync)];
    for (unsigned i = 0; i < state->n_pins && state->sample.generation != before; i++) {
        pin_ring_push(&state->changes, &state->newest[i]);
    }
    fill_report(state);
}

#define MODE(mode)   (1u << (mode))
#define DIGITAL_MODE (MODE(DPL_PIN_INPUT) | MODE(DPL_PIN_PULL_UP) | MODE(DPL_PIN_OUTPUT))
#define ANY_MODE     UINT32_MAX

static int begin(struct dpl_device *device, unsigned pin, unsigned modes)
{
    struct state *state = device->state;
    receive(state);
    if (pin >= state->n_pins) {
        return -EINVAL;
    }
    if (!(modes >> state->modes[pin] & 1u)) {
        return -EPERM;
    }
    return dpl_device_is_lost(device) ? -ENODEV : 0;
}

/* Not before what was asked of the pin earlier. While nobody is there it is only remembered. */
static int ask(struct dpl_device *device, struct pin_event change)
{
    struct state *state = device->state;
    struct pin_event *newest = &state->newest[change.pin];
    change.at = change.at > 0 ? change.at : dpl_device_now(device);
    change.at = change.at > newest->at ? change.at : newest->at;
    *newest = change;
    if (state->sample.generation == 0) {
        return 0;
    }
    return pin_ring_push(&state->changes, &change) ? 0 : -EAGAIN;
}

static int board_find(struct dpl_device *device, const char *name, unsigned *ret_pin)
{
    const struct state *state = device->state;
    int index = pin_names_find(&state->names, name);
    if (index < 0) {
        return pin_names_number(name, (unsigned)state->n_pins, ret_pin);
    }
    *ret_pin = (unsigned)index;
    return 0;
}

static int board_set_mode(struct dpl_device *device, unsigned pin, enum dpl_pin_mode mode)
{
    struct state *state = device->state;
    int err = begin(device, pin, ANY_MODE);
    if (err < 0) {
        return err;
    }
    state->modes[pin] = mode;
    if (MODE(mode) & (MODE(DPL_PIN_OUTPUT) | MODE(DPL_PIN_ANALOG_OUT) | MODE(DPL_PIN_PWM_OUT))) {
        return 0;
    }
    struct pin_event change = {.pin = (uint8_t)pin, .kind = LET_GO};
    if (mode == DPL_PIN_PULL_UP) {
        change.kind = DRIVE_LEVEL;
        change.level = true;
    }
    return ask(device, change);
}

static int board_write(struct dpl_device *device, unsigned pin, bool level, dpl_ns at)
{
    int err = begin(device, pin, MODE(DPL_PIN_OUTPUT));
    struct pin_event change = {.at = at, .pin = (uint8_t)pin, .kind = DRIVE_LEVEL, .level = level};
    return err < 0 ? err : ask(device, change);
}

static int write_ratio(struct dpl_device *device, unsigned pin, unsigned modes, double ratio)
{
    int err = begin(device, pin, modes);
    struct pin_event change = {.pin = (uint8_t)pin, .kind = DRIVE_RATIO, .value = ratio};
    return err < 0 ? err : ask(device, change);
}

static int board_write_analog(struct dpl_device *device, unsigned pin, double ratio)
{
    return write_ratio(device, pin, MODE(DPL_PIN_ANALOG_OUT), ratio);
}

static int board_write_pwm(struct dpl_device *device, unsigned pin, double duty,
                           double frequency_hz)
{
    (void)frequency_hz; /* a Firmata host sees the mean alone */
    return write_ratio(device, pin, MODE(DPL_PIN_PWM_OUT), duty);
}

static int board_read(struct dpl_device *device, unsigned pin, bool *ret_level)
{
    const struct state *state = device->state;
    int err = begin(device, pin, DIGITAL_MODE);
    if (err == 0) {
        *ret_level = state->sample.wires[pin].level;
    }
    return err;
}

static int board_read_analog(struct dpl_device *device, unsigned pin, double *ret_ratio)
{
    const struct state *state = device->state;
    int err = begin(device, pin, MODE(DPL_PIN_ANALOG_IN));
    if (err == 0) {
        *ret_ratio = state->sample.wires[pin].ratio;
    }
    return err;
}

static int board_read_pwm(struct dpl_device *device, unsigned pin, double *ret_duty,
                          double *ret_frequency_hz)
{
    const struct state *state = device->state;
    int err = begin(device, pin, MODE(DPL_PIN_PWM_IN));
    if (err == 0) {
        *ret_duty = state->sample.wires[pin].ratio;
        *ret_frequency_hz = state->sample.wires[pin].frequency_hz;
    }
    return err;
}

static int board_read_edges(struct dpl_device *device, unsigned pin, struct dpl_pin_edge *ret_edges,
                            size_t n, size_t *ret_n, unsigned *lost)
{
    struct state *state = device->state;
    int err = begin(device, pin, DIGITAL_MODE);
    if (err == 0) {
        *ret_n = pin_edges_take(&state->waiting[pin], ret_edges, n, lost);
    }
    return err;
}

static int board_last_driven(struct dpl_device *device, unsigned pin, dpl_ns *ret_at)
{
    const struct state *state = device->state;
    int err = begin(device, pin, ANY_MODE);
    if (err < 0 && err != -ENODEV) {
        return err;
    }
    dpl_ns at = state->sample.wires[pin].told_at;
    if (at < 0) {
        return -EAGAIN;
    }
    *ret_at = at;
    return 0;
}

static int board_execute(struct dpl_device *device, const struct dpl_tick *tick)
{
    (void)tick;
    receive(device->state);
    return dpl_device_is_lost(device) ? -ENODEV : 0;
}

static const struct dpl_pins_api api = {
    .find = board_find,
    .set_mode = board_set_mode,
    .write = board_write,
    .write_analog = board_write_analog,
    .write_pwm = board_write_pwm,
    .read = board_read,
    .read_analog = board_read_analog,
    .read_pwm = board_read_pwm,
    .read_edges = board_read_edges,
    .last_driven = board_last_driven,
    .execute = board_execute,
};

/* ---- tables ---- */

static const struct dpl_field properties[] = {
    DPL_TEXT(struct properties, address, "Address", "listen:3030",
             "where the controller finds its board: pty:LINK, listen:PORT on this machine, "
             "tcp-listen:PORT, or a serial port"),
    DPL_WHOLE(struct properties, baud, "Baud", "57600", 1200, 4000000, "speed of a serial port"),
    DPL_TEXT(struct properties, pins, "Pins", "",
             "names of the pins in order, from pin 0 on; none: 20 pins without names"),
    DPL_NUMBER(struct properties, silent_ms, "SilentAfter", "ms", "0", 0, 3600000,
               "a controller without a whole message for this long is lost; 0: it may be silent"),
};

#define COUNTER(name_, member_, flags_, text_)                                                     \
    DPL_EXPORT_WHOLE(struct state, report.member_, name_, NULL, flags_, text_)

static const struct dpl_field exports[] = {
    COUNTER("messages", messages, DPL_FIELD_SUMMARY, "whole messages of the controller"),
    COUNTER("refused", refused, DPL_FIELD_SUMMARY, "messages that this board cannot follow"),
    COUNTER("dropped_bytes", dropped_bytes, DPL_FIELD_SUMMARY, "bytes of no message"),
    COUNTER("connections", connections, DPL_FIELD_SUMMARY, "controllers that came"),
    COUNTER("lost_edges", lost_edges, DPL_FIELD_SUMMARY, "edges that nobody fetched in time"),
    COUNTER("dropped_writes", dropped_writes, DPL_FIELD_SUMMARY, "writes without room to wait"),
};

static const struct dpl_driver driver = {
    .name = "firmata_board",
    .summary = "poses as the board of a controller program that speaks Firmata",
    .device_class = DPL_PINS_CLASS,
    .backend = DPL_BACKEND_HARDWARE,
    .api = &api,
    .api_size = sizeof api,
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .open = board_open,
    .close = board_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
