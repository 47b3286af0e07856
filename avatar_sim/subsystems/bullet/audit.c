/* SPDX-License-Identifier: Apache-2.0 */
/* The balance of mechanisms: see audit.h. The work of a step is effort times the mean of the speeds
 * before and after it, which is what the effort adds to the kinetic energy. */
#include <doppel/sim/audit.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/math/gravity.h>
#include <doppel/math/vector3.h>

#include "bullet_state.h"

/* What is kept of one mechanism, and of all of them. */
struct account {
    struct dpl_audit_balance balance;
    double remainder, least; /* J: energy that nobody gave; the least so far */
    /* At the beginning: */
    double mass;
    struct dpl_vector3 momentum, angular;
    const struct dpl_sim_span *span; /* NULL: of all */
    bool is_alone;                   /* nothing outside has touched it */
};

struct audited_slot {
    double before, work; /* speed before the step; J */
    size_t account;
};

struct audited_body {
    double load, energy; /* kg; J for each kg that comes */
};

struct dpl_audit {
    const struct dpl_world *world;
    const struct dpl_bullet_world *bullet; /* NULL: nothing is audited */
    struct account *accounts;              /* [n] */
    struct audited_slot *slots;            /* [n_slots] */
    struct audited_body *bodies;           /* [bodies.n] */
    size_t n, n_mechanisms;
    double start_s;
};

/* ---- sums ---- */

static bool has(const struct dpl_sim_span *span, int body)
{
    return body >= span->first_body && body < span->first_body + (int)span->n_bodies;
}

static void add_energy(struct dpl_audit_energy *inout, const struct dpl_audit_energy *energy)
{
    inout->kinetic += energy->kinetic;
    inout->potential += energy->potential;
    inout->springs += energy->springs;
    inout->ropes += energy->ropes;
}

static double total(const struct dpl_audit_energy *energy)
{
    return energy->kinetic + energy->potential + energy->springs + energy->ropes;
}

static struct dpl_vector3 about_centre(const struct dpl_bullet_motion *motion)
{
    struct dpl_vector3 centre = dpl_vector3_times(motion->first, 1.0 / motion->mass);
    return dpl_vector3_minus(motion->angular, dpl_vector3_cross(centre, motion->momentum));
}

/* ---- the beginning ---- */

static bool is_held(const struct dpl_sim_mechanism *mechanism)
{
    for (size_t i = 0; mechanism && i < mechanism->n_joints; i++) {
        const struct dpl_sim_joint *joint = &mechanism->joints[i];
        if (joint->type != DPL_JOINT_FREE && (dpl__bullet_is_fixed(mechanism, joint->parent) ||
                                              dpl__bullet_is_fixed(mechanism, joint->child))) {
            return true;
        }
    }
    return false;
}

static bool moves(const struct dpl_sim_mechanism *mechanism)
{
    for (size_t i = 0; mechanism && i < mechanism->n_bodies; i++) {
        if (!mechanism->bodies[i].is_static) {
            return true;
        }
    }
    return false;
}

static void open_account(struct dpl_audit *audit, size_t robot)
{
    const struct dpl_sim_model *model = dpl_world_model(audit->world);
    const struct dpl_sim_span *span = &dpl_world_state(audit->world)->robots[robot];
    size_t number = audit->n++;
    struct account *account = &audit->accounts[number];
    account->span = span;
    for (size_t i = 0; i < audit->bullet->n_slots; i++) {
        int joint = audit->bullet->slots[i].joint;
        if (dpl__bullet_has_joint(span, joint)) {
            audit->slots[i].account = number;
        }
    }
    struct dpl_bullet_sums sums;
    dpl__bullet_sum(audit->bullet, span, &sums);
    account->balance = (struct dpl_audit_balance){
        .robot = model->robots[robot].name,
        .first = sums.energy,
        .now = sums.energy,
        .scale = sums.energy.kinetic,
        .momentum.is_told = !is_held(dpl__bullet_part(&model->robots[robot])),
        .momentum.until = dpl_world_now(audit->world),
    };
    account->mass = sums.motion.mass;
    account->momentum = sums.motion.momentum;
    account->angular = about_centre(&sums.motion);
    account->is_alone = account->balance.momentum.is_told;
}

