/* SPDX-License-Identifier: Apache-2.0 */
/* The wire of the driver `firmata`, on the control thread: the stream, the board, writes and
 * received data. */
#include "firmata_stream.h"

#include <stdio.h>
#include <string.h>

#include "firmata_texts.h"

#define TIMER_MS 2

/* ---- control thread ---- */

static int write_bytes(void *user, const void *bytes, size_t n)
{
    const struct state *state = ((struct dpl_device *)user)->state;
    return state->stream ? dpl_stream_write(state->stream, bytes, n) : -ENOTCONN;
}

static void on_edge(void *user, unsigned pin, bool level, dpl_ns at)
{
    struct state *state = ((struct dpl_device *)user)->state;
    pin_ring_push(&state->edges,
                  &(struct pin_event){.at = at, .pin = (uint8_t)pin, .level = level});
}

static void log_text(void *user, const char *text)
{
    struct dpl_device *device = user;
    struct state *state = device->state;
    firmata_log_text(device, &state->texts, "board", text);
}

static void publish(struct state *state)
{
    const struct firmata_host *host = &state->host;
    struct sample *sample = &state->samples.slot[dpl_latest_back(&state->samples.sync)];
    sample->ready = host->phase == FIRMATA_READY;
    sample->n_pins = host->n_pins;
    for (size_t i = 0; i < host->n_pins; i++) {
        const struct firmata_host_pin *pin = &host->pins[i];
        sample->pins[i] = (struct input){pin->modes, pin->known, pin->level, pin->ratio};
    }
    sample->messages = host->parser.messages;
    sample->dropped_bytes = host->parser.dropped_bytes;
    sample->restarts = host->restarts;
    sample->connections = state->connections;
    sample->refused = state->refused;
    dpl_latest_publish(&state->samples.sync);
}

/* Resting outputs are checked again: a new commander is known before its first write. */
static int follow(struct dpl_device *device, const struct pin_event *command)
{
    struct state *state = device->state;
    struct firmata_host *host = &state->host;
    if (state->rests && command->kind != SET_MODE && !dpl_device_is_commanded(device)) {
        return -EBUSY;
    }
    switch ((enum command)command->kind) {
    case SET_MODE:
        return firmata_host_set_mode(host, command->pin, (enum dpl_pin_mode)command->value);
    case WRITE: return firmata_host_write(host, command->pin, command->level);
    case WRITE_PWM:
        return firmata_host_write_pwm(host, command->pin, command->value, command->frequency_hz);
    case PING: return firmata_host_ping(host, command->pin, command->at, (dpl_ns)command->value);
    }
    return -EINVAL;
}

/* ---- pins that the board does not have ---- */

static void want_mode(struct state *state, const struct pin_event *command)
{
    if (command->kind == SET_MODE && command->pin < DPL_PINS_MAX) {
        state->wanted[command->pin] = true;
        state->wanted_mode[command->pin] = (enum dpl_pin_mode)command->value;
    }
}

int firmata_pin_of(const struct properties *props, const char *text, unsigned *ret_pin)
{
    unsigned channel;
    if (text[0] != 'A') {
        return pin_names_number(text, DPL_PINS_MAX, ret_pin);
    }
    unsigned first = (unsigned)props->first_analog;
    int err = pin_names_number(text + 1, DPL_PINS_MAX - first, &channel);
    if (err == 0) {
        *ret_pin = first + channel;
    }
    return err;
}

/* The name of a pin from the property Pins; NULL: none. */
static const char *name_of(struct dpl_device *device, unsigned pin)
{
    const struct pin_names *names = &((const struct state *)device->state)->names;
    for (size_t i = 0; i < names->n; i++) {
        unsigned number = (unsigned)i;
        if ((names->pin[i][0] == '\0' ||
             firmata_pin_of(device->properties, names->pin[i], &number) == 0) &&
            number == pin) {
            return names->name[i];
        }
    }
    return NULL;
}

static bool is_missing(const struct state *state, unsigned pin)
{
    const struct firmata_host *host = &state->host;
    return state->wanted[pin] &&
           (pin >= host->n_pins ||
            !firmata_host_can(host->pins[pin].modes, state->wanted_mode[pin]));
}

/* Appends ", SERVO (7)", if there is room for all of it. */
static void add_pin(struct dpl_device *device, unsigned pin, char *text, size_t size)
{
    const char *name = name_of(device, pin);
    size_t used = strlen(text);
    const char *comma = used > 0 ? ", " : "";
    int n = name ? snprintf(text + used, size - used, "%s%s (%u)", comma, name, pin)
                 : snprintf(text + used, size - used, "%s%u", comma, pin);
    if (n < 0 || (size_t)n >= size - used) {
        text[used] = '\0';
    }
}

/* A board on which a pin does not support its mode is the wrong board: reports the loss with the
 * names of the pins. */
static bool has_all_pins(struct dpl_device *device)
{
    const struct state *state = device->state;
    char absent[96] = "", unable[96] = "";
    for (unsigned i = 0; i < DPL_PINS_MAX; i++) {
        if (is_missing(state, i)) {
            bool is_absent = i >= state->host.n_pins;
            add_pin(device, i, is_absent ? absent : unable, sizeof absent);
        }
    }
    if (absent[0] != '\0') {
        dpl_device_lost(device, "the board has %zu pins and lacks %s", state->host.n_pins, absent);
    } else if (unable[0] != '\0') {
        dpl_device_lost(device, "pins of this board do not support their use: %s", unable);
    }
    return absent[0] == '\0' && unable[0] == '\0';
}

