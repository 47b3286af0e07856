/* SPDX-License-Identifier: Apache-2.0 */
/* Models that the tests of avatar_sim share, built in code: the paper's robot and things around
 * it. */
#ifndef DOPPEL_TEST_SCENE_H
#define DOPPEL_TEST_SCENE_H

#include <stdio.h>

#include <doppel/sim/model.h>

static const double scene_wheel_radius = 0.065, scene_axle = 0.30;

static inline struct dpl_sim_wheel scene_wheel(const char *side, double y)
{
    struct dpl_sim_wheel wheel = {
        .y = y,
        .radius = scene_wheel_radius,
        .mass = 0.3,
        .friction = 1.0,
        .max_torque = 4.0,
        .max_speed = 20.0,
    };
    snprintf(wheel.name, sizeof wheel.name, "%s", side);
    snprintf(wheel.motor, sizeof wheel.motor, "%s_motor", side);
    snprintf(wheel.encoder, sizeof wheel.encoder, "%s_encoder", side);
    return wheel;
}

static inline struct dpl_sim_robot scene_robot(const char *name, double x, double y)
{
    struct dpl_sim_robot robot = {
        .start = {x, y, 0.0},
        .mass = 8.0,
        .friction = 0.3,
        .mass_x = -0.02,
        .mass_z = 0.1,
        .shapes = {{.kind = DPL_SIM_CYLINDER, .z = 0.15, .radius = 0.2, .height = 0.2}},
        .n_shapes = 1,
        .wheels = {scene_wheel("left", 0.5 * scene_axle), scene_wheel("right", -0.5 * scene_axle)},
        .n_wheels = 2,
        .casters = {{.x = 0.15, .radius = 0.03, .gap = 0.0005},
                    {.x = -0.15, .radius = 0.03, .gap = 0.0005}},
        .n_casters = 2,
        .lasers = {{.name = "laser",
                    .x = 0.1,
                    .z = 0.2,
                    .steps = 1440,
                    .first = 0,
                    .last = 1080,
                    .front = 540,
                    .max_range = 30.0,
                    .rate_hz = 40.0}},
        .n_lasers = 1,
    };
    snprintf(robot.name, sizeof robot.name, "%s", name);
    return robot;
}

static inline struct dpl_sim_obstacle scene_box(double x, double y, double size)
{
    return (struct dpl_sim_obstacle){
        .shape = {.kind = DPL_SIM_BOX,
                  .x = x,
                  .y = y,
                  .z = 0.5,
                  .size_x = size,
                  .size_y = size,
                  .size_z = 1.0},
        .friction = 0.5,
    };
}

#endif
