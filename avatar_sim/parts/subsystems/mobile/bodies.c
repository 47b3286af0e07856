/* SPDX-License-Identifier: Apache-2.0 */
/* What bases have in Bullet's world: chassis and their wheels. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "mobile_state.h"

/* Shapes, then casters, which slide. */
static void fill_shapes(const struct dpl_sim_robot *robot, const struct dpl_sim_mobile *base,
                        struct dpl_solver_shape *ret_shapes)
{
    for (size_t i = 0; i < robot->n_shapes; i++) {
        *ret_shapes = dpl__rigid_shape(&robot->shapes[i]);
        ret_shapes++->friction = base->friction;
    }
    for (size_t i = 0; i < base->n_casters; i++) {
        const struct dpl_sim_caster *caster = &base->casters[i];
        *ret_shapes++ = (struct dpl_solver_shape){
            .kind = DPL_SOLVER_SPHERE,
            .size = {caster->radius, 0.0, 0.0},
            .pose = {{caster->x, caster->y, caster->radius + caster->gap}, {1.0}},
        };
    }
}

static int add_chassis(struct dpl_mobile *mobile, const struct dpl_sim_robot *robot, int number)
{
    const struct dpl_sim_mobile *base = robot->part;
    size_t n = robot->n_shapes + base->n_casters;
    struct dpl_solver_shape *shapes = calloc(n + 1, sizeof *shapes);
    if (!shapes) {
        return -ENOMEM;
    }
    fill_shapes(robot, base, shapes);
    double half = 0.5 * robot->start.theta;
    struct dpl_solver_body chassis = {
        .kind = DPL_SOLVER_CHASSIS,
        .pose = {{robot->start.x, robot->start.y}, {cos(half), 0.0, 0.0, sin(half)}},
        .mass = base->mass,
        .centre = {{base->mass_x, base->mass_y, base->mass_z}, {1.0}},
        .shapes = shapes,
        .n_shapes = n,
    };
    int body = dpl__rigid_world_add(mobile->rigid, &chassis, number);
    free(shapes);
    return body;
}

/* A robot that stands on its casters leans a little: at the height of its axle that moves it least.
 */
static double axle_height(const struct dpl_sim_mobile *base)
{
    double sum = 0.0;
    for (size_t i = 0; i < base->n_wheels; i++) {
        sum += base->wheels[i].radius;
    }
    return base->n_wheels ? sum / (double)base->n_wheels : 0.0;
}

static int add_all_chassis(struct dpl_mobile *mobile)
{
    const struct dpl_sim_model *model = mobile->model;
    for (size_t i = 0; i < model->n_robots; i++) {
        const struct dpl_sim_mobile *base = dpl__mobile_part(&model->robots[i]);
        if (!base) {
            continue;
        }
        int number = mobile->state->robots[i].first_body;
        int body = add_chassis(mobile, &model->robots[i], number);
        if (body < 0) {
            return body;
        }
        mobile->chassis[mobile->n_chassis++] =
            (struct dpl_mobile_chassis){.robot = (int)i,
                                        .solver_body = body,
                                        .body = number,
                                        .axle = {0.0, 0.0, axle_height(base)}};
    }
    return 0;
}

static int add_wheel(struct dpl_mobile *mobile, const struct dpl_mobile_chassis *chassis,
                     const struct dpl_sim_wheel *wheel, int joint)
{
    struct dpl_mobile_wheel *made = &mobile->wheels[mobile->n_wheels++];
    made->joint = joint;
    made->solver_wheel = dpl__solver_add_wheel(mobile->solver, chassis->solver_body,
                                               &(struct dpl_solver_wheel){
                                                   .x = wheel->x,
                                                   .y = wheel->y,
                                                   .radius = wheel->radius,
                                                   .mass = wheel->mass,
                                                   .friction = wheel->friction,
                                               });
    return made->solver_wheel < 0 ? made->solver_wheel : 0;
}

static int add_wheels(struct dpl_mobile *mobile)
{
    for (size_t c = 0; c < mobile->n_chassis; c++) {
        const struct dpl_mobile_chassis *chassis = &mobile->chassis[c];
        const struct dpl_sim_span *span = &mobile->state->robots[chassis->robot];
        const struct dpl_sim_mobile *base = mobile->model->robots[chassis->robot].part;
        for (size_t i = 0; i < base->n_wheels; i++) {
            int rc = add_wheel(mobile, chassis, &base->wheels[i], span->first_joint + (int)i);
            if (rc) {
                return rc;
            }
        }
    }
    return 0;
}

int dpl__mobile_add_bodies(struct dpl_mobile *mobile, struct dpl_world *world)
{
    size_t n_chassis = 0, n_wheels = 0;
    for (size_t i = 0; i < mobile->model->n_robots; i++) {
        const struct dpl_sim_mobile *base = dpl__mobile_part(&mobile->model->robots[i]);
        n_chassis += base != NULL;
        n_wheels += base ? base->n_wheels : 0;
    }
    mobile->chassis = dpl_world_alloc(world, n_chassis, sizeof *mobile->chassis);
    mobile->wheels = dpl_world_alloc(world, n_wheels, sizeof *mobile->wheels);
    if (!mobile->chassis || !mobile->wheels) {
        return -ENOMEM;
    }
    int rc = add_all_chassis(mobile);
    rc = rc ? rc : add_wheels(mobile);
    return rc ? rc : dpl__solver_ready(mobile->solver);
}

struct dpl_mobile_chassis *dpl__mobile_chassis_of(const struct dpl_mobile *mobile, int robot)
{
    for (size_t i = 0; i < mobile->n_chassis; i++) {
        if (mobile->chassis[i].robot == robot) {
            return &mobile->chassis[i];
        }
    }
    return NULL;
}

int dpl__mobile_taken_by(const struct dpl_mobile *mobile, const struct dpl_mobile_chassis *chassis,
                         struct dpl_pose2 pose)
{
    double at[3] = {pose.x, pose.y, pose.theta};
    return dpl__solver_taken_by(mobile->solver, chassis->solver_body, at, DPL_RIGID_PLACE_M);
}
