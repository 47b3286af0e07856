/* SPDX-License-Identifier: Apache-2.0 */
/* Building a world on a model: its state, then the subsystems of its robots, then their entries. */
#include <errno.h>

#include <doppel/sim/channels.h>
#include <doppel/sim/mechanism.h>
#include <doppel/sim/show.h>

#include "class_calls.h"
#include "world_state.h"

/* Of addresses. An obstacle was measured to use 2.4 kB, a robot with a laser of 1081 beams 160. */
#define RESERVE_A_WORLD     ((size_t)64 << 20)
#define RESERVE_A_ROBOT     ((size_t)2 << 20)
#define RESERVE_A_BODY      ((size_t)256 << 10)
#define RESERVE_AN_OBSTACLE ((size_t)64 << 10)
#define RESERVE_A_FACE      ((size_t)1 << 10)

/* Of a world, and more for each body. */
enum { CONTACTS_A_WORLD = 512, CONTACTS_A_BODY = 16 };

static const struct dpl_place nowhere;

static size_t entries_reserve(const struct dpl_sim_robot *robot)
{
    size_t sum = 0;
    for (size_t i = 0; i < robot->n_entries; i++) {
        const struct dpl_sim_entry *entry = &robot->entries[i];
        sum += entry->class_->reserve ? entry->class_->reserve(entry->settings) : 0;
    }
    return sum;
}

/* Of meshes and height fields of bodies that stand still, which Bullet keeps in its own way. */
static size_t shapes_reserve(const struct dpl_sim_robot *robot)
{
    const struct dpl_sim_mechanism *mechanism = dpl_sim_robot_mechanism(robot);
    size_t sum = 0;
    for (size_t i = 0; mechanism && i < mechanism->n_bodies; i++) {
        const struct dpl_sim_body *body = &mechanism->bodies[i];
        for (size_t k = 0; k < body->n_solids; k++) {
            const struct dpl_sim_field *field = &body->solids[k].field;
            sum += body->solids[k].n_faces * RESERVE_A_FACE;
            sum += (size_t)field->columns * field->rows * 2 * sizeof *field->heights;
        }
    }
    return sum;
}

size_t dpl__world_reserve(const struct dpl_sim_model *model)
{
    struct dpl_sim_span all = {0};
    size_t n_bodies = 0, entries = 0;
    for (size_t i = 0; i < model->n_robots; i++) {
        model->robots[i].subsystem->count(&model->robots[i], &all);
        n_bodies += all.n_bodies;
        entries += entries_reserve(&model->robots[i]) + shapes_reserve(&model->robots[i]);
    }
    return RESERVE_A_WORLD + model->n_robots * RESERVE_A_ROBOT + n_bodies * RESERVE_A_BODY +
           model->n_obstacles * RESERVE_AN_OBSTACLE + entries;
}

static int size_robots(struct dpl_world *world)
{
    const struct dpl_sim_model *model = world->model;
    struct dpl_sim_state *state = &world->state;
    state->robots = dpl_world_alloc(world, model->n_robots, sizeof *state->robots);
    if (!state->robots) {
        return -ENOMEM;
    }
    state->n_robots = model->n_robots;
    for (size_t i = 0; i < model->n_robots; i++) {
        struct dpl_sim_span *span = &state->robots[i];
        span->first_body = (int)state->bodies.n;
        span->first_joint = (int)state->joints.n;
        span->first_reaction = (int)state->reactions.n;
        model->robots[i].subsystem->count(&model->robots[i], span);
        state->bodies.n += span->n_bodies;
        state->joints.n += span->n_joints;
        state->reactions.n += span->n_reactions;
    }
    return 0;
}

static int size_bodies(struct dpl_world *world)
{
    struct dpl_sim_bodies *bodies = &world->state.bodies;
    struct dpl_sim_contacts *contacts = &world->state.contacts;
    contacts->capacity = CONTACTS_A_WORLD + CONTACTS_A_BODY * bodies->n;
    contacts->items = dpl_world_alloc(world, contacts->capacity, sizeof *contacts->items);
    bodies->position = dpl_world_alloc(world, bodies->n, sizeof *bodies->position);
    bodies->rotation = dpl_world_alloc(world, bodies->n, sizeof *bodies->rotation);
    bodies->velocity = dpl_world_alloc(world, bodies->n, sizeof *bodies->velocity);
    bodies->angular = dpl_world_alloc(world, bodies->n, sizeof *bodies->angular);
    bodies->load = dpl_world_alloc(world, bodies->n, sizeof *bodies->load);
    bool good = contacts->items && bodies->load && bodies->position && bodies->rotation &&
                bodies->velocity && bodies->angular;
    return good ? 0 : -ENOMEM;
}

