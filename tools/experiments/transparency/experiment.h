/* SPDX-License-Identifier: Apache-2.0 */
/* The paper's experiment as the application ran it: what its trace says about each stage. */
#ifndef TRANSPARENCY_EXPERIMENT_H
#define TRANSPARENCY_EXPERIMENT_H

#include <doppel/diag.h>

#include "response.h"

#define EXPERIMENT_N_DOFS   3
#define EXPERIMENT_N_TIME   1440 /* samples of the impulse's answer that are kept: 0.9 s */
#define EXPERIMENT_N_FORCE  80   /* samples of each impulse that are kept: 50 ms */
#define EXPERIMENT_N_RANDOM 3200 /* samples of the answer to a random load: 2 s */

/* Signals that are compared with the ideal answer, in data-flow order. */
enum experiment_stage {
    STAGE_FILTER,  /* the filtered force, through the ideal model */
    STAGE_MODEL,   /* the dynamic model's reference */
    STAGE_PLANNER, /* the planned pose */
    STAGE_PATH,    /* the axis references, through forward kinematics */
    STAGE_SERVO,   /* the measured pose, at the instant of the axes' positions */
    N_STAGES,
};

extern const char *const experiment_stage_names[N_STAGES];

/* What impulses on one degree of freedom have shown. */
struct experiment_dof {
    struct chain_response stages[N_STAGES]; /* against the ideal answer */
    struct chain_response ideal, real;      /* times stiffness, against the force */
    double deflection;                      /* greatest of the ideal answer: m or rad */
    double crosstalk;                       /* greatest measured answer of another degree of freedom
                                             * over that of this one; angles times 0.25 m */
    double time_ms[EXPERIMENT_N_TIME];      /* from the first impulse on */
    double ideal_mm[EXPERIMENT_N_TIME], real_mm[EXPERIMENT_N_TIME]; /* a rotation: mrad */
    double force[CHAIN_N_SHAPES][EXPERIMENT_N_FORCE]; /* of each impulse from its begin on: N, Nm */
    size_t n_acted; /* planner ticks in which a stage changed something */
};

/* x, z and pitch, in this order, four windows each. */
struct experiment {
    double natural_hz; /* of the model */
    struct experiment_dof dofs[EXPERIMENT_N_DOFS];
};

extern const char *const experiment_dof_names[EXPERIMENT_N_DOFS];

/* What a random force on all degrees of freedom at once has shown, of the same three. */
struct experiment_random {
    double rms[EXPERIMENT_N_DOFS];   /* of the ideal answer: m, rad */
    double error[EXPERIMENT_N_DOFS]; /* rms of real less ideal, that moved by the delay of the
                                      * impulses, over rms of ideal */
    /* Along x, from when how the run began is forgotten. */
    double delay_s; /* of the impulses */
    double time_s[EXPERIMENT_N_RANDOM];
    double force[EXPERIMENT_N_RANDOM]; /* N */
    double real_mm[EXPERIMENT_N_RANDOM], ideal_mm[EXPERIMENT_N_RANDOM];
    double delayed_mm[EXPERIMENT_N_RANDOM]; /* the ideal one, moved by the delay */
};

#define EXPERIMENT_RANDOM_ROWS 54400 /* of a run, 34 s */

enum experiment_kind {
    EXPERIMENT_MACHINE, /* as its model is: with friction and its compensation */
    EXPERIMENT_SMOOTH,  /* without friction */
    EXPERIMENT_N_KINDS,
};

/* All runs; the second index is the model: 3 Hz, 6 Hz. */
struct experiments {
    struct experiment impulses[EXPERIMENT_N_KINDS][2];
    struct experiment_random random[EXPERIMENT_N_KINDS][2];
    char files[EXPERIMENT_N_KINDS * 2][512]; /* what an error points into */
};

/* Reads the traces of the runs in the folder (3-hz, 6-hz, 3-hz-random, 6-hz-random and with -smooth
 * behind "hz"), whose first window began at `start_s`, a multiple of 2.5 ms. 0, or a negative errno
 * with reterr: no such trace, a column that is missing, rows that are not one servo period apart,
 * too few of them, a platform that did not move. Allocates. */
int experiments_read(const char *folder, double start_s, struct experiments *ret_experiments,
                     struct dpl_diag *reterr);

#endif
