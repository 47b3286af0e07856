/* SPDX-License-Identifier: Apache-2.0 */
/* MotorActuator: emulates a drive motor on two pins of a board: one high and one PWM become a
 * velocity. The model is in motor.h; here are its pins and the watch on a silent controller. */
#include <string.h>

#include <doppel/math/signal.h>
#include <doppel/msg/pins_client.h>
#include <doppel/plugin.h>

#include "car.pb-c.h"
#include "motor.h"

#define STEADY_PART 0.02 /* of the reference: an analog mean so near to its ends is no PWM */

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

static int set_up_pin(struct dpl_component *self, const char *name, uint32_t *ret_pin,
                      struct dpl_diag *reterr)
{
    const struct properties *p = self->properties;
    int err = dpl_pins_call_find(self, PORT_PINS, name, ret_pin);
    if (err < 0) {
        return dpl_fail(reterr, err, (struct dpl_place){0}, "no pin '%s' on the board: %s", name,
                        strerror(-err));
    }
    err = dpl_pins_call_set_mode(self, PORT_PINS, *ret_pin,
                                 p->input == INPUT_PWM ? DOPPEL__PIN_MODE__PIN_PWM_IN
                                                       : DOPPEL__PIN_MODE__PIN_ANALOG_IN);
    return err < 0
               ? dpl_fail(reterr, err, (struct dpl_place){0}, "pin '%s' does not take Input=%s: %s",
                          name, p->input == INPUT_PWM ? "pwm" : "analog", strerror(-err))
               : 0;
}

static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct properties *p = self->properties;
    struct state *state = self->state;
    const char *bad = motor_self_test(&state->config);
    if (bad) {
        return dpl_fail(reterr, -EDOM, (struct dpl_place){0}, "self-test: %s", bad);
    }
    int err = set_up_pin(self, p->pin_a, &state->pin[0], reterr);
    return err < 0 ? err : set_up_pin(self, p->pin_b, &state->pin[1], reterr);
}

/* Whether the controller has driven either pin of late. */
static bool is_driven(struct dpl_component *self, dpl_ns now)
{
    const struct properties *p = self->properties;
    const struct state *state = self->state;
    dpl_ns limit = now - dpl_ns_from_s(p->silent_after_s);
    dpl_ns at;
    return (dpl_pins_call_last_driven(self, PORT_PINS, state->pin[0], &at) == 0 && at >= limit) ||
           (dpl_pins_call_last_driven(self, PORT_PINS, state->pin[1], &at) == 0 && at >= limit);
}

static int read_pin(struct dpl_component *self, uint32_t number, struct motor_pin *ret_pin)
{
    const struct properties *p = self->properties;
    struct motor_pin pin;
    double frequency_hz;
    int err;
    if (p->input == INPUT_PWM) {
        err = dpl_pins_call_read_pwm(self, PORT_PINS, number, &pin.ratio, &frequency_hz);
        /* PWM of 0 or 100 % has no edges: nobody can tell it from a steady level */
        pin.steady = err == 0 && (frequency_hz <= 0.0 || pin.ratio <= 0.0 || pin.ratio >= 1.0);
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
    Doppel__Actuation *actuation = dpl_port_loan(self, PORT_ACTUATION);
    if (actuation) {
        actuation->value = state->active ? state->velocity_m_s : 0.0;
        actuation->active = state->active;
        dpl_port_publish(self, PORT_ACTUATION, actuation, tick->now);
    }
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
    [PORT_PINS] =
        {
            .name = "PinsService",
            .aliases = "Pins",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_IN,
            .service = &doppel__pins_service__descriptor,
            .required = true,
            .summary = "the board it is wired to",
        },
};

#define NUMBER(name_, member_, ...) DPL_NUMBER(struct properties, member_, name_, __VA_ARGS__)

static const struct dpl_field properties[] = {
    {
        .name = "PinA",
        .type = DPL_FIELD_STRING,
        DPL_MEMBER(struct properties, pin_a),
        .fallback = "MOTOR_A",
        .summary = "one input of its driver, by name or number",
    },
    {
        .name = "PinB",
        .type = DPL_FIELD_STRING,
        DPL_MEMBER(struct properties, pin_b),
        .fallback = "MOTOR_B",
        .summary = "the other",
    },
    {
        .name = "Input",
        .type = DPL_FIELD_CHOICE,
        DPL_MEMBER(struct properties, input),
        .fallback = "pwm",
        .choices = "pwm|analog",
        .summary = "how the pins are measured: their PWM, or their mean by the board's converter",
    },
    {
        .name = "ForwardWhen",
        .type = DPL_FIELD_CHOICE,
        DPL_MEMBER(struct properties, forward_when),
        .fallback = "a",
        .choices = "a|b",
        .summary = "the pin that is high to go forward",
    },
    {
        .name = "SpeedAtFull",
        .type = DPL_FIELD_INT,
        DPL_MEMBER(struct properties, speed_at_full_mm_s),
        .unit = "mm/s",
        .fallback = "1114",
        .min = 1,
        .max = 100000,
        .summary = "of the wheel's rim at a duty of 1",
    },
    {
        .name = "WholeMm",
        .type = DPL_FIELD_BOOL,
        DPL_MEMBER(struct properties, whole_mm),
        .fallback = "true",
        .summary = "truncated to whole mm/s, as published; else exact",
    },
    NUMBER("SilentAfter", silent_after_s, "s", "0.5", 0.001, 3600,
           "not active when no pin was driven for so long"),
    NUMBER("Gain", gain, NULL, "1", 0.01, 10, "calibration: times the speed"),
    NUMBER("Offset", offset_m_s, "m/s", "0", -10, 10, "calibration: added to a speed but 0"),
    NUMBER("Noise", noise, NULL, "0.01", 0, 1, "deviation, a part of the speed, with Vary"),
    NUMBER("Drift", drift_s, NULL, "0.0005", 0, 1, "a part of the speed a second, with Vary"),
    {
        .name = "Vary",
        .type = DPL_FIELD_BOOL,
        DPL_MEMBER(struct properties, vary),
        .fallback = "false",
        .summary = "turns noise and drift on",
    },
};

static const struct dpl_field exports[] = {
    {
        .name = "velocity_m_s",
        .type = DPL_FIELD_DOUBLE,
        .flags = DPL_FIELD_TRACE,
        DPL_MEMBER(struct state, velocity_m_s),
        .unit = "m/s",
        .summary = "decoded velocity",
    },
    {
        .name = "duty",
        .type = DPL_FIELD_INT,
        .flags = DPL_FIELD_TRACE,
        DPL_MEMBER(struct state, duty),
        .summary = "of the pulsed pin, 0.1 %",
    },
    {
        .name = "active",
        .type = DPL_FIELD_BOOL,
        .flags = DPL_FIELD_TRACE | DPL_FIELD_SUMMARY,
        DPL_MEMBER(struct state, active),
        .summary = "the controller drives the pins",
    },
    {
        .name = "confused",
        .type = DPL_FIELD_INT,
        .flags = DPL_FIELD_SUMMARY,
        DPL_MEMBER(struct state, n_confused),
        .summary = "cycles in which both pins were pulsed",
    },
    {
        .name = "refused",
        .type = DPL_FIELD_INT,
        .flags = DPL_FIELD_SUMMARY,
        DPL_MEMBER(struct state, n_refused),
        .summary = "calls that the board did not take",
    },
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
    .default_period_ms = 100,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
