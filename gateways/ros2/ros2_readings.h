/* SPDX-License-Identifier: Apache-2.0 */
/* What devices take of messages of ROS 2. Pure. */
#ifndef DPL_GATEWAYS_ROS2_READINGS_H
#define DPL_GATEWAYS_ROS2_READINGS_H

#include "ros2_peer.h"
#include "ros2_types.h"

/* NULL: ret_message is filled. Else what makes no sense in it; "": nothing of it is for this
 * device. */
typedef const char *ros2_reading_fn(const struct ros2_peer_config *config, const void *ros,
                                    void *ret_message);

struct ros2_reading {
    const struct ros2_type *type;
    ros2_reading_fn *read;
};

/* By enum ros2_kind. */
extern const struct ros2_reading ros2_readings[];

#endif
