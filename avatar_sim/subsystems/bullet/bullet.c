/* SPDX-License-Identifier: Apache-2.0 */
/* Mechanisms in a world: bodies and joints, moved by Bullet (decision 0057). A joint takes an
 * effort
 * (`push`, while `driven`), and holds `speed` with at most `limit`; both at once, if both are
 * given. */
#include <errno.h>
#include <string.h>

#include <doppel/math/gravity.h>

#include "bullet_state.h"
#include "world_state.h"

/* Bodies closer than this touch: the solver holds them apart by about as much. */
static const double touch_gap_m = 1e-4;

static void count(const struct dpl_sim_robot *robot, struct dpl_sim_span *inout)
{
    const struct dpl_sim_mechanism *mechanism = robot->part;
    inout->n_bodies = (unsigned)mechanism->n_bodies;
    inout->n_joints = (unsigned)dpl_mechanism_slots(mechanism);
    inout->n_reactions = (unsigned)mechanism->n_joints;
}

/* Parts were checked when they were added to the mechanism. */
static int check(const struct dpl_sim_robot *robot, struct dpl_diag *reterr)
{
    (void)robot;
    (void)reterr;
    return 0;
}

/* ---- building ---- */

static struct dpl_solver_shape obstacle_shape(const struct dpl_sim_shape *from)
{
    static const enum dpl_solver_shape_kind kinds[] = {
        [DPL_SIM_BOX] = DPL_SOLVER_BOX,
        [DPL_SIM_SPHERE] = DPL_SOLVER_SPHERE,
        [DPL_SIM_CYLINDER] = DPL_SOLVER_CYLINDER,
        [DPL_SIM_CAPSULE] = DPL_SOLVER_CAPSULE,
    };
    struct dpl_quaternion turn =
        dpl_quaternion_from_rpy(0.0, from->lying ? DPL_PI / 2.0 : 0.0, from->yaw);
    struct dpl_solver_shape made = {
        .kind = kinds[from->kind],
        .pose = {{from->x, from->y, from->z}, {turn.w, turn.x, turn.y, turn.z}},
        .size = {from->radius, 0.0, from->height},
    };
    if (from->kind == DPL_SIM_BOX) {
        memcpy(made.size, (double[3]){from->size_x, from->size_y, from->size_z}, sizeof made.size);
    }
    return made;
}

static int add_obstacle(struct dpl_bullet_world *world, const struct dpl_sim_obstacle *obstacle)
{
    struct dpl_solver_shape shape = obstacle_shape(&obstacle->shape);
    shape.friction = obstacle->friction;
    struct dpl_solver_body body = {
        .kind = DPL_SOLVER_STATIC,
        .pose.turn[0] = 1.0,
        .centre.turn[0] = 1.0,
        .shapes = &shape,
        .n_shapes = 1,
    };
    return dpl__solver_add_body(world->solver, &body);
}

static int add_fixed(struct dpl_bullet_world *world, const struct dpl_sim_model *model)
{
    int rc = dpl__solver_add_ground(world->solver, model->ground_friction);
    world->bodies[world->n_bodies++] = DPL_BULLET_GROUND;
    for (size_t i = 0; i < model->n_obstacles && rc >= 0; i++) {
        rc = add_obstacle(world, &model->obstacles[i]);
        world->bodies[world->n_bodies++] = -1 - (int)i;
    }
    return rc < 0 ? rc : 0;
}

static int add_mechanisms(struct dpl_bullet_world *world, const struct dpl_sim_model *model)
{
    int rc = 0;
    for (size_t i = 0; i < model->n_robots && rc == 0; i++) {
        const struct dpl_sim_robot *robot = &model->robots[i];
        const struct dpl_sim_mechanism *mechanism = dpl__bullet_part(robot);
        if (mechanism) {
            rc =
                dpl__bullet_add_mechanism(world, mechanism, robot->start, &world->state->robots[i]);
        }
    }
    return rc ? rc : dpl__solver_ready(world->solver);
}

static void publish_bodies(const struct dpl_bullet_world *world)
{
    const struct dpl_sim_bodies *bodies = &world->state->bodies;
    for (size_t i = 0; i < world->n_bodies; i++) {
        int number = world->bodies[i];
        if (number < 0) {
            continue;
        }
        struct dpl_solver_state state;
        dpl__solver_state(world->solver, (int)i, &state);
        memcpy(world->before[number], bodies->velocity[number], sizeof state.velocity);
        memcpy(world->before[number] + 3, bodies->angular[number], sizeof state.angular);
        memcpy(bodies->position[number], state.position, sizeof state.position);
        memcpy(bodies->rotation[number], state.rotation, sizeof state.rotation);
        memcpy(bodies->velocity[number], state.velocity, sizeof state.velocity);
        memcpy(bodies->angular[number], state.angular, sizeof state.angular);
    }
}

static size_t count_of(const struct dpl_sim_mechanism *mechanism, enum dpl_sim_joint_type type)
{
    size_t n = 0;
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        n += mechanism->joints[i].type == type;
    }
    return n;
}

