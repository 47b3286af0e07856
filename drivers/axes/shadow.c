/* SPDX-License-Identifier: Apache-2.0 */
/* References without jumps for axes that follow others. */
#include "shadow.h"

void shadow_leave(struct shadow *shadow)
{
    shadow->joined = false;
}

static double clamp(double value, double most)
{
    return fmin(fmax(value, -most), most);
}

/* The part of the target's motion that its velocity does not explain. */
static double jump_of(const struct shadow *shadow, const struct dpl_axes_reference *target, int i,
                      double period_s)
{
    const struct dpl_axes_reference *before = &shadow->target;
    double mean = 0.5 * (before->velocity_m_s[i] + target->velocity_m_s[i]);
    return target->position_m[i] - (before->position_m[i] + mean * period_s);
}

void shadow_step(struct shadow *shadow, const struct dpl_axes_reference *target,
                 const double *position_m, double speed_m_s, double period_s,
                 struct dpl_axes_reference *ret)
{
    double step = speed_m_s * period_s;
    *ret = *target;
    for (int i = 0; i < DPL_AXES_N; i++) {
        double *bias = &shadow->bias_m[i];
        if (!shadow->joined) {
            *bias = position_m[i] - target->position_m[i];
        } else {
            double jump = jump_of(shadow, target, i, period_s);
            *bias -= fabs(jump) > step ? jump : 0.0;
        }
        *bias -= clamp(*bias, step);
        ret->position_m[i] += *bias;
    }
    shadow->target = *target;
    shadow->joined = true;
}

void shadow_target_of(const struct dpl_axes_state *measured, const double *acceleration_m_s2,
                      double age_s, struct dpl_axes_reference *ret)
{
    for (int i = 0; i < DPL_AXES_N; i++) {
        double a = acceleration_m_s2 ? acceleration_m_s2[i] : 0.0;
        double v = measured->velocity_m_s[i];
        ret->position_m[i] = measured->position_m[i] + (v + 0.5 * a * age_s) * age_s;
        ret->velocity_m_s[i] = v + a * age_s;
        ret->acceleration_m_s2[i] = a;
    }
}
