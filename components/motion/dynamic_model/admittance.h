/* SPDX-License-Identifier: Apache-2.0 */
/* A machine's deflection under a wrench, from spring-mass-dampers or from matrices: pure logic. */
#ifndef DYNAMIC_MODEL_ADMITTANCE_H
#define DYNAMIC_MODEL_ADMITTANCE_H

#include <stdbool.h>

#include "linear_model.h"
#include "spring_mass_damper.h"

#define ADMITTANCE_DOF 6

/* Constant after one of the two inits. */
struct admittance {
    bool is_linear; /* of matrices */
    enum dpl_hold hold;
    bool responds[ADMITTANCE_DOF];
    struct dpl_smd smd;
    struct dpl_linear_model linear;
};

/* Zero-initialised: at rest. */
struct admittance_state {
    struct dpl_smd_state smd;
    struct dpl_linear_state linear;
    double deflection[ADMITTANCE_DOF]; /* that the newest step has led to */
};

/* Returns what dpl_smd_init returns. Degrees of freedom that do not respond take no force and do
 * not move. */
int admittance_init_smd(struct admittance *ret_admittance, const struct dpl_smd_config *config,
                        const bool responds[ADMITTANCE_DOF]);

/* Returns what dpl_linear_system_from_mechanics and dpl_linear_model_init return. */
int admittance_init_mechanics(struct admittance *ret_admittance,
                              const struct dpl_linear_mechanics *mechanics, double period_s,
                              enum dpl_hold hold, const bool responds[ADMITTANCE_DOF]);

/* Takes the wrench of this instant and gives the deflection of this instant. With a zero-order hold
 * that is the one before the wrench has acted, so that what follows sees the force half a period
 * late; with a first-order hold it counts already. Finite wrenches only. */
void admittance_step(const struct admittance *admittance, struct admittance_state *state,
                     const double wrench[ADMITTANCE_DOF], double ret_deflection[ADMITTANCE_DOF]);

#endif
