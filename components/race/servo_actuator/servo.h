/* SPDX-License-Identifier: Apache-2.0 */
/* Model of an emulated servo: from the controller's PWM through low-pass, ADC and duty in 0.1 % to
 * an angle. Pure. Numbers of the published testbed: a duty of at most 0: -30 degrees; 40 and more
 * (45 in its text): +30 degrees; between: straight. Its formula, duty = adc * 1000 / 4096,
 * truncates a value that the converter has already truncated: a duty of 40, code 163, would give
 * 39, straight. */
#ifndef SERVO_ACTUATOR_SERVO_H
#define SERVO_ACTUATOR_SERVO_H

#include <stdbool.h>
#include <stdint.h>

struct servo_config {
    bool continuous; /* false: three steps */
    int adc_bits;
    double tau_s;  /* of the low-pass; 0: an ideal filter */
    int low_duty;  /* 0.1 %; at most this: -angle */
    int high_duty; /* from this on: +angle; above low_duty */
    double angle_rad;
    double gain, offset_rad; /* calibration of the angle */
};

/* The duty for a code of the ADC, 0.1 %: the largest one that gives this code. So each whole duty
 * is reproduced exactly when the converter has at least 10 bits. It is larger than the published
 * formula by 1 at the code of such a duty, and equal elsewhere. */
int servo_duty(const struct servo_config *config, int64_t adc);

/* The angle for a duty, rad, with calibration. Continuous mode: linear from low to high duty. */
double servo_angle(const struct servo_config *config, int duty);

/* Advances the filter `*level` by `dt_s` with the constant PWM mean `input`; returns the duty that
 * the ADC then reads. */
int servo_read(const struct servo_config *config, double *level, double input, double dt_s);

/* NULL, or the error as text: the ends and the middle of the range must give their angles. */
const char *servo_self_test(const struct servo_config *config);

#endif
