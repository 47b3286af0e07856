/* SPDX-License-Identifier: Apache-2.0 */
#include "ros2_devices.h"
#include "ros2_gateway.h"

extern const struct ros2_module dpl_module;

const struct ros2_module dpl_module = {{sizeof dpl_module.gateway, &dpl_ros2_gateway},
                                       &ros2_devices};
