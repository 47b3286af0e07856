/* SPDX-License-Identifier: Apache-2.0 */
/* What has channels, numbered through all robots; and switching assemblies. */
#include <errno.h>

#include "multibody_state.h"

/* ---- lists ---- */

static size_t count_coordinates(const struct dpl_mb_graph *graph)
{
    size_t n = 0;
    for (size_t i = 0; i < graph->n_joints; i++) {
        n += (size_t)dpl__multibody_coordinates(&graph->joints[i]);
    }
    return n;
}

static void list_robot(struct dpl_multibody_world *world, struct dpl_multibody_robot *robot)
{
    const struct dpl_mb_graph *graph = robot->graph;
    for (size_t i = 0; i < graph->n_joints; i++) {
        for (int k = 0; k < dpl__multibody_coordinates(&graph->joints[i]); k++) {
            world->joints[world->n_joints++] = (struct dpl_multibody_thing){robot, (int)i, k};
        }
    }
    for (size_t i = 0; i < robot->part->mechanism.n_bodies; i++) {
        int body = robot->part->graph_body[i];
        if (body > 0) { /* the fixed one tells nothing */
            world->bodies[world->n_bodies++] = (struct dpl_multibody_thing){robot, body, 0};
        }
    }
    for (size_t i = 0; i < graph->n_assemblies; i++) {
        world->assemblies[world->n_assemblies++] = (struct dpl_multibody_thing){robot, (int)i, 0};
    }
}

int dpl__multibody_list(struct dpl_multibody_world *world)
{
    size_t n_joints = 0, n_bodies = 0, n_assemblies = 0;
    for (size_t i = 0; i < world->n_robots; i++) {
        n_joints += count_coordinates(world->robots[i].graph);
        n_bodies += world->robots[i].part->mechanism.n_bodies;
        n_assemblies += world->robots[i].graph->n_assemblies;
    }
    world->joints = dpl_world_alloc(world->world, n_joints, sizeof *world->joints);
    world->bodies = dpl_world_alloc(world->world, n_bodies, sizeof *world->bodies);
    world->grips = dpl_world_alloc(world->world, n_bodies, sizeof *world->grips);
    world->assemblies = dpl_world_alloc(world->world, n_assemblies, sizeof *world->assemblies);
    world->first = dpl_world_alloc(world->world, world->n_robots, sizeof *world->first);
    if (!world->joints || !world->bodies || !world->grips || !world->assemblies || !world->first) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < world->n_robots; i++) {
        world->first[i] = (struct dpl_multibody_first){(int)world->n_joints, (int)world->n_bodies,
                                                       (int)world->n_assemblies};
        list_robot(world, &world->robots[i]);
    }
    return 0;
}

/* ---- switching ---- */

/* A graph with the assemblies as they are wanted; NULL: no memory. */
static struct dpl_mb_graph *wanted_graph(const struct dpl_multibody_robot *robot,
                                         const struct dpl_mb_memory *memory)
{
    struct dpl_mb_graph *graph = NULL;
    if (dpl_mb_graph_copy(robot->graph, memory, &graph)) {
        return NULL;
    }
    for (size_t i = 1; i < graph->n_assemblies; i++) {
        dpl_mb_activate(graph, DPL_MB_ASSEMBLY, (int)i, robot->wanted[i], NULL);
    }
    return graph;
}

void dpl__multibody_switch(struct dpl_multibody_robot *robot, const struct dpl_mb_memory *memory)
{
    struct dpl_mb_settings settings = robot->part->settings;
    struct dpl_mb_graph *graph = wanted_graph(robot, memory);
    struct dpl_mb_system *system = NULL;
    settings.memory = *memory;
    robot->is_changed = false;
    robot->is_refused = !graph || dpl_mb_system_create(graph, &settings, robot->system, NULL, NULL,
                                                       &system, NULL) != 0;
    if (robot->is_refused) {
        dpl_mb_graph_destroy(graph);
        for (size_t i = 1; i < robot->graph->n_assemblies; i++) {
            robot->wanted[i] = robot->graph->assemblies[i].is_active;
        }
        return;
    }
    dpl_mb_system_destroy(robot->system);
    dpl_mb_graph_destroy(robot->graph);
    robot->system = system;
    dpl__multibody_contacts_act(robot->contacts, system);
    robot->graph = graph;
}
