/* SPDX-License-Identifier: Apache-2.0 */
/* The paper's experiment with the application: results for each stage from its trace. */
#ifndef TRANSPARENCY_EXPERIMENT_H
#define TRANSPARENCY_EXPERIMENT_H

#include <doppel/diag.h>

#include "response.h"

#define EXPERIMENT_N_DOFS   3
#define EXPERIMENT_N_TIME   1440 /* stored samples of the answer to an impulse: 0.9 s */
#define EXPERIMENT_N_FORCE  80   /* stored samples of each impulse: 50 ms */
#define EXPERIMENT_N_RANDOM 3200 /* stored samples of the answer to a random load: 2 s */

/* Signals compared with the ideal answer, in data-flow order. */
enum experiment_stage {
    STAGE_FILTER,  /* the filtered force, through the ideal model */
    STAGE_MODEL,   /* the dynamic model's reference */
    STAGE_PLANNER, /* the planned pose */
    STAGE_PATH,    /* the axis references, through forward kinematics */
    STAGE_SERVO,   /* the measured pose, at the time of the axes' positions */
    N_STAGES,
};

extern const char *const experiment_stage_names[N_STAGES];

/* Results of impulses on one degree of freedom. */
struct experiment_dof {
    struct chain_response stages[N_STAGES]; /* compared with the ideal answer */
    struct chain_response ideal, real;      /* times stiffness, compared with the force */
    double deflection;                      /* largest of the ideal answer: m or rad */
    double crosstalk; /* largest measured answer of another degree of freedom divided by that of
                         this one; angles times 0.25 m */
    double time_ms[EXPERIMENT_N_TIME];                              /* from the first impulse on */
    double ideal_mm[EXPERIMENT_N_TIME], real_mm[EXPERIMENT_N_TIME]; /* a rotation: mrad */
    double force[CHAIN_N_SHAPES][EXPERIMENT_N_FORCE]; /* of each impulse from its start: N, Nm */
    size_t n_acted; /* planner ticks in which a stage changed something */
};

/* x, z and pitch, in this order, four windows each. */
struct experiment {
    double natural_hz; /* of the model */
    struct experiment_dof dofs[EXPERIMENT_N_DOFS];
};

extern const char *const experiment_dof_names[EXPERIMENT_N_DOFS];

/* Results of a random force on all degrees of freedom at once, for the same three. */
struct experiment_random {
    double rms[EXPERIMENT_N_DOFS]; /* of the ideal answer: m, rad */
    /* rms of real minus ideal, with the ideal one delayed as for the impulses, divided by the rms
     * of ideal */
    double error[EXPERIMENT_N_DOFS];
    /* Along x, from the time when the start of the run has no effect. */
    double delay_s; /* of the impulses */
    double time_s[EXPERIMENT_N_RANDOM];
    double force[EXPERIMENT_N_RANDOM]; /* N */
    double real_mm[EXPERIMENT_N_RANDOM], ideal_mm[EXPERIMENT_N_RANDOM];
    double delayed_mm[EXPERIMENT_N_RANDOM]; /* the ideal one, delayed */
};

#define EXPERIMENT_RANDOM_ROWS 54400 /* of a run, 34 s */

enum experiment_kind {
    EXPERIMENT_MACHINE, /* with friction and its compensation, as in its model */
    EXPERIMENT_SMOOTH,  /* without friction */
    EXPERIMENT_N_KINDS,
};

/* All runs; the second index is the model: 3 Hz, 6 Hz. */
struct experiments {
    struct experiment impulses[EXPERIMENT_N_KINDS][2];
    struct experiment_random random[EXPERIMENT_N_KINDS][2];
    char files[EXPERIMENT_N_KINDS * 2][512]; /* text storage for errors */
};

/* Reads the traces of the runs in the folder (3-hz, 6-hz, 3-hz-random, 6-hz-random and with -smooth
 * after "hz"), whose first window began at `start_s`, a multiple of 2.5 ms. 0, or a negative errno
 * with reterr: no such trace, a missing column, rows that are not one servo period apart, too few
 * of them, a platform that did not move. Allocates. */
int experiments_read(const char *folder, double start_s, struct experiments *ret_experiments,
                     struct dpl_diag *reterr);

#endif
