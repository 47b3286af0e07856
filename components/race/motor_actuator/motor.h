/* SPDX-License-Identifier: Apache-2.0 */
/* Model of an emulated motor with a driver of two pins: one pin is high and one has PWM. The high
 * pin gives the direction, the duty of the other the speed. PWM of 100 % has no edges; it is
 * distinguished from a constant high level only if the board reports which pin is in PWM mode.
 * Pure. Published: velocity in mm/s = duty in 0.1 % * 1114 / 1000, truncated. */
#ifndef MOTOR_ACTUATOR_MOTOR_H
#define MOTOR_ACTUATOR_MOTOR_H

#include <stdbool.h>

struct motor_config {
    int speed_at_full;       /* mm/s at a duty of 1000 */
    bool forward_when_b;     /* true: forward when pin B is high; false: when pin A is high */
    bool whole_mm;           /* truncated to whole mm/s, as published; otherwise exact */
    double gain, offset_m_s; /* calibration; the offset applies only while the motor turns, in its
                                direction */
};

/* Reading of one pin: the mean, and whether it is a constant level. */
struct motor_pin {
    double ratio; /* 0 to 1 */
    bool steady;  /* no edges: a level, or PWM of 0 or 100 % */
    bool pwm;     /* the board reports PWM mode, also for PWM of 0 or 100 % */
};

enum motor_drive {
    MOTOR_FREE, /* both low, or one low and one PWM: coasts */
    MOTOR_FORWARD,
    MOTOR_REVERSE,
    MOTOR_BRAKE,    /* both high, by levels or by PWM of 100 % */
    MOTOR_CONFUSED, /* both PWM */
};

/* The published formula: whole mm/s for a duty in 0.1 %. */
int motor_velocity_mm_s(const struct motor_config *config, int duty);

/* Decodes the pins; `ret_duty` in 0.1 % (rounded), 0 unless forward or reverse. */
enum motor_drive motor_decode(const struct motor_config *config, const struct motor_pin *a,
                              const struct motor_pin *b, int *ret_duty);

/* The velocity at the wheel's rim, m/s, with calibration: 0 unless the motor is driven. */
double motor_velocity_m_s(const struct motor_config *config, enum motor_drive drive, int duty);

/* NULL, or the error as text. */
const char *motor_self_test(const struct motor_config *config);

#endif