static int size_joints(struct dpl_world *world)
{
    struct dpl_sim_joints *joints = &world->state.joints;
    double **const numbers[] = {&joints->position, &joints->velocity, &joints->effort,
                                &joints->speed,    &joints->limit,    &joints->push,
                                &joints->damping,  &joints->share};
    for (size_t i = 0; i < DPL_COUNT(numbers); i++) {
        *numbers[i] = dpl_world_alloc(world, joints->n, sizeof **numbers[i]);
        if (!*numbers[i]) {
            return -ENOMEM;
        }
    }
    for (size_t i = 0; i < joints->n; i++) {
        joints->share[i] = 1.0;
    }
    joints->driven = dpl_world_alloc(world, joints->n, sizeof *joints->driven);
    joints->held = dpl_world_alloc(world, joints->n, sizeof *joints->held);
    return joints->driven && joints->held ? 0 : -ENOMEM;
}

static int size_reactions(struct dpl_world *world)
{
    struct dpl_sim_reactions *reactions = &world->state.reactions;
    reactions->wrench = dpl_world_alloc(world, reactions->n, sizeof *reactions->wrench);
    reactions->wanted = dpl_world_alloc(world, reactions->n, sizeof *reactions->wanted);
    return reactions->wrench && reactions->wanted ? 0 : -ENOMEM;
}

/* Once for each class, in the order of the robots. */
static int build_subsystem(struct dpl_world *world, const struct dpl_subsystem_class *class,
                           struct dpl_diag *reterr)
{
    if (dpl_world_subsystem(world, class)) {
        return 0;
    }
    void *data = dpl_world_alloc(world, 1, class->data_size);
    if (!data) {
        return -ENOMEM;
    }
    struct dpl_subsystem_site site = {world, world->model, &world->state, world->dt};
    world->subsystems[world->n_subsystems++] = (struct dpl__running){class, data};
    return dpl__subsystem_build(class, data, &site, reterr);
}

static int build_subsystems(struct dpl_world *world, struct dpl_diag *reterr)
{
    size_t n = world->model->n_robots;
    world->subsystems = dpl_world_alloc(world, n, sizeof *world->subsystems);
    int rc = world->subsystems ? 0 : -ENOMEM;
    for (size_t i = 0; i < n && rc == 0; i++) {
        rc = build_subsystem(world, world->model->robots[i].subsystem, reterr);
    }
    for (size_t i = 0; i < world->n_subsystems && rc == 0; i++) {
        const struct dpl__running *running = &world->subsystems[i];
        rc = dpl__subsystem_built(running->class, running->data, reterr);
    }
    return rc;
}

/* ---- entries ---- */

static struct dpl__group *find_group(struct dpl_world *world,
                                     const struct dpl_sim_entry_class *class)
{
    for (size_t i = 0; i < world->n_groups; i++) {
        if (world->groups[i].class == class) {
            return &world->groups[i];
        }
    }
    struct dpl__group *group = &world->groups[world->n_groups++];
    group->class = class;
    return group;
}

static size_t count_entries(const struct dpl_sim_model *model)
{
    size_t n = 0;
    for (size_t r = 0; r < model->n_robots; r++) {
        n += model->robots[r].n_entries;
    }
    return n;
}

/* Counts the entries of each class, then makes room for that many. */
static int make_groups(struct dpl_world *world)
{
    const struct dpl_sim_model *model = world->model;
    world->groups = dpl_world_alloc(world, count_entries(model), sizeof *world->groups);
    if (!world->groups) {
        return -ENOMEM;
    }
    for (size_t r = 0; r < model->n_robots; r++) {
        for (size_t i = 0; i < model->robots[r].n_entries; i++) {
            find_group(world, model->robots[r].entries[i].class_)->n++;
        }
    }
    for (size_t i = 0; i < world->n_groups; i++) {
        struct dpl__group *group = &world->groups[i];
        group->states = dpl_world_alloc(world, group->n, group->class->state_size);
        group->sites = dpl_world_alloc(world, group->n, sizeof *group->sites);
        if (!group->states || !group->sites) {
            return -ENOMEM;
        }
        group->n = 0;
    }
    return 0;
}

static int add_entry(struct dpl_world *world, size_t robot, const struct dpl_sim_entry *entry,
                     struct dpl_diag *reterr)
{
    const struct dpl_sim_span *span = &world->state.robots[robot];
    struct dpl__group *group = find_group(world, entry->class_);
    bool has_reaction = entry->class_->is_at_whole_joint;
    if (has_reaction && entry->whole_joint >= span->n_reactions) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "%s '%s' is at joint %u of robot '%s', of which %u are known",
                        entry->class_->name, entry->name, entry->whole_joint,
                        world->model->robots[robot].name, span->n_reactions);
    }
    if (entry->body >= span->n_bodies || entry->joint >= (int)span->n_joints) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "%s '%s' is at body %u and joint %d of robot '%s', which has %u and %u",
                        entry->class_->name, entry->name, entry->body, entry->joint,
                        world->model->robots[robot].name, span->n_bodies, span->n_joints);
    }
    struct dpl_sim_site *site = &group->sites[group->n];
    *site = (struct dpl_sim_site){
        .world = world,
        .model = world->model,
        .state = &world->state,
        .entry = entry,
        .robot = (int)robot,
        .body = span->first_body + (int)entry->body,
        .joint = entry->joint < 0 ? -1 : span->first_joint + entry->joint,
        .reaction = has_reaction ? span->first_reaction + (int)entry->whole_joint : -1,
        .number = (int)group->n,
        .dt = world->dt * (entry->every ? entry->every : 1),
    };
    void *state = group->states + group->n++ * entry->class_->state_size;
    return dpl__entry_build(state, site, reterr);
}

