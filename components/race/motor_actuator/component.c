/* SPDX-License-Identifier: Apache-2.0 */
/* MotorActuator: emulates a drive motor on two pins of a board: one pin high and one with PWM give
 * a velocity. The model is in motor.h; this file handles the pins and detects a silent
 * controller. */
#include <errno.h>

#include <doppel/drv/pins_client.h>
#include <doppel/math/signal.h>
#include <doppel/msg/pins.h>
#include <doppel/msg/race.h>
#include <doppel/plugin.h>

#include "../car_ports.h"
#include "motor.h"

/* as a part of the reference: an analog mean this near to 0 or 1 is not PWM */
#define STEADY_PART 0.02

enum port {
    PORT_ACTUATION,
    PORT_PINS,
};

enum input {
    INPUT_PWM,
    INPUT_ANALOG,
};

struct properties {
    char pin_a[32], pin_b[32];
    int input, forward_when;
    int64_t speed_at_full_mm_s;
    bool whole_mm;
    double silent_after_s;
    double gain, offset_m_s;
    double noise, drift_s;
    bool vary;
};

struct state {
    struct motor_config config;
    struct dpl_spread spread;
    uint32_t pin[2];
    bool active;
    int drive;
    int64_t duty, n_refused, n_confused;
    double velocity_m_s;
};

static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    (void)reterr;
    const struct properties *p = self->properties;
    struct state *state = self->state;
    state->config = (struct motor_config){
        .speed_at_full = (int)p->speed_at_full_mm_s,
        .forward_when_b = p->forward_when != 0,
        .whole_mm = p->whole_mm,
        .gain = p->gain,
        .offset_m_s = p->offset_m_s,
    };
    struct dpl_random rng = dpl_random_named(dpl_component_seed(self), self->name);
    state->spread = dpl_spread_make(rng, p->vary, p->noise, p->drift_s);
    return 0;
}

static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct properties *p = self->properties;
    struct state *state = self->state;
    const char *bad = motor_self_test(&state->config);
    if (bad) {
        return dpl_fail(reterr, -EDOM, (struct dpl_place){0}, "self-test: %s", bad);
    }
    enum dpl_pin_mode mode = p->input == INPUT_PWM ? DPL_PIN_PWM_IN : DPL_PIN_ANALOG_IN;
    const char *instead = p->input == INPUT_PWM ? "Input=analog" : NULL;
    int err = dpl_pins_take_or(self, PORT_PINS, p->pin_a, mode, &state->pin[0], instead, reterr);
    return err < 0
               ? err
               : dpl_pins_take_or(self, PORT_PINS, p->pin_b, mode, &state->pin[1], instead, reterr);
}

/* Whether the controller has driven one of the pins recently. */
static bool is_driven(struct dpl_component *self, dpl_ns now)
{
    const struct properties *p = self->properties;
    const struct state *state = self->state;
    dpl_ns since = now - dpl_ns_from_s(p->silent_after_s);
    return dpl_pins_is_driven(self, PORT_PINS, state->pin[0], since) ||
           dpl_pins_is_driven(self, PORT_PINS, state->pin[1], since);
}

static int read_pin(struct dpl_component *self, uint32_t number, struct motor_pin *ret_pin)
{
    const struct properties *p = self->properties;
    struct motor_pin pin = {0};
    double frequency_hz;
    int err;
    if (p->input == INPUT_PWM) {
        err = dpl_pins_call_read_pwm(self, PORT_PINS, number, &pin.ratio, &frequency_hz);
        pin.pwm = err == 0 && frequency_hz > 0.0;
        pin.steady = err == 0 && (!pin.pwm || pin.ratio <= 0.0 || pin.ratio >= 1.0);
    } else {
        err = dpl_pins_call_read_analog(self, PORT_PINS, number, &pin.ratio);
        pin.steady = err == 0 && (pin.ratio < STEADY_PART || pin.ratio > 1.0 - STEADY_PART);
    }
    if (err == 0) {
        *ret_pin = pin;
    }
    return err;
}

