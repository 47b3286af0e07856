/* SPDX-License-Identifier: Apache-2.0 */
/* What an emulated servo makes of a controller's PWM: low-pass, ADC, duty in 0.1 %, angle. Pure.
 * Numbers of the published testbed: a duty of at most 0: -30 degrees, 40 and more (45 in its text):
 * +30 degrees, between: straight. Its formula, duty = adc * 1000 / 4096, truncates what the
 * converter has truncated already: a duty of 40, code 163, would read as 39, straight. */
#ifndef SERVO_ACTUATOR_SERVO_H
#define SERVO_ACTUATOR_SERVO_H

#include <stdbool.h>
#include <stdint.h>

struct servo_config {
    bool continuous; /* else three bins */
    int adc_bits;
    double tau_s;  /* of the low-pass; 0: an ideal filter */
    int low_duty;  /* 0.1 %; at most this: -angle */
    int high_duty; /* at least this: +angle; above low_duty */
    double angle_rad;
    double gain, offset_rad; /* calibration of the angle */
};

/* The duty that a code of the ADC means, 0.1 %: the largest one that gives this code, so that each
 * whole duty reads as itself where the converter has 10 bits and more. Above the published formula
 * by 1 at such a duty's own code, and nowhere else. */
int servo_duty(const struct servo_config *config, int64_t adc);

/* The angle for a duty, rad, with calibration. Continuous: on the line from low to high duty. */
double servo_angle(const struct servo_config *config, int duty);

/* The filter `dt_s` after it was `*level`, with the PWM's mean `input` all the while; returns the
 * duty that the ADC then reads. */
int servo_read(const struct servo_config *config, double *level, double input, double dt_s);

/* NULL, or what is wrong: the ends and the middle of the range must give their angles. */
const char *servo_self_test(const struct servo_config *config);

#endif
