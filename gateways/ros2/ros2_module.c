/* SPDX-License-Identifier: Apache-2.0 */
#include "ros2_gateway.h"

extern const struct dpl_gateway_module dpl_module;

const struct dpl_gateway_module dpl_module = {sizeof dpl_module, &dpl_ros2_gateway};
