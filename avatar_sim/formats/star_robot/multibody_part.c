/* SPDX-License-Identifier: Apache-2.0 */
/* From a graph to a mechanism that shows it: see multibody_part.h. */
#include "star_robot.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/math/vector3.h>
#include <doppel/sim/model.h>

#include "model_checks.h"

static const struct dpl_place nowhere;

struct dpl_pose3 dpl__multibody_pose(const struct dpl_mb_place *place)
{
    const double *r = place->rotation, *p = place->position;
    const double m[3][3] = {{r[0], r[1], r[2]}, {r[3], r[4], r[5]}, {r[6], r[7], r[8]}};
    return (struct dpl_pose3){{p[0], p[1], p[2]}, dpl_quaternion_from_matrix(m)};
}

/* "cell/robot/arm"; a path that is too long loses its beginning, and has a number that no other
 * one has. */
static void name_of(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int number,
                    char ret_name[DPL_SIM_NAME_SIZE])
{
    char path[1024];
    size_t n = dpl_mb_path(graph, kind, number, path, sizeof path);
    for (char *c = path; *c; c++) {
        *c = *c == ':' ? '/' : *c;
    }
    if (n < DPL_SIM_NAME_SIZE) {
        memcpy(ret_name, path, n + 1);
        return;
    }
    const char *last = strrchr(path, '/');
    snprintf(ret_name, DPL_SIM_NAME_SIZE, "%.36s.%d", last ? last + 1 : path, number);
}

/* A turn that brings z to the axis of a joint. */
static struct dpl_quaternion axis_turn(enum dpl_mb_joint_type type)
{
    const double quarter = 0.5 * DPL_PI;
    switch (type) {
    case DPL_MB_RX:
    case DPL_MB_TX: return dpl_quaternion_from_rpy(0.0, quarter, 0.0);
    case DPL_MB_RY:
    case DPL_MB_TY: return dpl_quaternion_from_rpy(-quarter, 0.0, 0.0);
    default: return (struct dpl_quaternion){.w = 1.0};
    }
}

static enum dpl_sim_joint_type type_of(enum dpl_mb_joint_type type)
{
    return dpl_mb_joint_turns(type, 0) ? DPL_JOINT_HINGE : DPL_JOINT_SLIDER;
}

static struct dpl_sim_solid show_shape(const struct dpl_star_shape *shape)
{
    static const enum dpl_sim_solid_kind kinds[DPL_STAR_SHAPE_KINDS] = {
        [DPL_STAR_BOX] = DPL_SOLID_BOX,         [DPL_STAR_SPHERE] = DPL_SOLID_SPHERE,
        [DPL_STAR_CAPSULE] = DPL_SOLID_CAPSULE, [DPL_STAR_CYLINDER] = DPL_SOLID_CYLINDER,
        [DPL_STAR_HULL] = DPL_SOLID_HULL,
    };
    return (struct dpl_sim_solid){
        .kind = kinds[shape->kind],
        .pose = dpl__multibody_pose(&shape->place),
        .size = {shape->size[0], shape->size[1], shape->size[2]},
        .radius = shape->radius,
        .height = shape->height,
        .points = (const struct dpl_vector3 *)shape->points,
        .n_points = shape->n_points,
    };
}

/* Shapes are shown besides the bars of a body. */
static void show_shapes(struct dpl_arena *arena, const struct dpl_star_world *star, int body,
                        struct dpl_sim_body *shown)
{
    size_t n = shown->n_looks;
    for (size_t i = 0; i < star->n_shapes; i++) {
        n += star->shapes[i].body == body;
    }
    if (n == shown->n_looks) {
        return;
    }
    struct dpl_sim_solid *all = dpl_arena_alloc(arena, n * sizeof *all);
    memcpy(all, shown->looks, shown->n_looks * sizeof *all);
    for (size_t i = 0; i < star->n_shapes; i++) {
        if (star->shapes[i].body == body) {
            all[shown->n_looks++] = show_shape(&star->shapes[i]);
        }
    }
    shown->looks = all;
}

static struct dpl_sim_body show_body(struct dpl_arena *arena, const struct dpl_star_world *star,
                                     int number, double bar, struct dpl_vector3 *scratch)
{
    const struct dpl_mb_graph *graph = star->graph;
    const struct dpl_mb_body *body = &graph->bodies[number];
    struct dpl_sim_body shown = {
        .pose = {.orientation = {.w = 1.0}},
        .mass = {.mass = body->mass, .centre = {body->centre[0], body->centre[1], body->centre[2]}},
    };
    name_of(graph, DPL_MB_BODY, number, shown.name);
    shown.looks = dpl__multibody_look(arena, graph, number, bar, scratch, &shown.n_looks);
    show_shapes(arena, star, number, &shown);
    return shown;
}

