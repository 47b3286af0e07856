/* SPDX-License-Identifier: Apache-2.0 */
/* A running world: built on a model, stepped, asked where its robots are. See doppel/sim/world.h.
 */
#include <doppel/sim/world.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "world_state.h"

/* Bodies closer than this touch: the solver holds them apart by about as much. */
static const double touch_gap_m = 1e-4;

/* Less is the solver's play: touching bodies lie that deep in each other. */
static const double place_depth_m = 1e-3;

enum { CONTACTS_A_STEP = 512 };

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
    world->robots = calloc(model->n_robots + 1, sizeof *world->robots);
    if (!world->robots) {
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

int dpl__world_build_bodies(struct dpl_world *world)
{
    size_t max_bodies =
        1 + world->model->n_obstacles + world->model->n_robots * (size_t)(1 + DPL_SIM_WHEELS_MAX);
    world->bullet = dpl__bullet_create(max_bodies, world->model->iterations);
    if (!world->bullet) {
        return -ENOMEM;
    }
    int rc = add_static_parts(world);
    return rc ? rc : add_robots(world);
}

static int build(struct dpl_world *world, struct dpl_diag *reterr)
{
    int rc = dpl__world_build_bodies(world);
    rc = rc ? rc : dpl__motors_init(world);
    rc = rc ? rc : dpl__lasers_init(world);
    return rc ? rc : dpl__machines_init(world, reterr);
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
    struct dpl_world *world = calloc(1, sizeof *world);
    if (!world) {
        return dpl_fail(reterr, -ENOMEM, nowhere, "out of memory for world '%s'", model->name);
    }
    world->model = model;
    world->dt = dpl_ns_to_s(model->step);
    int rc = build(world, reterr);
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
    if (!world) {
        return;
    }
    dpl__machines_finish(world);
    dpl__lasers_finish(world);
    dpl__motors_finish(world);
    dpl__bullet_destroy(world->bullet);
    free(world->robots);
    free(world);
}

const struct dpl_sim_model *dpl_world_model(const struct dpl_world *world)
{
    return world->model;
}

dpl_ns dpl_world_now(const struct dpl_world *world)
{
    return world->now;
}

static struct dpl__robot *robot_of_body(struct dpl_world *world, int body, int *ret_number)
{
    int chassis = body - world->first_chassis;
    if (chassis < 0 || (size_t)chassis >= world->n_chassis) {
        return NULL;
    }
    *ret_number = world->chassis_robot[chassis];
    return &world->robots[*ret_number];
}

static void feel_touch(struct dpl_world *world, int body, const struct dpl_bullet_contact *contact,
                       bool begins)
{
    int number;
    struct dpl__robot *robot = robot_of_body(world, body, &number);
    if (!robot) {
        return;
    }
    struct dpl_pose2 pose = dpl__world_pose(world, number);
    double bearing = atan2(contact->y - pose.y, contact->x - pose.x) - pose.theta;
    double sectors = dpl_wrap_angle(bearing) * DPL_SIM_SECTORS / (2.0 * DPL_PI);
    unsigned sector = (unsigned)floor(sectors + DPL_SIM_SECTORS) % DPL_SIM_SECTORS;
    robot->touched_until[sector] = world->now + DPL_TOUCHES_PAUSE;
    robot->contacts += begins;
}

static void follow_touches(struct dpl_world *world)
{
    struct dpl_bullet_contact contacts[CONTACTS_A_STEP];
    size_t n = dpl__bullet_contacts(world->bullet, touch_gap_m, contacts, CONTACTS_A_STEP);
    for (size_t i = 0; i < n; i++) {
        const struct dpl_bullet_contact *contact = &contacts[i];
        bool begins = dpl__touches_see(&world->touches, contact->a, contact->b, world->now);
        feel_touch(world, contact->a, contact, begins);
        feel_touch(world, contact->b, contact, begins);
    }
    dpl__touches_expire(&world->touches, world->now);
}

/* A world without mobile robots has nothing that the solver could move. */
static void step_bodies(struct dpl_world *world)
{
    dpl__motors_step(world);
    dpl__bullet_step(world->bullet, world->dt);
    dpl__motors_trim(world);
}

void dpl_world_step(struct dpl_world *world, unsigned n)
{
    bool mobile = world->n_chassis > 0;
    for (unsigned i = 0; i < n; i++) {
        if (mobile) {
            step_bodies(world);
        }
        world->now += world->model->step;
        if (mobile) {
            follow_touches(world);
            dpl__ejections_step(world);
            dpl__lasers_step(world);
        }
        dpl__machines_step(world);
    }
}

void dpl_world_run_until(struct dpl_world *world, dpl_ns until)
{
    while (world->now < until) {
        dpl_world_step(world, 1);
    }
}

int dpl_world_find_robot(const struct dpl_world *world, const char *robot)
{
    for (size_t i = 0; i < world->model->n_robots; i++) {
        if (dpl_name_equal(world->model->robots[i].name, robot)) {
            return (int)i;
        }
    }
    return -ENOENT;
}

static int find_laser(const struct dpl_world *world, int robot, const char *name)
{
    for (size_t i = 0; i < world->n_lasers; i++) {
        if (world->lasers[i].robot == robot && dpl_name_equal(world->lasers[i].model->name, name)) {
            return (int)i;
        }
    }
    return -ENOENT;
}

int dpl_world_find_device(const struct dpl_world *world, int robot, enum dpl_world_device kind,
                          const char *name)
{
    if (kind == DPL_WORLD_LASER) {
        return find_laser(world, robot, name);
    }
    if (kind == DPL_WORLD_AXIS) {
        return dpl__machines_find(world, robot, name);
    }
    for (size_t i = 0; i < world->n_motors; i++) {
        const struct dpl_sim_wheel *wheel = world->motors[i].wheel;
        const char *own = kind == DPL_WORLD_MOTOR ? wheel->motor : wheel->encoder;
        if (world->motors[i].robot == robot && *own && dpl_name_equal(own, name)) {
            return (int)i;
        }
    }
    return -ENOENT;
}

static bool has_robot(const struct dpl_world *world, int robot)
{
    return robot >= 0 && (size_t)robot < world->model->n_robots;
}

static void get_axle(const struct dpl_world *world, int robot, struct dpl_bullet_point *ret_point)
{
    const struct dpl__robot *state = &world->robots[robot];
    dpl__bullet_get_point(world->bullet, state->body, state->axle, ret_point);
}

static bool is_mobile(const struct dpl_world *world, int robot)
{
    return has_robot(world, robot) && world->robots[robot].body >= 0;
}

struct dpl_pose2 dpl__world_pose(const struct dpl_world *world, int robot)
{
    struct dpl_bullet_point axle;
    if (!is_mobile(world, robot)) {
        return world->model->robots[robot].start;
    }
    get_axle(world, robot, &axle);
    return (struct dpl_pose2){axle.position[0], axle.position[1],
                              atan2(axle.axis_x[1], axle.axis_x[0])};
}

static uint32_t touched_sectors(const struct dpl_world *world, int robot)
{
    uint32_t touched = 0;
    for (unsigned i = 0; i < DPL_SIM_SECTORS; i++) {
        touched |= (uint32_t)(world->robots[robot].touched_until[i] > world->now) << i;
    }
    return touched;
}

void dpl_world_get_robot(const struct dpl_world *world, int robot,
                         struct dpl_world_robot *ret_robot)
{
    struct dpl_bullet_point axle;
    if (!has_robot(world, robot)) {
        return;
    }
    if (!is_mobile(world, robot)) {
        *ret_robot = (struct dpl_world_robot){.pose = world->model->robots[robot].start};
        return;
    }
    get_axle(world, robot, &axle);
    struct dpl_pose2 pose = {axle.position[0], axle.position[1],
                             atan2(axle.axis_x[1], axle.axis_x[0])};
    *ret_robot = (struct dpl_world_robot){
        .pose = pose,
        .twist = {axle.velocity[0] * cos(pose.theta) + axle.velocity[1] * sin(pose.theta),
                  axle.angular[2]},
        .contacts = world->robots[robot].contacts,
        .touched = touched_sectors(world, robot),
        .ejections = world->robots[robot].ejections,
    };
}

int dpl__world_taken_by(const struct dpl_world *world, int robot, struct dpl_pose2 pose)
{
    double at[3] = {pose.x, pose.y, pose.theta};
    return dpl__bullet_taken_by(world->bullet, world->robots[robot].body, at, place_depth_m);
}

int dpl_world_set_pose(struct dpl_world *world, int robot, struct dpl_pose2 pose)
{
    if (!is_mobile(world, robot) || !dpl_pose2_is_finite(pose) || fabs(pose.x) > DPL_SIM_EXTENT ||
        fabs(pose.y) > DPL_SIM_EXTENT) {
        return -EINVAL;
    }
    if (dpl__world_taken_by(world, robot, pose) > 0) {
        return -EBUSY;
    }
    double at[3] = {pose.x, pose.y, pose.theta};
    dpl__bullet_place(world->bullet, world->robots[robot].body, at);
    dpl__ejections_forget(world, robot);
    return 0;
}
