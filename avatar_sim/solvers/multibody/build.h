/* SPDX-License-Identifier: Apache-2.0 */
/* From a sketch to the arrays of a system. */
#ifndef DOPPEL_SIM_MULTIBODY_BUILD_H
#define DOPPEL_SIM_MULTIBODY_BUILD_H

#include "topology.h"

/* A system with all that does not change, at rest in no pose yet. 0; -ENOMEM. */
int dpl__mb_build(const struct dpl__mb_sketch *sketch, const struct dpl_mb_settings *settings,
                  const struct dpl_mb_memory *memory, struct dpl_mb_system **ret_system);

/* Puts the displacements and velocities of `joints` into the state, without closing loops. */
void dpl__mb_start(struct dpl__mb *m);
/* Places the free links by their joints, or where their bodies were in `from` (NULL: none); other
 * links are where they are. */
void dpl__mb_start_floats(struct dpl__mb *m, const struct dpl_mb_system *from);

/* Reports while loops are closed. `graph` NULL: parts are named by their numbers. */
struct dpl__mb_making {
    const struct dpl_mb_graph *graph;
    void (*report)(void *user, const struct dpl_diag *diag);
    void *user;
    struct dpl_diag *reterr;
};

/* Closes all loops, chooses dependents and makes velocities fit, by dpl__mb_assemble_numbers
 * numbers of scratch. 0; -EDOM with reterr. */
int dpl__mb_close_all(struct dpl__mb *m, double *scratch, const struct dpl__mb_making *making);

/* ---- carve.c ---- */

/* The arrays whose sizes are counted in `m`, and then those of clusters and laws. Return the bytes
 * so far; `base` NULL: count only. */
size_t dpl__mb_carve_all(struct dpl__mb *m, char *base);
size_t dpl__mb_carve_more(struct dpl__mb *m, const struct dpl__mb_sketch *sketch, char *base,
                          size_t used);
int dpl__mb_rows_of(const struct dpl__mb_sketch *sketch, const struct dpl__mb_sketch_chord *chord);

#endif