static struct dpl_sim_joint show_joint(const struct dpl_mb_graph *graph, int number,
                                       const int *shown_as)
{
    const struct dpl_mb_joint *joint = &graph->joints[number];
    const struct dpl_mb_frame *a = &graph->frames[joint->frames[0]],
                              *b = &graph->frames[joint->frames[1]];
    struct dpl_pose3 turn = {.orientation = axis_turn(joint->type)};
    struct dpl_sim_joint shown = {
        .type = type_of(joint->type),
        .parent = shown_as[a->body],
        .child = shown_as[b->body],
        .in_parent = dpl_pose3_compose(dpl__multibody_pose(&a->in_body), turn),
        .in_child = dpl_pose3_compose(dpl__multibody_pose(&b->in_body), turn),
    };
    name_of(graph, DPL_MB_JOINT, number, shown.name);
    return shown;
}

static size_t count_bodies(const struct dpl_mb_graph *graph)
{
    size_t n = 0;
    for (size_t i = 1; i < graph->n_bodies; i++) {
        n += !graph->bodies[i].is_removed;
    }
    return n;
}

static void show_joints(struct dpl_arena *arena, const struct dpl_mb_graph *graph,
                        const int *shown_as, struct dpl_sim_mechanism *mechanism)
{
    mechanism->joints = dpl_arena_alloc(arena, (graph->n_joints + 1) * sizeof *mechanism->joints);
    for (size_t i = 0; i < graph->n_joints; i++) {
        if (!graph->joints[i].is_removed && dpl_mb_joint_freedoms(graph->joints[i].type) == 1) {
            mechanism->joints[mechanism->n_joints++] = show_joint(graph, (int)i, shown_as);
        }
    }
}

static void destroy_star(void *star)
{
    dpl_star_destroy(star);
}

int dpl__multibody_part_make(struct dpl_sim_model *model, struct dpl_star_world *star,
                             const char *file, struct dpl_multibody_part **ret_part,
                             struct dpl_diag *reterr)
{
    struct dpl_arena *arena = model->memory;
    const struct dpl_mb_graph *graph = star->graph;
    size_t n = count_bodies(graph);
    dpl__model_own(model, destroy_star, star);
    if (n == 0 || n > DPL_MECHANISM_BODIES_MAX || graph->n_joints > DPL_MECHANISM_JOINTS_MAX) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "%zu bodies and %zu joints: a world may have 1 to %d bodies, and %d joints",
                        n, graph->n_joints, DPL_MECHANISM_BODIES_MAX, DPL_MECHANISM_JOINTS_MAX);
    }
    struct dpl_multibody_part *part = dpl_arena_alloc(arena, sizeof *part);
    struct dpl_sim_mechanism *mechanism = &part->mechanism;
    int *shown_as = dpl_arena_alloc(arena, graph->n_bodies * sizeof *shown_as);
    part->star = star;
    part->file = dpl_arena_strdup(arena, file);
    part->settings = star->settings.solver;
    /* and one for the fixed body */
    part->graph_body = dpl_arena_alloc(arena, (n + 1) * sizeof *part->graph_body);
    mechanism->memory = arena;
    mechanism->bodies = dpl_arena_alloc(arena, (n + 1) * sizeof *mechanism->bodies);
    struct dpl_vector3 *scratch =
        dpl_arena_alloc(arena, (2 * graph->n_joints + 2) * sizeof *scratch);
    double bar = dpl__multibody_bar(graph, scratch);
    shown_as[0] = -1;
    for (size_t i = 1; i < graph->n_bodies; i++) {
        if (!graph->bodies[i].is_removed) {
            shown_as[i] = (int)mechanism->n_bodies;
            part->graph_body[mechanism->n_bodies] = (int)i;
            mechanism->bodies[mechanism->n_bodies++] = show_body(arena, star, (int)i, bar, scratch);
        }
    }
    dpl__multibody_visuals(arena, part, shown_as);
    show_joints(arena, graph, shown_as, mechanism);
    dpl__multibody_entries(arena, part, shown_as);
    *ret_part = part;
    return 0;
}