static void open_sum(struct dpl_audit *audit)
{
    struct account *sum = &audit->accounts[audit->n++];
    for (size_t i = 0; i < audit->n_mechanisms; i++) {
        add_energy(&sum->balance.first, &audit->accounts[i].balance.first);
    }
    sum->balance.now = sum->balance.first;
    sum->balance.scale = sum->balance.first.kinetic;
}

static void note_before(struct dpl_audit *audit)
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

static void begin(struct dpl_audit *audit)
{
    const struct dpl_sim_model *model = dpl_world_model(audit->world);
    for (size_t i = 0; i < audit->bullet->n_slots; i++) {
        audit->slots[i].account = SIZE_MAX;
    }
    for (size_t i = 0; i < model->n_robots; i++) {
        if (moves(dpl__bullet_part(&model->robots[i]))) {
            open_account(audit, i);
        }
    }
    audit->n_mechanisms = audit->n;
    if (audit->n > 1) {
        open_sum(audit);
    }
    note_before(audit);
}

int dpl_audit_create(const struct dpl_world *world, struct dpl_audit **ret_audit)
{
    struct dpl_audit *audit = calloc(1, sizeof *audit);
    if (!audit) {
        return -ENOMEM;
    }
    audit->world = world;
    audit->bullet = dpl_world_subsystem(world, &dpl_bullet_subsystem);
    audit->start_s = dpl_ns_to_s(dpl_world_now(world));
    if (!audit->bullet) {
        *ret_audit = audit;
        return 0;
    }
    audit->accounts = calloc(dpl_world_model(world)->n_robots + 1, sizeof *audit->accounts);
    audit->slots = calloc(audit->bullet->n_slots + 1, sizeof *audit->slots);
    audit->bodies = calloc(audit->bullet->state->bodies.n + 1, sizeof *audit->bodies);
    if (!audit->accounts || !audit->slots || !audit->bodies) {
        dpl_audit_destroy(audit);
        return -ENOMEM;
    }
    begin(audit);
    *ret_audit = audit;
    return 0;
}

void dpl_audit_destroy(struct dpl_audit *audit)
{
    if (audit) {
        free(audit->accounts);
        free(audit->slots);
        free(audit->bodies);
        free(audit);
    }
}

/* ---- a step ---- */

/* What holds a joint still takes energy and gives none: it is part of what is lost. */
static void take_work(struct dpl_audit *audit)
{
    const struct dpl_sim_joints *joints = &audit->bullet->state->joints;
    for (size_t i = 0; i < audit->bullet->n_slots; i++) {
        const struct dpl_bullet_slot *slot = &audit->bullet->slots[i];
        struct audited_slot *own = &audit->slots[i];
        bool is_brake = joints->speed[slot->joint] == 0.0;
        double effort = is_brake ? slot->pushed : joints->effort[slot->joint];
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
        struct account *account = &audit->accounts[k];
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
            struct account *account = &audit->accounts[i];
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
        struct account *account = &audit->accounts[i];
        account->is_alone &= has(account->span, a) == has(account->span, b);
        account->balance.is_touched |= (has(account->span, a) && is_of_others(audit, b)) ||
                                       (has(account->span, b) && is_of_others(audit, a));
    }
}

/* Rises from the least remainder so far to now. */
static void compare(struct dpl_audit *audit, struct account *account)
{
    struct dpl_audit_balance *balance = &account->balance;
    double most[] = {
        balance->now.kinetic, fabs(balance->now.potential - balance->first.potential),
        balance->now.springs, balance->now.ropes,
        fabs(balance->work),
    };
    for (size_t i = 0; i < sizeof most / sizeof most[0]; i++) {
        balance->scale = fmax(balance->scale, most[i]);
    }
    balance->lost = total(&balance->first) + balance->work + balance->loaded - total(&balance->now);
    account->remainder = -balance->lost;
    account->least = fmin(account->least, account->remainder);
    if (!(account->remainder - account->least <= balance->rise)) { /* also what is not finite */
        balance->rise = account->remainder - account->least;
        balance->rise_at = dpl_world_now(audit->world);
    }
}

