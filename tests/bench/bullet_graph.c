/* SPDX-License-Identifier: Apache-2.0 */
#include "bullet_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "solver.h"

struct bullet_graph {
    const struct dpl_mb_graph *graph;
    struct dpl_heap *heap;
    struct dpl_solver *solver;
    int *link_of; /* [n_bodies] in its tree; -2: not yet */
    int *tree_of; /* [n_bodies] */
    struct dpl_solver_link *links;
    int n_trees, n_links;
    bool *is_done;                     /* [n_joints] */
    const struct dpl_mb_system *at;    /* while it is made */
    struct dpl_solver_command *speeds; /* [n_joints] of the first step, of joints of trees */
    int *freedoms;                     /* [n_joints] -1: none */
    bool has_begun;
};

static const double root_half = 0.70710678118654752440;

/* ---- quaternions w x y z ---- */

static void times(const double a[4], const double b[4], double ret[4])
{
    double w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    double x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    double y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    double z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
    ret[0] = w;
    ret[1] = x;
    ret[2] = y;
    ret[3] = z;
}

/* Of a rotation, by its largest component (Shepperd 1978). */
static void turn_of(const double r[9], double ret[4])
{
    double squares[4] = {1 + r[0] + r[4] + r[8], 1 + r[0] - r[4] - r[8], 1 - r[0] + r[4] - r[8],
                         1 - r[0] - r[4] + r[8]};
    double products[4][4] = {{0, r[7] - r[5], r[2] - r[6], r[3] - r[1]},
                             {r[7] - r[5], 0, r[1] + r[3], r[2] + r[6]},
                             {r[2] - r[6], r[1] + r[3], 0, r[5] + r[7]},
                             {r[3] - r[1], r[2] + r[6], r[5] + r[7], 0}};
    int k = 0;
    for (int i = 1; i < 4; i++) {
        k = squares[i] > squares[k] ? i : k;
    }
    double root = sqrt(squares[k]);
    for (int i = 0; i < 4; i++) {
        ret[i] = i == k ? 0.5 * root : 0.5 * products[k][i] / root;
    }
}

/* Bullet's gravity is along -z, that of the graphs along -y: x y z becomes x -z y. */
static void upright(struct dpl_solver_pose *inout)
{
    const double quarter[4] = {root_half, root_half, 0, 0};
    double y = inout->position[1];
    inout->position[1] = -inout->position[2];
    inout->position[2] = y;
    times(quarter, inout->turn, inout->turn);
}

static struct dpl_solver_pose pose_of(const struct dpl_mb_place *place, bool is_in_world)
{
    struct dpl_solver_pose pose;
    memcpy(pose.position, place->position, sizeof pose.position);
    turn_of(place->rotation, pose.turn);
    if (is_in_world) {
        upright(&pose);
    }
    return pose;
}

/* ---- made of a graph ---- */

static bool is_turn(const struct dpl_mb_joint *joint)
{
    return joint->type <= DPL_MB_RZ;
}

bool bullet_graph_can(const struct dpl_mb_graph *graph)
{
    bool can = graph->n_restraints == 0 && graph->n_gears == 0 && graph->gravity[0] == 0.0 &&
               graph->gravity[2] == 0.0;
    for (size_t i = 1; i < graph->n_bodies; i++) {
        const double *inertia = graph->bodies[i].inertia;
        can = can && inertia[3] == 0.0 && inertia[4] == 0.0 && inertia[5] == 0.0;
    }
    for (size_t i = 0; i < graph->n_joints; i++) {
        const struct dpl_mb_joint *joint = &graph->joints[i];
        can = can && joint->type <= DPL_MB_TZ && !joint->limit.is_there &&
              joint->motor.mode == DPL_MB_MOTOR_NONE;
    }
    return can;
}

/* The end of a joint: z of its frame is the axis. */
static struct dpl_solver_pose end_of(const struct bullet_graph *b, const struct dpl_mb_joint *joint,
                                     int end)
{
    static const double to_axis[3][4] = {
        {root_half, 0, root_half, 0}, {root_half, -root_half, 0, 0}, {1, 0, 0, 0}};
    const struct dpl_mb_frame *frame = &b->graph->frames[joint->frames[end]];
    struct dpl_solver_pose pose = pose_of(&frame->in_body, frame->body == 0);
    times(pose.turn, to_axis[joint->type % 3], pose.turn);
    return pose;
}

static int body_at(const struct bullet_graph *b, const struct dpl_mb_joint *joint, int end)
{
    return b->graph->frames[joint->frames[end]].body;
}

