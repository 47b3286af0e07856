/* SPDX-License-Identifier: Apache-2.0 */
/* Pins connected to a controller program that speaks Firmata: this driver acts as the
 * controller's board. `read`, `read_pwm`, `read_analog` and `read_edges` return the signals that
 * the
 * controller drives; the controller reads the values that are written here. The control thread owns
 * the wire and the board (protocol/firmata_board.h).
 *
 * As with simulated pins, an output drives its wire from its first write on, and a mode that is set
 * after a write for a later time takes effect at that time. Such a write reaches the controller
 * within TIMER_MS of its time; the length of a pulse that the controller measures with PING_READ is
 * exact. */
#include "firmata_board_stream.h"

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

/* Takes the data that has arrived since the last call. Values that were written while no controller
 * was connected are not sent; a new connection gets the newest value of each pin. */
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

/* Writes are not applied before earlier ones for the same pin. While no controller is connected,
 * the value is only stored. */
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

static int board_find(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_find *asked = in;
    unsigned *ret_pin = &((struct dpl_pins_number *)out)->pin;
    const struct state *state = device->state;
    int index = pin_names_find(&state->names, asked->name);
    if (index < 0) {
        return pin_names_number(asked->name, (unsigned)state->n_pins, ret_pin);
    }
    *ret_pin = (unsigned)index;
    return 0;
}

static int board_set_mode(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_mode *asked = in;
    unsigned pin = (unsigned)asked->pin;
    enum dpl_pin_mode mode = (enum dpl_pin_mode)asked->mode;
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

static int board_write(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_write *asked = in;
    unsigned pin = (unsigned)asked->pin;
    int err = begin(device, pin, MODE(DPL_PIN_OUTPUT));
    struct pin_event change = {
        .at = asked->at, .pin = (uint8_t)pin, .kind = DRIVE_LEVEL, .level = asked->level};
    return err < 0 ? err : ask(device, change);
}

static int write_ratio(struct dpl_device *device, unsigned pin, unsigned modes, double ratio)
{
    int err = begin(device, pin, modes);
    struct pin_event change = {.pin = (uint8_t)pin, .kind = DRIVE_RATIO, .value = ratio};
    return err < 0 ? err : ask(device, change);
}

static int board_write_analog(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_ratio *asked = in;
    unsigned pin = (unsigned)asked->pin;
    return write_ratio(device, pin, MODE(DPL_PIN_ANALOG_OUT), asked->ratio);
}

static int board_write_pwm(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_pwm *asked = in;
    unsigned pin = (unsigned)asked->pin;
    /* a Firmata host gets only the mean */
    return write_ratio(device, pin, MODE(DPL_PIN_PWM_OUT), asked->duty);
}

static int board_read(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_pin *asked = in;
    unsigned pin = (unsigned)asked->pin;
    struct dpl_pins_level *ret = out;
    const struct state *state = device->state;
    int err = begin(device, pin, DIGITAL_MODE);
    if (err == 0) {
        ret->level = state->sample.wires[pin].level;
    }
    return err;
}

static int board_read_analog(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_pin *asked = in;
    unsigned pin = (unsigned)asked->pin;
    struct dpl_pins_voltage *ret = out;
    const struct state *state = device->state;
    int err = begin(device, pin, MODE(DPL_PIN_ANALOG_IN));
    if (err == 0) {
        ret->ratio = state->sample.wires[pin].ratio;
    }
    return err;
}

static int board_read_pwm(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_pin *asked = in;
    unsigned pin = (unsigned)asked->pin;
    struct dpl_pins_pulses *ret = out;
    const struct state *state = device->state;
    int err = begin(device, pin, MODE(DPL_PIN_PWM_IN));
    if (err == 0) {
        ret->duty = state->sample.wires[pin].ratio;
        ret->frequency_hz = state->sample.wires[pin].frequency_hz;
    }
    return err;
}

static int board_read_edges(struct dpl_device *device, const void *in, void *out)
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

static int board_last_driven(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_pin *asked = in;
    unsigned pin = (unsigned)asked->pin;
    struct dpl_pins_driven *ret = out;
    const struct state *state = device->state;
    int err = begin(device, pin, ANY_MODE);
    if (err < 0 && err != -ENODEV) {
        return err;
    }
    dpl_ns at = state->sample.wires[pin].told_at;
    if (at < 0) {
        return -EAGAIN;
    }
    ret->at = at;
    return 0;
}

static int board_execute(struct dpl_device *device, const void *in, void *out)
{
    receive(device->state);
    return dpl_device_is_lost(device) ? -ENODEV : 0;
}

static const dpl_device_call_fn api[DPL_DRV_PINS_N_CALLS] = {
    [DPL_DRV_PINS_FIND] = board_find,
    [DPL_DRV_PINS_SET_MODE] = board_set_mode,
    [DPL_DRV_PINS_WRITE] = board_write,
    [DPL_DRV_PINS_WRITE_ANALOG] = board_write_analog,
    [DPL_DRV_PINS_WRITE_PWM] = board_write_pwm,
    [DPL_DRV_PINS_READ] = board_read,
    [DPL_DRV_PINS_READ_ANALOG] = board_read_analog,
    [DPL_DRV_PINS_READ_PWM] = board_read_pwm,
    [DPL_DRV_PINS_READ_EDGES] = board_read_edges,
    [DPL_DRV_PINS_LAST_DRIVEN] = board_last_driven,
    [DPL_DRV_PINS_EXECUTE] = board_execute,
};

/* ---- tables ---- */

static const struct dpl_field properties[] = {
    DPL_TEXT(struct properties, address, "Address", "listen:3030",
             "where the controller finds its board: pty:LINK, listen:PORT on this machine, "
             "tcp-listen:PORT, or a serial port"),
    DPL_INT(struct properties, baud, "Baud", "57600", 1200, 4000000, "speed of a serial port"),
    DPL_TEXT(struct properties, pins, "Pins", "",
             "names of the pins in order, from pin 0 on; none: 20 pins without names"),
    DPL_NUMBER(struct properties, silent_ms, "SilentAfter", "ms", "0", 0, 3600000,
               "a controller without a whole message for this long is lost; 0: it may be silent"),
};

#define COUNTER(name_, member_, flags_, text_)                                                     \
    DPL_EXPORT_INT(struct state, report.member_, name_, NULL, flags_, text_)

static const struct dpl_field exports[] = {
    COUNTER("messages", messages, DPL_FIELD_SUMMARY, "whole messages of the controller"),
    COUNTER("refused", refused, DPL_FIELD_SUMMARY, "messages that this board cannot follow"),
    COUNTER("dropped_bytes", dropped_bytes, DPL_FIELD_SUMMARY, "bytes of no message"),
    COUNTER("connections", connections, DPL_FIELD_SUMMARY, "controllers that came"),
    COUNTER("lost_edges", lost_edges, DPL_FIELD_SUMMARY, "edges that were not read in time"),
    COUNTER("dropped_writes", dropped_writes, DPL_FIELD_SUMMARY, "writes without room to wait"),
};

static const struct dpl_driver driver = {
    .name = "firmata_board",
    .summary = "acts as the Firmata board of a controller program",
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
    .open = board_stream_open,
    .close = board_stream_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
