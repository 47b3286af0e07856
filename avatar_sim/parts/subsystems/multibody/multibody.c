/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies and joints in minimal coordinates, in a world (docs/design/machine-formats.md). */
#include <errno.h>
#include <string.h>

#include "multibody_state.h"
#include "rigid_world.h"
#include "world_state.h"

static const struct dpl_place nowhere;

/* ---- memory: that of the world ---- */

static void *take(void *user, size_t bytes)
{
    return dpl__heap_zeroed(user, 1, bytes);
}

static void give(void *user, void *block)
{
    dpl__heap_free(user, block);
}

static struct dpl_mb_memory memory_of(const struct dpl_world *world)
{
    return (struct dpl_mb_memory){take, give, world->heap};
}

/* ---- building ---- */

int dpl__multibody_coordinates(const struct dpl_mb_joint *joint)
{
    return joint->is_removed || joint->type == DPL_MB_FLOAT ? 0
                                                            : dpl_mb_joint_freedoms(joint->type);
}

static void count(const struct dpl_sim_robot *robot, struct dpl_sim_span *inout)
{
    const struct dpl_multibody_part *part = robot->part;
    inout->n_bodies = (unsigned)part->mechanism.n_bodies;
    inout->n_joints = (unsigned)part->mechanism.n_joints;
    inout->n_reactions = 0;
}

/* The graph was checked when it was made. */
static int check(const struct dpl_sim_robot *robot, struct dpl_diag *reterr)
{
    (void)robot;
    (void)reterr;
    return 0;
}

static struct dpl_mb_place base_of(struct dpl_pose2 start, double z)
{
    double c = cos(start.theta), s = sin(start.theta);
    return (struct dpl_mb_place){
        .rotation = {c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0},
        .position = {start.x, start.y, z},
    };
}

/* The file's gravity is along the axes of the robot's frame. */
static int build_robot(struct dpl_multibody_world *data, const struct dpl_subsystem_site *site,
                       int number, struct dpl_diag *reterr)
{
    const struct dpl_sim_robot *model = &site->model->robots[number];
    struct dpl_multibody_robot *robot = &data->robots[data->n_robots++];
    const struct dpl_multibody_part *part = model->part;
    const struct dpl_mb_memory memory = memory_of(site->world);
    struct dpl_mb_settings settings = part->settings;
    robot->part = part;
    robot->robot = number;
    robot->base = base_of(model->start, part->z);
    settings.memory = memory;
    int rc = dpl_mb_graph_copy(part->star->graph, &memory, &robot->graph);
    if (rc) {
        return rc;
    }
    robot->wanted = dpl_world_alloc(site->world, robot->graph->n_assemblies, sizeof(bool));
    robot->effort = dpl_world_alloc(site->world, 3 * robot->graph->n_joints + 1, sizeof(double));
    robot->commands =
        dpl_world_alloc(site->world, robot->graph->n_joints + 1, sizeof *robot->commands);
    if (!robot->wanted || !robot->effort || !robot->commands) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < robot->graph->n_assemblies; i++) {
        robot->wanted[i] = robot->graph->assemblies[i].is_active;
    }
    struct dpl_diag why;
    rc = dpl_mb_system_create(robot->graph, &settings, NULL, NULL, NULL, &robot->system, &why);
    if (rc == 0) {
        rc = dpl__multibody_contacts_make(site, part, number, &robot->base, &robot->contacts);
        dpl__multibody_contacts_act(robot->contacts, robot->system);
    }
    if (rc == 0 || rc == -ENOMEM) {
        return rc;
    }
    if (why.place.line > 0) {
        return dpl_fail(reterr, -EINVAL, nowhere, "robot '%s': %s:%d:%d: %s", model->name,
                        part->file, why.place.line, why.place.column, why.text);
    }
    return dpl_fail(reterr, -EINVAL, nowhere, "robot '%s': %s: %s", model->name, part->file,
                    why.text);
}

/* ---- state ---- */

static void turn(const double r[9], const double v[3], double ret[3])
{
    for (int i = 0; i < 3; i++) {
        ret[i] = r[3 * i] * v[0] + r[3 * i + 1] * v[1] + r[3 * i + 2] * v[2];
    }
}

static void publish_body(const struct dpl_multibody_robot *robot, int number,
                         struct dpl_sim_bodies *bodies, int to)
{
    const double *base = robot->base.rotation;
    struct dpl_mb_body_state state;
    if (dpl_mb_body(robot->system, number, &state) != 0) {
        return; /* it is switched off: it stays where it was */
    }
    turn(base, state.place.position, bodies->position[to]);
    turn(base, state.velocity, bodies->velocity[to]);
    turn(base, state.angular, bodies->angular[to]);
    for (int i = 0; i < 3; i++) {
        bodies->position[to][i] += robot->base.position[i];
        for (int j = 0; j < 3; j++) {
            bodies->rotation[to][i][j] = base[3 * i] * state.place.rotation[j] +
                                         base[3 * i + 1] * state.place.rotation[3 + j] +
                                         base[3 * i + 2] * state.place.rotation[6 + j];
        }
    }
}

