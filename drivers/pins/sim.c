/* SPDX-License-Identifier: Apache-2.0 */
/* The simulated driver of pins: two boards, `board` and `bench`, connected by wires; pins with the
 * same name are the two ends of one wire. Works on any clock.
 *
 * An output drives its wire from its first write on. Changes keep the order of the calls: a mode
 * that is set after a write for a later time takes effect at that time, so that a complete pulse
 * (high at one time, low at another, then an input again) can be written in one cycle. At most
 * WIRE_KEPT / 2
 * changes of a pin may be in the future (-EAGAIN). PWM has a level at every time, but has no edges
 * after its first: read_pwm measures it.
 *
 * Latency applies to changes for now. A write for a given time changes the wire exactly at that
 * time, because the board makes the edge itself, as a sensor makes its echo.
 *
 * When the other board of a wire is not commanded in time, the reader sees a wire that is not
 * driven, until that board writes again. */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include <doppel/plugin.h>

#include "sim_pins.h"

#define AHEAD_MAX (WIRE_KEPT / 2)
#define FUTURE_MAX                                                                                 \
    (3600 * DPL_S) /* later times are an error and would block the pin for too long */

struct properties {
    char harness[64];
    int side;
    char pins[1024];
    int64_t analog_bits;
    double latency_ms;
    double analog_noise;
    bool vary;
};

/* ---- opening ---- */

static int join(struct dpl_device *device, size_t index, struct dpl_diag *reterr)
{
    const struct properties *p = device->properties;
    struct state *state = device->state;
    struct pin *pin = &state->pins[index];
    const char *name = state->names.name[index];
    char key[128];
    snprintf(key, sizeof key, "pins.%s.%s", p->harness, name);
    struct wire *wire = dpl_device_share(device, key, sizeof *wire);
    if (!wire) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "no memory for pin '%s'", name);
    }
    pin->own = &wire->end[p->side];
    pin->other = &wire->end[!p->side];
    if (pin->own->board) {
        return dpl_fail(reterr, -EBUSY, (struct dpl_place){0},
                        "pin '%s' of harness '%s' has two devices on side '%s'", name, p->harness,
                        p->side ? "bench" : "board");
    }
    pin->own->board = device;
    return 0;
}

static int add_pins(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *p = device->properties;
    struct state *state = device->state;
    int err = pin_names_read(p->pins, &state->names, reterr);
    for (size_t i = 0; err == 0 && i < state->names.n; i++) {
        if (state->names.pin[i][0] != '\0') {
            return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                            "Pins: '%s=%s': simulated pins are numbered by their position",
                            state->names.name[i], state->names.pin[i]);
        }
        state->n = i + 1;
        err = join(device, i, reterr);
    }
    return err;
}

static int sim_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *p = device->properties;
    struct state *state = device->state;
    state->rng = dpl_random_seeded(dpl_device_seed(device), 0);
    state->analog_steps = ldexp(1.0, (int)p->analog_bits);
    state->noise = p->vary ? p->analog_noise : 0.0;
    double part = p->vary ? dpl_random_uniform(&state->rng, 0.5, 1.5) : 1.0;
    state->latency = dpl_ns_from_s(p->latency_ms * 1e-3 * part);
    return add_pins(device, reterr);
}

static void sim_close(struct dpl_device *device)
{
    struct state *state = device->state;
    dpl_ns now = dpl_device_now(device);
    for (size_t i = 0; i < state->n; i++) {
        struct wire_change newest = wire_newest(state->pins[i].own);
        struct wire_change gone = {.at = now > newest.at ? now : newest.at};
        wire_push(state->pins[i].own, &gone);
        state->pins[i].own->board = NULL;
    }
}

/* ---- outputs ---- */

int sim_pin_in_mode(struct dpl_device *device, unsigned number, unsigned modes,
                    struct pin **ret_pin)
{
    struct state *state = device->state;
    if (number >= state->n) {
        return -EINVAL;
    }
    *ret_pin = &state->pins[number];
    return (modes >> (*ret_pin)->mode) & 1u ? 0 : -EPERM;
}

