/* SPDX-License-Identifier: Apache-2.0 */
/* ServoActuator: emulates a steering servo on one pin of a board: the controller's PWM gives an
 * angle. The model is in servo.h; this file handles the pin, the time, and detects a silent
 * controller. */
#include <errno.h>

#include <doppel/drv/pins_client.h>
#include <doppel/math/geometry.h>
#include <doppel/math/signal.h>
#include <doppel/msg/pins.h>
#include <doppel/msg/race.h>
#include <doppel/plugin.h>

#include "../car_ports.h"
#include "servo.h"

enum port {
    PORT_ACTUATION,
    PORT_PINS,
};

enum input {
    INPUT_PWM,
    INPUT_ANALOG,
};

struct properties {
    char pin[32];
    int input, mode;
    int64_t low_duty, high_duty;
    double angle_deg;
    bool filter;
    double resistance_ohm, capacity_uf;
    int64_t adc_bits;
    double silent_after_s;
    double gain, offset_deg;
    double noise, drift_s;
    bool vary;
};

struct state {
    struct servo_config config;
    struct dpl_spread spread;
    uint32_t pin;
    double level; /* at the output of the filter */
    bool settled, active;
    int64_t duty, n_refused;
    double angle_rad;
};

static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    (void)reterr;
    const struct properties *p = self->properties;
    struct state *state = self->state;
    bool emulated = p->filter && p->input == INPUT_PWM;
    state->config = (struct servo_config){
        .continuous = p->mode != 0,
        .adc_bits = (int)p->adc_bits,
        .tau_s = emulated ? p->resistance_ohm * p->capacity_uf * 1e-6 : 0.0,
        .low_duty = (int)p->low_duty,
        .high_duty = (int)p->high_duty,
        .angle_rad = dpl_deg_to_rad(p->angle_deg),
        .gain = p->gain,
        .offset_rad = dpl_deg_to_rad(p->offset_deg),
    };
    struct dpl_random rng = dpl_random_named(dpl_component_seed(self), self->name);
    state->spread = dpl_spread_make(rng, p->vary, p->noise, p->drift_s);
    return 0;
}

static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct properties *p = self->properties;
    struct state *state = self->state;
    const char *bad = servo_self_test(&state->config);
    if (bad) {
        return dpl_fail(reterr, -EDOM, (struct dpl_place){0}, "self-test: %s", bad);
    }
    enum dpl_pin_mode mode = p->input == INPUT_PWM ? DPL_PIN_PWM_IN : DPL_PIN_ANALOG_IN;
    return dpl_pins_take_or(self, PORT_PINS, p->pin, mode, &state->pin,
                            p->input == INPUT_PWM ? "Input=analog" : NULL, reterr);
}

/* Whether the controller has driven the pin recently. */
static bool is_driven(struct dpl_component *self, dpl_ns now)
{
    const struct properties *p = self->properties;
    const struct state *state = self->state;
    return dpl_pins_is_driven(self, PORT_PINS, state->pin, now - dpl_ns_from_s(p->silent_after_s));
}

static int read_mean(struct dpl_component *self, double *ret_mean)
{
    const struct properties *p = self->properties;
    const struct state *state = self->state;
    double frequency_hz;
    return p->input == INPUT_PWM
               ? dpl_pins_call_read_pwm(self, PORT_PINS, state->pin, ret_mean, &frequency_hz)
               : dpl_pins_call_read_analog(self, PORT_PINS, state->pin, ret_mean);
}

