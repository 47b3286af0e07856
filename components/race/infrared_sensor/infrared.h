/* SPDX-License-Identifier: Apache-2.0 */
/* An infrared distance sensor made from a PWM output: distance -> table -> duty -> timer ticks ->
 * low-pass -> level on the pin; and the way back that a controller goes, from its ADC to a
 * distance. Pure.
 *
 * Formulas of the published testbed. Its signal is inverted: the controller takes
 * (4096 - ADC) / 4096 for the table's duty. Its filter returns the level stronger than the PWM's
 * mean (a swing above the ADC's reference): the term 9000 / mm that it adds to the table makes up
 * for that. The shipped gain of 1.118 is derived: with it every distance
 * from 300 to 500 mm reads back within the published 2 %. */
#ifndef INFRARED_SENSOR_INFRARED_H
#define INFRARED_SENSOR_INFRARED_H

#include <stdbool.h>
#include <stdint.h>

#include "ir_table.h"

struct infrared_config {
    int compensation; /* 0.1 % mm: divided by the distance and added to the table's duty */
    double clock_hz;  /* of the timer */
    double pwm_hz;
    bool inverted; /* the pin is low for the duty's part of a period */
    double tau_s;  /* resistance times capacity; 0: an ideal filter */
    double gain;   /* of the filter stage: PWM swing over the ADC's reference */
    double offset; /* of the level, a part of the reference */
};

/* The duty in 0.1 % for a distance: table + compensation / mm, at most 1000; 0 outside the table.
 */
int infrared_duty(const struct infrared_config *config, const struct ir_table *table, int mm);

/* The part of a period that the pin is high, as the timer's whole ticks make it. */
double infrared_pwm(const struct infrared_config *config, int duty);

/* What the filter settles to, a part of the ADC's reference, 0 to 1. */
double infrared_level(const struct infrared_config *config, double pwm);

/* The level `dt_s` after it was `level`, with the PWM unchanged in between. */
double infrared_settle(const struct infrared_config *config, double level, double pwm, double dt_s);

/* The controller's side: the table's duty in 0.1 % for a code of an ADC with `bits`. */
double infrared_duty_from_adc(int64_t adc, int bits);

/* And the distance, mm; 0: nothing in range. */
int infrared_mm_from_adc(const struct ir_table *table, int64_t adc, int bits);

/* Whether the table's distances survive the way to the ADC and back within `tolerance` (a part of
 * them), ideally filtered. Returns the worst distance that does not, mm; 0: all do. */
int infrared_self_test(const struct infrared_config *config, const struct ir_table *table,
                       double tolerance, int *ret_read_mm);

#endif
