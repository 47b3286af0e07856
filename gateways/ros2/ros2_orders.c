/* SPDX-License-Identifier: Apache-2.0 */
#include "ros2_orders.h"

#include <doppel/drv/joints.h>
#include <doppel/field.h>

#include "ros2_convert.h"

const struct ros2_type *ros2_order_type(enum ros2_order order, size_t i)
{
    static const struct ros2_type *const types[][ROS2_ORDER_TYPES] = {
        [ROS2_NO_ORDER] = {NULL},
        [ROS2_TWIST] = {&ros2_twist, &ros2_stamped_twist},
        [ROS2_TRAJECTORY] = {&ros2_joint_trajectory},
        [ROS2_VALUES] = {&ros2_numbers},
    };
    return i < ROS2_ORDER_TYPES ? types[order][i] : NULL;
}

static dds_return_t write_twist(dds_entity_t writer, const struct ros2_type *type,
                                const struct dpl_twist2 *order, dpl_ns now)
{
    const geometry_msgs_msg_dds__TwistStamped_ message = {
        ros2_header(now, "base_link"), {.linear.x = order->linear, .angular.z = order->angular}};
    return type == &ros2_twist ? dds_write(writer, &message.twist) : dds_write(writer, &message);
}

static dds_sequence_double numbers(const struct ros2_peer_config *config,
                                   const struct ros2_joint_order *order)
{
    uint32_t n = (uint32_t)config->n_joints;
    return (dds_sequence_double){n, n, (double *)(uintptr_t)order->values, false};
}

/* Its stamp is 0: it begins when it comes. */
static dds_return_t write_trajectory(dds_entity_t writer, const struct ros2_peer_config *config,
                                     const struct ros2_joint_order *order)
{
    char *names[DPL_JOINTS_MAX];
    uint32_t n = (uint32_t)config->n_joints;
    dpl_ns after = dpl_ns_from_s(order->after_s);
    trajectory_msgs_msg_dds__JointTrajectoryPoint_ point = {
        .positions = numbers(config, order),
        .time_from_start = {(int32_t)(after / DPL_S), (uint32_t)(after % DPL_S)}};
    for (size_t i = 0; i < config->n_joints; i++) {
        names[i] = config->joints[i];
    }
    const trajectory_msgs_msg_dds__JointTrajectory_ message = {
        {{0, 0}, ros2_text("")}, {n, n, names, false}, {1, 1, &point, false}};
    return dds_write(writer, &message);
}

dds_return_t ros2_order_write(dds_entity_t writer, const struct ros2_type *type,
                              const struct ros2_peer_config *config, const void *order, dpl_ns now)
{
    const std_msgs_msg_dds__Float64MultiArray_ values = {
        .data = config->order == ROS2_VALUES ? numbers(config, order) : (dds_sequence_double){0}};
    return config->order == ROS2_TWIST        ? write_twist(writer, type, order, now)
           : config->order == ROS2_TRAJECTORY ? write_trajectory(writer, config, order)
                                              : dds_write(writer, &values);
}
