/* SPDX-License-Identifier: Apache-2.0 */
/* Mechanisms by chance: a tree of bodies with joints of all types in random places, loops that are
 * closed by construction, gears, restraints on joints and between frames, nested assemblies. The
 * displacements and velocities at the start fit each other. The same seed gives the same graph. */
#ifndef DOPPEL_TESTS_RANDOM_MECHANISM_H
#define DOPPEL_TESTS_RANDOM_MECHANISM_H

#include <stdint.h>

#include "oracle.h"

struct random_mechanism {
    int bodies;      /* besides `fixed` */
    int chords;      /* joints that close loops */
    int gears;       /* at most, as far as there are joints for them */
    int restraints;  /* the same */
    bool has_floats; /* some bodies hang on nothing; else only fixed places hold them */
};

/* 1 to 40 bodies, 0 to 4 chords, 0 to 2 gears, 0 to 6 restraints. */
struct random_mechanism random_mechanism_choose(uint64_t seed);

/* Fills an empty graph. Returns the states of its bodies, with accelerations by the oracle; the
 * caller frees it. ret_rank is that of the accelerations: where its pivot is small, a mechanism is
 * near a singular pose and says nothing about a solver. */
struct oracle_body *random_mechanism_fill(struct dpl_mb_graph *graph, uint64_t seed,
                                          const struct random_mechanism *how,
                                          struct oracle_rank *ret_rank);

#endif
