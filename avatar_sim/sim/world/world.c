/* SPDX-License-Identifier: Apache-2.0 */
/* A running world: made, stepped, saved and restored. See doppel/sim/world.h. */
#include <doppel/sim/world.h>

#include <errno.h>
#include <math.h>

#include "world_state.h"

static const struct dpl_place nowhere;

/* An empty world in a heap of its own. */
static struct dpl_world *allocate(const struct dpl_sim_model *model)
{
    struct dpl_heap *heap = dpl__heap_create(dpl__world_reserve(model));
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
    int rc = world ? dpl__world_build(world, reterr) : -ENOMEM;
    if (rc) {
        dpl_world_destroy(world);
    }
    if (rc && rc != -EINVAL) {
        return dpl_fail(reterr, rc, nowhere, "out of memory for world '%s'", model->name);
    }
    if (rc == 0) {
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

const struct dpl_sim_model *dpl_world_model(const struct dpl_world *world)
{
    return world->model;
}

const struct dpl_sim_state *dpl_world_state(const struct dpl_world *world)
{
    return &world->state;
}

dpl_ns dpl_world_now(const struct dpl_world *world)
{
    return world->now;
}

static bool is_due(const struct dpl__turn *turn, uint64_t step)
{
    return turn->every == 1 || step % turn->every == turn->phase;
}

static void take_turns(struct dpl_world *world, size_t first, size_t end, dpl_ns now)
{
    for (size_t k = first; k < end; k++) {
        const struct dpl__turn *turn = &world->turns[k];
        if (is_due(turn, world->n_steps)) {
            turn->step(turn->self, &(struct dpl_sim_tick){now, turn->dt});
        }
    }
}

void dpl_world_step(struct dpl_world *world, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        dpl_ns now = world->now + world->model->step;
        world->state.contacts.n = 0;
        take_turns(world, 0, world->first_signal, now);
        world->now = now; /* what sensors have measured has arrived */
        take_turns(world, world->first_signal, world->n_turns, now);
        dpl__limits_count(world);
        world->n_steps++;
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

int dpl_world_set_pose(struct dpl_world *world, int robot, struct dpl_pose2 pose)
{
    if (robot < 0 || (size_t)robot >= world->model->n_robots || !dpl_pose2_is_finite(pose) ||
        fabs(pose.x) > DPL_SIM_EXTENT || fabs(pose.y) > DPL_SIM_EXTENT) {
        return -EINVAL;
    }
    const struct dpl_subsystem_class *class = world->model->robots[robot].subsystem;
    return class->place ? class->place(dpl_world_subsystem(world, class), robot, pose) : -EINVAL;
}

void *dpl_world_subsystem(const struct dpl_world *world, const struct dpl_subsystem_class *class)
{
    for (size_t i = 0; i < world->n_subsystems; i++) {
        if (world->subsystems[i].class == class) {
            return world->subsystems[i].data;
        }
    }
    return NULL;
}

static const struct dpl__group *group_of(const struct dpl_world *world,
                                         const struct dpl_sim_entry_class *class)
{
    for (size_t i = 0; i < world->n_groups; i++) {
        if (world->groups[i].class == class) {
            return &world->groups[i];
        }
    }
    return NULL;
}

void *dpl_world_entry(const struct dpl_world *world, const struct dpl_sim_entry_class *class,
                      int number)
{
    const struct dpl__group *group = group_of(world, class);
    bool known = group && number >= 0 && (size_t)number < group->n;
    return known ? group->states + (size_t)number * class->state_size : NULL;
}

const struct dpl_sim_site *dpl_world_entry_site(const struct dpl_world *world,
                                                const struct dpl_sim_entry_class *class, int number)
{
    const struct dpl__group *group = group_of(world, class);
    bool known = group && number >= 0 && (size_t)number < group->n;
    return known ? &group->sites[number] : NULL;
}

int dpl_world_find_entry(const struct dpl_world *world, const struct dpl_sim_entry_class *class,
                         int robot, const char *name)
{
    const struct dpl__group *group = group_of(world, class);
    for (size_t i = 0; group && i < group->n; i++) {
        const struct dpl_sim_site *site = &group->sites[i];
        if (site->robot == robot && site->entry->name[0] != '\0' &&
            dpl_name_equal(site->entry->name, name)) {
            return (int)i;
        }
    }
    return -ENOENT;
}

void *dpl_world_alloc(struct dpl_world *world, size_t n, size_t size)
{
    return dpl__heap_zeroed(world->heap, n, size);
}

void dpl_sim_push_turned(const struct dpl_sim_state *state, const struct dpl_sim_push *push,
                         double ret_force[3], double ret_torque[3])
{
    const double(*r)[3] = (const double(*)[3])state->bodies.rotation[push->body];
    for (int i = 0; i < 3; i++) {
        const double *f = push->force, *t = push->torque;
        ret_force[i] = push->in_body ? r[i][0] * f[0] + r[i][1] * f[1] + r[i][2] * f[2] : f[i];
        ret_torque[i] = push->in_body ? r[i][0] * t[0] + r[i][1] * t[1] + r[i][2] * t[2] : t[i];
    }
}
