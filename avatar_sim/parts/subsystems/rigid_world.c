/* SPDX-License-Identifier: Apache-2.0 */
/* See rigid_world.h. */
#include "rigid_world.h"

#include <errno.h>
#include <string.h>

#include <doppel/math/gravity.h>
#include <doppel/math/pose3.h>
#include <doppel/sim/show.h>

#include "world_state.h"

/* With which the figures of bases were measured (docs/design/rigid-bodies.md). */
static const double gravity_for_bases = 9.81;

/* ---- building ---- */

struct dpl_solver_shape dpl__rigid_shape(const struct dpl_sim_shape *shape)
{
    static const enum dpl_solver_shape_kind kinds[] = {
        [DPL_SIM_BOX] = DPL_SOLVER_BOX,
        [DPL_SIM_SPHERE] = DPL_SOLVER_SPHERE,
        [DPL_SIM_CYLINDER] = DPL_SOLVER_CYLINDER,
        [DPL_SIM_CAPSULE] = DPL_SOLVER_CAPSULE,
    };
    struct dpl_quaternion turn =
        dpl_quaternion_from_rpy(0.0, shape->lying ? DPL_PI / 2.0 : 0.0, shape->yaw);
    struct dpl_solver_shape made = {
        .kind = kinds[shape->kind],
        .pose = {{shape->x, shape->y, shape->z}, {turn.w, turn.x, turn.y, turn.z}},
        .size = {shape->radius, 0.0, shape->height},
    };
    if (shape->kind == DPL_SIM_BOX) {
        memcpy(made.size, (double[3]){shape->size_x, shape->size_y, shape->size_z},
               sizeof made.size);
    }
    return made;
}

static int add_obstacle(struct dpl_rigid_world *rigid, const struct dpl_sim_obstacle *obstacle,
                        int number)
{
    struct dpl_solver_shape shape = dpl__rigid_shape(&obstacle->shape);
    shape.friction = obstacle->friction;
    struct dpl_solver_body body = {
        .kind = DPL_SOLVER_STATIC,
        .pose.turn[0] = 1.0,
        .centre.turn[0] = 1.0,
        .shapes = &shape,
        .n_shapes = 1,
        .no_wheels = true,
    };
    return dpl__rigid_world_add(rigid, &body, number);
}

static int add_fixed(struct dpl_rigid_world *rigid, const struct dpl_sim_model *model)
{
    int rc = dpl__solver_add_ground(rigid->solver, model->ground_friction);
    rigid->bodies[rigid->n_bodies++] = DPL_RIGID_GROUND;
    for (size_t i = 0; i < model->n_obstacles && rc >= 0; i++) {
        rc = add_obstacle(rigid, &model->obstacles[i], -1 - (int)i);
    }
    return rc < 0 ? rc : 0;
}

static struct dpl_rigid_world *make(const struct dpl_subsystem_site *site)
{
    const struct dpl_sim_state *state = site->state;
    bool for_bases = !dpl_sim_model_has_mechanisms(site->model);
    struct dpl_solver_settings settings = {
        .gravity = for_bases ? gravity_for_bases : DPL_STANDARD_GRAVITY_M_S2,
        .iterations = site->model->iterations,
        .bodies = 1 + site->model->n_obstacles + state->bodies.n,
        .wheels = state->joints.n,
        .moving = state->bodies.n,
        .for_bases = for_bases,
    };
    struct dpl_rigid_world *rigid = dpl_world_alloc(site->world, 1, sizeof *rigid);
    if (!rigid) {
        return NULL;
    }
    rigid->solver = dpl__solver_create(site->world->heap, &settings);
    rigid->bodies = dpl_world_alloc(site->world, settings.bodies, sizeof *rigid->bodies);
    if (!rigid->solver || !rigid->bodies || add_fixed(rigid, site->model)) {
        return NULL;
    }
    rigid->n_steps = UINT64_MAX;
    return rigid;
}

struct dpl_rigid_world *dpl__rigid_world_of(const struct dpl_subsystem_site *site)
{
    if (!site->world->rigid) {
        site->world->rigid = make(site);
    }
    return site->world->rigid;
}

int dpl__rigid_world_add(struct dpl_rigid_world *rigid, const struct dpl_solver_body *body,
                         int number)
{
    int made = dpl__solver_add_body(rigid->solver, body);
    if (made >= 0) {
        rigid->bodies[rigid->n_bodies++] = number;
    }
    return made;
}

/* ---- stepping ---- */

static void publish_contact(void *user, const struct dpl_solver_contact *from)
{
    struct dpl_world *world = user;
    struct dpl_sim_contacts *contacts = &world->state.contacts;
    int a = dpl__rigid_world_body(world->rigid, from->a);
    if (a == DPL_RIGID_GROUND || a == DPL_RIGID_WHEEL || contacts->n == contacts->capacity) {
        return; /* the ground is the solver's first body */
    }
    struct dpl_sim_contact *to = &contacts->items[contacts->n++];
    to->a = a;
    to->b = dpl__rigid_world_body(world->rigid, from->b);
    memcpy(to->point, from->point, sizeof to->point);
}

void dpl__rigid_world_step(struct dpl_world *world, const struct dpl_sim_tick *tick)
{
    struct dpl_rigid_world *rigid = world->rigid;
    if (rigid->n_steps == world->n_steps) {
        return;
    }
    rigid->n_steps = world->n_steps;
    dpl__solver_step(rigid->solver, tick->dt);
    dpl__solver_contacts(rigid->solver, DPL_RIGID_TOUCH_M, publish_contact, world);
}

struct ground_question {
    const struct dpl_rigid_world *rigid;
    int first, n;
    bool answer;
};

static void take_ground(void *user, const struct dpl_solver_contact *contact)
{
    struct ground_question *question = user;
    int a = dpl__rigid_world_body(question->rigid, contact->a);
    int b = dpl__rigid_world_body(question->rigid, contact->b);
    question->answer |=
        a == DPL_RIGID_GROUND && b >= question->first && b < question->first + question->n;
}

bool dpl__rigid_world_on_ground(const struct dpl_world *world, int first, int n)
{
    struct ground_question question = {.rigid = world->rigid, .first = first, .n = n};
    if (world->rigid) {
        dpl__solver_contacts(world->rigid->solver, DPL_RIGID_TOUCH_M, take_ground, &question);
    }
    return question.answer;
}