static void take_momentum(struct dpl_audit *audit, struct account *account,
                          const struct dpl_bullet_motion *motion)
{
    double passed = dpl_ns_to_s(dpl_world_now(audit->world)) - audit->start_s;
    struct dpl_vector3 change = dpl_vector3_minus(motion->momentum, account->momentum);
    struct dpl_vector3 turned = dpl_vector3_minus(about_centre(motion), account->angular);
    change.z += account->mass * DPL_STANDARD_GRAVITY_M_S2 * passed;
    account->balance.momentum.linear =
        fmax(account->balance.momentum.linear, dpl_vector3_length(change));
    account->balance.momentum.about =
        fmax(account->balance.momentum.about, dpl_vector3_length(turned));
    account->balance.momentum.until = dpl_world_now(audit->world);
}

static void add_up(struct dpl_audit *audit)
{
    struct account *sum = &audit->accounts[audit->n_mechanisms];
    sum->balance.now = (struct dpl_audit_energy){0};
    sum->balance.work = sum->balance.loaded = 0.0;
    sum->balance.is_touched = false;
    for (size_t i = 0; i < audit->n_mechanisms; i++) {
        const struct dpl_audit_balance *one = &audit->accounts[i].balance;
        add_energy(&sum->balance.now, &one->now);
        sum->balance.work += one->work;
        sum->balance.loaded += one->loaded;
        sum->balance.is_touched |= one->is_touched;
    }
    compare(audit, sum);
}

void dpl_audit_step(struct dpl_audit *audit)
{
    if (!audit->bullet) {
        return;
    }
    take_work(audit);
    take_loads(audit);
    take_pushes(audit);
    dpl__solver_contacts(audit->bullet->solver, (double)INFINITY, take_touch, audit);
    for (size_t i = 0; i < audit->n_mechanisms; i++) {
        struct account *account = &audit->accounts[i];
        struct dpl_bullet_sums sums;
        dpl__bullet_sum(audit->bullet, account->span, &sums);
        account->balance.now = sums.energy;
        compare(audit, account);
        if (account->is_alone) {
            take_momentum(audit, account, &sums.motion);
        }
    }
    if (audit->n > audit->n_mechanisms) {
        add_up(audit);
    }
    note_before(audit);
}

/* ---- the result ---- */

size_t dpl_audit_count(const struct dpl_audit *audit)
{
    return audit->n;
}

void dpl_audit_balance(const struct dpl_audit *audit, size_t i,
                       struct dpl_audit_balance *ret_balance)
{
    *ret_balance = audit->accounts[i].balance;
}

bool dpl_audit_joint(const struct dpl_audit *audit, size_t mechanism, size_t i,
                     struct dpl_audit_joint *ret_joint)
{
    for (size_t k = 0; audit->bullet && k < audit->bullet->n_slots; k++) {
        const struct audited_slot *slot = &audit->slots[k];
        if (slot->account == mechanism && slot->work != 0.0 && i-- == 0) {
            const struct dpl_bullet_slot *of = &audit->bullet->slots[k];
            *ret_joint = (struct dpl_audit_joint){of->of->name, of->number, slot->work};
            return true;
        }
    }
    return false;
}

bool dpl_audit_fails(const struct dpl_audit *audit)
{
    if (audit->n == 0) {
        return false;
    }
    const struct dpl_audit_balance *all = &audit->accounts[audit->n - 1].balance;
    for (size_t i = 0; i < audit->n_mechanisms; i++) {
        if (audit->accounts[i].balance.is_touched) {
            return false;
        }
    }
    return !(isfinite(all->rise) && all->rise <= DPL_AUDIT_SHARE * all->scale);
}
