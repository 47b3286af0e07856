/* SPDX-License-Identifier: Apache-2.0 */
/* The balance of mechanisms: see audit.h. */
#include "audit_state.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <doppel/math/gravity.h>
#include <doppel/math/vector3.h>

#include "disjoint_sets.h"

/* ---- sums ---- */

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
        if (joint->type != DPL_JOINT_FREE && (dpl__stands_still(mechanism, joint->parent) ||
                                              dpl__stands_still(mechanism, joint->child))) {
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
    struct dpl_audit_account *account = &audit->accounts[number];
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

/* Of a mechanism in minimal coordinates. 0 or -ENOMEM. */
static int open_minimal(struct dpl_audit *audit, size_t robot)
{
    struct dpl_audit_account *account = &audit->accounts[audit->n];
    int err = dpl__multibody_audit_create(audit->world, (int)robot, &account->minimal);
    if (err) {
        return err == -ENOENT ? 0 : err;
    }
    struct dpl_multibody_sums sums;
    dpl__multibody_audit_sum(account->minimal, &sums);
    audit->n++;
    account->span = &dpl_world_state(audit->world)->robots[robot];
    account->passed = dpl_world_now(audit->world);
    account->balance = (struct dpl_audit_balance){
        .robot = dpl_world_model(audit->world)->robots[robot].name,
        .first = sums.energy,
        .now = sums.energy,
        .scale = sums.energy.kinetic,
        .is_minimal = true,
        .momentum.is_told = !dpl__multibody_audit_is_held(account->minimal),
        .momentum.until = account->passed,
    };
    account->mass = sums.mass;
    account->momentum = sums.momentum;
    account->angular = sums.angular;
    account->is_alone = account->balance.momentum.is_told;
    return 0;
}

static void open_sum(struct dpl_audit *audit)
{
    struct dpl_audit_account *sum = &audit->accounts[audit->n++];
    for (size_t i = 0; i < audit->n_mechanisms; i++) {
        add_energy(&sum->balance.first, &audit->accounts[i].balance.first);
    }
    sum->balance.now = sum->balance.first;
    sum->balance.scale = sum->balance.first.kinetic;
}

static int begin(struct dpl_audit *audit)
{
    const struct dpl_sim_model *model = dpl_world_model(audit->world);
    int err = 0;
    for (size_t i = 0; audit->bullet && i < audit->bullet->n_slots; i++) {
        audit->slots[i].account = SIZE_MAX;
    }
    for (size_t i = 0; i < model->n_robots && err == 0; i++) {
        if (audit->bullet && moves(dpl__bullet_part(&model->robots[i]))) {
            open_account(audit, i);
        } else {
            err = open_minimal(audit, i);
        }
    }
    audit->n_mechanisms = audit->n;
    if (audit->n > 1) {
        open_sum(audit);
    }
    if (audit->bullet) {
        dpl__audit_note_before(audit);
    }
    return err;
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
    audit->accounts = calloc(dpl_world_model(world)->n_robots + 1, sizeof *audit->accounts);
    if (audit->bullet) {
        audit->slots = calloc(audit->bullet->n_slots + 1, sizeof *audit->slots);
        audit->bodies = calloc(audit->bullet->state->bodies.n + 1, sizeof *audit->bodies);
    }
    if (!audit->accounts || (audit->bullet && (!audit->slots || !audit->bodies)) ||
        begin(audit) != 0) {
        dpl_audit_destroy(audit);
        return -ENOMEM;
    }
    *ret_audit = audit;
    return 0;
}

void dpl_audit_destroy(struct dpl_audit *audit)
{
    if (audit) {
        for (size_t i = 0; audit->accounts && i < audit->n; i++) {
            dpl__multibody_audit_destroy(audit->accounts[i].minimal);
        }
        free(audit->accounts);
        free(audit->slots);
        free(audit->bodies);
        free(audit);
    }
}

/* ---- a step ---- */

/* Rises from the least remainder so far to now. */
static void compare(struct dpl_audit *audit, struct dpl_audit_account *account)
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

static void take_momentum(struct dpl_audit *audit, struct dpl_audit_account *account,
                          struct dpl_vector3 momentum, struct dpl_vector3 angular,
                          struct dpl_vector3 weight)
{
    double passed = dpl_ns_to_s(dpl_world_now(audit->world)) - audit->start_s;
    struct dpl_vector3 change = dpl_vector3_minus(momentum, account->momentum);
    struct dpl_vector3 turned = dpl_vector3_minus(angular, account->angular);
    change = dpl_vector3_minus(change, dpl_vector3_times(weight, passed));
    account->balance.momentum.linear =
        fmax(account->balance.momentum.linear, dpl_vector3_length(change));
    account->balance.momentum.about =
        fmax(account->balance.momentum.about, dpl_vector3_length(turned));
    account->balance.momentum.until = dpl_world_now(audit->world);
}

static void add_up(struct dpl_audit *audit)
{
    struct dpl_audit_account *sum = &audit->accounts[audit->n_mechanisms];
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

static void step_bullet(struct dpl_audit *audit, struct dpl_audit_account *account)
{
    struct dpl_bullet_sums sums;
    dpl__bullet_sum(audit->bullet, account->span, &sums);
    account->balance.now = sums.energy;
    compare(audit, account);
    if (account->is_alone) {
        take_momentum(audit, account, sums.motion.momentum, about_centre(&sums.motion),
                      (struct dpl_vector3){.z = -account->mass * DPL_STANDARD_GRAVITY_M_S2});
    }
}

static void step_minimal(struct dpl_audit *audit, struct dpl_audit_account *account)
{
    dpl_ns now = dpl_world_now(audit->world);
    dpl__multibody_audit_take(account->minimal, dpl_ns_to_s(now - account->passed),
                              &account->balance, &account->is_alone);
    account->passed = now;
    struct dpl_multibody_sums sums;
    dpl__multibody_audit_sum(account->minimal, &sums);
    account->balance.now = sums.energy;
    compare(audit, account);
    if (account->is_alone) {
        take_momentum(audit, account, sums.momentum, sums.angular, sums.weight);
    }
}

void dpl_audit_step(struct dpl_audit *audit)
{
    if (audit->bullet) {
        dpl__audit_take(audit);
    }
    for (size_t i = 0; i < audit->n_mechanisms; i++) {
        if (audit->accounts[i].minimal) {
            step_minimal(audit, &audit->accounts[i]);
        } else {
            step_bullet(audit, &audit->accounts[i]);
        }
    }
    if (audit->n > audit->n_mechanisms) {
        add_up(audit);
    }
    if (audit->bullet) {
        dpl__audit_note_before(audit);
    }
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
    if (audit->accounts[mechanism].minimal) {
        return dpl__multibody_audit_joint(audit->accounts[mechanism].minimal, i, ret_joint);
    }
    for (size_t k = 0; audit->bullet && k < audit->bullet->n_slots; k++) {
        const struct dpl_audit_slot *slot = &audit->slots[k];
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