static int build_entries(struct dpl_world *world, struct dpl_diag *reterr)
{
    const struct dpl_sim_model *model = world->model;
    int rc = make_groups(world);
    for (size_t r = 0; r < model->n_robots; r++) {
        for (size_t i = 0; i < model->robots[r].n_entries && rc == 0; i++) {
            rc = add_entry(world, r, &model->robots[r].entries[i], reterr);
        }
    }
    return rc;
}

/* The entries of one group; `inout_channels` is made when somebody needs it. */
static int connect_group(struct dpl_world *world, const struct dpl__group *group,
                         struct dpl_world_channels **inout_channels, struct dpl_diag *reterr)
{
    int rc = 0;
    if (group->class->connect && !*inout_channels) {
        rc = dpl_world_channels_create(world, inout_channels);
    }
    for (size_t i = 0; group->class->connect && i < group->n && rc == 0; i++) {
        rc = dpl__entry_connect(group->states + i * group->class->state_size, &group->sites[i],
                                *inout_channels, reterr);
    }
    return rc;
}

static int connect_entries(struct dpl_world *world, struct dpl_diag *reterr)
{
    struct dpl_world_channels *channels = NULL;
    int rc = 0;
    for (size_t g = 0; g < world->n_groups && rc == 0; g++) {
        rc = connect_group(world, &world->groups[g], &channels, reterr);
    }
    dpl_world_channels_destroy(channels);
    return rc;
}

/* ---- who steps ---- */

static void add_turn(struct dpl_world *world, const struct dpl__group *group, size_t number)
{
    const struct dpl_sim_entry *entry = group->sites[number].entry;
    unsigned every = entry->every ? entry->every : 1;
    world->turns[world->n_turns++] = (struct dpl__turn){
        .step = group->class->step,
        .self = group->states + number * group->class->state_size,
        .every = every,
        .phase = entry->phase % every,
        .dt = group->sites[number].dt,
    };
}

/* Class by class. */
static void add_turns(struct dpl_world *world, enum dpl_sim_phase phase)
{
    for (size_t g = 0; g < world->n_groups; g++) {
        const struct dpl__group *group = &world->groups[g];
        bool steps = group->class->phase == phase && group->class->step;
        for (size_t i = 0; steps && i < group->n; i++) {
            add_turn(world, group, i);
        }
    }
}

/* Signals read each other, so their order is that of the file. */
static void add_signal_turns(struct dpl_world *world)
{
    const struct dpl_sim_model *model = world->model;
    for (size_t r = 0; r < model->n_robots; r++) {
        for (size_t i = 0; i < model->robots[r].n_entries; i++) {
            const struct dpl_sim_entry *entry = &model->robots[r].entries[i];
            if (entry->class_->phase == DPL_SIM_SIGNAL && entry->class_->step) {
                int number = dpl_world_find_entry(world, entry->class_, (int)r, entry->name);
                add_turn(world, find_group(world, entry->class_), (size_t)number);
            }
        }
    }
}

static void add_subsystem_turns(struct dpl_world *world, bool prepare)
{
    for (size_t i = 0; i < world->n_subsystems; i++) {
        const struct dpl_subsystem_class *class = world->subsystems[i].class;
        if (prepare && !class->prepare) {
            continue;
        }
        world->turns[world->n_turns++] = (struct dpl__turn){
            .step = prepare ? class->prepare : class->step,
            .self = world->subsystems[i].data,
            .every = 1,
            .dt = world->dt,
        };
    }
}

static int order_turns(struct dpl_world *world)
{
    size_t n = 2 * world->n_subsystems + count_entries(world->model);
    world->turns = dpl_world_alloc(world, n, sizeof *world->turns);
    if (!world->turns) {
        return -ENOMEM;
    }
    add_turns(world, DPL_SIM_ACTUATOR);
    add_subsystem_turns(world, true);
    add_subsystem_turns(world, false);
    add_turns(world, DPL_SIM_SENSOR);
    world->first_signal = world->n_turns;
    add_signal_turns(world);
    return 0;
}

int dpl__world_build(struct dpl_world *world, struct dpl_diag *reterr)
{
    int rc = size_robots(world);
    rc = rc ? rc : size_bodies(world);
    rc = rc ? rc : size_joints(world);
    rc = rc ? rc : size_reactions(world);
    rc = rc ? rc : build_subsystems(world, reterr);
    rc = rc ? rc : build_entries(world, reterr);
    rc = rc ? rc : connect_entries(world, reterr);
    rc = rc ? rc : dpl__limits_build(world);
    return rc ? rc : order_turns(world);
}