static int build(void *data, const struct dpl_subsystem_site *site, struct dpl_diag *reterr)
{
    (void)reterr;
    struct dpl_bullet_world *world = data;
    size_t n_bodies = 1 + site->model->n_obstacles, n_slots = 0, n_ropes = 0, n_belts = 0,
           n_joints = 0;
    for (size_t i = 0; i < site->model->n_robots; i++) {
        const struct dpl_sim_mechanism *mechanism = dpl__bullet_part(&site->model->robots[i]);
        n_bodies += mechanism ? mechanism->n_bodies : 0;
        n_slots += mechanism ? dpl_mechanism_slots(mechanism) : 0;
        n_ropes += mechanism ? count_of(mechanism, DPL_JOINT_ROPE) : 0;
        n_belts += mechanism ? count_of(mechanism, DPL_JOINT_BELT) : 0;
        n_joints += mechanism ? mechanism->n_joints : 0;
    }
    struct dpl_solver_settings settings = {
        .gravity = DPL_STANDARD_GRAVITY_M_S2,
        .iterations = site->model->iterations,
        .bodies = n_bodies,
    };
    world->state = site->state;
    world->dt = site->dt;
    world->solver = dpl__solver_create(site->world->heap, &settings);
    world->bodies = dpl_world_alloc(site->world, n_bodies, sizeof *world->bodies);
    world->of = dpl_world_alloc(site->world, site->state->bodies.n, sizeof *world->of);
    world->number_of =
        dpl_world_alloc(site->world, site->state->bodies.n, sizeof *world->number_of);
    world->before = dpl_world_alloc(site->world, site->state->bodies.n, sizeof *world->before);
    world->slots = dpl_world_alloc(site->world, n_slots, sizeof *world->slots);
    world->loaded = dpl_world_alloc(site->world, n_bodies, sizeof *world->loaded);
    world->reactions = dpl_world_alloc(site->world, n_joints, sizeof *world->reactions);
    world->belts = dpl_world_alloc(site->world, n_belts, sizeof *world->belts);
    world->ropes = dpl_world_alloc(site->world, n_ropes, sizeof *world->ropes);
    if (!world->solver || !world->bodies || !world->of || !world->number_of || !world->before ||
        !world->slots || !world->ropes || !world->belts || !world->loaded || !world->reactions) {
        return -ENOMEM;
    }
    int rc = add_fixed(world, site->model);
    rc = rc ? rc : add_mechanisms(world, site->model);
    if (rc == 0) {
        publish_bodies(world);
        publish_bodies(world); /* nothing has been accelerated yet */
        dpl__bullet_publish_joints(world, site->dt);
    }
    return rc;
}

/* ---- stepping ---- */

static void publish_contact(void *user, const struct dpl_solver_contact *from)
{
    const struct dpl_bullet_world *world = user;
    struct dpl_sim_contacts *contacts = &world->state->contacts;
    int a = world->bodies[from->a], b = world->bodies[from->b];
    if (a == DPL_BULLET_GROUND || contacts->n == contacts->capacity) {
        return; /* the ground is the solver's first body */
    }
    struct dpl_sim_contact *to = &contacts->items[contacts->n++];
    to->a = a;
    to->b = b;
    memcpy(to->point, from->point, sizeof to->point);
}

struct ground_question {
    const int *bodies; /* of the world */
    int first, n;
    bool answer;
};

static void take_ground(void *user, const struct dpl_solver_contact *contact)
{
    struct ground_question *question = user;
    int a = question->bodies[contact->a], b = question->bodies[contact->b];
    question->answer |=
        a == DPL_BULLET_GROUND && b >= question->first && b < question->first + question->n;
}

bool dpl__bullet_on_ground(const struct dpl_world *world, int first, int n)
{
    const struct dpl_bullet_world *bullet = dpl_world_subsystem(world, &dpl_bullet_subsystem);
    if (!bullet) {
        return false;
    }
    struct ground_question question = {.bodies = bullet->bodies, .first = first, .n = n};
    dpl__solver_contacts(bullet->solver, touch_gap_m, take_ground, &question);
    return question.answer;
}

static void load_bodies(const struct dpl_bullet_world *world)
{
    for (size_t i = 0; i < world->n_loaded; i++) {
        int body = world->loaded[i];
        dpl__solver_load(world->solver, body, world->state->bodies.load[world->bodies[body]]);
    }
}

static void push_bodies(const struct dpl_bullet_world *world)
{
    for (const struct dpl_sim_push *push = world->state->pushes; push; push = push->next) {
        double force[3], torque[3];
        dpl_sim_push_turned(world->state, push, force, torque);
        dpl__solver_push(world->solver, world->number_of[push->body], force, torque, push->point);
    }
}

static void want_reactions(const struct dpl_bullet_world *world)
{
    const struct dpl_sim_reactions *reactions = &world->state->reactions;
    for (size_t i = 0; i < world->n_reactions; i++) {
        const struct dpl_bullet_reaction *one = &world->reactions[i];
        if (reactions->wanted[one->joint]) {
            dpl__solver_measure(world->solver, one->number);
        }
    }
}

static void publish_reactions(const struct dpl_bullet_world *world)
{
    const struct dpl_sim_reactions *reactions = &world->state->reactions;
    for (size_t i = 0; i < world->n_reactions; i++) {
        const struct dpl_bullet_reaction *one = &world->reactions[i];
        if (reactions->wanted[one->joint]) {
            dpl__solver_reaction(world->solver, one->number, reactions->wrench[one->joint]);
        }
    }
}

static void step(void *data, const struct dpl_sim_tick *tick)
{
    struct dpl_bullet_world *world = data;
    load_bodies(world);
    want_reactions(world);
    push_bodies(world);
    dpl__bullet_drive(world, tick->dt);
    dpl__solver_step(world->solver, tick->dt);
    publish_bodies(world);
    dpl__bullet_publish_joints(world, tick->dt);
    publish_reactions(world);
    dpl__solver_contacts(world->solver, touch_gap_m, publish_contact, world);
}

const struct dpl_subsystem_class dpl_bullet_subsystem = {
    .name = "bullet",
    .noun = "mechanism",
    .part_is_mechanism = true,
    .summary = "bodies and joints, moved by Bullet",
    .check = check,
    .is_fixed = true,
    .count = count,
    .data_size = sizeof(struct dpl_bullet_world),
    .build = build,
    .step = step,
    .add_channels = dpl__bullet_add_channels,
};
