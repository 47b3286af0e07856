/* SPDX-License-Identifier: Apache-2.0 */
/* What acts on a system gives and takes, at the state of now. */
#include "system.h"

double dpl_mb_motor_power(const struct dpl_mb_system *system, int number)
{
    struct dpl__mb *m = system->m;
    if (number < 0 || number >= m->n_joints) {
        return 0.0;
    }
    const struct dpl__mb_joint *joint = &m->joints[number];
    if (joint->role < 0 || joint->motor.mode == DPL_MB_MOTOR_NONE) {
        return 0.0;
    }
    dpl__mb_refresh(m);
    if (joint->motor.mode == DPL_MB_MOTOR_ACCELERATION) {
        struct dpl_mb_system now = {m};
        dpl_mb_update(&now);
    }
    double rate, damping, value = dpl__mb_joint_value(m, joint, 0, &rate);
    return dpl__mb_motor_force(joint, value, rate, &damping) * rate;
}

static double power_on_joint(const struct dpl_mb_system *system, int number)
{
    const struct dpl__mb_joint *joint = &system->m->joints[number];
    struct dpl_mb_joint_state state;
    double sum = 0.0;
    if (joint->role < 0 || dpl_mb_joint(system, number, &state) != 0) {
        return 0.0;
    }
    for (int i = 0; i < dpl_mb_joint_freedoms(joint->type); i++) {
        sum += joint->applied[i] * state.velocity[i];
    }
    return sum;
}

static double power_on_body(const struct dpl_mb_system *system, int number)
{
    const struct dpl__mb *m = system->m;
    const struct dpl__mb_drag *drag = &m->drags[number];
    const double *push = m->push[number];
    struct dpl_mb_body_state state;
    if (m->parts[number].link <= 0 || dpl_mb_body(system, number, &state) != 0) {
        return 0.0;
    }
    double sum = dpl__dot3(push, state.velocity) + dpl__dot3(push + 4, state.angular);
    if (drag->stiffness > 0.0) {
        double from[3], v[3];
        for (int i = 0; i < 3; i++) {
            from[i] = dpl__dot3(&state.place.rotation[3 * i], drag->at);
        }
        dpl__cross3(state.angular, from, v);
        for (int i = 0; i < 3; i++) {
            double apart = drag->to[i] - state.place.position[i] - from[i];
            v[i] += state.velocity[i];
            sum += (drag->stiffness * apart - drag->damping * v[i]) * v[i];
        }
    }
    return sum;
}

double dpl_mb_applied_power(const struct dpl_mb_system *system)
{
    struct dpl__mb *m = system->m;
    double sum = 0.0;
    dpl__mb_refresh(m);
    for (int j = 0; j < m->n_joints; j++) {
        sum += power_on_joint(system, j);
    }
    for (int b = 1; m->is_pushed && b < m->n_bodies; b++) {
        sum += power_on_body(system, b);
    }
    return sum;
}

double dpl_mb_damped_power(const struct dpl_mb_system *system)
{
    struct dpl__mb *m = system->m;
    double sum = 0.0, rate, damping, along[3], point[3];
    dpl__mb_refresh(m);
    for (int r = 0; r < m->n_restraints; r++) {
        const struct dpl__mb_restraint *restraint = &m->restraints[r];
        const struct dpl__mb_joint *joint =
            restraint->joint >= 0 ? &m->joints[restraint->joint] : NULL;
        if (restraint->type == DPL_MB_SPRING || (joint && joint->role < 0)) {
            continue;
        }
        double value = joint ? dpl__mb_joint_value(m, joint, 0, &rate)
                             : dpl__mb_pair(m, restraint, &rate, along, point);
        sum -= dpl__mb_law_force(restraint, value, rate, &damping) * rate;
    }
    for (int j = 0; j < m->n_joints; j++) {
        const struct dpl__mb_joint *joint = &m->joints[j];
        if (!joint->limit.is_there || joint->role < 0) {
            continue;
        }
        /* what is not the spring's: also what a limit that never pulls keeps of it */
        double value = dpl__mb_joint_value(m, joint, 0, &rate);
        double beyond = fmax(value - joint->limit.upper, fmin(value - joint->limit.lower, 0.0));
        double force = dpl__mb_limit_force(&joint->limit, value, rate, &damping);
        sum -= (force + joint->limit.stiffness * beyond) * rate;
    }
    return sum;
}

bool dpl_mb_is_pushed(const struct dpl_mb_system *system)
{
    const struct dpl__mb *m = system->m;
    for (int j = 0; j < m->n_joints; j++) {
        for (int i = 0; i < 6; i++) {
            if (m->joints[j].applied[i] != 0.0) {
                return true;
            }
        }
    }
    return m->is_pushed;
}
