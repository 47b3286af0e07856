/* SPDX-License-Identifier: Apache-2.0 */
/* Random deltas and positions, for the tests of this folder. */
#ifndef SOME_DELTA_H
#define SOME_DELTA_H

#include <math.h>
#include <stdbool.h>

#include <doppel/math/random.h>

#include "delta_workspace.h"

#define SOME_DELTA_CONDITION 8.0

/* Lengths, masses and proportions that differ by a factor of 3 or more; always a good one. */
static inline struct dpl_delta some_delta(struct dpl_random *rng)
{
    struct dpl_delta delta;
    do {
        delta = (struct dpl_delta){
            .base_radius_m = dpl_random_uniform(rng, 0.1, 0.5),
            .platform_radius_m = dpl_random_uniform(rng, 0.02, 0.2),
            .arm_m = dpl_random_uniform(rng, 0.1, 0.5),
            .rod_m = dpl_random_uniform(rng, 0.3, 1.2),
            .half_pair_m = dpl_random_uniform(rng, 0.0, 0.1),
            .arm_kg = dpl_random_uniform(rng, 0.0, 2.0),
            .rod_kg = dpl_random_uniform(rng, 0.0, 0.5),
            .platform_kg = dpl_random_uniform(rng, 0.0, 2.0),
            .arm_centre_m = dpl_random_uniform(rng, -0.1, 0.2),
            .arm_inertia_kg_m2 = dpl_random_uniform(rng, 0.0, 0.02),
            .gear = dpl_random_uniform(rng, 1.0, 50.0),
            .rotor_inertia_kg_m2 = dpl_random_uniform(rng, 0.0, 1e-4),
            .payload_kg = dpl_random_uniform(rng, 0.0, 3.0),
            .low_rad = dpl_random_uniform(rng, -1.5, -0.3),
            .high_rad = dpl_random_uniform(rng, 0.8, 2.0),
        };
    } while (dpl_delta_check(&delta, NULL) != 0 || delta.rod_m < 1.2 * delta.arm_m);
    return delta;
}

/* An allowed position with a condition number up to SOME_DELTA_CONDITION. False: none was found,
 * the joint range of this delta leaves few or none. */
static inline bool some_position(const struct dpl_delta *delta, struct dpl_random *rng,
                                 double *ret_p)
{
    double reach = delta->arm_m + delta->rod_m;
    for (int k = 0; k < 1000; k++) {
        double p[3] = {dpl_random_uniform(rng, -reach, reach),
                       dpl_random_uniform(rng, -reach, reach), dpl_random_uniform(rng, -reach, 0)};
        if (dpl_delta_place(delta, p, SOME_DELTA_CONDITION) == DPL_DELTA_ALLOWED) {
            ret_p[0] = p[0], ret_p[1] = p[1], ret_p[2] = p[2];
            return true;
        }
    }
    return false;
}

#endif
