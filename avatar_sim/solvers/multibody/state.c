/* SPDX-License-Identifier: Apache-2.0 */
/* What a system tells, and its inputs. */
#include <errno.h>

#include "rotation.h"

double dpl_mb_time(const struct dpl_mb_system *system)
{
    return system->m->time;
}

void dpl_mb_update(struct dpl_mb_system *system)
{
    struct dpl__mb *m = system->m;
    if (!m->is_told) {
        dpl__mb_evaluate(m);
        m->is_told = true;
    }
}

bool dpl_mb_take_event(struct dpl_mb_system *system, struct dpl_mb_event *ret_event)
{
    struct dpl__mb *m = system->m;
    if (m->n_events == 0) {
        return false;
    }
    *ret_event = m->events[m->first_event];
    m->first_event = (m->first_event + 1) % DPL__MB_EVENTS;
    m->n_events--;
    return true;
}

/* ---- inputs ---- */

void dpl__mb_list_acting(struct dpl__mb *m)
{
    m->n_acting = 0;
    for (int j = 0; j < m->n_joints; j++) {
        struct dpl__mb_joint *joint = &m->joints[j];
        bool acts =
            joint->limit.is_there || joint->motor.mode != DPL_MB_MOTOR_NONE || joint->is_restrained;
        for (int i = 0; i < 6; i++) {
            acts = acts || joint->applied[i] != 0.0 || joint->effort[i] != 0.0;
        }
        if (acts && joint->role >= 0) {
            m->acting[m->n_acting++] = j;
        }
    }
}

int dpl_mb_command(struct dpl_mb_system *system, int joint, enum dpl_mb_motor_mode mode,
                   double setpoint)
{
    struct dpl__mb *m = system->m;
    if (joint < 0 || joint >= m->n_joints || !m->joints[joint].is_active ||
        m->joints[joint].motor.mode == DPL_MB_MOTOR_NONE || mode == DPL_MB_MOTOR_NONE ||
        (int)mode < 0 || mode > DPL_MB_MOTOR_ACCELERATION || !isfinite(setpoint)) {
        return -EINVAL;
    }
    enum dpl_mb_motor_mode before = m->joints[joint].motor.mode;
    bool is_new = mode == DPL_MB_MOTOR_ACCELERATION && before != mode;
    if (is_new && m->joints[joint].role >= 0 && m->drives.n == m->drives.most) {
        return -ENOSPC;
    }
    m->is_told = false;
    m->joints[joint].motor.mode = mode;
    m->joints[joint].setpoint = setpoint;
    if (is_new || (before == DPL_MB_MOTOR_ACCELERATION && before != mode)) {
        dpl__mb_list_driven(m);
    }
    return 0;
}

int dpl_mb_apply(struct dpl_mb_system *system, int joint, int i, double effort)
{
    struct dpl__mb *m = system->m;
    if (joint < 0 || joint >= m->n_joints || m->joints[joint].role < 0 || i < 0 ||
        i >= dpl_mb_joint_freedoms(m->joints[joint].type) || !isfinite(effort)) {
        return -EINVAL;
    }
    m->is_told = m->is_told && m->joints[joint].applied[i] == effort;
    double before = m->joints[joint].applied[i];
    m->joints[joint].applied[i] = effort;
    if ((before != 0.0) != (effort != 0.0)) {
        dpl__mb_list_acting(m);
    }
    return 0;
}

static bool are_finite(const double *numbers, int n)
{
    for (int i = 0; i < n; i++) {
        if (!isfinite(numbers[i])) {
            return false;
        }
    }
    return true;
}

static bool has_body(const struct dpl__mb *m, int body)
{
    return body >= 0 && body < m->n_bodies && m->parts[body].link >= 0;
}

int dpl_mb_push(struct dpl_mb_system *system, int body, const double force[3],
                const double torque[3])
{
    struct dpl__mb *m = system->m;
    if (!has_body(m, body) || !are_finite(force, 3) || !are_finite(torque, 3)) {
        return -EINVAL;
    }
    memcpy(m->push[body], force, 3 * sizeof *force);
    memcpy(m->push[body] + 4, torque, 3 * sizeof *torque);
    m->is_pushed = true;
    m->is_told = false;
    return 0;
}

