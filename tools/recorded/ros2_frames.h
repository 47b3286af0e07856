/* SPDX-License-Identifier: Apache-2.0 */
/* The frames of a bag: for each the first transform that says where it is; what is fixed counts
 * more than what moves. Pure. */
#ifndef DOPPEL_RECORDED_ROS2_FRAMES_H
#define DOPPEL_RECORDED_ROS2_FRAMES_H

#include "arena.h"
#include "ros2_message.h"

struct ros2_frame {
    struct ros2_transform at;
    bool is_fixed;
};

/* Zero-initialise; names are kept in `arena`, which the caller frees, as `list` (free). */
struct ros2_frames {
    struct dpl_arena *arena;
    struct ros2_frame *list;
    size_t n;
};

/* 0; -ENOMEM; -ENOSPC: more than 4096 frames. */
int ros2_frames_add(struct ros2_frames *frames, const struct ros2_transform *transform,
                    bool is_fixed);

/* The transform of a child; NULL: none. */
const struct ros2_frame *ros2_frames_find(const struct ros2_frames *frames, const char *child);

/* Where a frame is in another one: false: no chain of transforms leads from one to the other. */
bool ros2_frames_pose(const struct ros2_frames *frames, const char *in, const char *frame,
                      struct dpl_pose3 *ret_pose);

#endif