static void add_bodies(struct bullet_graph *b)
{
    for (size_t i = 1; i < b->graph->n_bodies; i++) {
        const struct dpl_mb_body *body = &b->graph->bodies[i];
        struct dpl_mb_body_state state;
        dpl_mb_body(b->at, (int)i, &state);
        struct dpl_solver_body made = {
            .kind = DPL_SOLVER_JOINTED,
            .pose = pose_of(&state.place, true),
            .mass = body->mass,
            .centre = {{body->centre[0], body->centre[1], body->centre[2]}, {1, 0, 0, 0}},
            .moments = {body->inertia[0], body->inertia[1], body->inertia[2]},
        };
        dpl__solver_add_body(b->solver, &made);
        b->link_of[i] = -2;
    }
}

/* Bodies of Bullet count from 0 and are those that move. */
static void add_link(struct bullet_graph *b, int number, int parent_end)
{
    const struct dpl_mb_joint *joint = &b->graph->joints[number];
    int parent = body_at(b, joint, parent_end), body = body_at(b, joint, 1 - parent_end);
    struct dpl_mb_joint_state state;
    dpl_mb_joint(b->at, number, &state);
    double sign = parent_end == 0 ? 1.0 : -1.0;
    b->links[b->n_links] = (struct dpl_solver_link){
        .kind = is_turn(joint) ? DPL_SOLVER_TURN : DPL_SOLVER_TRAVEL,
        .parent = parent == 0 ? -1 : b->link_of[parent],
        .body = body - 1,
        .in_parent = end_of(b, joint, parent_end),
        .in_own = end_of(b, joint, 1 - parent_end),
        .value = sign * state.displacement[0],
    };
    b->speeds[number] =
        (struct dpl_solver_command){.speed = sign * state.velocity[0], .least = -1e6, .most = 1e6};
    b->link_of[body] = b->n_links++;
    b->tree_of[body] = b->n_trees;
    b->is_done[number] = true;
}

/* A tree for each joint of the ground, nearest first. */
static void add_tree(struct bullet_graph *b, int root, int root_end)
{
    const struct dpl_mb_graph *graph = b->graph;
    b->n_links = 0;
    add_link(b, root, root_end);
    for (int before = 0; before < b->n_links;) {
        before = b->n_links;
        for (size_t i = 0; i < graph->n_joints; i++) {
            const struct dpl_mb_joint *joint = &graph->joints[i];
            for (int end = 0; end < 2; end++) {
                int body = body_at(b, joint, end);
                if (dpl_mb_joint_role(b->at, (int)i) == 0 && !b->is_done[i] && body != 0 &&
                    b->link_of[body] != -2 && b->tree_of[body] == b->n_trees) {
                    add_link(b, (int)i, end);
                }
            }
        }
    }
    dpl__solver_add_tree(b->solver, -1, b->links, (size_t)b->n_links);
    b->n_trees++;
}

static void add_trees(struct bullet_graph *b)
{
    for (size_t i = 0; i < b->graph->n_joints; i++) {
        const struct dpl_mb_joint *joint = &b->graph->joints[i];
        b->freedoms[i] = -1;
        for (int end = 0; end < 2; end++) {
            if (dpl_mb_joint_role(b->at, (int)i) == 0 && body_at(b, joint, end) == 0) {
                add_tree(b, (int)i, end);
            }
        }
    }
    for (size_t i = 0; i < b->graph->n_joints; i++) {
        const struct dpl_mb_joint *joint = &b->graph->joints[i];
        int first = body_at(b, joint, 0), second = body_at(b, joint, 1);
        if (b->is_done[i] && b->speeds[i].speed != 0.0) {
            int body = first == 0 || (second != 0 && b->link_of[second] > b->link_of[first])
                           ? second
                           : first;
            b->freedoms[i] = dpl__solver_add_freedom(b->solver, b->tree_of[body], b->link_of[body]);
        }
    }
}

static void add_loops(struct bullet_graph *b)
{
    for (size_t i = 0; i < b->graph->n_joints; i++) {
        const struct dpl_mb_joint *joint = &b->graph->joints[i];
        if (dpl_mb_joint_role(b->at, (int)i) == 1) {
            int a = body_at(b, joint, 0) == 0; /* the end that moves */
            struct dpl_solver_loop loop = {
                .a = body_at(b, joint, a) - 1,
                .b = body_at(b, joint, 1 - a) - 1,
                .in_a = end_of(b, joint, a),
                .in_b = end_of(b, joint, 1 - a),
                .travel = {true, true, is_turn(joint)},
                .turns = is_turn(joint) ? DPL_SOLVER_TURNS_ABOUT_Z : DPL_SOLVER_TURNS_LOCKED,
            };
            dpl__solver_add_loop(b->solver, &loop);
        }
    }
}

