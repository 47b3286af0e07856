/* SPDX-License-Identifier: Apache-2.0 */
/* The poses between the planner, which writes them at its period, and the servo side, which
 * consumes one at the start of each move. Pure logic; one thread owns it. */
#ifndef POSE_BUFFER_BUFFER_H
#define POSE_BUFFER_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/math/six.h>

#define DPL_POSE_BUFFER_SLOTS 6

/* Computes a pose for braking when no pose has arrived: the pose after `pose` when the last step
 * was `step` (both with six elements, m and rad), within the limits. Borrowed; called on the cycle
 * path. */
struct dpl_brake {
    void (*next)(void *context, const double pose[DPL_SIX], const double step[DPL_SIX],
                 double ret_pose[DPL_SIX]);
    void *context;
};

struct dpl_pose_buffer {
    double slots[DPL_POSE_BUFFER_SLOTS][DPL_SIX];
    /* the newest two written or synthesised poses, the newest first */
    double last[2][DPL_SIX];
    uint64_t written, consumed;
    uint64_t n_synthesised, n_overruns;
    uint64_t synthesised_to; /* sequence number after the newest synthesised pose; 0: none */
};

/* Empty, at rest at a pose. */
void dpl_pose_buffer_reset(struct dpl_pose_buffer *buffer, const double pose[DPL_SIX]);

/* Empty, at rest at another pose; the numbers of poses and the counters continue. */
void dpl_pose_buffer_rest_at(struct dpl_pose_buffer *buffer, const double pose[DPL_SIX]);

/* Whether all poses in the buffer, and the newest two poses, are exactly this one. */
bool dpl_pose_buffer_holds_only(const struct dpl_pose_buffer *buffer, const double pose[DPL_SIX]);

/* Poses written and not yet consumed, 0 to 6. */
int dpl_pose_buffer_distance(const struct dpl_pose_buffer *buffer);

/* Whether the planner may compute a pose now. False counts an overrun: the planner must then skip
 * its tick; a pose that is computed and dropped would violate the acceleration limit. */
bool dpl_pose_buffer_admits(struct dpl_pose_buffer *buffer);

/* The number of the next pose, and the two poses before it, the newest first, planned or
 * synthesised: the planner continues from these. */
uint64_t dpl_pose_buffer_resume(const struct dpl_pose_buffer *buffer, double ret_last[2][DPL_SIX]);

/* Writes the pose of number `sequence` (see dpl_pose_buffer_resume). Returns 0; -ENOSPC when the
 * buffer is full; -ESTALE when a pose with this number was synthesised before: continue after it;
 * -EINVAL for a pose that is not finite. On error nothing changes. */
int dpl_pose_buffer_write(struct dpl_pose_buffer *buffer, uint64_t sequence,
                          const double pose[DPL_SIX]);

/* Ensures that there is a pose to consume. False when there was none and the brake has synthesised
 * it. */
bool dpl_pose_buffer_ensure(struct dpl_pose_buffer *buffer, const struct dpl_brake *brake);

/* The next pose to be consumed, NULL when there is none; valid until the next write. */
const double *dpl_pose_buffer_peek(const struct dpl_pose_buffer *buffer);

/* Consumes that pose; there must be one. */
void dpl_pose_buffer_advance(struct dpl_pose_buffer *buffer);

#endif
