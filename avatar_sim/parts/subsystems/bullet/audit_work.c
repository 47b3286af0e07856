/* SPDX-License-Identifier: Apache-2.0 */
/* What acts on mechanisms in a step. The work of a step is effort times the mean of the speeds
 * before and after it, which is what the effort adds to the kinetic energy. */
#include "audit_state.h"

#include <math.h>

#include <doppel/math/vector3.h>

void dpl__audit_note_before(struct dpl_audit *audit)
{
    const struct dpl_sim_state *state = audit->bullet->state;
    for (size_t i = 0; i < audit->bullet->n_slots; i++) {
        audit->slots[i].before = state->joints.velocity[audit->bullet->slots[i].joint];
    }
    for (size_t i = 0; i < state->bodies.n; i++) {
        if (audit->bullet->of[i] && audit->bullet->of[i]->takes_load) {
            audit->bodies[i].load = state->bodies.load[i];
            audit->bodies[i].energy = dpl__bullet_load_energy(audit->bullet, (int)i);
        }
    }
}

static bool has(const struct dpl_sim_span *span, int body)
{
    return body >= span->first_body && body < span->first_body + (int)span->n_bodies;
}

/* What a gear keeps is lost. What holds a joint still takes energy and gives none: it is part of
 * what is lost. */
static void take_work(struct dpl_audit *audit)
{
    const struct dpl_sim_joints *joints = &audit->bullet->state->joints;
    for (size_t i = 0; i < audit->bullet->n_slots; i++) {
        const struct dpl_bullet_slot *slot = &audit->bullet->slots[i];
        struct dpl_audit_slot *own = &audit->slots[i];
        bool is_brake = joints->speed[slot->joint] == 0.0;
        double effort = slot->given + (is_brake ? 0.0 : slot->kept);
        double work =
            effort * 0.5 * (own->before + joints->velocity[slot->joint]) * audit->bullet->dt;
        if (own->account < audit->n) {
            own->work += work;
            audit->accounts[own->account].balance.work += work;
        }
    }
}

static void take_loads(struct dpl_audit *audit)
{
    for (size_t k = 0; k < audit->n_mechanisms; k++) {
        struct dpl_audit_account *account = &audit->accounts[k];
        for (unsigned i = 0; i < account->span->n_bodies; i++) {
            size_t body = (size_t)account->span->first_body + i;
            if (!audit->bullet->of[body] || !audit->bullet->of[body]->takes_load) {
                continue;
            }
            double more = audit->bullet->state->bodies.load[body] - audit->bodies[body].load;
            account->balance.loaded += more * audit->bodies[body].energy;
            account->is_alone &= more == 0.0;
        }
    }
}

/* Of a force or torque from outside: by the mean velocity of where it acts. */
static double work_of(const struct dpl_bullet_world *bullet, const struct dpl_sim_push *push)
{
    const struct dpl_sim_bodies *bodies = &bullet->state->bodies;
    const double *before = bullet->before[push->body], *r = &bodies->rotation[push->body][0][0];
    const double *p = push->point;
    double force[3], torque[3], v[3], w[3], power = 0.0;
    dpl_sim_push_turned(bullet->state, push, force, torque);
    for (int i = 0; i < 3; i++) {
        v[i] = 0.5 * (before[i] + bodies->velocity[push->body][i]);
        w[i] = 0.5 * (before[3 + i] + bodies->angular[push->body][i]);
    }
    const struct dpl_vector3 arm = {r[0] * p[0] + r[1] * p[1] + r[2] * p[2],
                                    r[3] * p[0] + r[4] * p[1] + r[5] * p[2],
                                    r[6] * p[0] + r[7] * p[1] + r[8] * p[2]};
    struct dpl_vector3 turn = dpl_vector3_cross((struct dpl_vector3){w[0], w[1], w[2]}, arm);
    const double swing[3] = {turn.x, turn.y, turn.z};
    for (int i = 0; i < 3; i++) {
        power += force[i] * (v[i] + swing[i]) + torque[i] * w[i];
    }
    return power * bullet->dt;
}

static void take_pushes(struct dpl_audit *audit)
{
    const struct dpl_sim_push *push = audit->bullet->state->pushes;
    for (; push; push = push->next) {
        double sum = 0.0;
        for (int i = 0; i < 3; i++) {
            sum += fabs(push->force[i]) + fabs(push->torque[i]);
        }
        for (size_t i = 0; i < audit->n_mechanisms && sum > 0.0; i++) {
            struct dpl_audit_account *account = &audit->accounts[i];
            if (has(account->span, push->body)) {
                account->balance.work += work_of(audit->bullet, push);
                account->is_alone = false;
            }
        }
    }
}

/* A body of the state, or a wheel, that has no balance. */
static bool is_of_others(const struct dpl_audit *audit, int body)
{
    return body == DPL_RIGID_WHEEL || (body >= 0 && !audit->bullet->of[body]);
}

static void take_touch(void *user, const struct dpl_solver_contact *contact)
{
    struct dpl_audit *audit = user;
    int a = dpl__rigid_world_body(audit->bullet->rigid, contact->a);
    int b = dpl__rigid_world_body(audit->bullet->rigid, contact->b);
    for (size_t i = 0; i < audit->n_mechanisms; i++) {
        struct dpl_audit_account *account = &audit->accounts[i];
        account->is_alone &= has(account->span, a) == has(account->span, b);
        account->balance.is_touched |= (has(account->span, a) && is_of_others(audit, b)) ||
                                       (has(account->span, b) && is_of_others(audit, a));
    }
}

void dpl__audit_take(struct dpl_audit *audit)
{
    take_work(audit);
    take_loads(audit);
    take_pushes(audit);
    dpl__solver_contacts(audit->bullet->solver, (double)INFINITY, take_touch, audit);
}
