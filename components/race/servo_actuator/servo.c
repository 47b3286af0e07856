/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes the PWM of a servo. */
#include "servo.h"

#include <math.h>
#include <stddef.h>

#include <doppel/math/signal.h>

int servo_duty(const struct servo_config *config, int64_t adc)
{
    return (int)(((adc + 1) * 1000 - 1) / ((int64_t)1 << config->adc_bits));
}

static double part_of_angle(const struct servo_config *config, int duty)
{
    if (duty <= config->low_duty) {
        return -1.0;
    }
    if (duty >= config->high_duty) {
        return 1.0;
    }
    double middle = (config->low_duty + config->high_duty) / 2.0;
    double half = (config->high_duty - config->low_duty) / 2.0;
    return config->continuous ? (duty - middle) / half : 0.0;
}

double servo_angle(const struct servo_config *config, int duty)
{
    return part_of_angle(config, duty) * config->angle_rad * config->gain + config->offset_rad;
}

int servo_read(const struct servo_config *config, double *level, double input, double dt_s)
{
    *level = dpl_low_pass(*level, input, dt_s, config->tau_s);
    return servo_duty(config, dpl_adc_code(*level, config->adc_bits));
}

const char *servo_self_test(const struct servo_config *config)
{
    if (config->low_duty >= config->high_duty) {
        return "LowDuty must be smaller than HighDuty";
    }
    double scale = config->angle_rad * config->gain;
    double low = servo_angle(config, config->low_duty) - config->offset_rad;
    double high = servo_angle(config, config->high_duty) - config->offset_rad;
    if (fabs(low + scale) > 1e-9 || fabs(high - scale) > 1e-9) {
        return "the ends of the duty do not give the ends of the angle";
    }
    double level = 0.0;
    if (servo_read(config, &level, config->low_duty / 1000.0, (double)INFINITY) !=
            config->low_duty ||
        servo_read(config, &level, config->high_duty / 1000.0, (double)INFINITY) !=
            config->high_duty) {
        return "the converter (AdcBits) is too coarse to distinguish LowDuty and HighDuty";
    }
    return NULL;
}
