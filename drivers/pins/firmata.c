/* SPDX-License-Identifier: Apache-2.0 */
/* The hardware driver of boards that run StandardFirmata: any Arduino-class board on a serial port.
 * The control thread owns the wire (firmata_host.h). Modes and writes go to it through a ring, in
 * the order of the calls; inputs come back as a sample and as edges. The time of an edge is the
 * arrival of its report. After a loss the modes are set again, but writes are not repeated. */
#include "firmata_stream.h"

/* ---- calls ---- */

static void receive(struct state *state)
{
    struct pin_event edge;
    while (pin_ring_pop(&state->edges, &edge)) {
        pin_edges_add(&state->waiting[edge.pin], (struct dpl_pin_edge){edge.at, edge.level});
    }
    if (!dpl_latest_update(&state->samples.sync)) {
        return;
    }
    state->sample = state->samples.slot[dpl_latest_front(&state->samples.sync)];
    const struct sample *s = &state->sample;
    state->report = (struct report){
        .messages = (int64_t)s->messages,
        .dropped_bytes = (int64_t)s->dropped_bytes,
        .refused = (int64_t)s->refused,
        .reconnects = s->connections > 0 ? (int64_t)s->connections - 1 : 0,
        .restarts = (int64_t)s->restarts,
        .lost_edges = (int64_t)atomic_load_explicit(&state->edges.lost, memory_order_relaxed),
    };
}

#define MODE(mode)   (1u << (mode))
#define DIGITAL_MODE (MODE(DPL_PIN_INPUT) | MODE(DPL_PIN_PULL_UP) | MODE(DPL_PIN_OUTPUT))
#define ANY_MODE     UINT32_MAX

static int begin(struct dpl_device *device, unsigned pin, unsigned modes)
{
    struct state *state = device->state;
    receive(state);
    if (pin >= DPL_PINS_MAX || (state->sample.ready && pin >= state->sample.n_pins)) {
        return -EINVAL;
    }
    if (!(modes >> state->modes[pin] & 1u)) {
        return -EPERM;
    }
    return dpl_device_is_lost(device) ? -ENODEV : 0;
}

static int command(struct dpl_device *device, struct pin_event event)
{
    struct state *state = device->state;
    return pin_ring_push(&state->commands, &event) ? 0 : -EAGAIN;
}

static int firmata_find(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_find *asked = in;
    unsigned *ret_pin = &((struct dpl_pins_number *)out)->pin;
    const struct state *state = device->state;
    int index = pin_names_find(&state->names, asked->name);
    if (index < 0) {
        return firmata_pin_of(device->properties, asked->name, ret_pin);
    }
    if (state->names.pin[index][0] != '\0') {
        return firmata_pin_of(device->properties, state->names.pin[index], ret_pin);
    }
    *ret_pin = (unsigned)index;
    return 0;
}

static int firmata_set_mode(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_mode *asked = in;
    unsigned pin = (unsigned)asked->pin;
    enum dpl_pin_mode mode = (enum dpl_pin_mode)asked->mode;
    struct state *state = device->state;
    int err = begin(device, pin, ANY_MODE);
    if (err < 0) {
        return err;
    }
    if (state->sample.ready ? !firmata_host_can(state->sample.pins[pin].modes, mode)
                            : !firmata_host_can(UINT16_MAX, mode)) {
        return -ENOTSUP;
    }
    err = command(device, (struct pin_event){.pin = (uint8_t)pin, .kind = SET_MODE, .value = mode});
    if (err == 0) {
        state->modes[pin] = mode;
        state->sample.pins[pin].known = false; /* the known value belongs to another mode */
        state->written[pin] = false;
    }
    return err;
}

static int firmata_write(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_write *asked = in;
    unsigned pin = (unsigned)asked->pin;
    struct state *state = device->state;
    int err = begin(device, pin, MODE(DPL_PIN_OUTPUT));
    if (err < 0) {
        return err;
    }
    if (asked->at > dpl_device_now(device)) {
        return -ENOTSUP;
    }
    err = command(device,
                  (struct pin_event){.pin = (uint8_t)pin, .kind = WRITE, .level = asked->level});
    if (err == 0) {
        state->written[pin] = asked->level;
    }
    return err;
}

static int firmata_write_pwm(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_pwm *asked = in;
    unsigned pin = (unsigned)asked->pin;
    int err = begin(device, pin, MODE(DPL_PIN_PWM_OUT));
    struct pin_event event = {.pin = (uint8_t)pin,
                              .kind = WRITE_PWM,
                              .value = asked->duty,
                              .frequency_hz = asked->frequency_hz};
    return err < 0 ? err : command(device, event);
}

/* -EAGAIN until the first report of the pin arrives. */
static int find_input(struct dpl_device *device, unsigned pin, unsigned modes,
                      const struct input **ret)
{
    const struct state *state = device->state;
    int err = begin(device, pin, modes);
    if (err < 0) {
        return err;
    }
    *ret = &state->sample.pins[pin];
    return state->sample.ready && (*ret)->known ? 0 : -EAGAIN;
}

