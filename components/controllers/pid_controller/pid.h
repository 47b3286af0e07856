/* SPDX-License-Identifier: Apache-2.0 */
/* A PID law in parallel form. Pure. Source: Aström and Murray, Feedback Systems, 2nd ed., sections
 * 11.1, 11.4 (windup, filtered derivative) and 11.5 (implementation). */
#ifndef PID_H
#define PID_H

#include <stdbool.h>

struct pid_config {
    double kp, ki, kd; /* output per error, per error and second, per error and 1/second */
    double forward;  /* output per setpoint: what keeps the measured value there without an error */
    double offset;   /* output that is always there, such as against a weight */
    double filter_s; /* time constant of the derivative's low pass; 0: none */
    double low, high; /* of the output */
};

struct pid {
    bool begun;
    double integral;   /* of the error times ki */
    double measured;   /* of the step before */
    double derivative; /* of the measured value, filtered, 1/s */
};

/* One step of `period_s`. The derivative is that of the measured value, so that a step of the
 * setpoint makes no kick. The feed-forward is `forward` times the setpoint, plus `offset`; limits
 * hold for the sum of all parts. While the output is at a limit the integral does not move further
 * into it. Values that are not finite give no output: the law begins anew, and the result is 0. */
double pid_step(struct pid *pid, const struct pid_config *config, double setpoint, double measured,
                double period_s);

#endif
