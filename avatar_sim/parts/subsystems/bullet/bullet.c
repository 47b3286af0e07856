/* SPDX-License-Identifier: Apache-2.0 */
/* Mechanisms in a world: bodies and joints, moved by Bullet (docs/design/rigid-bodies.md). A joint
 * takes an effort
 * (`push`, while `driven`), and holds `speed` with at most `limit`; both at once, if both are
 * given. */
#include <errno.h>
#include <string.h>

#include <doppel/math/gravity.h>

#include "bullet_state.h"
#include "world_state.h"

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

void dpl__bullet_publish_bodies(const struct dpl_bullet_world *world)
{
    const struct dpl_sim_bodies *bodies = &world->state->bodies;
    for (size_t i = 0; i < world->rigid->n_bodies; i++) {
        int number = world->rigid->bodies[i];
        if (number < 0 || !world->of[number]) {
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
    size_t n_bodies = 0, n_slots = 0, n_ropes = 0, n_belts = 0, n_joints = 0;
    for (size_t i = 0; i < site->model->n_robots; i++) {
        const struct dpl_sim_mechanism *mechanism = dpl__bullet_part(&site->model->robots[i]);
        n_bodies += mechanism ? mechanism->n_bodies : 0;
        n_slots += mechanism ? dpl_mechanism_slots(mechanism) : 0;
        n_ropes += mechanism ? count_of(mechanism, DPL_JOINT_ROPE) : 0;
        n_belts += mechanism ? count_of(mechanism, DPL_JOINT_BELT) : 0;
        n_joints += mechanism ? mechanism->n_joints : 0;
    }
    world->state = site->state;
    world->world = site->world;
    world->dt = site->dt;
    world->rigid = dpl__rigid_world_of(site);
    world->of = dpl_world_alloc(site->world, site->state->bodies.n, sizeof *world->of);
    world->number_of =
        dpl_world_alloc(site->world, site->state->bodies.n, sizeof *world->number_of);
    world->before = dpl_world_alloc(site->world, site->state->bodies.n, sizeof *world->before);
    world->grips = dpl_world_alloc(site->world, site->state->bodies.n, sizeof *world->grips);
    world->slots = dpl_world_alloc(site->world, n_slots, sizeof *world->slots);
    world->loaded = dpl_world_alloc(site->world, n_bodies, sizeof *world->loaded);
    world->reactions = dpl_world_alloc(site->world, n_joints, sizeof *world->reactions);
    world->belts = dpl_world_alloc(site->world, n_belts, sizeof *world->belts);
    world->ropes = dpl_world_alloc(site->world, n_ropes, sizeof *world->ropes);
    if (!world->rigid || !world->of || !world->number_of || !world->before || !world->slots ||
        !world->grips || !world->ropes || !world->belts || !world->loaded || !world->reactions) {
        return -ENOMEM;
    }
    world->solver = world->rigid->solver;
    int rc = add_mechanisms(world, site->model);
    if (rc == 0) {
        dpl__bullet_publish_bodies(world);
        dpl__bullet_publish_bodies(world); /* nothing has been accelerated yet */
        dpl__bullet_publish_joints(world, site->dt);
    }
    return rc;
}

/* ---- stepping ---- */

static void load_bodies(const struct dpl_bullet_world *world)
{
    for (size_t i = 0; i < world->n_loaded; i++) {
        int body = world->loaded[i];
        dpl__solver_load(world->solver, body,
                         world->state->bodies.load[world->rigid->bodies[body]]);
    }
}

static void pull_at_grips(const struct dpl_bullet_world *world, double dt)
{
    for (size_t i = 0; i < world->state->bodies.n; i++) {
        if (world->grips[i].is_held) {
            dpl__grip_pull(&world->grips[i], world->state, dt);
        }
    }
}

static void push_bodies(const struct dpl_bullet_world *world)
{
    for (const struct dpl_sim_push *push = world->state->pushes; push; push = push->next) {
        double force[3], torque[3];
        if (!world->of[push->body]) {
            continue; /* of another subsystem */
        }
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

static void prepare(void *data, const struct dpl_sim_tick *tick)
{
    struct dpl_bullet_world *world = data;
    load_bodies(world);
    want_reactions(world);
    pull_at_grips(world, tick->dt);
    push_bodies(world);
    dpl__bullet_drive(world, tick->dt);
}

static void step(void *data, const struct dpl_sim_tick *tick)
{
    struct dpl_bullet_world *world = data;
    dpl__rigid_world_step(world->world, tick);
    dpl__bullet_publish_bodies(world);
    dpl__bullet_publish_joints(world, tick->dt);
    publish_reactions(world);
}

static int overturned(const void *data)
{
    const struct dpl_bullet_world *world = data;
    int number = dpl__solver_overturned(world->solver);
    return number < 0 ? -1 : dpl__rigid_world_body(world->rigid, number);
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
    .prepare = prepare,
    .step = step,
    .overturned = overturned,
    .place = dpl__bullet_place,
    .add_channels = dpl__bullet_add_channels,
    .on_ground = dpl__rigid_world_on_ground,
};
