/* SPDX-License-Identifier: Apache-2.0 */
/* A recording from a bag of ROS 2 (rosbag2: MCAP with messages in CDR). */
#ifndef DOPPEL_RECORDED_BAG_ROS2_H
#define DOPPEL_RECORDED_BAG_ROS2_H

#include <stdbool.h>

#include <doppel/diag.h>

/* Whether a path is such a bag: a folder with a metadata.yaml, or a file with messages in CDR.
 * Blocks. */
bool bag_is_ros2(const char *path);

/* Makes a recording `file` of it, whose time begins with its first measurement: scans with their
 * mounts by the bag's transforms, odometry (of the transform from "odom" when it has no other),
 * IMUs, joints, and transforms as /tf. `tell` gets in lines what is left out, and why. 0; -errno
 * with reterr: -ENOENT: there is nothing that is read. Allocates; blocks. */
int bag_from_ros2(const char *path, const char *file, void (*tell)(const char *line),
                  struct dpl_diag *reterr);

#endif
