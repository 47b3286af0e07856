/* SPDX-License-Identifier: Apache-2.0 */
/* Names of ROS for what has names of ours. Pure. */
#ifndef DPL_GATEWAYS_ROS2_NAMES_H
#define DPL_GATEWAYS_ROS2_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#define ROS2_PART_MAX 80

/* Where a topic of ours comes from: "/LaserScanner/scan". */
struct ros2_origin {
    char component[ROS2_PART_MAX]; /* "laser_scanner" */
    char port[ROS2_PART_MAX];      /* "scan" */
    bool is_avatar;                /* of the simulated side of a pair */
};

/* "LaserScanner" as "laser_scanner"; signs that names of ROS cannot have become '_'. */
void ros2_name_part(const char *name, size_t n, char *ret, size_t size);

void ros2_origin_read(const char *topic, struct ros2_origin *ret);

/* The name that a topic wants: `attempt` 0: "/scan", of an avatar "/avatar/scan"; 1:
 * "/laser_scanner/scan"; 2: "/laser_scanner/port/scan". */
void ros2_name_make(const struct ros2_origin *origin, const char *name, unsigned attempt, char *ret,
                    size_t size);

#endif
