/* SPDX-License-Identifier: Apache-2.0 */
#include <doppel/drv/pins.h>

static const struct dpl_field name[] = {
    DPL_TEXT(struct dpl_pins_find, name, "name", NULL, "of the pin, or its number"),
};

static const struct dpl_field pin[] = {
    DPL_INT(struct dpl_pins_pin, pin, "pin", NULL, 0, DPL_PINS_MAX - 1, "its number"),
};

static const struct dpl_field mode[] = {
    DPL_INT(struct dpl_pins_mode, pin, "pin", NULL, 0, DPL_PINS_MAX - 1, "its number"),
    DPL_INT(struct dpl_pins_mode, mode, "mode", NULL, DPL_PIN_INPUT, DPL_PIN_PWM_IN,
            "enum dpl_pin_mode"),
};

static const struct dpl_field level_at[] = {
    DPL_INT(struct dpl_pins_write, pin, "pin", NULL, 0, DPL_PINS_MAX - 1, "its number"),
    DPL_BOOL(struct dpl_pins_write, level, "level", NULL, "high"),
    DPL_INT(struct dpl_pins_write, at, "at", NULL, 0, 0, "ns on the run's clock"),
};

static const struct dpl_field ratio[] = {
    DPL_INT(struct dpl_pins_ratio, pin, "pin", NULL, 0, DPL_PINS_MAX - 1, "its number"),
    DPL_NUMBER(struct dpl_pins_ratio, ratio, "ratio", NULL, NULL, 0, 1, "of the reference"),
};

static const struct dpl_field pwm[] = {
    DPL_INT(struct dpl_pins_pwm, pin, "pin", NULL, 0, DPL_PINS_MAX - 1, "its number"),
    DPL_NUMBER(struct dpl_pins_pwm, duty, "duty", NULL, NULL, 0, 1, "part of a period"),
    DPL_NUMBER(struct dpl_pins_pwm, frequency_hz, "frequency", "Hz", NULL, DPL_ABOVE_0, DPL_NO_END,
               "of the periods"),
};

static const struct dpl_field pulse[] = {
    DPL_INT(struct dpl_pins_ping, pin, "pin", NULL, 0, DPL_PINS_MAX - 1, "its number"),
    DPL_INT(struct dpl_pins_ping, trigger, "trigger", NULL, 1, 1e18, "ns: the pulse"),
    DPL_INT(struct dpl_pins_ping, timeout, "timeout", NULL, 1, 1e18, "ns: patience for the answer"),
};

static const struct dpl_field take[] = {
    DPL_INT(struct dpl_pins_take, pin, "pin", NULL, 0, DPL_PINS_MAX - 1, "its number"),
    DPL_INT(struct dpl_pins_take, n, "n", NULL, 0, DPL_PINS_EDGES_MAX, "largest number"),
};

static const struct dpl_field number[] = {
    DPL_EXPORT_INT(struct dpl_pins_number, pin, "pin", NULL, 0, "its number"),
};

static const struct dpl_field level[] = {
    DPL_EXPORT_BOOL(struct dpl_pins_level, level, "level", 0, "high"),
};

static const struct dpl_field voltage[] = {
    DPL_EXPORT_NUMBER(struct dpl_pins_voltage, ratio, "ratio", NULL, 0, "of the reference"),
};

static const struct dpl_field pulses[] = {
    DPL_EXPORT_NUMBER(struct dpl_pins_pulses, duty, "duty", NULL, 0, "part of a period"),
    DPL_EXPORT_NUMBER(struct dpl_pins_pulses, frequency_hz, "frequency", "Hz", 0, "0: no pulses"),
};

static const struct dpl_field edges[] = {
    DPL_EXPORT_INT(struct dpl_pins_edges, n, "n", NULL, 0, "how many there are"),
    DPL_EXPORT_INT(struct dpl_pins_edges, lost, "lost", NULL, 0, "dropped before they were read"),
};

static const struct dpl_field driven[] = {
    DPL_EXPORT_INT(struct dpl_pins_driven, at, "at", "ns", 0, "on the run's clock"),
};

static const struct dpl_call calls[DPL_DRV_PINS_N_CALLS] = {
    [DPL_DRV_PINS_FIND] =
        DPL_CALL(READING, "find", "the number of a pin", DPL_CALL_IN(struct dpl_pins_find, name),
                 DPL_CALL_OUT(struct dpl_pins_number, number)),
    [DPL_DRV_PINS_SET_MODE] =
        DPL_CALL(SETTING, "set_mode", "what a pin is used for",
                 DPL_CALL_IN(struct dpl_pins_mode, mode), DPL_CALL_OR_ENOTSUP),
    [DPL_DRV_PINS_WRITE] =
        DPL_CALL(COMMAND, "write", "sets an output, now or at a given time",
                 DPL_CALL_IN(struct dpl_pins_write, level_at), DPL_CALL_OR_ENOTSUP),
    [DPL_DRV_PINS_WRITE_ANALOG] =
        DPL_CALL(COMMAND, "write_analog", "sets an analog output",
                 DPL_CALL_IN(struct dpl_pins_ratio, ratio), DPL_CALL_OR_ENOTSUP),
    [DPL_DRV_PINS_WRITE_PWM] = DPL_CALL(COMMAND, "write_pwm", "puts pulses out",
                                        DPL_CALL_IN(struct dpl_pins_pwm, pwm), DPL_CALL_OR_ENOTSUP),
    [DPL_DRV_PINS_READ] =
        DPL_CALL(READING, "read", "the level of a wire", DPL_CALL_IN(struct dpl_pins_pin, pin),
                 DPL_CALL_OUT(struct dpl_pins_level, level)),
    [DPL_DRV_PINS_READ_ANALOG] = DPL_CALL(
        READING, "read_analog", "the voltage of a wire", DPL_CALL_IN(struct dpl_pins_pin, pin),
        DPL_CALL_OUT(struct dpl_pins_voltage, voltage), DPL_CALL_OR_ENOTSUP),
    [DPL_DRV_PINS_READ_PWM] =
        DPL_CALL(READING, "read_pwm", "the pulses on a wire", DPL_CALL_IN(struct dpl_pins_pin, pin),
                 DPL_CALL_OUT(struct dpl_pins_pulses, pulses), DPL_CALL_OR_ENOTSUP),
    [DPL_DRV_PINS_READ_EDGES] = DPL_CALL(
        READING, "read_edges", "takes the edges that the other side made",
        DPL_CALL_IN(struct dpl_pins_take, take), DPL_CALL_OUT(struct dpl_pins_edges, edges),
        .beyond = "edges: n instants on the run's clock, each with the level after it"),
    [DPL_DRV_PINS_LAST_DRIVEN] =
        DPL_CALL(READING, "last_driven", "when the other side last drove the wire",
                 DPL_CALL_IN(struct dpl_pins_pin, pin),
                 DPL_CALL_OUT(struct dpl_pins_driven, driven), DPL_CALL_OR_ENOTSUP),
    [DPL_DRV_PINS_PING] = DPL_CALL(COMMAND, "ping", "lets the board measure the answer to a pulse",
                                   DPL_CALL_IN(struct dpl_pins_ping, pulse), DPL_CALL_OR_ENOTSUP),
    [DPL_DRV_PINS_EXECUTE] = DPL_CALL(CYCLE, "execute", "once a cycle, before all other calls",
                                      DPL_CALL_TICK, DPL_CALL_OR_NOTHING),
};

const struct dpl_device_class dpl_pins_class = {
    .name = DPL_PINS_CLASS,
    .summary = "the pins of a board",
    .calls = calls,
    .n_calls = DPL_COUNT(calls),
};
