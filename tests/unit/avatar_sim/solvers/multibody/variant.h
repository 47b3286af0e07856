/* SPDX-License-Identifier: Apache-2.0 */
/* The same mechanism told in another way: it must move alike. For tests. */
#ifndef DOPPEL_TESTS_VARIANT_H
#define DOPPEL_TESTS_VARIANT_H

#include <stdint.h>

#include <doppel/sim/multibody.h>

enum variant {
    VARIANT_PERMUTED,   /* bodies, joints and restraints in another order */
    VARIANT_REVERSED,   /* some joints from the second frame to the first one */
    VARIANT_ROTATED,    /* all that stands still, and gravity, turned */
    VARIANT_MOVED,      /* all that stands still, by some meters */
    VARIANT_ASSEMBLIES, /* bodies, joints and restraints in nested assemblies */
    VARIANT_SPLIT,      /* each body in two that a rigid joint holds together */
    VARIANTS,
};

struct variant_joint {
    int number;  /* in the variant */
    double sign; /* of its displacement there */
};

/* A variant by chance (seed) of a world whose joints have one coordinate each, without knots in its
 * laws, without gears. metres: of VARIANT_MOVED. joints: [graph->n_joints]. */
struct dpl_mb_graph *variant_of(const struct dpl_mb_graph *graph, enum variant variant,
                                uint64_t seed, double metres, struct variant_joint *ret_joints);

/* The largest difference of displacements and velocities of all joints between a golden world (2 to
 * 6) and a variant after `seconds` with rk4 and `step`. */
double variant_difference(int world, enum variant variant, uint64_t seed, double metres,
                          double seconds, double step);

#endif
