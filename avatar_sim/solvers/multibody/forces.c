/* SPDX-License-Identifier: Apache-2.0 */
/* What acts besides gravity: motors, limits, restraints, efforts and pushes. Forces on links are
 * taken from their bias forces. */
#include "topology.h"

/* The motion of coordinate i of a joint now, by the frames of its links. */
static void motion_of(const struct dpl__mb *m, const struct dpl__mb_joint *joint, int i,
                      double *ret_motion)
{
    if (joint->chord >= 0) {
        const struct dpl__mb_chord *chord = &m->chords[joint->chord];
        dpl__mb_coordinate(joint->type, i, &chord->now[0], &chord->now[1], ret_motion);
        return;
    }
    struct dpl__mb_frame now[2];
    for (int end = 0; end < 2; end++) {
        dpl__compose(&m->frame[joint->links[end]], &joint->frames[end], &now[end]);
    }
    dpl__mb_coordinate(joint->type, i, &now[0], &now[1], ret_motion);
}

double dpl__mb_joint_value(const struct dpl__mb *m, const struct dpl__mb_joint *joint, int i,
                           double *ret_rate)
{
    if (joint->role == 0) {
        int link = dpl__mb_chain_link(joint, i);
        *ret_rate = joint->sign * m->v[link];
        return joint->sign * m->x[link];
    }
    const struct dpl__mb_chord *chord = &m->chords[joint->chord];
    double q[3], motion[8];
    dpl__mb_displacements(joint->type, &chord->now[0], &chord->now[1], chord->q, q);
    motion_of(m, joint, i, motion);
    *ret_rate = dpl__dot8(motion, m->velocity[chord->links[1]]) -
                dpl__dot8(motion, m->velocity[chord->links[0]]);
    return q[i];
}

double dpl__mb_law_force(const struct dpl__mb_restraint *restraint, double value, double rate,
                         double *ret_damping)
{
    double slope;
    *ret_damping = 0.0;
    if (restraint->type == DPL_MB_SPRING) {
        return -dpl_mb_law(&restraint->law, value, NULL);
    }
    if (restraint->type == DPL_MB_DAMPER) {
        double force = -dpl_mb_law(&restraint->law, rate, &slope);
        *ret_damping = fmax(0.0, slope);
        return force;
    }
    double most = dpl_mb_law(&restraint->law, fabs(rate), &slope);
    double direction = tanh(rate / restraint->regularization);
    double steep = (1.0 - direction * direction) / restraint->regularization;
    *ret_damping = fmax(0.0, most * steep + slope * fabs(direction));
    return -most * direction;
}

double dpl__mb_limit_force(const struct dpl_mb_limit *limit, double value, double rate,
                           double *ret_damping)
{
    double beyond = value > limit->upper   ? value - limit->upper
                    : value < limit->lower ? value - limit->lower
                                           : 0.0;
    double force = -limit->stiffness * beyond - limit->damping * rate;
    *ret_damping = 0.0;
    if (beyond == 0.0 || force * beyond > 0.0) {
        return 0.0; /* it pushes back, and never pulls */
    }
    *ret_damping = limit->damping;
    return force;
}

double dpl__mb_motor_force(const struct dpl__mb_joint *joint, double value, double rate,
                           double *ret_damping)
{
    const struct dpl_mb_motor *motor = &joint->motor;
    double force = joint->setpoint;
    *ret_damping = 0.0;
    if (motor->mode == DPL_MB_MOTOR_ACCELERATION) {
        return joint->found;
    }
    if (motor->mode == DPL_MB_MOTOR_VELOCITY) {
        force = motor->kd * (joint->setpoint - rate);
        *ret_damping = motor->kd;
    } else if (motor->mode == DPL_MB_MOTOR_POSITION) {
        force = motor->kp * (joint->setpoint - value) - motor->kd * rate;
        *ret_damping = motor->kd;
    }
    if (motor->max > 0.0 && fabs(force) > motor->max) {
        *ret_damping = 0.0;
        return copysign(motor->max, force);
    }
    return force;
}

