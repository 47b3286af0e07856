/* SPDX-License-Identifier: Apache-2.0 */
/* Modes of a group of axes. */
#include "axes_motion.h"

#include <string.h>

void axes_motion_init(struct axes_motion *motion)
{
    *motion = (struct axes_motion){.mode = DPL_AXES_OFF, .fault_axis = -1};
}

int axes_motion_enable(struct axes_motion *motion)
{
    if (motion->mode == DPL_AXES_FAULT) {
        return -EPERM;
    }
    if (motion->mode == DPL_AXES_OFF) {
        motion->mode = DPL_AXES_STARTING;
        motion->since_enable_s = 0.0;
        motion->is_given = false;
        motion->stop_asked = false;
    }
    motion->off_at_rest = false;
    return 0;
}

void axes_motion_disable(struct axes_motion *motion)
{
    if (motion->mode == DPL_AXES_STARTING) {
        motion->mode = DPL_AXES_OFF;
    } else if (axes_motion_has_torque(motion)) {
        motion->mode = DPL_AXES_STOPPING;
        motion->off_at_rest = true;
    }
}

void axes_motion_stop(struct axes_motion *motion)
{
    if (axes_motion_has_torque(motion)) {
        motion->mode = DPL_AXES_STOPPING;
        motion->stop_asked = true;
    }
}

void axes_motion_reset(struct axes_motion *motion)
{
    if (motion->mode == DPL_AXES_FAULT) {
        axes_motion_init(motion);
    }
}

void axes_motion_idle(struct axes_motion *motion)
{
    if (motion->mode != DPL_AXES_FAULT) {
        axes_motion_init(motion);
    }
}

int axes_motion_follow(struct axes_motion *motion, const struct dpl_axes_reference *reference)
{
    if (motion->mode != DPL_AXES_ON) {
        return -EPERM;
    }
    motion->given = *reference;
    motion->is_given = true;
    return 0;
}

void axes_motion_fail(struct axes_motion *motion, int axis, uint32_t code)
{
    if (motion->mode == DPL_AXES_OFF || motion->mode == DPL_AXES_FAULT) {
        return;
    }
    motion->mode = DPL_AXES_FAULT;
    motion->fault = code;
    motion->fault_axis = axis;
}

void axes_motion_watch(struct axes_motion *motion, const struct axes_motion_properties *properties,
                       const struct axes_motion_measured *measured)
{
    double most = properties->max_following_error_m;
    if (!axes_motion_has_torque(motion) || most <= 0.0) {
        return;
    }
    for (int i = 0; i < DPL_AXES_N; i++) {
        double error = motion->reference.position_m[i] - measured->position_m[i];
        if (!(fabs(error) <= most)) {
            axes_motion_fail(motion, i, AXES_FAULT_FOLLOWING);
            return;
        }
    }
}

/* One axis on its way to rest: exact within the period, also when it comes to rest before the end
 * of the period. */
static void ramp_axis(struct dpl_axes_reference *reference, int axis, double deceleration,
                      double period_s)
{
    double speed = reference->velocity_m_s[axis];
    double left_s = fabs(speed) / deceleration;
    if (left_s <= period_s) {
        reference->position_m[axis] += 0.5 * speed * left_s;
        reference->velocity_m_s[axis] = 0.0;
        reference->acceleration_m_s2[axis] = 0.0;
        return;
    }
    double a = -copysign(deceleration, speed);
    reference->position_m[axis] += (speed + 0.5 * a * period_s) * period_s;
    reference->velocity_m_s[axis] = speed + a * period_s;
    reference->acceleration_m_s2[axis] = a;
}

static void ramp(struct axes_motion *motion, double deceleration, double period_s)
{
    for (int i = 0; i < DPL_AXES_N; i++) {
        ramp_axis(&motion->reference, i, deceleration, period_s);
    }
}

static bool at_rest(const struct dpl_axes_reference *reference)
{
    for (int i = 0; i < DPL_AXES_N; i++) {
        if (reference->velocity_m_s[i] != 0.0) {
            return false;
        }
    }
    return true;
}

static void start(struct axes_motion *motion, const struct axes_motion_properties *properties,
                  const struct axes_motion_measured *measured, double period_s)
{
    motion->since_enable_s += period_s;
    if (motion->since_enable_s < properties->start_time_s) {
        return;
    }
    motion->reference = (struct dpl_axes_reference){0};
    memcpy(motion->reference.position_m, measured->position_m, sizeof measured->position_m);
    memcpy(motion->reference.velocity_m_s, measured->velocity_m_s, sizeof measured->velocity_m_s);
    motion->mode = DPL_AXES_ON;
    ramp(motion, properties->stop_deceleration_m_s2, period_s);
}

/* A stop that is requested again in every cycle keeps the mode: the axes hold in it. */
static void go_on_stopping(struct axes_motion *motion, double deceleration, double period_s)
{
    ramp(motion, deceleration, period_s);
    if (!at_rest(&motion->reference) || motion->stop_asked) {
        return;
    }
    motion->mode = motion->off_at_rest ? DPL_AXES_OFF : DPL_AXES_ON;
    motion->off_at_rest = false;
}

void axes_motion_step(struct axes_motion *motion, const struct axes_motion_properties *properties,
                      const struct axes_motion_measured *measured, double period_s)
{
    if (motion->mode == DPL_AXES_STARTING) {
        start(motion, properties, measured, period_s);
    } else if (motion->mode == DPL_AXES_STOPPING) {
        go_on_stopping(motion, properties->stop_deceleration_m_s2, period_s);
    } else if (motion->mode == DPL_AXES_ON && motion->is_given) {
        motion->reference = motion->given;
    } else if (motion->mode == DPL_AXES_ON) {
        ramp(motion, properties->stop_deceleration_m_s2, period_s);
    }
    motion->is_given = false;
    motion->stop_asked = false;
}

void axes_motion_read(const struct axes_motion *motion, struct dpl_axes_state *ret)
{
    ret->mode = motion->mode;
    ret->fault = motion->fault;
    ret->fault_axis = motion->fault_axis;
}
