/* SPDX-License-Identifier: Apache-2.0 */
/* The structure of a mechanism for people: see doppel/sim/multibody_world.h. */
#include <doppel/sim/multibody_world.h>

#include <errno.h>
#include <stdio.h>

#include "arena.h"
#include "multibody_state.h"

static const struct dpl_place nowhere;

enum { NAME_BYTES = 1024 };

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

static const char *sums(struct dpl_arena *arena, const struct dpl_mb_topology *is)
{
    return dpl_arena_printf(
        arena,
        "%zu link%s, %zu coordinate%s; %zu joint%s close%s loops, in %zu cluster%s: %zu rows, rank "
        "%zu; %zu free\n",
        is->links, plural(is->links), is->coordinates, plural(is->coordinates), is->chords,
        plural(is->chords), is->chords == 1 ? "s" : "", is->clusters, plural(is->clusters),
        is->rows, is->rank, is->freedom);
}

static const char *cluster_line(struct dpl_arena *arena, const struct dpl_mb_graph *graph,
                                const struct dpl_mb_system *system, size_t number)
{
    struct dpl_mb_cluster cluster;
    char path[NAME_BYTES];
    dpl_mb_cluster(system, number, &cluster);
    const char *line = dpl_arena_printf(
        arena, "cluster %zu: %zu links, %zu coordinates, %zu rows, rank %zu, %zu free:", number + 1,
        cluster.links, cluster.coordinates, cluster.rows, cluster.rank,
        cluster.coordinates - cluster.rank);
    for (size_t i = 0; i < cluster.n_joints; i++) {
        dpl_mb_path(graph, DPL_MB_JOINT, cluster.joints[i], path, sizeof path);
        bool closes = dpl_mb_joint_role(system, cluster.joints[i]) == 1;
        line = dpl_arena_printf(arena, "%s %s%s", line, path, closes ? "*" : "");
    }
    return dpl_arena_printf(arena, "%s\n", line);
}

static const char *joint_lines(struct dpl_arena *arena, const struct dpl_mb_graph *graph,
                               const struct dpl_mb_system *system, int number)
{
    static const char *const roles[] = {"off or merged", "tree", "closes a loop"};
    const struct dpl_mb_joint *joint = &graph->joints[number];
    int role = dpl_mb_joint_role(system, number);
    char path[NAME_BYTES];
    const char *lines = "";
    dpl_mb_path(graph, DPL_MB_JOINT, number, path, sizeof path);
    int n = role >= 0 ? dpl_mb_joint_freedoms(joint->type) : 0;
    if (n == 0) {
        return dpl_arena_printf(arena, "%-32s %-12s %s\n", path, dpl_mb_joint_words[joint->type],
                                roles[role + 1]);
    }
    for (int i = 0; i < n; i++) {
        bool independent = false;
        double share = 0.0;
        if (dpl_mb_mobility(system, number, i, &independent, &share) == 0) {
            lines = dpl_arena_printf(arena, "%s%-32s %-12s %-13s %-12s %.6g\n", lines, path,
                                     dpl_mb_joint_words[joint->type], roles[role + 1],
                                     independent ? "independent" : "follows", share);
        }
    }
    return lines;
}

const char *dpl_sim_describe_multibody(struct dpl_arena *arena, const struct dpl_mb_graph *graph,
                                       const struct dpl_mb_system *system)
{
    struct dpl_mb_topology topology;
    dpl_mb_topology(system, &topology);
    const char *text = sums(arena, &topology);
    for (size_t i = 0; i < topology.clusters; i++) {
        text = dpl_arena_printf(arena, "%s%s", text, cluster_line(arena, graph, system, i));
    }
    text = dpl_arena_printf(arena, "%s%-32s %-12s %-13s %-12s %s\n", text, "joint", "type", "part",
                            "coordinate", "mobility");
    for (size_t i = 0; i < graph->n_joints; i++) {
        if (!graph->joints[i].is_removed) {
            text = dpl_arena_printf(arena, "%s%s", text, joint_lines(arena, graph, system, (int)i));
        }
    }
    return text;
}

/* ---- access ---- */

const struct dpl_star_world *dpl_sim_robot_star(const struct dpl_sim_robot *robot)
{
    const struct dpl_multibody_part *part = dpl__multibody_part_of(robot);
    return part ? part->star : NULL;
}

struct dpl_multibody_robot *dpl__multibody_robot(const struct dpl_world *world, int number)
{
    struct dpl_multibody_world *data = dpl_world_subsystem(world, &dpl_multibody_subsystem);
    for (size_t i = 0; data && i < data->n_robots; i++) {
        if (data->robots[i].robot == number) {
            return &data->robots[i];
        }
    }
    return NULL;
}

struct dpl_mb_system *dpl_world_multibody(const struct dpl_world *world, int robot,
                                          const struct dpl_mb_graph **ret_graph)
{
    struct dpl_multibody_robot *found = dpl__multibody_robot(world, robot);
    if (found && ret_graph) {
        *ret_graph = found->graph;
    }
    return found ? found->system : NULL;
}

int64_t dpl_world_multibody_told(const struct dpl_world *world, int robot,
                                 enum dpl_mb_event_type type, double *ret_time,
                                 struct dpl_place *ret_place, char *ret_path, size_t size)
{
    const struct dpl_multibody_robot *found = dpl__multibody_robot(world, robot);
    if (!found || found->told[type].n == 0) {
        return 0;
    }
    const struct dpl_multibody_told *told = &found->told[type];
    *ret_time = told->first_s;
    *ret_place = (struct dpl_place){.file = found->part->file};
    if (told->first_joint >= 0) {
        const struct dpl_mb_joint *joint = &found->graph->joints[told->first_joint];
        ret_place->line = joint->line;
        ret_place->column = joint->column;
        dpl_mb_path(found->graph, DPL_MB_JOINT, told->first_joint, ret_path, size);
    } else {
        snprintf(ret_path, size, "?");
    }
    return told->n;
}

bool dpl_world_multibody_stopped(const struct dpl_world *world, int robot, double *ret_time,
                                 struct dpl_place *ret_place, char *ret_path, size_t size)
{
    return dpl_world_multibody_told(world, robot, DPL_MB_EVENT_SINGULAR, ret_time, ret_place,
                                    ret_path, size) > 0;
}

int dpl_world_settle(struct dpl_world *world, int robot, struct dpl_diag *reterr)
{
    struct dpl_multibody_robot *found = dpl__multibody_robot(world, robot);
    if (!found) {
        return dpl_fail(reterr, -EINVAL, nowhere, "robot %d is not in STAR's format", robot);
    }
    int err = dpl_mb_equilibrium(found->system, reterr);
    if (err == 0) {
        dpl__multibody_publish(dpl_world_subsystem(world, &dpl_multibody_subsystem));
    }
    return err;
}
