/* SPDX-License-Identifier: Apache-2.0 */
/* The reference of axes that shadow others: a target that may jump (the others were moved by hand,
 * lost and found, or the shadow has just been enabled somewhere else) becomes a reference that does
 * not. What a jump leaves is a bias that fades at a limited speed. Pure logic. */
#ifndef AXES_SHADOW_H
#define AXES_SHADOW_H

#include <stdbool.h>

#include <doppel/drv/axes.h>

struct shadow {
    bool joined; /* there is a target before */
    struct dpl_axes_reference target;
    double bias_m[DPL_AXES_N]; /* reference minus target */
};

/* Begins anew from where the shadow is, with the next target. */
void shadow_leave(struct shadow *shadow);

/* The reference of a cycle of `period_s`. `position_m` (6) is where the shadow is now: used when it
 * joins. A target farther than `speed_m_s` lets it go in a cycle from where the one before was
 * heading has jumped. */
void shadow_step(struct shadow *shadow, const struct dpl_axes_reference *target,
                 const double *position_m, double speed_m_s, double period_s,
                 struct dpl_axes_reference *ret);

/* Where axes that were measured `age_s` ago are now, as a target.
 * `acceleration_m_s2` (6): of the reference that they follow; NULL: they follow none. */
void shadow_target_of(const struct dpl_axes_state *measured, const double *acceleration_m_s2,
                      double age_s, struct dpl_axes_reference *ret);

#endif