int dpl_mb_drag(struct dpl_mb_system *system, int body, const double at[3], const double to[3],
                double stiffness, double damping)
{
    struct dpl__mb *m = system->m;
    bool makes_sense = stiffness >= 0.0 && damping >= 0.0 && isfinite(stiffness + damping);
    if (!has_body(m, body) || !makes_sense || !are_finite(at, 3) || !are_finite(to, 3)) {
        return -EINVAL;
    }
    m->drags[body] = (struct dpl__mb_drag){.at = {at[0], at[1], at[2]},
                                           .to = {to[0], to[1], to[2]},
                                           .stiffness = stiffness,
                                           .damping = damping};
    m->is_pushed = true;
    m->is_told = false;
    return 0;
}

/* ---- relative motion of a joint's ends ---- */

/* Both frames, velocities and accelerations, from the point of the first link's branch. */
struct relation {
    struct dpl__mb_frame now[2];
    double velocity[2][8], acceleration[2][8];
};

static void shift(const double *motion, const double *by, double *ret_motion)
{
    memcpy(ret_motion, motion, 8 * sizeof *motion);
    dpl__cross3_add(motion, by, ret_motion + 4);
}

static void relate(const struct dpl__mb *m, const struct dpl__mb_joint *joint,
                   struct relation *ret_relation)
{
    const double *points[2];
    for (int end = 0; end < 2; end++) {
        int link = joint->links[end];
        points[end] = m->points[m->branch[link]];
        dpl__compose(&m->frame[link], &joint->frames[end], &ret_relation->now[end]);
    }
    int base = joint->links[0] == 0 ? 1 : 0; /* the ground has no point of its own */
    for (int end = 0; end < 2; end++) {
        double by[3];
        for (int i = 0; i < 3; i++) {
            by[i] = points[base][i] - points[end][i];
            ret_relation->now[end].at[i] -= by[i];
        }
        shift(m->velocity[joint->links[end]], by, ret_relation->velocity[end]);
        shift(m->acceleration[joint->links[end]], by, ret_relation->acceleration[end]);
    }
}

static double rate_of(const struct relation *relation, enum dpl_mb_joint_type type, int i)
{
    double motion[8];
    dpl__mb_coordinate(type, i, &relation->now[0], &relation->now[1], motion);
    return dpl__dot8(motion, relation->velocity[1]) - dpl__dot8(motion, relation->velocity[0]);
}

static double acceleration_of(const struct relation *relation, enum dpl_mb_joint_type type, int i)
{
    double motion[8], relative[8], turning[8], slip[3], v[3], change[3], sum;
    dpl__mb_coordinate(type, i, &relation->now[0], &relation->now[1], motion);
    for (int k = 0; k < 8; k++) {
        relative[k] = relation->velocity[1][k] - relation->velocity[0][k];
    }
    dpl__cross_motion(relation->velocity[0], relative, turning);
    sum = dpl__dot8(motion, relation->acceleration[1]) -
          dpl__dot8(motion, relation->acceleration[0]) - dpl__dot8(motion, turning);
    /* of slides, where the second origin moves through the first frame */
    dpl__cross3(relative, relation->now[1].at, slip);
    for (int k = 0; k < 3; k++) {
        v[k] = relative[4 + k] + slip[k];
    }
    dpl__cross3(v, motion + 4, change);
    return sum + dpl__dot3(change, relative);
}

/* Coordinates in which links have the joint's own numbers. */
static bool is_plain(const struct dpl__mb_joint *joint)
{
    return joint->role == 0 && joint->type != DPL_MB_SPHERICAL && joint->type != DPL_MB_FLOAT;
}

