/* SPDX-License-Identifier: Apache-2.0 */
/* An infrared distance sensor made from a PWM output: distance -> table -> duty -> timer ticks ->
 * low-pass -> level on the pin; and the inverse computation of a controller, from its ADC to a
 * distance. Pure.
 *
 * Formulas of the published testbed. Its signal is inverted: the controller takes
 * (4096 - ADC) / 4096 for the table's duty. Its filter returns a level above the PWM's
 * mean (the amplitude is above the ADC's reference): the term 9000 / mm that it adds to the table
 * compensates for that. The shipped gain of 1.118 is derived: with it every distance
 * from 300 to 500 mm reads back within the published 2 %. */
#ifndef INFRARED_SENSOR_INFRARED_H
#define INFRARED_SENSOR_INFRARED_H

#include <stdbool.h>
#include <stdint.h>

#include "ir_table.h"

struct infrared_config {
    int compensation; /* 0.1 % mm: divided by the distance and added to the duty of the table */
    double clock_hz;  /* of the timer */
    double pwm_hz;
    bool inverted; /* the pin is low for the duty of a period */
    double tau_s;  /* resistance times capacity; 0: an ideal filter */
    double gain;   /* of the filter stage: PWM amplitude divided by the ADC's reference */
    double offset; /* of the level, as a part of the reference */
};

/* The duty in 0.1 % for a distance: table + compensation / mm, at most 1000; 0 outside the table.
 */
int infrared_duty(const struct infrared_config *config, const struct ir_table *table, int mm);

/* The part of a period in which the pin is high, rounded to whole ticks of the timer. */
double infrared_pwm(const struct infrared_config *config, int duty);

/* The final level of the filter, as a part of the ADC's reference, 0 to 1. */
double infrared_level(const struct infrared_config *config, double pwm);

/* The level after `dt_s`, starting at `level`, with constant PWM. */
double infrared_settle(const struct infrared_config *config, double level, double pwm, double dt_s);

/* The controller's side: the table's duty in 0.1 % for a code of an ADC with `bits`. */
double infrared_duty_from_adc(int64_t adc, int bits);

/* The distance for that duty, mm; 0: nothing in range. */
int infrared_mm_from_adc(const struct ir_table *table, int64_t adc, int bits);

/* Whether each distance of the table is reproduced within `tolerance` (as a part of it) after
 * conversion to an ADC code and back, with an ideal filter. Returns the worst distance that is not,
 * mm; 0: all are. */
int infrared_self_test(const struct infrared_config *config, const struct ir_table *table,
                       double tolerance, int *ret_read_mm);

#endif
