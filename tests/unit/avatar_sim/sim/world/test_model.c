/* SPDX-License-Identifier: Apache-2.0 */
/* A model refuses numbers that make no sense and says which. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "scene.h"

static struct dpl_sim_model *model;
static struct dpl_diag diag;

static void begin(void)
{
    model = dpl_sim_model_create();
}

static void end(void)
{
    dpl_sim_model_destroy(model);
}

TestSuite(model, .init = begin, .fini = end);

static void refuse(struct scene_robot *robot, const char *said)
{
    cr_assert_eq(scene_add(model, robot, &diag), -EINVAL);
    cr_assert_not_null(strstr(diag.text, said), "%s", diag.text);
    cr_assert_eq(model->n_robots, 0);
}

Test(model, wheel_without_radius_is_refused)
{
    struct scene_robot robot = scene_robot("r", 0.0, 0.0);
    robot.wheels[1].radius = 0.0;
    refuse(&robot, "radius of a wheel is 0");
}

Test(model, not_a_number_is_refused)
{
    struct scene_robot robot = scene_robot("r", 0.0, (double)NAN);
    refuse(&robot, "position is nan");
}

Test(model, laser_of_more_than_a_turn_is_refused)
{
    struct scene_robot robot = scene_robot("r", 0.0, 0.0);
    robot.lasers[0].last = 1440;
    refuse(&robot, "at most one turn");
}

Test(model, two_motors_of_one_name_are_refused)
{
    struct scene_robot robot = scene_robot("r", 0.0, 0.0);
    snprintf(robot.wheels[1].motor, sizeof robot.wheels[1].motor, "Left Motor");
    refuse(&robot, "two motors are called");
}

Test(model, two_robots_of_one_name_are_refused)
{
    struct scene_robot robot = scene_robot("r", 0.0, 0.0);
    cr_assert_eq(scene_add(model, &robot, &diag), 0);
    cr_assert_eq(scene_add(model, &robot, &diag), -EINVAL);
    cr_assert_not_null(strstr(diag.text, "two robots are called 'r'"));
}

Test(model, obstacles_beyond_the_limit_are_refused)
{
    struct dpl_sim_obstacle box = scene_box(0.0, 0.0, 0.1);
    for (int i = 0; i < DPL_SIM_OBSTACLES_MAX; i++) {
        cr_assert_eq(dpl_sim_model_add_obstacle(model, &box, NULL), 0);
    }
    cr_assert_eq(dpl_sim_model_add_obstacle(model, &box, &diag), -ENOSPC);
    cr_assert_eq(model->n_obstacles, DPL_SIM_OBSTACLES_MAX);
}

Test(model, wall_is_a_box_along_its_line)
{
    struct dpl_sim_shape wall =
        dpl_sim_wall((double[2]){1.0, 1.0}, (double[2]){1.0, 5.0}, 0.1, 2.5);
    cr_assert_float_eq(wall.size_x, 4.0, 1e-12);
    cr_assert_float_eq(wall.y, 3.0, 1e-12);
    cr_assert_float_eq(wall.yaw, DPL_PI / 2.0, 1e-12);
    cr_assert_float_eq(wall.z, 1.25, 1e-12);
}

Test(model, radius_of_a_robot_holds_its_chassis)
{
    struct scene_robot robot = scene_robot("r", 0.0, 0.0);
    cr_assert_eq(scene_add(model, &robot, NULL), 0);
    robot = scene_robot("s", 5.0, 0.0);
    robot.shapes[0].x = 0.1;
    cr_assert_eq(scene_add(model, &robot, NULL), 0);
    cr_assert_float_eq(dpl_sim_robot_radius(&model->robots[0]), 0.2, 1e-12);
    cr_assert_float_eq(dpl_sim_robot_radius(&model->robots[1]), 0.3, 1e-12);
}