static void decode(struct dpl_component *self, const struct dpl_tick *tick, double mean)
{
    struct state *state = self->state;
    double dt_s = state->settled && tick->period > 0 ? dpl_ns_to_s(tick->period) : (double)INFINITY;
    double spread = dpl_spread_at(&state->spread, dpl_ns_to_s(tick->now));
    state->duty = servo_read(&state->config, &state->level, mean + spread, dt_s);
    state->settled = true;
    state->angle_rad = servo_angle(&state->config, (int)state->duty);
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct state *state = self->state;
    double mean;
    int err = read_mean(self, &mean);
    state->n_refused += err < 0;
    if (err == 0) {
        decode(self, tick, mean);
    }
    state->active = err == 0 && tick->halt == 0 && is_driven(self, tick->now);
    race_publish_actuation(self, PORT_ACTUATION, state->angle_rad, state->active, tick->now);
    return 0;
}

/* ---- tables ------------------------------------------------------------------------------- */

static const struct dpl_port_desc ports[] = {
    [PORT_ACTUATION] =
        {
            .name = "actuation",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &doppel__actuation__descriptor,
            .summary = "the steering angle in rad, each cycle",
        },
    [PORT_PINS] = DPL_PINS_REQUIRED_PORT,
};

static const struct dpl_field properties[] = {
    DPL_TEXT(struct properties, pin, "Pin", "SERVO", "its signal pin, by name or number"),
    DPL_CHOICE(struct properties, input, "Input", "pwm", "pwm|analog",
               "the pin's PWM through the emulated filter and ADC, or those of the board"),
    DPL_CHOICE(struct properties, mode, "Mode", "bins", "bins|continuous",
               "left, straight, right; or any angle between"),
    DPL_INT(struct properties, low_duty, "LowDuty", "0", 0, 1000,
            "0.1 %: a duty up to this is -Angle"),
    DPL_INT(struct properties, high_duty, "HighDuty", "40", 0, 1000,
            "0.1 %: a duty from this on is +Angle"),
    DPL_NUMBER(struct properties, angle_deg, "Angle", "deg", "30", 0.1, 180, "at the ends"),
    DPL_BOOL(struct properties, filter, "Filter", "true",
             "simulate the low-pass's time constant; false: it settles at once"),
    DPL_NUMBER(struct properties, resistance_ohm, "Resistance", NULL, "10000", 0, 1e8,
               "of the low-pass, ohm"),
    DPL_NUMBER(struct properties, capacity_uf, "Capacity", NULL, "1", 0, 1e6,
               "of the low-pass, microfarad"),
    DPL_INT(struct properties, adc_bits, "AdcBits", "12", 1, 24, "resolution of the converter"),
    DPL_NUMBER(struct properties, silent_after_s, "SilentAfter", "s", "0.5", 0.001, 3600,
               "not active when the pin was not driven for so long"),
    DPL_NUMBER(struct properties, gain, "Gain", NULL, "1", -10, 10, "calibration: times the angle"),
    DPL_NUMBER(struct properties, offset_deg, "Offset", "deg", "0", -90, 90,
               "calibration: and added to it"),
    DPL_NUMBER(struct properties, noise, "Noise", NULL, "0.001", 0, 1,
               "deviation of the level, with Vary"),
    DPL_NUMBER(struct properties, drift_s, "Drift", NULL, "0.00002", 0, 1,
               "of the level a second at most, with Vary"),
    DPL_BOOL(struct properties, vary, "Vary", "false", "turns noise and drift on"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_NUMBER(struct state, angle_rad, "angle_rad", "rad", DPL_FIELD_TRACE,
                      "decoded steering angle"),
    DPL_EXPORT_INT(struct state, duty, "duty", NULL, DPL_FIELD_TRACE,
                   "as the converter reads it, 0.1 %"),
    DPL_EXPORT_BOOL(struct state, active, "active", DPL_FIELD_TRACE | DPL_FIELD_SUMMARY,
                    "the controller drives the pin"),
    DPL_EXPORT_INT(struct state, n_refused, "refused", NULL, DPL_FIELD_SUMMARY,
                   "calls that the board refused"),
};

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .start = start,
    .execute = execute,
};

static const struct dpl_component_class class = {
    .name = "ServoActuator",
    .summary = "emulates a steering servo on a pin",
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
