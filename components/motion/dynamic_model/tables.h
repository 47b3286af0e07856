/* SPDX-License-Identifier: Apache-2.0 */
/* Properties, state and exported variables of the DynamicModel component. */
#ifndef DYNAMIC_MODEL_TABLES_H
#define DYNAMIC_MODEL_TABLES_H

#include <doppel/field.h>
#include <doppel/time.h>

#include "admittance.h"

struct model_properties {
    char stiffness[160], natural_hz[160], damping_ratio[160];
    char home[160], axes[64];
    char matrix_file[512];
    int hold; /* of enum dpl_hold */
    double wrench_timeout_ms;
};

struct model_state {
    struct admittance admittance;
    struct admittance_state now;
    struct dpl_linear_mechanics mechanics; /* of the file, if there is one */
    struct dpl_smd_config config;
    bool responds[DPL_SIX];
    double home[DPL_SIX];
    dpl_ns period;
    double wrench[DPL_SIX]; /* the newest one */
    dpl_ns heard_at;        /* its time of arrival */
    bool heard, running;
    uint64_t epoch; /* in which the model began to run */
    double reference[DPL_SIX];
    int64_t n_invalid, n_begun;
};

#define MODEL_N_PROPERTIES 8
#define MODEL_N_EXPORTS    9
extern const struct dpl_field model_property_table[MODEL_N_PROPERTIES];
extern const struct dpl_field model_export_table[MODEL_N_EXPORTS];

#endif