int dpl_mb_joint(const struct dpl_mb_system *system, int joint,
                 struct dpl_mb_joint_state *ret_state)
{
    struct dpl__mb *m = system->m;
    if (joint < 0 || joint >= m->n_joints || !m->joints[joint].is_active) {
        return -ENOENT;
    }
    const struct dpl__mb_joint *from = &m->joints[joint];
    struct relation relation;
    struct dpl__mb_frame place;
    dpl__mb_refresh(m);
    relate(m, from, &relation);
    dpl__relative(&relation.now[0], &relation.now[1], &place);
    *ret_state = (struct dpl_mb_joint_state){.n = dpl_mb_joint_freedoms(from->type),
                                             .place = dpl__place_of(&place)};
    for (int i = 0; i < ret_state->n; i++) {
        ret_state->effort[i] = from->effort[i];
        if (is_plain(from)) {
            int link = dpl__mb_chain_link(from, i);
            ret_state->displacement[i] = from->sign * m->x[link];
            ret_state->velocity[i] = from->sign * m->v[link];
            ret_state->acceleration[i] = from->sign * m->a[link];
        } else {
            ret_state->velocity[i] = rate_of(&relation, from->type, i);
            ret_state->acceleration[i] = acceleration_of(&relation, from->type, i);
        }
    }
    if (from->chord >= 0) {
        struct dpl__mb_chord *chord = &m->chords[from->chord];
        dpl__mb_displacements(from->type, &relation.now[0], &relation.now[1], chord->q,
                              ret_state->displacement);
    } else if (from->type == DPL_MB_SPHERICAL) {
        dpl__mb_rotation_vector(&place, ret_state->displacement);
    }
    return 0;
}

int dpl_mb_body(const struct dpl_mb_system *system, int body, struct dpl_mb_body_state *ret_state)
{
    struct dpl__mb *m = system->m;
    if (!has_body(m, body)) {
        return -ENOENT;
    }
    const struct dpl__mb_part *part = &m->parts[body];
    struct dpl__mb_frame now;
    dpl__mb_refresh(m);
    dpl__compose(&m->frame[part->link], &part->in_link, &now);
    const double *v = m->velocity[part->link], *a = m->acceleration[part->link];
    double slip[3], lift[3], turning[3];
    dpl__cross3(v, now.at, slip);
    dpl__cross3(a, now.at, lift);
    for (int i = 0; i < 3; i++) {
        ret_state->angular[i] = v[i];
        ret_state->velocity[i] = v[4 + i] + slip[i];
        ret_state->angular_acceleration[i] = a[i];
    }
    dpl__cross3(v, ret_state->velocity, turning);
    for (int i = 0; i < 3; i++) {
        bool moves = part->link > 0;
        ret_state->acceleration[i] = moves ? a[4 + i] + lift[i] + turning[i] + m->gravity[i] : 0.0;
        now.at[i] += m->points[m->branch[part->link]][i];
    }
    ret_state->place = dpl__place_of(&now);
    return 0;
}

/* ---- closedness ---- */

double dpl_mb_residual(const struct dpl_mb_system *system)
{
    struct dpl__mb *m = system->m;
    double largest = 0.0;
    dpl__mb_refresh(m);
    for (int k = 0; k < m->n_clusters; k++) {
        if (m->clusters[k].n_chords > 0) {
            largest = fmax(largest, dpl__mb_all_rows(m, &m->clusters[k]));
        }
    }
    return largest;
}

double dpl_mb_residual_rate(const struct dpl_mb_system *system)
{
    struct dpl__mb *m = system->m;
    double largest = 0.0;
    dpl__mb_refresh(m);
    for (int k = 0; k < m->n_clusters; k++) {
        struct dpl__mb_cluster *cluster = &m->clusters[k];
        if (cluster->n_chords == 0) {
            continue;
        }
        dpl__mb_all_rows(m, cluster);
        for (int row = 0; row < cluster->n_rows; row++) {
            double sum = 0.0;
            dpl__mb_row_jacobian(m, cluster, &m->chords[cluster->chords[row]],
                                 &cluster->rows[8 * row], cluster->y);
            for (int j = 0; j < cluster->n; j++) {
                sum += cluster->y[j] * m->v[cluster->first + j];
            }
            largest = fmax(largest, fabs(sum));
        }
    }
    return largest;
}