/* Commands wait until the board is ready. */
static void follow_all(struct dpl_device *device)
{
    struct state *state = device->state;
    struct pin_event command;
    bool any = false, refused_mode = false;
    while (state->host.phase == FIRMATA_READY && pin_ring_pop(&state->commands, &command)) {
        want_mode(state, &command);
        int err = follow(device, &command);
        state->refused += err < 0;
        refused_mode |= err < 0 && command.kind == SET_MODE;
        any = true;
    }
    if (refused_mode) {
        has_all_pins(device);
    }
    if (any) {
        publish(state);
    }
}

/* Writes for a board that was lost are not sent to the next one. */
static void forget_writes(struct state *state)
{
    struct pin_event command;
    while (pin_ring_pop(&state->commands, &command)) {
        want_mode(state, &command);
        if (command.kind == SET_MODE && command.pin < DPL_PINS_MAX) {
            state->host.pins[command.pin].is_set = true;
            state->host.pins[command.pin].mode = (enum dpl_pin_mode)command.value;
        }
    }
}

static void on_opened(struct dpl_stream *stream, void *user, dpl_ns now)
{
    struct state *state = ((struct dpl_device *)user)->state;
    state->stream = stream;
    state->opened_at = now;
    state->was_ready = false;
    if (state->connections++ > 0) {
        forget_writes(state);
    }
    firmata_host_opened(&state->host, now);
    publish(state);
}

static void report_phase(struct dpl_device *device)
{
    struct state *state = device->state;
    const struct firmata_host *host = &state->host;
    bool ready = host->phase == FIRMATA_READY;
    if (host->phase == FIRMATA_REFUSED) {
        dpl_device_lost(device, "%s", host->problem);
    } else if (ready && !state->was_ready) {
        dpl_device_log(device, DPL_LOG_INFO, "Firmata %u.%u, \"%s\", %zu pins", host->version >> 8,
                       host->version & 0xffu, host->firmware, host->n_pins);
        if (has_all_pins(device)) {
            dpl_device_found(device);
        }
    } else if (!ready && state->was_ready) {
        dpl_device_lost(device, "the board has restarted");
    }
    state->was_ready = ready;
}

static void on_data(struct dpl_stream *stream, void *user, const uint8_t *bytes, size_t n,
                    dpl_ns now)
{
    (void)stream;
    struct dpl_device *device = user;
    struct state *state = device->state;
    uint64_t restarts = state->host.restarts;
    if (!firmata_host_data(&state->host, bytes, n, now)) {
        return;
    }
    if (state->host.restarts != restarts) {
        forget_writes(state);
    }
    report_phase(device);
    publish(state);
    follow_all(device);
}

/* The answer that is missing from a board that does not become ready. */
static const char *missing_answer(const struct firmata_host *host)
{
    switch (host->phase) {
    case FIRMATA_CAPABILITY: return "the board does not answer the capability query";
    case FIRMATA_MAPPING: return "the board does not answer the analog mapping query";
    default:
        return host->parser.messages > 0 ? "the board does not answer the firmware query"
                                         : "nothing on this port speaks Firmata";
    }
}

/* Outputs rest while no command arrives in time. Their former values are not restored; a later
 * write drives an output again. */
static void watch_commander(struct dpl_device *device)
{
    struct state *state = device->state;
    bool rests = !dpl_device_is_commanded(device);
    if (rests && !state->rests && state->host.phase == FIRMATA_READY) {
        follow_all(device);
        firmata_host_rest(&state->host);
    }
    state->rests = rests;
}

static void on_timer(struct dpl_stream *stream, void *user, dpl_ns now)
{
    struct dpl_device *device = user;
    const struct properties *props = device->properties;
    struct state *state = device->state;
    dpl_ns silence = dpl_ns_from_s(props->silence_ms * 1e-3);
    dpl_ns boot = dpl_ns_from_s(props->boot_ms * 1e-3);
    bool is_ready = state->host.phase == FIRMATA_READY;
    watch_commander(device);
    follow_all(device);
    firmata_host_timer(&state->host, now, silence);
    if (is_ready && now - state->host.heard_at > silence) {
        dpl_stream_reopen(stream, "the board has stopped answering");
    } else if (!is_ready && state->host.phase != FIRMATA_REFUSED && now - state->opened_at > boot) {
        dpl_stream_reopen(stream, missing_answer(&state->host));
    }
}

static void on_lost(struct dpl_stream *stream, void *user, const char *why)
{
    (void)stream;
    struct dpl_device *device = user;
    const struct properties *props = device->properties;
    struct state *state = device->state;
    state->host.phase = FIRMATA_UNKNOWN;
    publish(state);
    dpl_device_lost(device, "%s: %s", props->port, why);
}

static const struct dpl_stream_ops stream_ops = {
    .opened = on_opened,
    .data = on_data,
    .timer = on_timer,
    .lost = on_lost,
};

/* ---- opening and closing ---- */

int firmata_stream_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    int err = pin_names_read(props->pins, &state->names, reterr);
    if (err < 0) {
        return err;
    }
    dpl_latest_init(&state->samples.sync);
    struct firmata_host_config config = {
        .sampling_ms = (uint16_t)props->sampling_ms,
        .first_analog = (unsigned)props->first_analog,
        .send = write_bytes,
        .edge = on_edge,
        .text = log_text,
        .user = device,
    };
    firmata_host_init(&state->host, &config);
    struct dpl_stream_config stream = {
        .address = props->port,
        .baud = (uint32_t)props->baud,
        .timer_ms = TIMER_MS,
        .ops = &stream_ops,
        .user = device,
    };
    return dpl_device_open_stream(device, &stream, &state->stream, reterr);
}

void firmata_stream_close(struct dpl_device *device)
{
    struct state *state = device->state;
    if (!state->stream) {
        return;
    }
    firmata_host_halt(&state->host);
    dpl_stream_close(state->stream);
    state->stream = NULL;
}
