/* SPDX-License-Identifier: Apache-2.0 */
/* What is in Bullet's world: the ground, the obstacles, the chassis and their wheels. */
#include <errno.h>
#include <stdlib.h>

#include "mobile_state.h"

/* Less is the solver's play: touching bodies lie that deep in each other. */
static const double place_depth_m = 1e-3;

static struct dpl_bullet_shape bullet_shape(const struct dpl_sim_shape *shape)
{
    static const enum dpl_bullet_kind kinds[] = {
        [DPL_SIM_BOX] = DPL_BULLET_BOX,
        [DPL_SIM_SPHERE] = DPL_BULLET_SPHERE,
        [DPL_SIM_CYLINDER] = DPL_BULLET_CYLINDER,
        [DPL_SIM_CAPSULE] = DPL_BULLET_CAPSULE,
    };
    struct dpl_bullet_shape made = {
        .kind = kinds[shape->kind],
        .size = {shape->radius, 0.0, shape->height},
        .position = {shape->x, shape->y, shape->z},
        .yaw = shape->yaw,
        .lying = shape->lying,
    };
    if (shape->kind == DPL_SIM_BOX) {
        made.size[0] = shape->size_x;
        made.size[1] = shape->size_y;
        made.size[2] = shape->size_z;
    }
    return made;
}

static int add_static_parts(struct dpl_mobile *mobile, const struct dpl_sim_model *model)
{
    int rc = dpl__bullet_add_ground(mobile->bullet, model->ground_friction);
    for (size_t i = 0; i < model->n_obstacles && rc >= 0; i++) {
        const struct dpl_sim_obstacle *obstacle = &model->obstacles[i];
        struct dpl_bullet_shape shape = bullet_shape(&obstacle->shape);
        rc = dpl__bullet_add_static(mobile->bullet, &shape, obstacle->friction);
    }
    return rc < 0 ? rc : 0;
}

/* Shapes, then casters, which slide. */
static void fill_shapes(const struct dpl_sim_robot *robot, const struct dpl_sim_mobile *base,
                        struct dpl_bullet_shape *ret_shapes)
{
    for (size_t i = 0; i < robot->n_shapes; i++) {
        *ret_shapes++ = bullet_shape(&robot->shapes[i]);
    }
    for (size_t i = 0; i < base->n_casters; i++) {
        const struct dpl_sim_caster *caster = &base->casters[i];
        *ret_shapes++ = (struct dpl_bullet_shape){
            .kind = DPL_BULLET_SPHERE,
            .size = {caster->radius, 0.0, 0.0},
            .position = {caster->x, caster->y, caster->radius + caster->gap},
            .slippery = 1,
        };
    }
}

static int add_chassis(struct dpl_mobile *mobile, const struct dpl_sim_robot *robot)
{
    const struct dpl_sim_mobile *base = robot->part;
    size_t n = robot->n_shapes + base->n_casters;
    struct dpl_bullet_shape *shapes = calloc(n, sizeof *shapes);
    if (!shapes) {
        return -ENOMEM;
    }
    fill_shapes(robot, base, shapes);
    struct dpl_bullet_chassis chassis = {
        .shapes = shapes,
        .n_shapes = n,
        .mass = base->mass,
        .friction = base->friction,
        .centre_of_mass = {base->mass_x, base->mass_y, base->mass_z},
        .x = robot->start.x,
        .y = robot->start.y,
        .theta = robot->start.theta,
    };
    int body = dpl__bullet_add_chassis(mobile->bullet, &chassis);
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

static int add_all_chassis(struct dpl_mobile *mobile, const struct dpl_sim_model *model)
{
    for (size_t i = 0; i < model->n_robots; i++) {
        const struct dpl_sim_mobile *base = dpl__mobile_part(&model->robots[i]);
        if (!base) {
            continue;
        }
        int body = add_chassis(mobile, &model->robots[i]);
        if (body < 0) {
            return body;
        }
        mobile->chassis[mobile->n_chassis++] = (struct dpl_mobile_chassis){
            .robot = (int)i, .solver_body = body, .axle = {0.0, 0.0, axle_height(base)}};
    }
    return 0;
}

static struct dpl_bullet_size count_bodies(const struct dpl_sim_model *model)
{
    struct dpl_bullet_size size = {.bodies = 1 + model->n_obstacles};
    for (size_t i = 0; i < model->n_robots; i++) {
        const struct dpl_sim_mobile *base = dpl__mobile_part(&model->robots[i]);
        size.chassis += base != NULL;
        size.wheels += base ? base->n_wheels : 0;
    }
    size.bodies += size.chassis;
    return size;
}

int dpl__mobile_add_bodies(struct dpl_mobile *mobile, struct dpl_heap *heap,
                           const struct dpl_sim_model *model)
{
    struct dpl_bullet_size size = count_bodies(model);
    mobile->model = model;
    mobile->bullet = dpl__bullet_create(heap, &size, model->iterations);
    mobile->chassis = dpl__heap_zeroed(heap, size.chassis, sizeof *mobile->chassis);
    mobile->wheels = dpl__heap_zeroed(heap, size.wheels, sizeof *mobile->wheels);
    if (!mobile->bullet || !mobile->chassis || !mobile->wheels) {
        return -ENOMEM;
    }
    int rc = add_static_parts(mobile, model);
    return rc ? rc : add_all_chassis(mobile, model);
}

const struct dpl_mobile_chassis *dpl__mobile_chassis_at(const struct dpl_mobile *mobile,
                                                        int solver_body)
{
    int number = solver_body - (int)mobile->model->n_obstacles - 1;
    return number >= 0 && (size_t)number < mobile->n_chassis ? &mobile->chassis[number] : NULL;
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
    return dpl__bullet_taken_by(mobile->bullet, chassis->solver_body, at, place_depth_m);
}
