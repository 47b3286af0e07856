/* SPDX-License-Identifier: Apache-2.0 */
/* Six decoupled spring-mass-dampers, discretized exactly: pure logic. The order of the degrees of
 * freedom is x y z (m, N) and roll pitch yaw (rad, Nm). */
#ifndef DYNAMIC_MODEL_SPRING_MASS_DAMPER_H
#define DYNAMIC_MODEL_SPRING_MASS_DAMPER_H

#include <doppel/math/six.h>

#include "discretize.h"

/* For each degree of freedom; all positive, the damping ratio may be 0. */
struct dpl_smd_config {
    double stiffness[DPL_SIX];     /* N/m, Nm/rad */
    double natural_hz[DPL_SIX];    /* undamped */
    double damping_ratio[DPL_SIX]; /* relative to critical damping */
    double period_s;
    enum dpl_hold hold;
};

/* Constant after dpl_smd_init. */
struct dpl_smd {
    enum dpl_hold hold;
    double mass[DPL_SIX];    /* kg, kg m2 */
    double damping[DPL_SIX]; /* N s/m, Nm s/rad */
    double ad[DPL_SIX][2][2];
    double b0[DPL_SIX][2], b1[DPL_SIX][2];
};

struct dpl_smd_state {
    double x[DPL_SIX][2];  /* deflection (m, rad) and its rate (per second) */
    double input[DPL_SIX]; /* the newest one */
};

/* The paper's test model: 5000 N/m, 200 Nm/rad, damping ratio 0.2, `natural_hz` 3 or 6 Hz for all
 * (La Mura, Todeschini, Giberti, Robotics 2018, 7(1), 8). */
struct dpl_smd_config dpl_smd_paper_config(double natural_hz, double period_s, enum dpl_hold hold);

/* Returns 0, or -EINVAL for a value out of range, or -ERANGE when the model is too fast for the
 * period (see dpl_discretize). */
int dpl_smd_init(struct dpl_smd *ret_model, const struct dpl_smd_config *config);

/* Moves the state by one period. `wrench`: force N and torque Nm. With DPL_HOLD_ZERO it has acted
 * since the last sample and the new state is one period later; with DPL_HOLD_FIRST it is the wrench
 * at the time of the new state. The deflections are state->x[i][0]. Finite wrenches only. */
void dpl_smd_step(const struct dpl_smd *model, struct dpl_smd_state *state,
                  const double wrench[DPL_SIX]);

#endif
