/* SPDX-License-Identifier: Apache-2.0 */
/* References for the property tests of the trajectory planner: from harmless to extreme, the same
 * for the same seed. */
#ifndef TRANSPARENCY_PLANNER_REFERENCE_H
#define TRANSPARENCY_PLANNER_REFERENCE_H

#include <doppel/math/random.h>

#include "planner.h"

enum planner_reference_kind {
    PLANNER_REFERENCE_NOISE,    /* uniform, three times the hard semi-axes */
    PLANNER_REFERENCE_STEPS,    /* within twice the semi-axes, a new one every 0.5 s */
    PLANNER_REFERENCE_WALK,     /* random walk, reflected at three semi-axes */
    PLANNER_REFERENCE_SPIKES,   /* sines; 0.5 % of the samples at five semi-axes */
    PLANNER_REFERENCE_BURSTS,   /* sines with bursts of NaN and infinities */
    PLANNER_REFERENCE_SWEEP,    /* twice the semi-axes, 0.05 to 3 Hz in 100 s, repeated */
    PLANNER_REFERENCE_TRIANGLE, /* 1.5 semi-axes, 0.4 to 0.9 Hz */
    PLANNER_REFERENCE_MIX,      /* changes to another of these every 0.25 to 5 s */
    N_PLANNER_REFERENCES,
    PLANNER_REFERENCE_IN_LIMIT = N_PLANNER_REFERENCES, /* sines, 0.2 semi-axes, at most 0.5 Hz */
};

extern const char *const planner_reference_names[N_PLANNER_REFERENCES + 1];

struct planner_reference {
    enum planner_reference_kind kind, now; /* now: the current kind of a mix */
    struct dpl_random random;
    uint32_t tick, until; /* until: the tick at which the current piece ends */
    bool burst;
    double held[DPL_SIX]; /* step target, or position of the walk, in semi-axes */
};

/* The machine of the property tests: centre and hard semi-axes (m, rad), accel_max (m/s2, rad/s2).
 */
extern const double planner_machine_centre[DPL_SIX];
extern const double planner_machine_hard[DPL_SIX];
extern const double planner_machine_accel[DPL_SIX];

/* Its defaults with accelerations times `scale` and the stages `stages`. */
void planner_machine_config(struct dpl_traj_config *ret_config, double scale, unsigned stages);

struct planner_reference planner_reference_begin(enum planner_reference_kind kind, uint64_t seed);

/* The reference of the next tick of 2.5 ms (shape [6]). */
void planner_reference_next(struct planner_reference *reference, double *ret_pose);

#endif
