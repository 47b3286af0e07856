/* SPDX-License-Identifier: Apache-2.0 */
/* The deflection of a machine under a wrench, computed with spring-mass-dampers or with matrices:
 * pure logic. */
#ifndef DYNAMIC_MODEL_ADMITTANCE_H
#define DYNAMIC_MODEL_ADMITTANCE_H

#include <stdbool.h>

#include <doppel/math/six.h>

#include "linear_model.h"
#include "spring_mass_damper.h"

/* Constant after one of the two inits. */
struct admittance {
    bool is_linear; /* the model is given by matrices */
    enum dpl_hold hold;
    bool responds[DPL_SIX];
    struct dpl_smd smd;
    struct dpl_linear_model linear;
};

/* Zero-initialised: at rest. */
struct admittance_state {
    struct dpl_smd_state smd;
    struct dpl_linear_state linear;
    double deflection[DPL_SIX]; /* result of the newest step */
};

/* Returns the result of dpl_smd_init. Degrees of freedom that do not respond ignore their force and
 * do not move. */
int admittance_init_smd(struct admittance *ret_admittance, const struct dpl_smd_config *config,
                        const bool responds[DPL_SIX]);

/* Returns the result of dpl_linear_system_from_mechanics or of dpl_linear_model_init. */
int admittance_init_mechanics(struct admittance *ret_admittance,
                              const struct dpl_linear_mechanics *mechanics, double period_s,
                              enum dpl_hold hold, const bool responds[DPL_SIX]);

/* Takes the wrench of the current time and returns the deflection of the current time. With a
 * zero-order hold this is the deflection before the wrench has acted, so that the platform gets the
 * force half a period late; with a first-order hold the wrench is included. Finite wrenches
 * only. */
void admittance_step(const struct admittance *admittance, struct admittance_state *state,
                     const double wrench[DPL_SIX], double ret_deflection[DPL_SIX]);

#endif
