/* SPDX-License-Identifier: Apache-2.0 */
/* What an audit (doppel/sim/audit.h) counts of a mechanism in minimal coordinates. The audit of the
 * subsystem `bullet` keeps its balance, as that of any mechanism. */
#ifndef DOPPEL_SIM_MULTIBODY_AUDIT_H
#define DOPPEL_SIM_MULTIBODY_AUDIT_H

#include <doppel/math/vector3.h>
#include <doppel/sim/audit.h>

struct dpl_multibody_audit;

struct dpl_multibody_sums {
    struct dpl_audit_energy energy;
    double mass;                          /* kg, of all that moves */
    struct dpl_vector3 momentum, angular; /* N s; N m s about the centre of mass */
    struct dpl_vector3 weight;            /* N */
};

/* Begins with robot `number` of a world as it is now. 0; -ENOENT: the subsystem does not move it;
 * -ENOMEM. Allocates. */
int dpl__multibody_audit_create(const struct dpl_world *world, int number,
                                struct dpl_multibody_audit **ret_audit);
void dpl__multibody_audit_destroy(struct dpl_multibody_audit *audit); /* NULL: nothing */

/* After a step of `dt` seconds: what drives gave in it, what dampers took and how far loops are
 * open, is added to a balance. Powers are means of a step. *ret_alone becomes false where something
 * acts from outside. */
void dpl__multibody_audit_take(struct dpl_multibody_audit *audit, double dt,
                               struct dpl_audit_balance *inout_balance, bool *inout_alone);

void dpl__multibody_audit_sum(const struct dpl_multibody_audit *audit,
                              struct dpl_multibody_sums *ret_sums);

/* Whether a joint or a restraint holds it to what stands still. */
bool dpl__multibody_audit_is_held(const struct dpl_multibody_audit *audit);

/* As dpl_audit_joint. */
bool dpl__multibody_audit_joint(const struct dpl_multibody_audit *audit, size_t i,
                                struct dpl_audit_joint *ret_joint);

#endif
