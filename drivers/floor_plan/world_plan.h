/* SPDX-License-Identifier: Apache-2.0 */
/* The plan of a simulated world, out of its constant channels (doppel/sim/outline.h). */
#ifndef DRIVERS_FLOOR_PLAN_WORLD_PLAN_H
#define DRIVERS_FLOOR_PLAN_WORLD_PLAN_H

#include <doppel/drv/floor_plan.h>
#include <doppel/link.h>

struct world_plan {
    struct dpl_floor_plan_outline *outlines;
    const char **names;
    char *text; /* of the names */
    size_t n_outlines, n_objects;
};

/* Reads the plan at a height over `link`. 0 with *ret_plan, to be given back; -EAGAIN: a served
 * world has not answered yet; -ENOENT, -EINVAL, -EMSGSIZE: it does not tell its obstacles; -ENOMEM.
 * Allocates. */
int world_plan_read(struct dpl_link *link, double height_m, struct world_plan *ret_plan,
                    struct dpl_diag *reterr);

void world_plan_finish(struct world_plan *plan);

#endif
