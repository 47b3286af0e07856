/* SPDX-License-Identifier: Apache-2.0 */
/* How well a place explains the local map. Beams are no independent witnesses: they ask the same
 * few questions, whether each object of the plan is where it should be. So they are summed by
 * object, divided by a temperature, and an object may be elsewhere. */
#ifndef INTEGRITY_EVIDENCE_H
#define INTEGRITY_EVIDENCE_H

#include <stdint.h>

#include "loc_match.h"
#include "local_map.h"

/* A plan as the monitor sees it. Borrows the outlines' memory of none. */
struct evidence_plan {
    const struct loc_match *match; /* with the objects that count as gone */
    size_t n_groups;               /* objects; each outline of none is one of its own */
    uint32_t *group;               /* [n_surfaces] of an outline */
    double *elsewhere; /* [n_groups + 1] probability; the last: beams that meet nothing */
    double *sum;       /* [n_groups + 1] scratch */
};

/* False: out of memory; evidence_plan_finish frees what there is. `match` is borrowed. */
bool evidence_plan_init(struct evidence_plan *plan, const struct loc_match *match,
                        const struct dpl_raycast_outline *outlines, size_t n);
void evidence_plan_finish(struct evidence_plan *plan);

/* A place is where the odometry's frame is in the plan: a hypothesis that is carried along by
 * itself. `laser` gives bias and scale of the ranges. Returns the log of a likelihood ratio against
 * a scan that the plan has no part in, in nats. */
double evidence_of(const struct evidence_plan *plan, const struct local_map_view *view,
                   const struct loc_laser *laser, struct dpl_pose2 place);

/* Moves a place to where the map fits better, by a few decimetres at most. */
struct dpl_pose2 evidence_refine(const struct evidence_plan *plan,
                                 const struct local_map_view *view, const struct loc_laser *laser,
                                 struct dpl_pose2 place);

#endif
