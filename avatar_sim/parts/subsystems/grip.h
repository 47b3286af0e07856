/* SPDX-License-Identifier: Apache-2.0 */
/* A hand that holds a body at a point and pulls it to a place: a spring with a damper, and a limit.
 * Pure but for the list of pushes of the state. */
#ifndef DOPPEL_SIM_GRIP_H
#define DOPPEL_SIM_GRIP_H

#include <doppel/sim/state.h>

/* Of a body, in its frame. */
struct dpl_grip_mass {
    double mass;           /* kg */
    double centre[3];      /* m */
    const double *inertia; /* [6] kg m^2 about the centre: Ixx Iyy Izz Ixy Iyz Izx */
};

/* What is put: the point in the body (m), where it is pulled to in the world (m), most force (N; 0:
 * ten times the body's weight). */
enum { DPL_GRIP_NUMBERS = 7 };

/* One a body. Zero-initialise; it lives in the world's heap. */
struct dpl_grip {
    struct dpl_sim_push push;     /* of the state's list while it is held */
    double to[3], limit, reduced; /* kg: at least so heavy is the point in any direction */
    bool is_held;
};

#define DPL_GRIP_SUMMARY                                                                           \
    "pulls its point x, y, z (m) to x, y, z of the world (m) with at most so many N, 0: ten "      \
    "times "                                                                                       \
    "its weight"

/* From the next step on. -EINVAL: a number is not finite, the limit is below 0, or the body has no
 * mass. */
int dpl__grip_put(struct dpl_grip *grip, struct dpl_sim_state *state, int body,
                  const struct dpl_grip_mass *of, const double *numbers);
/* It pulls no more. */
void dpl__grip_release(struct dpl_grip *grip, struct dpl_sim_state *state);

/* Sets the force of the next step, of `dt` s, from the state. */
void dpl__grip_pull(struct dpl_grip *grip, const struct dpl_sim_state *state, double dt);

#endif