double dpl__mb_inertia_along(const struct dpl__mb *m, const struct dpl__mb_joint *joint)
{
    double motion[8], sum = 0.0;
    int carried = joint->role == 0 ? joint->link : joint->links[joint->links[1] != 0 ? 1 : 0];
    if (joint->role == 0) {
        memcpy(motion, m->s[joint->link], sizeof motion);
    } else {
        struct dpl__mb_frame now[2];
        for (int end = 0; end < 2; end++) {
            dpl__compose(&m->frame[joint->links[end]], &joint->frames[end], &now[end]);
        }
        int axis;
        int kernel = dpl__mb_kernel_of(joint->type, 0, &axis);
        const double *along = now[0].axes[axis];
        memset(motion, 0, sizeof motion);
        if (kernel == DPL__MB_SLIDE) {
            memcpy(motion + 4, along, 3 * sizeof *along);
        } else {
            memcpy(motion, along, 3 * sizeof *along);
            dpl__cross3(now[1].at, along, motion + 4);
        }
    }
    for (int link = carried; link < m->n_links; link++) {
        int up = link;
        while (up > carried && joint->role == 0) {
            up = m->parent[up];
        }
        if (up != carried) {
            continue;
        }
        const struct dpl__mb_frame *frame = &m->frame[link];
        double c[4], v[3], turn[4], spin[4];
        dpl__turn(frame, m->centre[link], c);
        for (int i = 0; i < 3; i++) {
            c[i] += frame->at[i];
        }
        dpl__cross3(motion, c, v);
        for (int i = 0; i < 3; i++) {
            v[i] += motion[4 + i];
        }
        dpl__turn_back(frame, motion, turn);
        for (int i = 0; i < 3; i++) {
            spin[i] = m->inertia[link][i] * turn[0] + m->inertia[link][4 + i] * turn[1] +
                      m->inertia[link][8 + i] * turn[2];
        }
        sum += m->mass[link] * dpl__dot3(v, v) + dpl__dot3(turn, spin);
        if (joint->role != 0) {
            break;
        }
    }
    return sum;
}

/* Adds a force on the first coordinate of a joint. */
static void add_effort(struct dpl__mb *m, struct dpl__mb_joint *joint, double force, double damping)
{
    joint->effort[0] += force;
    if (joint->role == 0 && joint->link >= 0) {
        m->armature[joint->link] += m->implicit * damping;
    } else if (joint->chord >= 0) {
        m->chords[joint->chord].softness += m->implicit * damping;
    }
}

static void add_wrench(struct dpl__mb *m, int link, double factor, const double *motion)
{
    if (link > 0) {
        dpl__add8(m->force[link], -factor, motion);
    }
}

/* Puts a joint's efforts on its coordinates or links. */
static void hand_out(struct dpl__mb *m, const struct dpl__mb_joint *joint)
{
    int n = dpl_mb_joint_freedoms(joint->type);
    for (int i = 0; i < n; i++) {
        if (joint->effort[i] == 0.0) {
            continue;
        }
        if (joint->role == 0 && joint->type != DPL_MB_SPHERICAL && joint->type != DPL_MB_FLOAT) {
            m->effort[dpl__mb_chain_link(joint, i)] += joint->sign * joint->effort[i];
            continue;
        }
        double motion[8];
        motion_of(m, joint, i, motion);
        add_wrench(m, joint->links[1], joint->effort[i], motion);
        add_wrench(m, joint->links[0], -joint->effort[i], motion);
    }
}

static void act_joint(struct dpl__mb *m, struct dpl__mb_joint *joint)
{
    memcpy(joint->effort, joint->applied, sizeof joint->effort);
    if (joint->motor.mode == DPL_MB_MOTOR_NONE && !joint->limit.is_there) {
        return;
    }
    double rate, damping, value = dpl__mb_joint_value(m, joint, 0, &rate);
    if (joint->motor.mode != DPL_MB_MOTOR_NONE) {
        double force = dpl__mb_motor_force(joint, value, rate, &damping);
        add_effort(m, joint, force, damping);
    }
    if (joint->limit.is_there) {
        double force = dpl__mb_limit_force(&joint->limit, value, rate, &damping);
        add_effort(m, joint, force, damping);
    }
}

void dpl__mb_add_force(struct dpl__mb *m, int link, double factor, const double *force,
                       const double *place)
{
    double from[3], wrench[8] = {0.0};
    if (link <= 0) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        from[i] = place[i] - m->points[m->branch[link]][i];
        wrench[4 + i] = force[i];
    }
    dpl__cross3(from, force, wrench);
    add_wrench(m, link, factor, wrench);
}

static void velocity_at(const struct dpl__mb *m, int link, const double *from, double *ret_v)
{
    dpl__cross3(m->velocity[link], from, ret_v);
    for (int i = 0; i < 3; i++) {
        ret_v[i] += m->velocity[link][4 + i];
    }
}