void sim_count_fight(struct state *state, struct pin *pin, dpl_ns t)
{
    struct wire_change own = wire_at(pin->own, t), other = wire_at(pin->other, t);
    bool fights = wire_is_driven(&own) && wire_is_driven(&other);
    state->n_conflicts += fights && !pin->fights;
    pin->fights = fights;
}

static void count_late(struct state *state, dpl_ns lateness)
{
    state->n_late++;
    state->worst_late_us = fmax(state->worst_late_us, dpl_ns_to_s(lateness) * 1e6);
}

/* The time at which a change requested for `at` (0: now) takes effect. On the simulated clock a
 * time in the past is kept if the other board has not read beyond it. A change for now after a
 * change for a given time, such as the end of a pulse, has no latency either. */
static dpl_ns instant_of(struct dpl_device *device, const struct pin *pin, dpl_ns at)
{
    struct state *state = device->state;
    dpl_ns now = dpl_device_now(device);
    dpl_ns effect = at > 0 ? at : now + (pin->timed ? 0 : state->latency);
    dpl_ns limit = dpl_device_clock_is_simulated(device)
                       ? atomic_load_explicit(&pin->other->seen, memory_order_relaxed)
                       : now;
    if (effect < limit) {
        count_late(state, now - effect);
        effect = now;
    }
    return effect;
}

static int change(struct dpl_device *device, struct pin *pin, struct wire_change what)
{
    struct state *state = device->state;
    dpl_ns now = dpl_device_now(device);
    struct wire_change newest = wire_newest(pin->own);
    if (newest.drive == what.drive && newest.ratio == what.ratio &&
        newest.frequency_hz == what.frequency_hz) {
        return 0;
    }
    if (wire_ahead(pin->own, now) >= AHEAD_MAX) {
        return -EAGAIN;
    }
    bool timed = what.at > 0;
    what.at = instant_of(device, pin, what.at);
    what.at = what.at > newest.at ? what.at : newest.at;
    pin->timed = timed;
    wire_push(pin->own, &what);
    sim_count_fight(state, pin, what.at);
    return 0;
}

static int drive(struct dpl_device *device, struct pin *pin, struct wire_change what)
{
    int err = change(device, pin, what);
    if (err == 0) {
        atomic_store_explicit(&pin->own->rests, false, memory_order_release);
        atomic_store_explicit(&pin->own->driven, dpl_device_now(device) + 1, memory_order_release);
    }
    return err;
}

static int sim_set_mode(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_mode *asked = in;
    unsigned number = (unsigned)asked->pin;
    enum dpl_pin_mode mode = (enum dpl_pin_mode)asked->mode;
    struct pin *pin;
    int err = sim_pin_in_mode(device, number, UINT32_MAX, &pin);
    if (err < 0) {
        return err;
    }
    bool is_output =
        mode == DPL_PIN_OUTPUT || mode == DPL_PIN_ANALOG_OUT || mode == DPL_PIN_PWM_OUT;
    if (!is_output) {
        struct wire_change what = {.drive = mode == DPL_PIN_PULL_UP ? WIRE_PULLS_UP : WIRE_FLOATS};
        err = change(device, pin, what);
    }
    if (err == 0) {
        pin->mode = mode;
    }
    return err;
}

static int sim_write(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_write *asked = in;
    unsigned number = (unsigned)asked->pin;
    struct pin *pin;
    int err = sim_pin_in_mode(device, number, SIM_MODE(DPL_PIN_OUTPUT), &pin);
    if (err == 0 && asked->at > dpl_device_now(device) + FUTURE_MAX) {
        return -EINVAL;
    }
    struct wire_change what = {.at = asked->at, .drive = asked->level ? WIRE_HIGH : WIRE_LOW};
    return err < 0 ? err : drive(device, pin, what);
}

static int sim_write_analog(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_ratio *asked = in;
    unsigned number = (unsigned)asked->pin;
    const struct state *state = device->state;
    struct pin *pin;
    int err = sim_pin_in_mode(device, number, SIM_MODE(DPL_PIN_ANALOG_OUT), &pin);
    double quantised = round(asked->ratio * state->analog_steps) / state->analog_steps;
    struct wire_change what = {.drive = WIRE_ANALOG, .ratio = quantised};
    return err < 0 ? err : drive(device, pin, what);
}