static int decode(struct dpl_component *self, dpl_ns now)
{
    struct state *state = self->state;
    struct motor_pin a, b;
    int err = read_pin(self, state->pin[0], &a);
    err = err < 0 ? err : read_pin(self, state->pin[1], &b);
    if (err < 0) {
        return err;
    }
    int duty;
    enum motor_drive drive = motor_decode(&state->config, &a, &b, &duty);
    double part = 1.0 + dpl_spread_at(&state->spread, dpl_ns_to_s(now));
    state->n_confused += drive == MOTOR_CONFUSED;
    state->drive = drive;
    state->duty = duty;
    state->velocity_m_s = motor_velocity_m_s(&state->config, drive, duty) * part;
    return 0;
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct state *state = self->state;
    int err = decode(self, tick->now);
    state->n_refused += err < 0;
    state->active = err == 0 && tick->halt == 0 && is_driven(self, tick->now);
    race_publish_actuation(self, PORT_ACTUATION, state->active ? state->velocity_m_s : 0.0,
                           state->active, tick->now);
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
            .summary = "the velocity in m/s, each cycle; 0 while not active",
        },
    [PORT_PINS] = DPL_PINS_REQUIRED_PORT,
};

static const struct dpl_field properties[] = {
    DPL_TEXT(struct properties, pin_a, "PinA", "MOTOR_A",
             "one input of its driver, by name or number"),
    DPL_TEXT(struct properties, pin_b, "PinB", "MOTOR_B", "the other"),
    DPL_CHOICE(struct properties, input, "Input", "pwm", "pwm|analog",
               "how the pins are measured: their PWM, or their mean by the board's converter, for "
               "which PWM of 100 % is a steady high"),
    DPL_CHOICE(struct properties, forward_when, "ForwardWhen", "a", "a|b",
               "the pin that is high to go forward"),
    {
        .name = "SpeedAtFull",
        .type = DPL_FIELD_INT,
        DPL_MEMBER(struct properties, speed_at_full_mm_s),
        .unit = "mm/s",
        .default_text = "1114",
        .min = 1,
        .max = 100000,
        .summary = "of the wheel's rim at a duty of 1",
    },
    DPL_BOOL(struct properties, whole_mm, "WholeMm", "true",
             "truncated to whole mm/s, as published; else exact"),
    DPL_NUMBER(struct properties, silent_after_s, "SilentAfter", "s", "0.5", 0.001, 3600,
               "not active when no pin was driven for so long"),
    DPL_NUMBER(struct properties, gain, "Gain", NULL, "1", 0.01, 10,
               "calibration: times the speed"),
    DPL_NUMBER(struct properties, offset_m_s, "Offset", "m/s", "0", -10, 10,
               "calibration: added to a speed but 0"),
    DPL_NUMBER(struct properties, noise, "Noise", NULL, "0.01", 0, 1,
               "deviation, a part of the speed, with Vary"),
    DPL_NUMBER(struct properties, drift_s, "Drift", NULL, "0.0005", 0, 1,
               "a part of the speed a second, with Vary"),
    DPL_BOOL(struct properties, vary, "Vary", "false", "turns noise and drift on"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_NUMBER(struct state, velocity_m_s, "velocity_m_s", "m/s", DPL_FIELD_TRACE,
                      "decoded velocity"),
    DPL_EXPORT_INT(struct state, duty, "duty", NULL, DPL_FIELD_TRACE, "of the pulsed pin, 0.1 %"),
    DPL_EXPORT_BOOL(struct state, active, "active", DPL_FIELD_TRACE | DPL_FIELD_SUMMARY,
                    "the controller drives the pins"),
    DPL_EXPORT_INT(struct state, n_confused, "confused", NULL, DPL_FIELD_SUMMARY,
                   "cycles in which both pins were pulsed"),
    DPL_EXPORT_INT(struct state, n_refused, "refused", NULL, DPL_FIELD_SUMMARY,
                   "calls that the board refused"),
};

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .start = start,
    .execute = execute,
};

static const struct dpl_component_class class = {
    .name = "MotorActuator",
    .summary = "emulates a drive motor on two pins",
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