double dpl__mb_pair(const struct dpl__mb *m, const struct dpl__mb_restraint *restraint,
                    double *ret_rate, double ret_along[3], double ret_point[3])
{
    struct dpl__mb_frame now[2];
    double from[2][3], d[3], v[2][3], to[3];
    const double *points[2];
    for (int end = 0; end < 2; end++) {
        int link = restraint->links[end];
        dpl__compose(&m->frame[link], &restraint->frames[end], &now[end]);
        points[end] = m->points[m->branch[link]];
    }
    for (int i = 0; i < 3; i++) {
        double apart = points[1][i] - points[0][i];
        d[i] = now[1].at[i] - now[0].at[i] + apart;
        to[i] = now[1].at[i] + apart; /* the second origin, from the first link's point */
        ret_point[i] = now[1].at[i] + points[1][i];
        from[0][i] = now[0].at[i];
        from[1][i] = now[1].at[i];
    }
    bool straight = restraint->distance == DPL_MB_DISTANCE;
    velocity_at(m, restraint->links[0], straight ? from[0] : to, v[0]);
    velocity_at(m, restraint->links[1], from[1], v[1]);
    double length = sqrt(dpl__dot3(d, d)), value = length;
    for (int i = 0; i < 3; i++) {
        ret_along[i] = straight ? (length > 1e-9 ? d[i] / length : 0.0)
                                : now[0].axes[restraint->distance - DPL_MB_DISTANCE_X][i];
    }
    value = straight ? length : dpl__dot3(ret_along, d);
    *ret_rate = dpl__dot3(ret_along, v[1]) - dpl__dot3(ret_along, v[0]);
    return value;
}

static void act_restraint(struct dpl__mb *m, const struct dpl__mb_restraint *restraint)
{
    double rate, damping, along[3], point[3];
    if (restraint->joint >= 0) {
        struct dpl__mb_joint *joint = &m->joints[restraint->joint];
        if (joint->role < 0) {
            return;
        }
        double value = dpl__mb_joint_value(m, joint, 0, &rate);
        double force = dpl__mb_law_force(restraint, value, rate, &damping);
        add_effort(m, joint, force, damping);
        return;
    }
    double value = dpl__mb_pair(m, restraint, &rate, along, point);
    double force = dpl__mb_law_force(restraint, value, rate, &damping);
    dpl__mb_add_force(m, restraint->links[1], force, along, point);
    dpl__mb_add_force(m, restraint->links[0], -force, along, point);
}

static void act_push(struct dpl__mb *m, int body)
{
    const struct dpl__mb_part *part = &m->parts[body];
    const struct dpl__mb_drag *drag = &m->drags[body];
    if (part->link <= 0) {
        return;
    }
    const struct dpl__mb_frame *link = &m->frame[part->link];
    const double *point = m->points[m->branch[part->link]];
    struct dpl__mb_frame now;
    double place[3], torque[8] = {0.0};
    dpl__compose(link, &part->in_link, &now);
    for (int i = 0; i < 3; i++) {
        place[i] = now.at[i] + point[i];
        torque[i] = m->push[body][4 + i];
    }
    dpl__mb_add_force(m, part->link, 1.0, m->push[body], place);
    add_wrench(m, part->link, 1.0, torque);
    if (drag->stiffness > 0.0) {
        double from[4], v[3], force[3];
        dpl__turn(&now, drag->at, from);
        for (int i = 0; i < 3; i++) {
            from[i] += now.at[i];
        }
        velocity_at(m, part->link, from, v);
        for (int i = 0; i < 3; i++) {
            place[i] = from[i] + point[i];
            force[i] = drag->stiffness * (drag->to[i] - place[i]) - drag->damping * v[i];
        }
        dpl__mb_add_force(m, part->link, 1.0, force, place);
    }
}

/* Takes the efforts of the last evaluation back. */
static void reset(struct dpl__mb *m, struct dpl__mb_joint *joint)
{
    if (joint->chord >= 0) {
        m->chords[joint->chord].softness = 0.0;
    }
    if (joint->link < 0 || joint->type == DPL_MB_FLOAT) {
        return;
    }
    for (int i = 0; i < dpl_mb_joint_freedoms(joint->type); i++) {
        int link = dpl__mb_chain_link(joint, i);
        m->effort[link] = m->armature[link] = 0.0;
    }
}

void dpl__mb_forces(struct dpl__mb *m)
{
    for (int k = 0; k < m->n_acting; k++) {
        reset(m, &m->joints[m->acting[k]]);
        act_joint(m, &m->joints[m->acting[k]]);
    }
    for (int r = 0; r < m->n_restraints; r++) {
        act_restraint(m, &m->restraints[r]);
    }
    for (int k = 0; k < m->n_acting; k++) {
        hand_out(m, &m->joints[m->acting[k]]);
    }
    for (int b = 1; m->is_pushed && b < m->n_bodies; b++) {
        act_push(m, b);
    }
    if (m->forces) {
        dpl__mb_outer_forces(m);
    }
}
