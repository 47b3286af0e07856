/* SPDX-License-Identifier: Apache-2.0 */
/* Simulated pins: what a board reads from its wires. */
#include <math.h>

#include "sim_pins.h"

/* The change of the other end that applies to the reader at this time. */
static struct wire_change change_of_other(const struct pin *pin, dpl_ns now)
{
    const struct dpl_device *board = pin->other->board;
    if (board && !dpl_device_is_commanded(board)) {
        atomic_store_explicit(&pin->other->rests, true, memory_order_release);
    }
    if (atomic_load_explicit(&pin->other->rests, memory_order_acquire)) {
        return (struct wire_change){.at = now};
    }
    return wire_at(pin->other, now);
}

static void see(struct pin *pin, dpl_ns now)
{
    atomic_store_explicit(&pin->own->seen, now, memory_order_relaxed);
}

int sim_read(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_pin *asked = in;
    unsigned number = (unsigned)asked->pin;
    struct dpl_pins_level *ret = out;
    struct pin *pin;
    int err = sim_pin_in_mode(
        device, number, SIM_DIGITAL | SIM_MODE(DPL_PIN_ANALOG_IN) | SIM_MODE(DPL_PIN_PWM_IN), &pin);
    if (err < 0) {
        return err;
    }
    dpl_ns now = dpl_device_now(device);
    struct wire_change own = wire_at(pin->own, now), other = change_of_other(pin, now);
    ret->level = wire_level(&own, &other, now);
    sim_count_fight(device->state, pin, now);
    see(pin, now);
    return 0;
}

int sim_read_analog(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_pin *asked = in;
    unsigned number = (unsigned)asked->pin;
    struct dpl_pins_voltage *ret = out;
    struct state *state = device->state;
    struct pin *pin;
    int err = sim_pin_in_mode(device, number, SIM_MODE(DPL_PIN_ANALOG_IN), &pin);
    if (err < 0) {
        return err;
    }
    dpl_ns now = dpl_device_now(device);
    struct wire_change own = wire_at(pin->own, now), other = change_of_other(pin, now);
    double ratio = wire_ratio(&own, &other);
    if (state->noise > 0.0) {
        ratio += state->noise * dpl_random_normal(&state->rng);
    }
    double code = fmin(fmax(floor(ratio * state->analog_steps), 0.0), state->analog_steps - 1.0);
    ret->ratio = code / state->analog_steps;
    return 0;
}

int sim_read_pwm(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_pin *asked = in;
    unsigned number = (unsigned)asked->pin;
    struct dpl_pins_pulses *ret = out;
    struct pin *pin;
    int err = sim_pin_in_mode(device, number, SIM_MODE(DPL_PIN_PWM_IN), &pin);
    if (err < 0) {
        return err;
    }
    dpl_ns now = dpl_device_now(device);
    struct wire_change own = wire_at(pin->own, now), other = change_of_other(pin, now);
    ret->duty = wire_ratio(&own, &other);
    ret->frequency_hz = other.drive == WIRE_PWM ? other.frequency_hz : 0.0;
    return 0;
}

/* Whether the other end's change changed the level, given the state of this end at that time. */
static bool is_edge(const struct pin *pin, const struct wire_change *now, bool *ret_level)
{
    struct wire_change own = wire_at(pin->own, now->at);
    bool before = wire_level(&own, &pin->reader.last, now->at);
    *ret_level = wire_level(&own, now, now->at);
    return before != *ret_level;
}

int sim_read_edges(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_take *asked = in;
    unsigned number = (unsigned)asked->pin;
    struct dpl_pins_edges *ret = out;
    size_t n = (size_t)asked->n;
    struct state *state = device->state;
    struct pin *pin;
    int err = sim_pin_in_mode(device, number, SIM_DIGITAL, &pin);
    if (err < 0) {
        return err;
    }
    dpl_ns now = dpl_device_now(device);
    unsigned dropped = 0;
    struct wire_change next;
    size_t taken = 0;
    while (taken < n && wire_next(pin->other, &pin->reader, now, &next, &dropped)) {
        bool level;
        if (is_edge(pin, &next, &level)) {
            ret->edges[taken++] = (struct dpl_pin_edge){next.at, level};
        }
        pin->reader.last = next;
        sim_count_fight(state, pin, next.at);
    }
    sim_count_fight(state, pin, now);
    see(pin, now);
    state->n_edges += (int64_t)taken;
    state->n_lost += dropped;
    ret->lost = dropped;
    ret->n = taken;
    return 0;
}

int sim_last_driven(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_pins_pin *asked = in;
    unsigned number = (unsigned)asked->pin;
    struct dpl_pins_driven *ret = out;
    struct pin *pin;
    int err = sim_pin_in_mode(device, number, UINT32_MAX, &pin);
    if (err < 0) {
        return err;
    }
    long long driven = atomic_load_explicit(&pin->other->driven, memory_order_acquire);
    if (driven == 0) {
        return -EAGAIN;
    }
    ret->at = driven - 1;
    return 0;
}
