/* SPDX-License-Identifier: Apache-2.0 */
/* The first byte chooses the type; behind it is a message in CDR as a bag has it. */
#include <protobuf-c/protobuf-c.h>

#include "arena.h"
#include "fuzz.h"
#include "ros2_frames.h"
#include "ros2_message.h"

static void follow(const struct ros2_message *message, struct dpl_arena *arena)
{
    struct ros2_frames frames = {.arena = arena};
    struct dpl_pose3 pose;
    for (size_t i = 0; i < message->n_transforms; i++) {
        require(ros2_frames_add(&frames, &message->transforms[i], i % 2 > 0) == 0 || i >= 4096);
    }
    for (size_t i = 0; i < message->n_transforms && i < 16; i++) {
        require(!ros2_frames_pose(&frames, message->transforms[0].parent,
                                  message->transforms[i].child, &pose) ||
                dpl_pose3_is_finite(pose));
    }
    free(frames.list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    enum ros2_kind kind = (enum ros2_kind)(ROS2_SCAN + data[0] % ROS2_TRANSFORMS);
    char *copy = fuzz_text(data + 1, size - 1);
    struct dpl_arena arena = {0};
    struct ros2_message message;
    const char *why = ros2_message_read(kind, copy, size - 1, &arena, &message);
    if (!why) {
        require((kind == ROS2_TRANSFORMS) == !message.ours);
        require(message.stamp >= 0);
        require(!message.ours || protobuf_c_message_get_packed_size(message.ours) <= 8 * size + 64);
        follow(&message, &arena);
    }
    dpl_arena_finish(&arena);
    free(copy);
    return 0;
}
