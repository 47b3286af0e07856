/* SPDX-License-Identifier: Apache-2.0 */
/* The poses between the planner, which writes them at its period, and the servo side, which
 * consumes one at the begin of each move. Pure logic; one thread owns it. */
#ifndef POSE_BUFFER_BUFFER_H
#define POSE_BUFFER_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "blend.h"

#define DPL_POSE_BUFFER_SLOTS 6

/* How to come to rest when no pose is there: gives the pose after `pose` when the last step was
 * `step` (both six wide, m and rad), such that limits hold. Borrowed; called on the cycle path. */
struct dpl_brake {
    void (*next)(void *context, const double pose[DPL_POSE_DOF], const double step[DPL_POSE_DOF],
                 double ret_pose[DPL_POSE_DOF]);
    void *context;
};

struct dpl_pose_buffer {
    double slots[DPL_POSE_BUFFER_SLOTS][DPL_POSE_DOF];
    double last[2][DPL_POSE_DOF]; /* the newest two written or synthesised, the newest first */
    uint64_t written, consumed;
    uint64_t n_synthesised, n_overruns;
    uint64_t synthesised_to; /* sequence number behind the newest synthesised pose; 0: none */
};

/* Empty, at rest in a pose. */
void dpl_pose_buffer_reset(struct dpl_pose_buffer *buffer, const double pose[DPL_POSE_DOF]);

/* Empty, at rest in another pose; the numbers of poses and the counts go on. */
void dpl_pose_buffer_rest_at(struct dpl_pose_buffer *buffer, const double pose[DPL_POSE_DOF]);

/* Whether all poses in it, and the newest two that ever were, are exactly this one. */
bool dpl_pose_buffer_holds_only(const struct dpl_pose_buffer *buffer,
                                const double pose[DPL_POSE_DOF]);

/* Poses written and not yet consumed, 0 to 6. */
int dpl_pose_buffer_distance(const struct dpl_pose_buffer *buffer);

/* Whether the planner may compute a pose now. False counts an overrun: the planner then skips its
 * tick altogether; a pose computed and dropped would break its acceleration limit. */
bool dpl_pose_buffer_admits(struct dpl_pose_buffer *buffer);

/* The number the next pose gets, and the two poses before it, the newest first: what the planner
 * has to go on from, be they its own or synthesised ones. */
uint64_t dpl_pose_buffer_resume(const struct dpl_pose_buffer *buffer,
                                double ret_last[2][DPL_POSE_DOF]);

/* Writes the pose of number `sequence` (see dpl_pose_buffer_resume). Returns 0; -ENOSPC when the
 * buffer is full; -ESTALE when that number was synthesised meanwhile: go on from there; -EINVAL for
 * a pose that is not finite. On error nothing changes. */
int dpl_pose_buffer_write(struct dpl_pose_buffer *buffer, uint64_t sequence,
                          const double pose[DPL_POSE_DOF]);

/* Makes sure that there is a pose to consume: false when there was none and the brake had to
 * synthesise it. */
bool dpl_pose_buffer_ensure(struct dpl_pose_buffer *buffer, const struct dpl_brake *brake);

/* The next pose to be consumed, NULL when there is none; valid until the next write. */
const double *dpl_pose_buffer_peek(const struct dpl_pose_buffer *buffer);

/* Consumes that pose; there must be one. */
void dpl_pose_buffer_advance(struct dpl_pose_buffer *buffer);

#endif
