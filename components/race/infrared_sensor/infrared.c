/* SPDX-License-Identifier: Apache-2.0 */
/* The signal chain of an infrared sensor. */
#include "infrared.h"

#include <math.h>
#include <stdlib.h>

#include <doppel/math/signal.h>

int infrared_duty(const struct infrared_config *config, const struct ir_table *table, int mm)
{
    int duty = ir_table_duty(table, mm);
    if (duty == 0) {
        return 0;
    }
    duty += config->compensation / mm;
    return duty < IR_DUTY_MAX ? duty : IR_DUTY_MAX;
}

double infrared_pwm(const struct infrared_config *config, int duty)
{
    double period = floor(config->clock_hz / config->pwm_hz);
    double ticks = floor(period * duty / IR_DUTY_MAX);
    return (config->inverted ? period - ticks : ticks) / period;
}

double infrared_level(const struct infrared_config *config, double pwm)
{
    return fmin(fmax(config->gain * pwm + config->offset, 0.0), 1.0);
}

double infrared_settle(const struct infrared_config *config, double level, double pwm, double dt_s)
{
    return dpl_low_pass(level, infrared_level(config, pwm), dt_s, config->tau_s);
}

double infrared_duty_from_adc(int64_t adc, int bits)
{
    double steps = ldexp(1.0, bits);
    return (steps - (double)adc) / steps * IR_DUTY_MAX;
}

int infrared_mm_from_adc(const struct ir_table *table, int64_t adc, int bits)
{
    return ir_table_distance(table, infrared_duty_from_adc(adc, bits));
}

int infrared_self_test(const struct infrared_config *config, const struct ir_table *table,
                       double tolerance, int *ret_read_mm)
{
    double worst = tolerance;
    int worst_mm = 0;
    for (size_t i = 0; i < table->n; i++) {
        int mm = table->rows[i].mm;
        double level =
            infrared_level(config, infrared_pwm(config, infrared_duty(config, table, mm)));
        int read_mm = infrared_mm_from_adc(table, dpl_adc_code(level, 12), 12);
        double error = (double)abs(read_mm - mm) / mm;
        if (error > worst && i + 1 < table->n) {
            worst = error;
            worst_mm = mm;
            *ret_read_mm = read_mm;
        }
    }
    return worst_mm;
}
