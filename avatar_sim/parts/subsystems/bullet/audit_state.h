/* SPDX-License-Identifier: Apache-2.0 */
/* What an audit keeps (audit.h), and what acts on it from step to step. */
#ifndef DOPPEL_SIM_AUDIT_STATE_H
#define DOPPEL_SIM_AUDIT_STATE_H

#include <doppel/sim/audit.h>

#include "bullet_state.h"
#include "multibody_audit.h"

/* What is kept of one mechanism, and of all of them. */
struct dpl_audit_account {
    struct dpl_audit_balance balance;
    double remainder, least; /* J: energy that nobody gave; the least so far */
    /* At the beginning: */
    double mass;
    struct dpl_vector3 momentum, angular;
    const struct dpl_sim_span *span;     /* NULL: of all */
    bool is_alone;                       /* nothing outside has touched it */
    struct dpl_multibody_audit *minimal; /* it is moved in minimal coordinates; NULL: by Bullet */
    dpl_ns passed;                       /* when it was looked at last, for those */
};

struct dpl_audit_slot {
    double before, work; /* speed before the step; J */
    size_t account;
};

struct dpl_audit_body {
    double load, energy; /* kg; J for each kg that comes */
};

struct dpl_audit {
    const struct dpl_world *world;
    const struct dpl_bullet_world *bullet; /* NULL: no mechanism of it is in the world */
    struct dpl_audit_account *accounts;    /* [n] */
    struct dpl_audit_slot *slots;          /* [n_slots] */
    struct dpl_audit_body *bodies;         /* [bodies.n] */
    size_t n, n_mechanisms;
    double start_s;
};

/* Before a step: keeps the speeds and loads that dpl__audit_take compares with. */
void dpl__audit_note_before(struct dpl_audit *audit);

/* After the step: adds what drives, loads and forces from outside gave in it to the accounts, and
 * notes who was touched. Allocates nothing. */
void dpl__audit_take(struct dpl_audit *audit);

#endif
