/* SPDX-License-Identifier: Apache-2.0 */
/* Models that the tests of avatar_sim share, built in code: the paper's robot and things around
 * it. */
#ifndef DOPPEL_TEST_SCENE_H
#define DOPPEL_TEST_SCENE_H

#include <stdio.h>

#include <doppel/sim/mobile.h>

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

/* A mobile robot that a test may change before it adds it to a model. */
struct scene_robot {
    char name[DPL_SIM_NAME_SIZE];
    struct dpl_pose2 start;
    double mass, friction, mass_x, mass_y, mass_z;
    struct dpl_sim_shape shapes[2];
    struct dpl_sim_wheel wheels[2];
    struct dpl_sim_caster casters[2];
    struct dpl_sim_laser lasers[2];
    size_t n_shapes, n_wheels, n_casters, n_lasers;
};

static inline struct scene_robot scene_robot(const char *name, double x, double y)
{
    struct scene_robot robot = {
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

/* As dpl_sim_model_add_mobile. */
static inline int scene_add(struct dpl_sim_model *model, struct scene_robot *robot,
                            struct dpl_diag *reterr)
{
    struct dpl_sim_mobile_robot mobile = {
        .name = robot->name,
        .start = robot->start,
        .base = {.mass = robot->mass,
                 .friction = robot->friction,
                 .mass_x = robot->mass_x,
                 .mass_y = robot->mass_y,
                 .mass_z = robot->mass_z,
                 .wheels = robot->wheels,
                 .casters = robot->casters,
                 .n_wheels = robot->n_wheels,
                 .n_casters = robot->n_casters},
        .shapes = robot->shapes,
        .lasers = robot->lasers,
        .n_shapes = robot->n_shapes,
        .n_lasers = robot->n_lasers,
    };
    return dpl_sim_model_add_mobile(model, &mobile, reterr);
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
