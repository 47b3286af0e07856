/* SPDX-License-Identifier: Apache-2.0 */
/* Six loops that are closed and opened together. */
#include "axes_loops.h"

#include <string.h>

void axes_loops_init(struct axes_loops *loops, const struct axes_loops_properties *properties)
{
    *loops = (struct axes_loops){.config = properties->servo, .axis_kg = properties->axis_kg};
    loops->config.accel_max_m_s2 = properties->effort_limit_n / properties->axis_kg;
    loops->config.friction_m_s2 = properties->friction_n / properties->axis_kg;
}

/* The loop computes the speed from the previous position: this is the position one period before,
 * with the current speed. */
static double period_ago(const struct axes_loops_reading *reading, double period_s)
{
    return reading->position_m - reading->velocity_m_s * period_s;
}

static void step_axis(struct axes_loops *loops, size_t i, const struct dpl_axes_reference *given,
                      const struct axes_loops_reading *reading, double period_s)
{
    struct dpl_servo *servo = &loops->servos[i];
    double passed_s = reading->passed_s;
    if (!loops->closed) {
        dpl_servo_reset(servo, period_ago(reading, period_s));
        passed_s = period_s;
    } else if (passed_s > AXES_LOOPS_GAP_S) {
        servo->position_m = period_ago(reading, period_s);
        passed_s = period_s;
    }
    if (passed_s <= 0.0) {
        return;
    }
    struct dpl_servo_reference reference = {
        .position_m = given->position_m[i],
        .velocity_m_s = given->velocity_m_s[i],
        .acceleration_m_s2 = given->acceleration_m_s2[i],
    };
    double accel = dpl_servo_step(&loops->config, servo, passed_s, &reference, reading->position_m);
    loops->asked_n[i] = accel * loops->axis_kg;
    loops->n_limited += fabs(accel) >= loops->config.accel_max_m_s2;
}

void axes_loops_step(struct axes_loops *loops, const struct axes_motion *motion,
                     const struct axes_loops_reading readings[DPL_AXES_N], double period_s)
{
    if (!axes_motion_has_torque(motion)) {
        axes_loops_open(loops);
        return;
    }
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        step_axis(loops, i, &motion->reference, &readings[i], period_s);
    }
    loops->closed = true;
}

void axes_loops_open(struct axes_loops *loops)
{
    memset(loops->asked_n, 0, sizeof loops->asked_n);
    loops->closed = false;
}
