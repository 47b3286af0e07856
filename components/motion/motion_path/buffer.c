/* SPDX-License-Identifier: Apache-2.0 */
/* A buffer of six poses between planner and servo. */
#include "buffer.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <string.h>

void dpl_pose_buffer_rest_at(struct dpl_pose_buffer *buffer, const double pose[DPL_SIX])
{
    buffer->consumed = buffer->written;
    memcpy(buffer->last[0], pose, sizeof buffer->last[0]);
    memcpy(buffer->last[1], pose, sizeof buffer->last[1]);
}

void dpl_pose_buffer_reset(struct dpl_pose_buffer *buffer, const double pose[DPL_SIX])
{
    *buffer = (struct dpl_pose_buffer){0};
    dpl_pose_buffer_rest_at(buffer, pose);
}

bool dpl_pose_buffer_holds_only(const struct dpl_pose_buffer *buffer, const double pose[DPL_SIX])
{
    const size_t size = sizeof buffer->last[0];
    bool only =
        memcmp(buffer->last[0], pose, size) == 0 && memcmp(buffer->last[1], pose, size) == 0;
    for (uint64_t i = buffer->consumed; only && i < buffer->written; i++) {
        only = memcmp(buffer->slots[i % DPL_POSE_BUFFER_SLOTS], pose, size) == 0;
    }
    return only;
}

int dpl_pose_buffer_distance(const struct dpl_pose_buffer *buffer)
{
    return (int)(buffer->written - buffer->consumed);
}

static bool full(const struct dpl_pose_buffer *buffer)
{
    return dpl_pose_buffer_distance(buffer) >= DPL_POSE_BUFFER_SLOTS;
}

bool dpl_pose_buffer_admits(struct dpl_pose_buffer *buffer)
{
    buffer->n_overruns += full(buffer);
    return !full(buffer);
}

uint64_t dpl_pose_buffer_resume(const struct dpl_pose_buffer *buffer, double ret_last[2][DPL_SIX])
{
    memcpy(ret_last, buffer->last, sizeof buffer->last);
    return buffer->written;
}

static void append(struct dpl_pose_buffer *buffer, const double pose[DPL_SIX])
{
    memcpy(buffer->slots[buffer->written % DPL_POSE_BUFFER_SLOTS], pose, sizeof buffer->slots[0]);
    memcpy(buffer->last[1], buffer->last[0], sizeof buffer->last[1]);
    memcpy(buffer->last[0], pose, sizeof buffer->last[0]);
    buffer->written++;
}

int dpl_pose_buffer_write(struct dpl_pose_buffer *buffer, uint64_t sequence,
                          const double pose[DPL_SIX])
{
    if (full(buffer)) {
        return -ENOSPC;
    }
    if (sequence != buffer->written) {
        return -ESTALE;
    }
    for (int i = 0; i < DPL_SIX; i++) {
        if (!isfinite(pose[i])) {
            return -EINVAL;
        }
    }
    append(buffer, pose);
    return 0;
}

bool dpl_pose_buffer_ensure(struct dpl_pose_buffer *buffer, const struct dpl_brake *brake)
{
    double step[DPL_SIX], pose[DPL_SIX];
    if (dpl_pose_buffer_distance(buffer) > 0) {
        return true;
    }
    for (int i = 0; i < DPL_SIX; i++) {
        step[i] = buffer->last[0][i] - buffer->last[1][i];
    }
    brake->next(brake->context, buffer->last[0], step, pose);
    append(buffer, pose);
    buffer->n_synthesised++;
    buffer->synthesised_to = buffer->written;
    return false;
}

const double *dpl_pose_buffer_peek(const struct dpl_pose_buffer *buffer)
{
    return dpl_pose_buffer_distance(buffer) > 0
               ? buffer->slots[buffer->consumed % DPL_POSE_BUFFER_SLOTS]
               : NULL;
}

void dpl_pose_buffer_advance(struct dpl_pose_buffer *buffer)
{
    assert(dpl_pose_buffer_distance(buffer) > 0);
    buffer->consumed++;
}
