/* SPDX-License-Identifier: Apache-2.0 */
/* The balance of energy and momentum of mechanisms, as a check of their model. It compares the
 * energy at the start, the energy that drives and loads add, and the energy now. The difference is
 * lost by friction, damping, brakes, contacts and the solver; this loss must never decrease. An
 * audit covers mechanisms of the subsystems `bullet` and `multibody`. It only reads its world, and
 * does not change its motion. SI units. Call it on the thread of the world. */
#ifndef DOPPEL_SIM_AUDIT_H
#define DOPPEL_SIM_AUDIT_H

#include <doppel/sim/world.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_audit;

struct dpl_audit_energy {
    double kinetic;   /* J, of bodies, loads and rotors */
    double potential; /* J, m g z */
    double springs;   /* J, in springs and soft stops */
    double ropes;     /* J, in ropes and belts */
};

struct dpl_audit_momentum {
    bool is_told;  /* whether this is valid: no joint connects the mechanism to a fixed body */
    dpl_ns until;  /* until this time it had no contact with other bodies, and its loads did not
                      change */
    double linear; /* N s: largest change, without the effect of its weight */
    double about;  /* N m s: largest change of the angular momentum about its centre of mass */
};

struct dpl_audit_balance {
    const char *robot; /* NULL: all mechanisms together */
    struct dpl_audit_energy first, now;
    double work;   /* J that drives added */
    double loaded; /* J that loads added or removed when they changed */
    double lost;   /* J: first + work + loaded - now. Below 0: energy came from nowhere */
    double
        rise; /* J: largest decrease of the loss, which is a gain of energy; it should be about 0 */
    dpl_ns rise_at;
    double scale; /* J: the largest amount: kinetic energy, change of another energy, or work */
    /* A robot without a balance, such as a base on wheels, had contact with it, or assemblies of it
     * were switched. The energy of this is not known; it is part of `lost` and `rise`. */
    bool is_touched;
    bool is_minimal; /* the subsystem `multibody` moves it; the two members below are valid only
                        then */
    double damped;   /* J: the part of `lost` that dampers, friction and limits took */
    double open;     /* m or rad: the largest residual of its closed loops */
    struct dpl_audit_momentum momentum;
};

/* A degree of freedom of a joint at which a drive did work. */
struct dpl_audit_joint {
    const char *joint;
    int freedom; /* 0, 1 */
    double work; /* J */
};

/* A rise by more than this fraction of the scale is an error of the model. */
#define DPL_AUDIT_SHARE 0.05

/* Begins an audit at the present state of the world. 0 or -ENOMEM. Allocates. */
int dpl_audit_create(const struct dpl_world *world, struct dpl_audit **ret_audit);
void dpl_audit_destroy(struct dpl_audit *audit); /* NULL: does nothing */

/* Call it after each single step of the world. Does not allocate. */
void dpl_audit_step(struct dpl_audit *audit);

/* The number of balances: one for each mechanism that moves. If there are several, the last balance
 * is that of all together. */
size_t dpl_audit_count(const struct dpl_audit *audit);
void dpl_audit_balance(const struct dpl_audit *audit, size_t i,
                       struct dpl_audit_balance *ret_balance);

/* Entry `i` among the degrees of freedom of that mechanism at which drives did work, positive or
 * negative. False: there are no more. */
bool dpl_audit_joint(const struct dpl_audit *audit, size_t mechanism, size_t i,
                     struct dpl_audit_joint *ret_joint);

/* Whether energy comes from nowhere. Mechanisms exchange energy through contacts, so the balance of
 * all together decides. False if is_touched is set for one, because then it is not known. */
bool dpl_audit_fails(const struct dpl_audit *audit);

#ifdef __cplusplus
}
#endif

#endif
