/* SPDX-License-Identifier: Apache-2.0 */
#include "ros2_frames.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES_MOST 4096

const struct ros2_frame *ros2_frames_find(const struct ros2_frames *frames, const char *child)
{
    for (size_t i = 0; i < frames->n; i++) {
        if (strcmp(frames->list[i].at.child, child) == 0) {
            return &frames->list[i];
        }
    }
    return NULL;
}

static struct ros2_transform kept(struct ros2_frames *frames, const struct ros2_transform *of)
{
    return (struct ros2_transform){dpl_arena_strdup(frames->arena, of->parent),
                                   dpl_arena_strdup(frames->arena, of->child), of->pose};
}

int ros2_frames_add(struct ros2_frames *frames, const struct ros2_transform *transform,
                    bool is_fixed)
{
    const struct ros2_frame *known = ros2_frames_find(frames, transform->child);
    if (known && (known->is_fixed || !is_fixed)) {
        return 0;
    }
    if (known) {
        frames->list[known - frames->list] = (struct ros2_frame){kept(frames, transform), true};
        return 0;
    }
    if (frames->n == FRAMES_MOST) {
        return -ENOSPC;
    }
    struct ros2_frame *list = realloc(frames->list, (frames->n + 1) * sizeof *list);
    if (!list) {
        return -ENOMEM;
    }
    frames->list = list;
    list[frames->n++] = (struct ros2_frame){kept(frames, transform), is_fixed};
    return 0;
}

/* Where a frame is in the one at the root of its tree; nowhere when the chain bites its tail. */
static const char *in_root(const struct ros2_frames *frames, const char *frame,
                           struct dpl_pose3 *ret_pose)
{
    const struct ros2_frame *up = NULL;
    *ret_pose = (struct dpl_pose3){.orientation.w = 1.0};
    for (size_t i = 0; i <= frames->n && (up = ros2_frames_find(frames, frame)); i++) {
        *ret_pose = dpl_pose3_compose(up->at.pose, *ret_pose);
        frame = up->at.parent;
    }
    ret_pose->position.x = up ? (double)NAN : ret_pose->position.x;
    return frame;
}

bool ros2_frames_pose(const struct ros2_frames *frames, const char *in, const char *frame,
                      struct dpl_pose3 *ret_pose)
{
    struct dpl_pose3 origin, pose;
    const char *root = in_root(frames, in, &origin);
    bool is_one = strcmp(root, in_root(frames, frame, &pose)) == 0;
    *ret_pose = dpl_pose3_relative(origin, pose);
    return is_one && dpl_pose3_is_finite(*ret_pose);
}
