/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of ROS 2 from their bytes, in either order, whole and cut at each byte. */
#include <criterion/criterion.h>
#include <string.h>

#include <doppel/field.h>
#include <doppel/msg/laser_scanner.h>

#include "arena.h"
#include "bytes.h"
#include "ros2_frames.h"
#include "ros2_message.h"

static void put(struct dpl_bytes *bytes, const void *value, size_t size, bool is_big)
{
    while ((bytes->n - 4) % size > 0) {
        dpl_bytes_number(bytes, 0, 1);
    }
    for (size_t i = 0; i < size; i++) {
        dpl_bytes_add(bytes, (const uint8_t *)value + (is_big ? size - 1 - i : i), 1);
    }
}

static void put_u32(struct dpl_bytes *bytes, uint32_t value, bool is_big)
{
    put(bytes, &value, sizeof value, is_big);
}

static void put_name(struct dpl_bytes *bytes, const char *name, bool is_big)
{
    put_u32(bytes, (uint32_t)strlen(name) + 1, is_big);
    dpl_bytes_add(bytes, name, strlen(name) + 1);
}

static void begin(struct dpl_bytes *bytes, bool is_big)
{
    const uint8_t head[] = {0, !is_big, 0, 0};
    dpl_bytes_add(bytes, head, sizeof head);
}

static void make_scan(struct dpl_bytes *bytes, bool is_big)
{
    const float head[] = {-1.0F, 1.0F, 0.5F, 0.0F, 0.1F, 0.05F, 30.0F};
    const float ranges[] = {1.5F, 0.01F, 31.0F};
    begin(bytes, is_big);
    put_u32(bytes, 7, is_big);
    put_u32(bytes, 5, is_big);
    put_name(bytes, "/laser", is_big);
    for (size_t i = 0; i < DPL_COUNT(head); i++) {
        put(bytes, &head[i], sizeof head[i], is_big);
    }
    put_u32(bytes, DPL_COUNT(ranges), is_big);
    for (size_t i = 0; i < DPL_COUNT(ranges); i++) {
        put(bytes, &ranges[i], sizeof ranges[i], is_big);
    }
    put_u32(bytes, 0, is_big);
}

Test(ros2_message, scan_in_either_order_and_cut)
{
    for (int is_big = 0; is_big < 2; is_big++) {
        struct dpl_bytes bytes = {0};
        struct dpl_arena arena = {0};
        struct ros2_message message;
        make_scan(&bytes, is_big);
        cr_assert_null(ros2_message_read(ROS2_SCAN, bytes.data, bytes.n, &arena, &message));
        const Doppel__Scan *scan = (const Doppel__Scan *)message.ours;
        cr_assert_eq(message.stamp, 7 * DPL_S + 5);
        cr_assert_str_eq(message.frame, "laser");
        cr_assert_eq(scan->n_ranges, 3);
        cr_assert(scan->ranges[0] == 1.5F && scan->ranges[1] == 0.0F && scan->ranges[2] == 0.0F);
        cr_assert(scan->start_angle == -1.0 && scan->step_angle == 0.5);
        for (size_t n = 0; n < bytes.n; n++) {
            cr_assert_str_eq(ros2_message_read(ROS2_SCAN, bytes.data, n, &arena, &message),
                             "it is cut off");
        }
        bytes.data[1] = 7;
        cr_assert_str_eq(ros2_message_read(ROS2_SCAN, bytes.data, bytes.n, &arena, &message),
                         "it is not in plain CDR");
        dpl_arena_finish(&arena);
        dpl_bytes_finish(&bytes);
    }
}

Test(ros2_message, kinds)
{
    cr_assert_eq(ros2_kind_of("sensor_msgs/msg/LaserScan", 25), ROS2_SCAN);
    cr_assert_eq(ros2_kind_of("sensor_msgs/msg/LaserSca", 24), ROS2_OTHER);
    cr_assert_eq(ros2_kind_of("", 0), ROS2_OTHER);
}

static struct ros2_transform at(const char *parent, const char *child, double x)
{
    return (struct ros2_transform){parent, child, {{x, 0.0, 0.0}, {.w = 1.0}}};
}

Test(ros2_frames, fixed_ones_count_more_and_rings_lead_nowhere)
{
    struct dpl_arena arena = {0};
    struct ros2_frames frames = {.arena = &arena};
    const struct ros2_transform all[] = {at("odom", "base", 9.0), at("base", "mast", 1.0),
                                         at("mast", "laser", 2.0), at("a", "b", 1.0),
                                         at("b", "a", 1.0)};
    struct dpl_pose3 pose;
    for (size_t i = 0; i < DPL_COUNT(all); i++) {
        cr_assert_eq(ros2_frames_add(&frames, &all[i], false), 0);
    }
    cr_assert(ros2_frames_pose(&frames, "base", "laser", &pose) && pose.position.x == 3.0);
    cr_assert(ros2_frames_pose(&frames, "laser", "base", &pose) && pose.position.x == -3.0);
    struct ros2_transform fixed = at("base", "mast", 5.0), later = at("base", "mast", 6.0);
    cr_assert_eq(ros2_frames_add(&frames, &fixed, true), 0);
    cr_assert_eq(ros2_frames_add(&frames, &later, true), 0);
    cr_assert(ros2_frames_pose(&frames, "base", "laser", &pose) && pose.position.x == 7.0);
    cr_assert_not(ros2_frames_pose(&frames, "base", "nowhere", &pose));
    cr_assert_not(ros2_frames_pose(&frames, "a", "b", &pose));
    free(frames.list);
    dpl_arena_finish(&arena);
}
