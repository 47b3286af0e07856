/* SPDX-License-Identifier: Apache-2.0 */
/* Test sets of the acceptance: the differences between the real robot and its avatar, and the
 * measurement errors of the real one. */
#ifndef DPL_ACCEPTANCE_MISMATCH_H
#define DPL_ACCEPTANCE_MISMATCH_H

#include "mock_plant.h"

enum mismatch_id {
    MISMATCH_SLOW8,
    MISMATCH_FAST8,
    MISMATCH_ASYM,
    MISMATCH_LAG,
    MISMATCH_MIX,
    MISMATCH_RAND,
    N_TABLE_MISMATCHES, /* end of the columns of the tables of single mismatches */
    MISMATCH_IDEAL = N_TABLE_MISMATCHES,
    MISMATCH_SLIP,
    MISMATCH_HARD,
    N_MISMATCHES
};

struct mismatch {
    struct dpl_mock_plant_config real, avatar;
    double tick_jitter; /* as a part of the period */
};

extern const char *const mismatch_names[N_MISMATCHES];

/* The same seed gives the same pair of robots. */
void mismatch_draw(struct mismatch *mismatch, enum mismatch_id id, uint64_t seed);

#endif
