/* SPDX-License-Identifier: Apache-2.0 */
/* The balance of energy and momentum of mechanisms, as a check of their model: what is there at the
 * start, what drives and loads bring, and what is there now. The rest is lost by friction, damping,
 * brakes, contacts and the solver, so it should never come back. Mechanisms that the subsystem
 * `bullet` moves. An audit only reads its world: the world goes on as without one. SI units. One
 * thread, that of the world. */
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
    bool is_told;  /* no joint holds the mechanism to what stands still */
    dpl_ns until;  /* so long nothing outside touched it, and its loads were the same */
    double linear; /* N s: largest change, but for what its weight does */
    double about;  /* N m s: largest change of the angular momentum about its centre of mass */
};

struct dpl_audit_balance {
    const char *robot; /* NULL: all mechanisms together */
    struct dpl_audit_energy first, now;
    double work;   /* J that drives gave */
    double loaded; /* J that loads brought along, or took */
    double lost;   /* J: first + work + loaded - now. Below 0: from nowhere */
    double rise;   /* J: largest rise of what was lost back to the energy; it should be about 0 */
    dpl_ns rise_at;
    double scale; /* J: the most that was moved: kinetic energy, or change of another, or work */
    /* A robot that has no balance, such as a base on wheels, touched it: what that gave or took is
     * not known, and is in `lost` and `rise`. */
    bool is_touched;
    struct dpl_audit_momentum momentum;
};

/* A freedom of a joint at which a drive gave something. */
struct dpl_audit_joint {
    const char *joint;
    int freedom; /* 0, 1 */
    double work; /* J */
};

/* A rise by more than this share of the scale is a finding. */
#define DPL_AUDIT_SHARE 0.05

/* Begins with the world as it is now. 0 or -ENOMEM. Allocates. */
int dpl_audit_create(const struct dpl_world *world, struct dpl_audit **ret_audit);
void dpl_audit_destroy(struct dpl_audit *audit); /* NULL: nothing */

/* To be called after each single step of the world. Allocates nothing. */
void dpl_audit_step(struct dpl_audit *audit);

/* How many balances there are: one for each mechanism that moves, and, if there are several, one
 * for all of them together, the last one. */
size_t dpl_audit_count(const struct dpl_audit *audit);
void dpl_audit_balance(const struct dpl_audit *audit, size_t i,
                       struct dpl_audit_balance *ret_balance);

/* The number `i` among the joints of that mechanism whose drives gave or took work. False: there
 * are no more. */
bool dpl_audit_joint(const struct dpl_audit *audit, size_t mechanism, size_t i,
                     struct dpl_audit_joint *ret_joint);

/* Whether energy comes from nowhere. Mechanisms that touch give each other energy, so the balance
 * of all decides. False where one is_touched: nobody knows. */
bool dpl_audit_fails(const struct dpl_audit *audit);

#ifdef __cplusplus
}
#endif

#endif
