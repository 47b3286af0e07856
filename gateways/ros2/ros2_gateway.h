/* SPDX-License-Identifier: Apache-2.0 */
/* The gateway that makes the run a node of ROS 2, on the observer's thread. Nothing is converted
 * while nobody reads it. */
#ifndef DPL_GATEWAYS_ROS2_GATEWAY_H
#define DPL_GATEWAYS_ROS2_GATEWAY_H

#include <doppel/host/gateway.h>

struct dpl_ros2_options {
    bool control;   /* other nodes may command */
    bool simulated; /* the run's clock is published, and stamps are its times */
};

extern const struct dpl_gateway dpl_ros2_gateway;

#endif
