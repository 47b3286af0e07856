/* SPDX-License-Identifier: Apache-2.0 */
/* The robot as URDF, for /robot_description: its shapes as its world shows them, and where its
 * sensors are. */
#ifndef DPL_GATEWAYS_ROS2_DESCRIPTION_H
#define DPL_GATEWAYS_ROS2_DESCRIPTION_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/math/geometry.h>

#include "bytes.h"

/* Zero-initialise. */
struct ros2_description {
    char frame[128]; /* of the world's: that of the robot's first shape; "": none yet */
    struct dpl_bytes shapes, sensors;
    bool has_changed;
};

/* A message of /scene: takes shapes of a robot. */
void ros2_description_scene(struct ros2_description *description, const void *data, size_t n);
void ros2_description_sensor(struct ros2_description *description, const char *frame,
                             const struct dpl_pose2 *mount);
/* Adds the URDF, with its '\0'; `name` of the robot. */
void ros2_description_write(const struct ros2_description *description, const char *name,
                            struct dpl_bytes *out);
void ros2_description_finish(struct ros2_description *description);

#endif
