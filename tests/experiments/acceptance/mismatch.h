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
    /* Of the comparison of the strategies: `rand`, and more. */
    MISMATCH_OUTLIERS,  /* half of the poses are up to 3.6 m off */
    MISMATCH_JUMP,      /* the robot is moved once, by up to 1 m and 1 rad */
    MISMATCH_LATE,      /* poses are 0.1 to 0.5 s old, and their stamps say so */
    MISMATCH_LATE_LIES, /* the same, with the time of receipt for a stamp */
    MISMATCH_FAST,      /* a robot of 3 m/s */
    MISMATCH_FOLLOW,    /* nobody tells the robot's command: what its poses say is followed */
    MISMATCH_FOLLOW_FAST,
    N_MISMATCHES
};

struct mismatch {
    struct dpl_mock_plant_config real, avatar;
    double tick_jitter;             /* as a part of the period */
    double outlier_rate, outlier_m; /* part of the real robot's poses that are off, and how far */
    bool untold;                    /* its command */
    struct dpl_twist2 brisk;        /* factors of the scenario's commands */
};

extern const char *const mismatch_names[N_MISMATCHES];

/* The same seed gives the same pair of robots. */
void mismatch_draw(struct mismatch *mismatch, enum mismatch_id id, uint64_t seed);

#endif
