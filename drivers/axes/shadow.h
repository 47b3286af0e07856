/* SPDX-License-Identifier: Apache-2.0 */
/* The reference of axes that follow others: converts a target that may jump (the others were moved
 * by hand, lost and found, or the follower was just enabled at another position) to a reference
 * without jumps. A jump becomes a bias that decreases with a limited speed. Pure logic. */
#ifndef AXES_SHADOW_H
#define AXES_SHADOW_H

#include <stdbool.h>

#include <doppel/drv/axes.h>

struct shadow {
    bool joined; /* there is a previous target */
    struct dpl_axes_reference target;
    double bias_m[DPL_AXES_N]; /* reference minus target */
};

/* Restarts from the follower's position, with the next target. */
void shadow_leave(struct shadow *shadow);

/* The reference of a cycle of `period_s`. `position_m` (6) is the follower's current position, used
 * when it joins. A target has jumped when its distance from the extrapolated previous target is
 * more than `speed_m_s` allows in a cycle. */
void shadow_step(struct shadow *shadow, const struct dpl_axes_reference *target,
                 const double *position_m, double speed_m_s, double period_s,
                 struct dpl_axes_reference *ret);

/* The current position of axes that were measured `age_s` before, as a target. `acceleration_m_s2`
 * (6): of the reference that they follow; NULL: they follow none. */
void shadow_target_of(const struct dpl_axes_state *measured, const double *acceleration_m_s2,
                      double age_s, struct dpl_axes_reference *ret);

#endif