static void publish_joints(const struct dpl_multibody_robot *robot, struct dpl_sim_joints *joints,
                           int to)
{
    for (size_t i = 0; i < robot->graph->n_joints; i++) {
        const struct dpl_mb_joint *joint = &robot->graph->joints[i];
        struct dpl_mb_joint_state state;
        if (joint->is_removed || dpl_mb_joint_freedoms(joint->type) != 1) {
            continue;
        }
        if (dpl_mb_joint(robot->system, (int)i, &state) == 0) {
            joints->position[to] = state.displacement[0];
            joints->velocity[to] = state.velocity[0];
            joints->effort[to] = state.effort[0];
        }
        to++;
    }
}

void dpl__multibody_publish(struct dpl_multibody_world *data)
{
    for (size_t r = 0; r < data->n_robots; r++) {
        const struct dpl_multibody_robot *robot = &data->robots[r];
        const struct dpl_sim_span *span = &data->state->robots[robot->robot];
        for (size_t i = 0; i < robot->part->mechanism.n_bodies; i++) {
            publish_body(robot, robot->part->graph_body[i], &data->state->bodies,
                         span->first_body + (int)i);
        }
        publish_joints(robot, &data->state->joints, span->first_joint);
        dpl__multibody_contacts_publish(robot->contacts, &data->state->contacts);
    }
}

/* What is switched off from the start on is at the robot's frame. */
static void lay_out(struct dpl_multibody_world *data)
{
    for (size_t r = 0; r < data->n_robots; r++) {
        const struct dpl_multibody_robot *robot = &data->robots[r];
        const struct dpl_sim_span *span = &data->state->robots[robot->robot];
        for (unsigned i = 0; i < span->n_bodies; i++) {
            int to = span->first_body + (int)i;
            memcpy(data->state->bodies.position[to], robot->base.position, 3 * sizeof(double));
            memcpy(data->state->bodies.rotation[to], robot->base.rotation, 9 * sizeof(double));
        }
    }
}

static int build(void *of, const struct dpl_subsystem_site *site, struct dpl_diag *reterr)
{
    struct dpl_multibody_world *data = of;
    int rc = 0;
    data->world = site->world;
    data->state = site->state;
    data->robots = dpl_world_alloc(site->world, site->model->n_robots, sizeof *data->robots);
    rc = data->robots ? 0 : -ENOMEM;
    for (size_t i = 0; i < site->model->n_robots && rc == 0; i++) {
        if (dpl__multibody_part_of(&site->model->robots[i])) {
            rc = build_robot(data, site, (int)i, reterr);
        }
    }
    rc = rc ? rc : dpl__multibody_list(data);
    if (rc == 0) {
        lay_out(data);
        dpl__multibody_publish(data);
    }
    return rc;
}

static int built(void *of)
{
    struct dpl_multibody_world *data = of;
    int rc = 0;
    for (size_t i = 0; i < data->n_robots && rc == 0; i++) {
        rc = dpl__multibody_contacts_begin(data->robots[i].contacts);
    }
    return rc;
}

/* ---- stepping ---- */

static void hand_over(struct dpl_multibody_robot *robot, const struct dpl_mb_memory *memory)
{
    if (robot->is_changed) {
        dpl__multibody_switch(robot, memory);
    }
    for (size_t i = 0; i < robot->graph->n_joints; i++) {
        const struct dpl_mb_joint *joint = &robot->graph->joints[i];
        for (int k = 0; k < dpl__multibody_coordinates(joint); k++) {
            dpl_mb_apply(robot->system, (int)i, k, robot->effort[3 * i + (size_t)k]);
        }
        if (robot->commands[i].is_given) {
            dpl_mb_command(robot->system, (int)i, robot->commands[i].mode,
                           robot->commands[i].setpoint);
        }
    }
}

/* Of bodies that hands hold: a force at their origin, and its torque. */
static void pull_at_grips(struct dpl_multibody_world *data, double dt)
{
    for (size_t i = 0; i < data->n_bodies; i++) {
        if (data->grips[i].is_held) {
            dpl__grip_pull(&data->grips[i], data->state, dt);
            dpl__multibody_push(data, i);
        }
    }
}

static void take_events(struct dpl_multibody_robot *robot)
{
    struct dpl_mb_event event;
    while (dpl_mb_take_event(robot->system, &event)) {
        struct dpl_multibody_told *told = &robot->told[event.type];
        if (told->n++ == 0) {
            told->first_s = event.time;
            told->first_joint = event.joint;
        }
    }
}

static void step(void *of, const struct dpl_sim_tick *tick)
{
    struct dpl_multibody_world *data = of;
    const struct dpl_mb_memory memory = memory_of(data->world);
    pull_at_grips(data, tick->dt);
    for (size_t i = 0; i < data->n_robots; i++) {
        hand_over(&data->robots[i], &memory);
        dpl_mb_step(data->robots[i].system, tick->dt);
        take_events(&data->robots[i]);
    }
    dpl__multibody_publish(data);
}

const struct dpl_subsystem_class dpl_multibody_subsystem = {
    .name = "multibody",
    .noun = "mechanism in STAR's format",
    .part_is_mechanism = true,
    .summary = "bodies and joints in minimal coordinates, also in loops",
    .check = check,
    .is_fixed = true,
    .count = count,
    .data_size = sizeof(struct dpl_multibody_world),
    .build = build,
    .built = built,
    .step = step,
    .add_channels = dpl__multibody_add_channels,
    .entry_path = dpl__multibody_entry_path,
    .on_ground = dpl__rigid_world_on_ground,
};
