/* SPDX-License-Identifier: Apache-2.0 */
/* Building a world on a model, taking it down, and copying all of it: see doppel/sim/world.h. */
#include <doppel/sim/world.h>

#include <errno.h>

#include "world_state.h"

/* Of addresses. An obstacle was measured to use 2.4 kB, a robot with a laser of 1081 beams 160. */
#define RESERVE_A_WORLD     ((size_t)64 << 20)
#define RESERVE_A_ROBOT     ((size_t)2 << 20)
#define RESERVE_AN_OBSTACLE ((size_t)64 << 10)

static const struct dpl_place nowhere;

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

static int add_static_parts(struct dpl_world *world)
{
    int rc = dpl__bullet_add_ground(world->bullet, world->model->ground_friction);
    for (size_t i = 0; i < world->model->n_obstacles && rc >= 0; i++) {
        const struct dpl_sim_obstacle *obstacle = &world->model->obstacles[i];
        struct dpl_bullet_shape shape = bullet_shape(&obstacle->shape);
        rc = dpl__bullet_add_static(world->bullet, &shape, obstacle->friction);
    }
    return rc < 0 ? rc : 0;
}

static int add_chassis(struct dpl_world *world, const struct dpl_sim_robot *robot)
{
    struct dpl_bullet_shape shapes[DPL_SIM_SHAPES_MAX + DPL_SIM_CASTERS_MAX];
    size_t n = 0;
    for (size_t i = 0; i < robot->n_shapes; i++) {
        shapes[n++] = bullet_shape(&robot->shapes[i]);
    }
    for (size_t i = 0; i < robot->n_casters; i++) {
        const struct dpl_sim_caster *caster = &robot->casters[i];
        shapes[n++] = (struct dpl_bullet_shape){
            .kind = DPL_BULLET_SPHERE,
            .size = {caster->radius, 0.0, 0.0},
            .position = {caster->x, caster->y, caster->radius + caster->gap},
            .slippery = 1,
        };
    }
    struct dpl_bullet_chassis chassis = {
        .shapes = shapes,
        .n_shapes = n,
        .mass = robot->mass,
        .friction = robot->friction,
        .centre_of_mass = {robot->mass_x, robot->mass_y, robot->mass_z},
        .x = robot->start.x,
        .y = robot->start.y,
        .theta = robot->start.theta,
    };
    return dpl__bullet_add_chassis(world->bullet, &chassis);
}

/* A robot that stands on its casters leans a little: at the height of its axle that moves it least.
 */
static double axle_height(const struct dpl_sim_robot *robot)
{
    double sum = 0.0;
    for (size_t i = 0; i < robot->n_wheels; i++) {
        sum += robot->wheels[i].radius;
    }
    return robot->n_wheels ? sum / (double)robot->n_wheels : 0.0;
}

static int add_robots(struct dpl_world *world)
{
    const struct dpl_sim_model *model = world->model;
    world->robots = dpl__heap_zeroed(world->heap, model->n_robots, sizeof *world->robots);
    world->chassis_robot =
        dpl__heap_zeroed(world->heap, model->n_robots, sizeof *world->chassis_robot);
    if (!world->robots || !world->chassis_robot) {
        return -ENOMEM;
    }
    world->first_chassis = (int)model->n_obstacles + 1;
    for (size_t i = 0; i < model->n_robots; i++) {
        world->robots[i].body = -1;
        if (model->robots[i].is_machine) {
            continue;
        }
        int body = add_chassis(world, &model->robots[i]);
        if (body < 0) {
            return body;
        }
        world->chassis_robot[world->n_chassis++] = (int)i;
        world->robots[i].body = body;
        world->robots[i].axle[2] = axle_height(&model->robots[i]);
    }
    return 0;
}

static struct dpl_bullet_size count_bodies(const struct dpl_sim_model *model)
{
    struct dpl_bullet_size size = {.bodies = 1 + model->n_obstacles};
    for (size_t i = 0; i < model->n_robots; i++) {
        size.chassis += !model->robots[i].is_machine;
        size.wheels += model->robots[i].n_wheels;
    }
    size.bodies += size.chassis;
    return size;
}

static int build_bodies(struct dpl_world *world)
{
    struct dpl_bullet_size size = count_bodies(world->model);
    world->bullet = dpl__bullet_create(world->heap, &size, world->model->iterations);
    if (!world->bullet) {
        return -ENOMEM;
    }
    int rc = add_static_parts(world);
    return rc ? rc : add_robots(world);
}

static int build(struct dpl_world *world, struct dpl_diag *reterr)
{
    int rc = build_bodies(world);
    rc = rc ? rc : dpl__motors_init(world, count_bodies(world->model).wheels);
    rc = rc ? rc : dpl__lasers_init(world);
    return rc ? rc : dpl__machines_init(world, reterr);
}

static size_t reserve_for(const struct dpl_sim_model *model)
{
    return RESERVE_A_WORLD + model->n_robots * RESERVE_A_ROBOT +
           model->n_obstacles * RESERVE_AN_OBSTACLE;
}

/* An empty world in a heap of its own. */
static struct dpl_world *allocate(const struct dpl_sim_model *model)
{
    struct dpl_heap *heap = dpl__heap_create(reserve_for(model));
    struct dpl_world *world = heap ? dpl__heap_zeroed(heap, 1, sizeof *world) : NULL;
    if (!world) {
        dpl__heap_destroy(heap);
        return NULL;
    }
    world->heap = heap;
    world->model = model;
    world->dt = dpl_ns_to_s(model->step);
    return world;
}

int dpl__world_create_bodies(const struct dpl_sim_model *model, struct dpl_world **ret_world)
{
    struct dpl_world *world = allocate(model);
    int rc = world ? build_bodies(world) : -ENOMEM;
    if (rc < 0) {
        dpl_world_destroy(world);
        return rc;
    }
    *ret_world = world;
    return 0;
}

int dpl_world_create(const struct dpl_sim_model *model, struct dpl_world **ret_world,
                     struct dpl_diag *reterr)
{
    if (model->step < 10 * DPL_US || model->step > 100 * DPL_MS || model->iterations < 1 ||
        model->iterations > 1000) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "world '%s' has steps of %g ms and %d iterations, expected 0.01 to 100 ms "
                        "and 1 to 1000",
                        model->name, dpl_ns_to_s(model->step) * 1e3, model->iterations);
    }
    struct dpl_world *world = allocate(model);
    int rc = world ? build(world, reterr) : -ENOMEM;
    if (rc) {
        dpl_world_destroy(world);
    }
    if (rc && rc != -EINVAL) {
        return dpl_fail(reterr, rc, nowhere, "out of memory for world '%s'", model->name);
    }
    if (rc == 0) {
        dpl__ejections_init(world);
        *ret_world = world;
    }
    return rc;
}

void dpl_world_destroy(struct dpl_world *world)
{
    if (world) {
        dpl__heap_destroy(world->heap);
    }
}

size_t dpl_world_snapshot_size(const struct dpl_world *world)
{
    return dpl__heap_used(world->heap);
}

int dpl_world_save(const struct dpl_world *world, void *ret_snapshot, size_t size)
{
    if (size < dpl__heap_used(world->heap)) {
        return -ENOSPC;
    }
    dpl__heap_save(world->heap, ret_snapshot);
    return 0;
}

int dpl_world_restore(struct dpl_world *world, const void *snapshot, size_t size)
{
    return dpl__heap_restore(world->heap, snapshot, size);
}
