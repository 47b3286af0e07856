/* SPDX-License-Identifier: Apache-2.0 */
/* A PID law: see pid.h. */
#include "pid.h"

#include <math.h>

static double follow_derivative(struct pid *pid, const struct pid_config *config, double measured,
                                double period_s)
{
    double raw = pid->begun ? (measured - pid->measured) / period_s : 0.0;
    double gain = config->filter_s > 0.0 ? -expm1(-period_s / config->filter_s) : 1.0;
    pid->derivative += gain * (raw - pid->derivative);
    pid->measured = measured;
    pid->begun = true;
    return pid->derivative;
}

double pid_step(struct pid *pid, const struct pid_config *config, double setpoint, double measured,
                double period_s)
{
    double error = setpoint - measured;
    if (!isfinite(error) || !(period_s > 0.0)) {
        *pid = (struct pid){0};
        return 0.0;
    }
    double derivative = follow_derivative(pid, config, measured, period_s);
    double forward = config->forward * setpoint + config->offset;
    double fixed = forward + config->kp * error - config->kd * derivative;
    double more = config->ki * error * period_s;
    double wanted = fixed + pid->integral + more;
    bool winds_up = (wanted > config->high && more > 0.0) || (wanted < config->low && more < 0.0);
    pid->integral += winds_up ? 0.0 : more;
    return fmin(fmax(fixed + pid->integral, config->low), config->high);
}
