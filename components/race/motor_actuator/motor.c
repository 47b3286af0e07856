/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding the pins of a motor driver. */
#include "motor.h"

#include <math.h>
#include <stddef.h>

int motor_velocity_mm_s(const struct motor_config *config, int duty)
{
    return duty * config->speed_at_full / 1000;
}

static bool is_high(const struct motor_pin *pin)
{
    return pin->steady && pin->ratio >= 0.5;
}

static bool is_low(const struct motor_pin *pin)
{
    return pin->steady && pin->ratio < 0.5;
}

enum motor_drive motor_decode(const struct motor_config *config, const struct motor_pin *a,
                              const struct motor_pin *b, int *ret_duty)
{
    *ret_duty = 0;
    if (is_high(a) && is_high(b) && a->pwm == b->pwm) {
        return MOTOR_BRAKE;
    }
    if (!is_high(a) && !is_high(b)) {
        return is_low(a) || is_low(b) ? MOTOR_FREE : MOTOR_CONFUSED;
    }
    bool pulses_a = is_high(b) && !(is_high(a) && b->pwm);
    *ret_duty = (int)lround((pulses_a ? a : b)->ratio * 1000.0);
    return pulses_a == config->forward_when_b ? MOTOR_FORWARD : MOTOR_REVERSE;
}

double motor_velocity_m_s(const struct motor_config *config, enum motor_drive drive, int duty)
{
    if ((drive != MOTOR_FORWARD && drive != MOTOR_REVERSE) || duty == 0) {
        return 0.0;
    }
    double mm_s = config->whole_mm ? motor_velocity_mm_s(config, duty)
                                   : duty * (double)config->speed_at_full / 1000.0;
    double m_s = fmax(mm_s / 1000.0 * config->gain + config->offset_m_s, 0.0);
    return drive == MOTOR_FORWARD ? m_s : -m_s;
}

const char *motor_self_test(const struct motor_config *config)
{
    struct motor_pin high = {1.0, true, false}, half = {0.5, false, true};
    int duty;
    enum motor_drive one = motor_decode(config, &high, &half, &duty);
    double v = motor_velocity_m_s(config, one, duty);
    enum motor_drive other = motor_decode(config, &half, &high, &duty);
    if (v == 0.0) {
        return "the motor does not turn at half of the duty: SpeedAtFull, Gain and Offset do not "
               "match";
    }
    return v == -motor_velocity_m_s(config, other, duty) ? NULL
                                                         : "forward and backward speeds differ";
}
