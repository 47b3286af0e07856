/* SPDX-License-Identifier: Apache-2.0 */
/* What devices publish. */
#ifndef DPL_GATEWAYS_ROS2_ORDERS_H
#define DPL_GATEWAYS_ROS2_ORDERS_H

#include "ros2_peer.h"
#include "ros2_types.h"

#define ROS2_ORDER_TYPES 2

/* The types that a kind of order may be published as; NULL after the last one. */
const struct ros2_type *ros2_order_type(enum ros2_order order, size_t i);

/* The order as a message of the type, to the writer: 0, or what DDS says. `now`: of the calendar.
 */
dds_return_t ros2_order_write(dds_entity_t writer, const struct ros2_type *type,
                              const struct ros2_peer_config *config, const void *order, dpl_ns now);

#endif