static int sim_write_pwm(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_pwm *asked = in;
    unsigned number = (unsigned)asked->pin;
    struct pin *pin;
    int err = sim_pin_in_mode(device, number, SIM_MODE(DPL_PIN_PWM_OUT), &pin);
    struct wire_change what = {
        .drive = WIRE_PWM, .ratio = asked->duty, .frequency_hz = asked->frequency_hz};
    return err < 0 ? err : drive(device, pin, what);
}

/* ---- names ---- */

static int sim_find(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_find *asked = in;
    unsigned *ret_pin = &((struct dpl_pins_number *)out)->pin;
    const struct state *state = device->state;
    int index = pin_names_find(&state->names, asked->name);
    if (index < 0) {
        return pin_names_number(asked->name, (unsigned)state->n, ret_pin);
    }
    *ret_pin = (unsigned)index;
    return 0;
}

/* ---- tables ---- */

static const dpl_device_call_fn api[DPL_DRV_PINS_N_CALLS] = {
    [DPL_DRV_PINS_FIND] = sim_find,
    [DPL_DRV_PINS_SET_MODE] = sim_set_mode,
    [DPL_DRV_PINS_WRITE] = sim_write,
    [DPL_DRV_PINS_WRITE_ANALOG] = sim_write_analog,
    [DPL_DRV_PINS_WRITE_PWM] = sim_write_pwm,
    [DPL_DRV_PINS_READ] = sim_read,
    [DPL_DRV_PINS_READ_ANALOG] = sim_read_analog,
    [DPL_DRV_PINS_READ_PWM] = sim_read_pwm,
    [DPL_DRV_PINS_READ_EDGES] = sim_read_edges,
    [DPL_DRV_PINS_LAST_DRIVEN] = sim_last_driven,
};

static const struct dpl_field properties[] = {
    DPL_TEXT(struct properties, harness, "Harness", "car",
             "whose wires join the pins of its two sides by name"),
    DPL_CHOICE(struct properties, side, "Side", NULL, "board|bench",
               "which end of the wires these pins are"),
    DPL_TEXT(struct properties, pins, "Pins", NULL,
             "names, separated by blanks; a pin's number is its position, from 0"),
    DPL_INT(struct properties, analog_bits, "AnalogBits", "12", 1, 24,
            "resolution of analog inputs and outputs"),
    DPL_NUMBER(struct properties, latency_ms, "LatencyMs", "ms", "0", 0, 10000,
               "delay from a write to its effect on the wire, except for timed edges; with Vary: "
               "times 0.5 to 1.5"),
    DPL_NUMBER(struct properties, analog_noise, "AnalogNoise", NULL, "0.0005", 0, 1,
               "standard deviation of analog inputs, of the reference, with Vary"),
    DPL_BOOL(struct properties, vary, "Vary", "false",
             "turns noise and the spread of the latency on"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_INT(struct state, n_edges, "pin_edges", NULL, DPL_FIELD_SUMMARY, "edges read"),
    DPL_EXPORT_INT(struct state, n_lost, "pin_edges_lost", NULL, DPL_FIELD_SUMMARY,
                   "changes dropped before they were read"),
    DPL_EXPORT_INT(struct state, n_conflicts, "pin_conflicts", NULL, DPL_FIELD_SUMMARY,
                   "times that both ends drove one wire"),
    DPL_EXPORT_INT(struct state, n_late, "pin_late", NULL, DPL_FIELD_SUMMARY,
                   "changes that came after their time"),
    DPL_EXPORT_NUMBER(struct state, worst_late_us, "pin_worst_late_us", "us", DPL_FIELD_SUMMARY,
                      "by how much at most"),
};

static const struct dpl_driver driver = {
    .name = "sim",
    .summary = "simulated wires between a board and the bench around it",
    .device_class = &dpl_pins_class,
    .backend = DPL_BACKEND_SIMULATOR,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .open = sim_open,
    .close = sim_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
