/* SPDX-License-Identifier: Apache-2.0 */
/* PingSensor: emulates an ultrasonic distance sensor on one pin of a board. The model is in ping.h;
 * this file handles the pin, the range and the time. A board with timed outputs gets a complete
 * echo in one call; for other boards each edge of the echo waits for the cycle in which it is
 * due. */
#include <errno.h>

#include <doppel/drv/pins_client.h>
#include <doppel/math/signal.h>
#include <doppel/msg/pins.h>
#include <doppel/msg/race.h>
#include <doppel/plugin.h>

#include "../car_ports.h"
#include "ping.h"

#define EDGES_MAX 64

enum port {
    PORT_RANGES,
    PORT_PINS,
};

struct properties {
    char pin[32];
    int64_t sensor;
    double hold_off_us, clock_hz, speed_m_s, speed_per_degree, temperature_c;
    bool whole_cycles;
    double max_range_m, no_echo_ms;
    double gain, offset_m;
    double noise_m, drift_m_s;
    bool vary;
};

/* For a board without timed outputs: the progress of the newest echo. */
enum step {
    STEP_IDLE,
    STEP_RISES,
    STEP_FALLS,
};

struct state {
    struct ping_config config;
    struct ping ping;
    struct dpl_spread spread;
    uint32_t pin;
    bool stepwise;
    enum step step;
    double range_m;
    int64_t n_refused, n_lost, width_ns;
    double worst_late_us;
};

static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    (void)reterr;
    const struct properties *p = self->properties;
    struct state *state = self->state;
    state->config = (struct ping_config){
        .clock_hz = p->clock_hz,
        .speed_m_s = p->speed_m_s,
        .speed_per_degree = p->speed_per_degree,
        .temperature_c = p->temperature_c,
        .whole_cycles = p->whole_cycles,
        .hold_off = dpl_ns_from_s(p->hold_off_us * 1e-6),
        .max_range_m = p->max_range_m,
        .no_echo = dpl_ns_from_s(p->no_echo_ms * 1e-3),
    };
    struct dpl_random rng = dpl_random_named(dpl_component_seed(self), self->name);
    state->spread = dpl_spread_make(rng, p->vary, p->noise_m, p->drift_m_s);
    state->range_m = (double)INFINITY;
    return 0;
}

static int let_go(struct dpl_component *self)
{
    const struct state *state = self->state;
    return dpl_pins_call_set_mode(self, PORT_PINS, state->pin, DPL_PIN_INPUT);
}

static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct properties *p = self->properties;
    struct state *state = self->state;
    double bad_m = ping_self_test(&state->config, 0.01);
    if (bad_m > 0.0) {
        return dpl_fail(reterr, -EDOM, (struct dpl_place){0},
                        "self-test: %.3f m reads back as %.3f m; Clock, SpeedOfSound and "
                        "Temperature do not match",
                        bad_m, ping_range_m(&state->config, ping_width(&state->config, bad_m), 0));
    }
    state->step = STEP_IDLE;
    return dpl_pins_take(self, PORT_PINS, p->pin, DPL_PIN_INPUT, &state->pin, reterr);
}

static int stop(struct dpl_component *self)
{
    let_go(self);
    return 0;
}

static double measure(struct dpl_component *self, dpl_ns now)
{
    const struct properties *p = self->properties;
    struct state *state = self->state;
    double spread_m = dpl_spread_at(&state->spread, dpl_ns_to_s(now));
    return fmax(state->range_m * p->gain + p->offset_m + spread_m, 0.0);
}

static int write_edge(struct dpl_component *self, bool level, dpl_ns at)
{
    const struct state *state = self->state;
    return dpl_pins_call_write_digital(self, PORT_PINS, state->pin, level, at);
}

static void count_refusal(struct state *state, int err)
{
    state->n_refused += err < 0;
}

/* A late echo is delayed but keeps its width. On the simulated clock a board accepts times in the
 * past, so nothing is late. */
static void delay_echo(struct dpl_component *self)
{
    struct state *state = self->state;
    double late_us = dpl_ns_to_s(ping_delay(&state->ping, dpl_component_now(self))) * 1e6;
    state->worst_late_us = fmax(state->worst_late_us, late_us);
}

static void go_stepwise(struct state *state, enum step step)
{
    state->stepwise = true;
    state->step = step;
}

/* Writes the complete echo, or its first edge if the board has no timed outputs. */
static void begin_echo(struct dpl_component *self)
{
    struct state *state = self->state;
    const struct ping *ping = &state->ping;
    if (state->stepwise) {
        state->step = STEP_RISES;
        return;
    }
    if (!dpl_component_clock_is_simulated(self)) {
        delay_echo(self);
    }
    count_refusal(state, dpl_pins_call_set_mode(self, PORT_PINS, state->pin, DPL_PIN_OUTPUT));
    int err = write_edge(self, true, ping->rise);
    if (err == -ENOTSUP) {
        go_stepwise(state, STEP_RISES);
        count_refusal(state, let_go(self));
        return;
    }
    count_refusal(state, err);
    err = write_edge(self, false, ping->fall);
    if (err == -ENOTSUP) {
        go_stepwise(state, STEP_FALLS);
        return;
    }
    count_refusal(state, err);
    count_refusal(state, let_go(self));
}

