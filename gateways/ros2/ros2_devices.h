/* SPDX-License-Identifier: Apache-2.0 */
/* DDS for the drivers `ros2` (drivers/ros2/ros2_peer.h). */
#ifndef DPL_GATEWAYS_ROS2_DEVICES_H
#define DPL_GATEWAYS_ROS2_DEVICES_H

#include "ros2_peer.h"

extern const struct ros2_devices ros2_devices;

#endif
