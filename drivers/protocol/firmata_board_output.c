/* SPDX-License-Identifier: Apache-2.0 */
/* The outputs of a Firmata board, and the levels of the wires of its pins. */
#include "firmata_board_internal.h"

#define PWM_MAX ((1u << DPL_FIRMATA_PWM_BITS) - 1)

static double servo_pulse_s(const struct dpl_firmata_board_pin *pin)
{
    double value = pin->state, min = pin->servo_min_us, max = pin->servo_max_us;
    if (value < DPL_FIRMATA_SERVO_MIN_US) {
        double degrees = value < 180.0 ? value : 180.0;
        return (min + (max - min) * degrees / 180.0) * 1e-6;
    }
    return (value < min ? min : value > max ? max : value) * 1e-6;
}

struct dpl_firmata_output dpl_firmata_board_output(const struct dpl_firmata_board *board,
                                                   unsigned number)
{
    const struct dpl_firmata_board_pin *pin = &board->pins[number];
    switch (pin->mode) {
    case DPL_FIRMATA_MODE_OUTPUT:
        return (struct dpl_firmata_output){
            .kind = DPL_FIRMATA_LEVEL, .level = pin->state != 0, .duty = pin->state != 0};
    case DPL_FIRMATA_MODE_PWM: {
        double duty = pin->state < PWM_MAX ? pin->state / (double)PWM_MAX : 1.0;
        return (struct dpl_firmata_output){
            .kind = DPL_FIRMATA_PULSES, .duty = duty, .frequency_hz = DPL_FIRMATA_PWM_HZ};
    }
    case DPL_FIRMATA_MODE_SERVO:
        return (struct dpl_firmata_output){.kind = DPL_FIRMATA_PULSES,
                                           .duty = servo_pulse_s(pin) * DPL_FIRMATA_SERVO_HZ,
                                           .frequency_hz = DPL_FIRMATA_SERVO_HZ};
    case DPL_FIRMATA_MODE_PULL_UP:
        return (struct dpl_firmata_output){.kind = DPL_FIRMATA_PULLED_UP, .level = true};
    default: return (struct dpl_firmata_output){.kind = DPL_FIRMATA_OPEN};
    }
}

bool dpl_firmata_board_level(const struct dpl_firmata_board *board, unsigned pin)
{
    struct dpl_firmata_output output = dpl_firmata_board_output(board, pin);
    if (output.kind == DPL_FIRMATA_LEVEL) {
        return output.level;
    }
    if (output.kind == DPL_FIRMATA_PULSES) {
        return output.duty >= 0.5;
    }
    return board->pins[pin].driven ? board->pins[pin].level : output.level;
}
