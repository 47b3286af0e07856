/* SPDX-License-Identifier: Apache-2.0 */
/* What an emulated motor makes of the two pins of its driver: one high and one PWM. Which is high
 * gives the direction, the duty of the other the speed. PWM of 100 % has no edges: it is told from
 * a steady high where the board says which of the pins it pulses. Pure. Published: velocity in mm/s
 * = duty in 0.1 % * 1114 / 1000, truncated. */
#ifndef MOTOR_ACTUATOR_MOTOR_H
#define MOTOR_ACTUATOR_MOTOR_H

#include <stdbool.h>

struct motor_config {
    int speed_at_full;       /* mm/s at a duty of 1000 */
    bool forward_when_b;     /* forward when pin B is the high one; else when pin A is */
    bool whole_mm;           /* truncated to whole mm/s, as published; else exact */
    double gain, offset_m_s; /* calibration; the offset only while it turns, in its direction */
};

/* One pin, as it was read: the mean and whether that is a steady high or low. */
struct motor_pin {
    double ratio; /* 0 to 1 */
    bool steady;  /* no edges: a level, or PWM of 0 or 100 % */
    bool pwm;     /* its board says that it is PWM, were it of 0 or 100 % */
};

enum motor_drive {
    MOTOR_FREE, /* both low, or one low and one PWM: coasts */
    MOTOR_FORWARD,
    MOTOR_REVERSE,
    MOTOR_BRAKE,    /* both high, by levels or by PWM of 100 % */
    MOTOR_CONFUSED, /* both PWM */
};

/* The published formula, whole mm/s for a duty in 0.1 %. */
int motor_velocity_mm_s(const struct motor_config *config, int duty);

/* What the pins say; `ret_duty` in 0.1 % (rounded), 0 unless forward or reverse. */
enum motor_drive motor_decode(const struct motor_config *config, const struct motor_pin *a,
                              const struct motor_pin *b, int *ret_duty);

/* The velocity of the wheel's rim, m/s, with calibration: 0 unless it is driven. */
double motor_velocity_m_s(const struct motor_config *config, enum motor_drive drive, int duty);

/* NULL, or what is wrong. */
const char *motor_self_test(const struct motor_config *config);

#endif
