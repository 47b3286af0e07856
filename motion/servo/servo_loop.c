/* SPDX-License-Identifier: Apache-2.0 */
/* The loop: e_v = Kp (r - x) + v_r - v;  u = Kv e_v + I + a_r + f_c tanh(v_r/v0), clamped to u_s;
 * I grows by T (Ki e_v + Kt (u_s - u)). */
#include "servo_loop.h"

#include <math.h>

const struct dpl_servo_config dpl_servo_default = {
    .kp = 120.0,
    .kv = 400.0,
    .ki = 2000.0,
    .kt = 50.0,
    .velocity_feedforward = 1.0,
    .acceleration_feedforward = 1.0,
    .friction_speed_m_s = 0.001,
    .accel_max_m_s2 = 40.0,
};

void dpl_servo_reset(struct dpl_servo *servo, double position_m)
{
    *servo = (struct dpl_servo){.position_m = position_m};
}

double dpl_servo_step(const struct dpl_servo_config *config, struct dpl_servo *servo,
                      double period_s, const struct dpl_servo_reference *reference,
                      double position_m)
{
    double velocity = (position_m - servo->position_m) / period_s;
    double error = config->kp * (reference->position_m - position_m) +
                   config->velocity_feedforward * reference->velocity_m_s - velocity;
    double friction =
        config->friction_m_s2 * tanh(reference->velocity_m_s / config->friction_speed_m_s);
    double wanted = config->kv * error + servo->integral_m_s2 +
                    config->acceleration_feedforward * reference->acceleration_m_s2 + friction;
    if (!isfinite(wanted)) {
        return 0.0;
    }
    double given = fmax(-config->accel_max_m_s2, fmin(config->accel_max_m_s2, wanted));
    servo->integral_m_s2 += period_s * (config->ki * error + config->kt * (given - wanted));
    servo->position_m = position_m;
    return given;
}
