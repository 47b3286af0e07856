/* SPDX-License-Identifier: Apache-2.0 */
/* One interface for both kinds of model, and the order of step and output for each hold. */
#include "admittance.h"

#include <string.h>

int admittance_init_smd(struct admittance *ret_admittance, const struct dpl_smd_config *config,
                        const bool responds[DPL_SIX])
{
    struct admittance admittance = {.is_linear = false, .hold = config->hold};
    int err = dpl_smd_init(&admittance.smd, config);
    if (err == 0) {
        memcpy(admittance.responds, responds, sizeof admittance.responds);
        *ret_admittance = admittance;
    }
    return err;
}

int admittance_init_mechanics(struct admittance *ret_admittance,
                              const struct dpl_linear_mechanics *mechanics, double period_s,
                              enum dpl_hold hold, const bool responds[DPL_SIX])
{
    struct admittance admittance = {.is_linear = true, .hold = hold};
    struct dpl_linear_system system;
    int err = dpl_linear_system_from_mechanics(mechanics, &system);
    if (err == 0) {
        err = dpl_linear_model_init(&admittance.linear, &system, period_s, hold);
    }
    if (err == 0) {
        memcpy(admittance.responds, responds, sizeof admittance.responds);
        *ret_admittance = admittance;
    }
    return err;
}

static void advance(const struct admittance *admittance, struct admittance_state *state,
                    const double wrench[DPL_SIX])
{
    if (admittance->is_linear) {
        dpl_linear_model_step(&admittance->linear, &state->linear, wrench, state->deflection);
        return;
    }
    dpl_smd_step(&admittance->smd, &state->smd, wrench);
    for (int i = 0; i < DPL_SIX; i++) {
        state->deflection[i] = state->smd.x[i][0];
    }
}

void admittance_step(const struct admittance *admittance, struct admittance_state *state,
                     const double wrench[DPL_SIX], double ret_deflection[DPL_SIX])
{
    double before[DPL_SIX], felt[DPL_SIX];
    memcpy(before, state->deflection, sizeof before);
    for (int i = 0; i < DPL_SIX; i++) {
        felt[i] = admittance->responds[i] ? wrench[i] : 0.0;
    }
    advance(admittance, state, felt);
    const double *of = admittance->hold == DPL_HOLD_ZERO ? before : state->deflection;
    for (int i = 0; i < DPL_SIX; i++) {
        ret_deflection[i] = admittance->responds[i] ? of[i] : 0.0;
    }
}
