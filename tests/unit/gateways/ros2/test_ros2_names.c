/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "ros2_names.h"

static const char *name_of(const char *topic, const char *name, unsigned attempt)
{
    static char text[256];
    struct ros2_origin origin;
    ros2_origin_read(topic, &origin);
    ros2_name_make(&origin, name, attempt, text, sizeof text);
    return text;
}

Test(ros2_names, are_short_until_another_topic_has_them)
{
    cr_assert_str_eq(name_of("/LaserScanner/scan", "scan", 0), "/scan");
    cr_assert_str_eq(name_of("/LaserScanner/scan", "scan", 1), "/laser_scanner/scan");
    cr_assert_str_eq(name_of("/LaserScanner/scan/PointCloud", "points", 2),
                     "/laser_scanner/scan/points");
}

Test(ros2_names, tell_the_avatar_from_the_robot)
{
    cr_assert_str_eq(name_of("/Base/simulation_odometry", "odom", 0), "/avatar/odom");
    cr_assert_str_eq(name_of("/Base/odometry", "odom", 0), "/odom");
}

Test(ros2_names, have_signs_of_ros_only)
{
    cr_assert_str_eq(name_of("/2nd Räder-URG04/scan", "scan", 1), "/_2nd_r__der_urg04/scan");
    cr_assert_str_eq(name_of("/log", "rosout", 0), "/rosout");
}
