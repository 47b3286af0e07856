/* SPDX-License-Identifier: Apache-2.0 */
/* A robot is put where nothing stands; what is inside of something is thrown out. */
#include <errno.h>
#include <string.h>

#include "robot_world.h"

TestSuite(world_places, .init = robot_world_begin, .fini = robot_world_end);

Test(world_places, teleported_robot_stands_at_the_pose_and_keeps_its_speed)
{
    add_robot(scene_robot("r", 0.0, 0.0));
    world = create();
    drive_profile(world, 0.2, 0.0, 2.0);
    struct dpl_world_encoder before, after;
    dpl_world_get_encoder(world, 0, &before);
    cr_assert_eq(dpl_world_set_pose(world, 0, (struct dpl_pose2){5.0, -3.0, 2.0}), 0);
    struct dpl_world_robot robot = robot_of(world);
    cr_assert_lt(hypot(robot.pose.x - 5.0, robot.pose.y + 3.0), 1e-9);
    cr_assert_float_eq(robot.pose.theta, 2.0, 1e-9);
    dpl_world_get_encoder(world, 0, &after);
    cr_assert_float_eq(after.angle_rad, before.angle_rad, 1e-9);
    dpl_world_step(world, 1000);
    robot = robot_of(world);
    cr_assert_lt(hypot(robot.pose.x - 5.0 - 0.2 * cos(2.0), robot.pose.y + 3.0 - 0.2 * sin(2.0)),
                 0.002);
    cr_assert_float_eq(robot.twist.linear, 0.2, 0.002);
}

Test(world_places, teleport_to_nowhere_is_refused)
{
    add_robot(scene_robot("r", 0.0, 0.0));
    world = create();
    struct dpl_pose2 nowhere = {(double)NAN, 0.0, 0.0};
    cr_assert_eq(dpl_world_set_pose(world, 0, nowhere), -EINVAL);
}

Test(world_places, a_place_where_something_stands_is_refused_and_nothing_moves)
{
    static const struct dpl_pose2 taken[] = {
        {2.0, 0.0, 0.3},   /* all of it in the box */
        {1.31, 0.0, 0.0},  /* 1 cm of it */
        {1.38, 0.55, 1.0}, /* at a corner */
    };
    make_box_ahead();
    dpl_world_step(world, 100);
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        struct dpl_pose2 before = robot_of(world).pose;
        cr_assert_eq(dpl_world_set_pose(world, 0, taken[i]), -EBUSY, "place %zu", i);
        struct dpl_pose2 after = robot_of(world).pose;
        cr_assert_eq(memcmp(&before, &after, sizeof before), 0);
        dpl_world_step(world, 1000);
        cr_assert_lt(dpl_pose2_distance(robot_of(world).pose, before), 1e-3);
    }
    cr_assert_eq(robot_of(world).ejections, 0);
    cr_assert_eq(robot_of(world).contacts, 0);
}

Test(world_places, a_place_beside_something_is_not)
{
    make_box_ahead();
    cr_assert_eq(dpl_world_set_pose(world, 0, (struct dpl_pose2){1.2999, 0.0, 2.0}), 0);
    dpl_world_step(world, 2000);
    cr_assert_lt(dpl_pose2_distance(robot_of(world).pose, (struct dpl_pose2){1.3, 0.0, 0.0}), 5e-3);
    cr_assert_eq(robot_of(world).ejections, 0);
    cr_assert_eq(dpl_world_set_pose(world, 0, (struct dpl_pose2){1.2999, 0.0, 1.0}), 0,
                 "where it stands already, touching");
}

Test(world_places, another_robots_place_is_taken_too)
{
    add_robot(scene_robot("r", 0.0, 0.0));
    add_robot(scene_robot("other", 3.0, 1.0));
    world = create();
    cr_assert_eq(dpl_world_set_pose(world, 0, (struct dpl_pose2){3.1, 1.1, 0.0}), -EBUSY);
    cr_assert_eq(dpl_world_set_pose(world, 0, (struct dpl_pose2){3.0, 1.5, 0.0}), 0);
}

Test(world_places, asking_for_a_place_leaves_no_trace_in_a_run)
{
    struct dpl_world_robot asked, not_asked;
    make_box_ahead();
    for (int i = 0; i < 3000; i++) {
        if (i % 100 == 50) {
            cr_assert_eq(dpl_world_set_pose(world, 0, (struct dpl_pose2){2.0, 0.1, 0.0}), -EBUSY);
        }
        drive(world, 0.5, 0.02);
        dpl_world_step(world, 1);
    }
    asked = robot_of(world);
    dpl_world_destroy(world);
    world = create();
    for (int i = 0; i < 3000; i++) {
        drive(world, 0.5, 0.02);
        dpl_world_step(world, 1);
    }
    not_asked = robot_of(world);
    cr_assert_gt(asked.contacts, 0);
    cr_assert_eq(memcmp(&asked.pose, &not_asked.pose, sizeof asked.pose), 0);
    cr_assert_eq(memcmp(&asked.twist, &not_asked.twist, sizeof asked.twist), 0);
    cr_assert_eq(asked.contacts, not_asked.contacts);
    cr_assert_eq(asked.touched, not_asked.touched);
}

Test(world_places, what_the_solver_throws_out_is_counted)
{
    struct scene_robot inside = scene_robot("r", 1.40, 0.0); /* 10 cm in the box */
    add_robot(inside);
    add_obstacle(scene_box(2.0, 0.0, 1.0));
    world = create();
    dpl_world_step(world, 500);
    cr_assert_geq(robot_of(world).ejections, 1);
    uint64_t before = robot_of(world).ejections;
    dpl_world_step(world, 5000);
    cr_assert_eq(robot_of(world).ejections, before, "it has come to rest");
}