static void step_echo(struct dpl_component *self, dpl_ns now)
{
    struct state *state = self->state;
    const struct ping *ping = &state->ping;
    if (state->step == STEP_RISES && now >= ping->rise) {
        count_refusal(state, dpl_pins_call_set_mode(self, PORT_PINS, state->pin, DPL_PIN_OUTPUT));
        count_refusal(state, write_edge(self, true, 0));
        delay_echo(self);
        state->step = STEP_FALLS;
    }
    if (state->step == STEP_FALLS && now >= ping->fall) {
        count_refusal(state, write_edge(self, false, 0));
        count_refusal(state, let_go(self));
        state->step = STEP_IDLE;
    }
}

static void read_edges(struct dpl_component *self, dpl_ns now)
{
    struct state *state = self->state;
    int64_t at_ns[EDGES_MAX];
    protobuf_c_boolean level[EDGES_MAX];
    Doppel__PinEdges edges = DOPPEL__PIN_EDGES__INIT;
    edges.at_ns = at_ns;
    edges.level = level;
    edges.n_at_ns = edges.n_level = EDGES_MAX;
    if (dpl_pins_call_read_edges(self, PORT_PINS, state->pin, &edges) < 0) {
        state->n_refused++;
        return;
    }
    state->n_lost += edges.lost;
    for (size_t i = 0; i < edges.n_at_ns; i++) {
        if (ping_edge(&state->ping, at_ns[i], level[i])) {
            state->width_ns = ping_answer(&state->ping, &state->config, measure(self, now));
            if (state->width_ns > 0) {
                begin_echo(self);
            }
        }
    }
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    const struct properties *p = self->properties;
    struct state *state = self->state;
    race_read_range(self, PORT_RANGES, p->sensor, &state->range_m);
    read_edges(self, tick->now);
    step_echo(self, tick->now);
    return 0;
}

/* ---- tables ------------------------------------------------------------------------------- */

static const struct dpl_port_desc ports[] = {
    [PORT_RANGES] =
        {
            .name = "ranges",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__ranges__descriptor,
            .policy = DPL_QUEUE_LAST,
            .summary = "what the car's sensors would measure if they were perfect",
        },
    [PORT_PINS] = DPL_PINS_REQUIRED_PORT,
};

static const struct dpl_field properties[] = {
    DPL_TEXT(struct properties, pin, "Pin", NULL, "its signal pin, by name or number"),
    DPL_INT(struct properties, sensor, "Sensor", NULL, 0, 63, "index of its range in `ranges`"),
    DPL_NUMBER(struct properties, hold_off_us, "HoldOff", "us", "750", 1, 1e6,
               "from the trigger to the echo"),
    DPL_NUMBER(struct properties, clock_hz, "Clock", "Hz", "80000000", 1e5, 1e9,
               "of the timer that makes the echo"),
    DPL_NUMBER(struct properties, speed_m_s, "SpeedOfSound", "m/s", "331.4", 1, 10000,
               "at 0 degrees Celsius"),
    DPL_NUMBER(struct properties, speed_per_degree, "SpeedPerDegree", NULL, "0.6", 0, 100,
               "m/s a degree Celsius"),
    DPL_NUMBER(struct properties, temperature_c, "Temperature", NULL, "23", -100, 200,
               "of the air, degrees Celsius"),
    DPL_BOOL(struct properties, whole_cycles, "WholeCycles", "true",
             "whole clock cycles for each whole millimetre, as published; else exact"),
    DPL_NUMBER(struct properties, max_range_m, "MaxRange", "m", "10", 0.01, 100,
               "a larger distance gives no echo"),
    DPL_NUMBER(struct properties, no_echo_ms, "NoEcho", "ms", "0", 0, 1000,
               "pulse width without an echo; 0: no pulse"),
    DPL_NUMBER(struct properties, gain, "Gain", NULL, "1", 0.1, 10, "calibration: times the range"),
    DPL_NUMBER(struct properties, offset_m, "Offset", "m", "0", -10, 10,
               "calibration: and added to it"),
    DPL_NUMBER(struct properties, noise_m, "Noise", "m", "0.003", 0, 10,
               "standard deviation, with Vary"),
    DPL_NUMBER(struct properties, drift_m_s, "Drift", "m/s", "0.0002", 0, 10,
               "at most, to either side, with Vary"),
    DPL_BOOL(struct properties, vary, "Vary", "false", "turns noise and drift on"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_INT(struct state, ping.n_triggers, "pings", NULL, DPL_FIELD_SUMMARY,
                   "triggers taken"),
    DPL_EXPORT_INT(struct state, ping.n_echoes, "echoes", NULL, DPL_FIELD_SUMMARY,
                   "triggers answered by a pulse"),
    DPL_EXPORT_INT(struct state, ping.n_ignored, "ignored", NULL, DPL_FIELD_SUMMARY,
                   "rising edges while it was not armed"),
    DPL_EXPORT_INT(struct state, n_lost, "lost", NULL, DPL_FIELD_SUMMARY,
                   "edges that the board dropped"),
    DPL_EXPORT_INT(struct state, n_refused, "refused", NULL, DPL_FIELD_SUMMARY,
                   "calls that the board refused"),
    DPL_EXPORT_INT(struct state, width_ns, "width_ns", "ns", DPL_FIELD_TRACE,
                   "of the newest echo; 0: none"),
    DPL_EXPORT_NUMBER(struct state, worst_late_us, "worst_late_us", "us", DPL_FIELD_SUMMARY,
                      "largest delay of an echo: the cycle was too long or late"),
};

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .start = start,
    .execute = execute,
    .stop = stop,
};

static const struct dpl_component_class class = {
    .name = "PingSensor",
    .summary = "emulates an ultrasonic distance sensor on a pin",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .default_period = 100 * DPL_MS,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