struct bullet_graph *bullet_graph_create(const struct dpl_mb_graph *graph,
                                         const struct dpl_mb_system *start, int iterations)
{
    struct bullet_graph *b = calloc(1, sizeof *b);
    if (!b) {
        return NULL;
    }
    b->graph = graph;
    b->at = start;
    b->link_of = calloc(graph->n_bodies, sizeof *b->link_of);
    b->tree_of = calloc(graph->n_bodies, sizeof *b->tree_of);
    b->links = calloc(graph->n_bodies, sizeof *b->links);
    b->is_done = calloc(graph->n_joints, sizeof *b->is_done);
    b->speeds = calloc(graph->n_joints, sizeof *b->speeds);
    b->freedoms = calloc(graph->n_joints, sizeof *b->freedoms);
    b->heap = dpl__heap_create((size_t)256 << 20);
    struct dpl_solver_settings settings = {.gravity = -graph->gravity[1],
                                           .iterations = iterations,
                                           .bodies = graph->n_bodies - 1,
                                           .moving = graph->n_bodies - 1};
    b->solver = b->heap ? dpl__solver_create(b->heap, &settings) : NULL;
    if (!b->link_of || !b->tree_of || !b->links || !b->is_done || !b->speeds || !b->freedoms ||
        !b->solver) {
        bullet_graph_destroy(b);
        return NULL;
    }
    add_bodies(b);
    add_trees(b);
    add_loops(b);
    dpl__solver_ready(b->solver);
    return b;
}

void bullet_graph_destroy(struct bullet_graph *b)
{
    dpl__heap_destroy(b->heap);
    free(b->link_of);
    free(b->tree_of);
    free(b->links);
    free(b->is_done);
    free(b->speeds);
    free(b->freedoms);
    free(b);
}

/* ---- moved ---- */

void bullet_graph_step(struct bullet_graph *b, double step)
{
    for (size_t i = 0; i < b->graph->n_joints && !b->has_begun; i++) {
        if (b->freedoms[i] >= 0) {
            dpl__solver_command(b->solver, b->freedoms[i], &b->speeds[i]);
        }
    }
    b->has_begun = true;
    dpl__solver_step(b->solver, step);
}

/* Position of the end of a joint in Bullet's world, and its axis. */
static void where(const struct bullet_graph *b, const struct dpl_mb_joint *joint, int end,
                  double ret_position[3], double ret_axis[3])
{
    struct dpl_solver_pose pose = end_of(b, joint, end);
    const double *t = pose.turn;
    const double axis[3] = {2 * (t[1] * t[3] + t[0] * t[2]), 2 * (t[2] * t[3] - t[0] * t[1]),
                            1 - 2 * (t[1] * t[1] + t[2] * t[2])};
    struct dpl_solver_state body = {.rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    if (body_at(b, joint, end) != 0) {
        dpl__solver_state(b->solver, body_at(b, joint, end) - 1, &body);
    }
    for (int i = 0; i < 3; i++) {
        ret_position[i] = body.position[i];
        ret_axis[i] = 0.0;
        for (int k = 0; k < 3; k++) {
            ret_position[i] += body.rotation[i][k] * pose.position[k];
            ret_axis[i] += body.rotation[i][k] * axis[k];
        }
    }
}

double bullet_graph_residual(const struct bullet_graph *b)
{
    double most = 0.0;
    for (size_t i = 0; i < b->graph->n_joints; i++) {
        const struct dpl_mb_joint *joint = &b->graph->joints[i];
        if (dpl_mb_joint_role(b->at, (int)i) == 1) {
            double ends[2][3], axes[2][3], gap[3], along = 0.0;
            for (int end = 0; end < 2; end++) {
                where(b, joint, end, ends[end], axes[end]);
            }
            for (int k = 0; k < 3; k++) {
                gap[k] = ends[1][k] - ends[0][k];
                along += gap[k] * axes[0][k];
            }
            for (int k = 0; k < 3; k++) {
                gap[k] -= is_turn(joint) ? 0.0 : along * axes[0][k];
            }
            most = fmax(most, sqrt(gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2]));
        }
    }
    return most;
}

double bullet_graph_apart(const struct bullet_graph *b, const struct dpl_mb_system *system)
{
    double most = 0.0;
    for (size_t i = 1; i < b->graph->n_bodies; i++) {
        struct dpl_mb_body_state body;
        struct dpl_solver_state other;
        dpl_mb_body(system, (int)i, &body);
        dpl__solver_state(b->solver, (int)i - 1, &other);
        struct dpl_solver_pose pose = pose_of(&body.place, true);
        double square = 0.0;
        for (int k = 0; k < 3; k++) {
            double gap = pose.position[k] - other.position[k];
            square += gap * gap;
        }
        most = fmax(most, sqrt(square));
    }
    return most;
}