static int firmata_read(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_pin *asked = in;
    unsigned pin = (unsigned)asked->pin;
    struct dpl_pins_level *ret = out;
    const struct state *state = device->state;
    const struct input *input;
    int err = begin(device, pin, MODE(DPL_PIN_OUTPUT));
    if (err == 0) {
        ret->level = state->written[pin];
        return 0;
    }
    if (err == -EPERM) {
        err = find_input(device, pin, DIGITAL_MODE, &input);
    }
    if (err == 0) {
        ret->level = input->level;
    }
    return err;
}

static int firmata_read_analog(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_pin *asked = in;
    unsigned pin = (unsigned)asked->pin;
    struct dpl_pins_voltage *ret = out;
    const struct input *input;
    int err = find_input(device, pin, MODE(DPL_PIN_ANALOG_IN), &input);
    if (err == 0) {
        ret->ratio = input->ratio;
    }
    return err;
}

static int firmata_read_edges(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_take *asked = in;
    unsigned pin = (unsigned)asked->pin;
    struct dpl_pins_edges *ret = out;
    size_t n = (size_t)asked->n;
    struct state *state = device->state;
    int err = begin(device, pin, DIGITAL_MODE);
    if (err == 0) {
        ret->lost = 0;
        ret->n = pin_edges_pop(&state->waiting[pin], ret->edges, n, &ret->lost);
    }
    return err;
}

/* The trigger is sent in the event's field for the time, the timeout in the field for the value. */
static int firmata_ping(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_ping *asked = in;
    unsigned pin = (unsigned)asked->pin;
    int err = begin(device, pin, MODE(DPL_PIN_INPUT));
    struct pin_event event = {
        .pin = (uint8_t)pin, .kind = PING, .at = asked->trigger, .value = (double)asked->timeout};
    return err < 0 ? err : command(device, event);
}

static int firmata_execute(struct dpl_device *device, const void *in, void *out)
{
    receive(device->state);
    return dpl_device_is_lost(device) ? -ENODEV : 0;
}

static const dpl_device_call_fn api[DPL_DRV_PINS_N_CALLS] = {
    [DPL_DRV_PINS_FIND] = firmata_find,
    [DPL_DRV_PINS_SET_MODE] = firmata_set_mode,
    [DPL_DRV_PINS_WRITE] = firmata_write,
    [DPL_DRV_PINS_WRITE_PWM] = firmata_write_pwm,
    [DPL_DRV_PINS_READ] = firmata_read,
    [DPL_DRV_PINS_READ_ANALOG] = firmata_read_analog,
    [DPL_DRV_PINS_READ_EDGES] = firmata_read_edges,
    [DPL_DRV_PINS_PING] = firmata_ping,
    [DPL_DRV_PINS_EXECUTE] = firmata_execute,
};

/* ---- tables ---- */

static const struct dpl_field properties[] = {
    {
        .name = "Address",
        .aliases = "Device|SerialPort",
        .type = DPL_FIELD_STRING,
        DPL_MEMBER(struct properties, port),
        .default_text = "/dev/ttyACM0",
        .summary = "serial port of the board, or tcp://host:port",
    },
    DPL_INT(struct properties, baud, "Baud", "57600", 1200, 4000000, "speed of the serial port"),
    DPL_TEXT(struct properties, pins, "Pins", "",
             "names of pins, such as \"SERVO=9 IR3=A0\"; numbers and A0.. work always"),
    DPL_INT(struct properties, first_analog, "FirstAnalogPin", "14", 0, DPL_PINS_MAX - 1,
            "the number of pin A0: 14 on an Uno, 54 on a Mega"),
    DPL_NUMBER(struct properties, sampling_ms, "SamplingInterval", "ms", "19", 1, 16383,
               "between two reports of an analog pin"),
    DPL_NUMBER(struct properties, silence_ms, "SilenceTimeout", "ms", "1000", 40, 60000,
               "a board that does not answer for this long is lost"),
    DPL_NUMBER(struct properties, boot_ms, "BootTimeout", "ms", "5000", 100, 60000,
               "time for a board to identify itself after it was opened"),
};

#define COUNTER(name_, member_, text_)                                                             \
    DPL_EXPORT_INT(struct state, report.member_, name_, NULL, DPL_FIELD_SUMMARY, text_)

static const struct dpl_field exports[] = {
    COUNTER("messages", messages, "whole messages of the board"),
    COUNTER("dropped_bytes", dropped_bytes, "bytes of no message"),
    COUNTER("refused", refused, "modes and writes that the board's pins do not support"),
    COUNTER("reconnects", reconnects, "connections after the first"),
    COUNTER("restarts", restarts, "of the board without a lost connection"),
    COUNTER("lost_edges", lost_edges, "edges that were not read in time"),
};

static const struct dpl_driver driver = {
    .name = "firmata",
    .summary = "an Arduino-class board that speaks Firmata, on a serial port",
    .device_class = &dpl_pins_class,
    .backend = DPL_BACKEND_HARDWARE,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .open = firmata_stream_open,
    .close = firmata_stream_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
