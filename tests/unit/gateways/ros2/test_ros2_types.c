/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include <doppel/msg/laser_scanner.pb-c.h>
#include <doppel/msg/wheel_controller.pb-c.h>

#include "ros2_convert.h"

/* The first row of a type that comes from us, or goes to us. */
static const struct ros2_row *row_of(const char *type, bool is_from)
{
    size_t i = 0;
    while (strcmp(ros2_rows[i].ros.type->m_typename, type) != 0 ||
           (is_from ? !ros2_rows[i].from : !ros2_rows[i].to)) {
        i++;
    }
    return &ros2_rows[i];
}

Test(ros2_types, have_infinity_where_nothing_came_back)
{
    float ranges[] = {1.5F, 0.0F, 2.5F};
    struct dpl_arena arena = {0};
    struct ros2_context context = {1500000000, 0, "", "laser", &arena};
    Doppel__Scan scan = DOPPEL__SCAN__INIT;
    sensor_msgs_msg_dds__LaserScan_ ros = {0};
    scan.ranges = ranges;
    scan.n_ranges = 3;
    scan.start_angle = -1.0;
    scan.step_angle = 0.5;
    cr_assert(row_of("sensor_msgs::msg::dds_::LaserScan_", false)->to(&context, &scan, &ros));
    cr_assert_eq(ros.ranges._length, 3);
    cr_assert(isinf(ros.ranges._buffer[1]));
    cr_assert_float_eq(ros.angle_max, 0.0F, 1e-6F);
    cr_assert_eq(ros.header.stamp.sec, 1);
    cr_assert_eq(ros.header.stamp.nanosec, 500000000);
    cr_assert_str_eq(ros.header.frame_id, "laser");
    dpl_arena_finish(&arena);
}

Test(ros2_types, have_the_avatar_in_frames_of_its_own)
{
    struct dpl_arena arena = {0};
    struct ros2_context context = {0, 0, "avatar/", "base", &arena};
    Doppel__Odometry odometry = DOPPEL__ODOMETRY__INIT;
    nav_msgs_msg_dds__Odometry_ ros = {0};
    cr_assert(row_of("nav_msgs::msg::dds_::Odometry_", false)->to(&context, &odometry, &ros));
    cr_assert_str_eq(ros.header.frame_id, "avatar/odom");
    cr_assert_str_eq(ros.child_frame_id, "avatar/base_link");
    dpl_arena_finish(&arena);
}

Test(ros2_types, refuse_a_command_that_is_no_number)
{
    const struct ros2_row *row = row_of("geometry_msgs::msg::dds_::Twist_", true);
    geometry_msgs_msg_dds__Twist_ twist = {.linear.x = 0.25, .angular.z = -1.0};
    struct dpl_bytes bytes = {0};
    cr_assert(row->from(&twist, &bytes));
    Doppel__VelocityCommand *command = doppel__velocity_command__unpack(NULL, bytes.n, bytes.data);
    cr_assert(command->active);
    cr_assert_eq(command->twist->linear, 0.25);
    cr_assert_eq(command->twist->angular, -1.0);
    doppel__velocity_command__free_unpacked(command, NULL);
    double *const all[] = {&twist.linear.x,  &twist.linear.y,  &twist.linear.z,
                           &twist.angular.x, &twist.angular.y, &twist.angular.z};
    for (size_t i = 0; i < 6; i++) {
        double before = *all[i];
        *all[i] = i % 2 ? (double)NAN : (double)-INFINITY;
        cr_assert_not(row->from(&twist, &bytes));
        *all[i] = before;
    }
    dpl_bytes_finish(&bytes);
}

Test(ros2_types, have_times_before_the_epoch_as_ros_has_them)
{
    builtin_interfaces_msg_dds__Time_ time = ros2_time(-1);
    cr_assert_eq(time.sec, -1);
    cr_assert_eq(time.nanosec, 999999999);
}
