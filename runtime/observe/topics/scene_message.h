/* SPDX-License-Identifier: Apache-2.0 */
/* Things and frames as messages that viewers know. */
#ifndef DOPPEL_OBSERVE_SCENE_MESSAGE_H
#define DOPPEL_OBSERVE_SCENE_MESSAGE_H

#include <doppel/host/scene.h>

#include "bytes.h"

/* Adds a foxglove.SceneUpdate with one thing. Bytes of several are one message with all of them. */
void dpl__scene_message_add(const struct dpl_scene_thing *thing, dpl_ns stamp,
                            struct dpl_bytes *out);

/* Adds a foxglove.FrameTransforms with the pose of one frame in DPL_SCENE_ROOT; likewise. */
void dpl__scene_transform_add(const char *frame, const struct dpl_pose3 *pose, dpl_ns stamp,
                              struct dpl_bytes *out);

#endif
