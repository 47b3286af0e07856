/* SPDX-License-Identifier: Apache-2.0 */
#include "mujoco_text.h"

#include <math.h>
#include <stdlib.h>

/* ---- what can be told ---- */

static bool is_turn(const struct dpl_mb_joint *joint)
{
    return joint->type <= DPL_MB_RZ;
}

/* a x + b of a law without knots; false: it is another one. */
static bool is_line(const struct dpl_mb_piecewise *law, double *ret_a, double *ret_b)
{
    if (law->n_knots != 0 || law->n_of[0] > 2) {
        return false;
    }
    *ret_b = law->coefficients[law->n_of[0] - 1];
    *ret_a = law->n_of[0] == 2 ? law->coefficients[0] : 0.0;
    return true;
}

static bool can_restrain(const struct dpl_mb_restraint *restraint)
{
    double a, b;
    return restraint->joint >= 0 && is_line(&restraint->law, &a, &b) &&
           ((restraint->type == DPL_MB_SPRING && a > 0.0) ||
            (restraint->type == DPL_MB_DAMPER && a >= 0.0 && b == 0.0));
}

/* ---- the tree ---- */

/* Takes a body into the tree, with all that slides on it. */
static void reach(struct mujoco_graph *u, int body, int parent, int joint)
{
    const struct dpl_mb_graph *graph = u->graph;
    u->parent[body] = parent;
    u->joint_to[body] = joint;
    u->queue[u->n_queue++] = body;
    for (size_t i = 0; i < graph->n_joints; i++) {
        for (int end = 0; end < 2 && !is_turn(&graph->joints[i]); end++) {
            int other = mujoco_body_at(graph, &graph->joints[i], 1 - end);
            if (mujoco_body_at(graph, &graph->joints[i], end) == body && u->parent[other] == -1) {
                u->roles[i] = MUJOCO_IN_TREE;
                reach(u, other, body, (int)i);
            }
        }
    }
}

/* Nearest first. Whether all bodies are in it, and hinges close all loops. */
static bool make_tree(struct mujoco_graph *u)
{
    const struct dpl_mb_graph *graph = u->graph;
    for (size_t i = 0; i < graph->n_bodies; i++) {
        u->parent[i] = -1;
    }
    reach(u, 0, 0, -1);
    for (int at = 0; at < u->n_queue; at++) {
        for (size_t i = 0; i < graph->n_joints; i++) {
            for (int end = 0; end < 2; end++) {
                int other = mujoco_body_at(graph, &graph->joints[i], 1 - end);
                if (mujoco_body_at(graph, &graph->joints[i], end) == u->queue[at] &&
                    u->parent[other] == -1) {
                    u->roles[i] = MUJOCO_IN_TREE;
                    reach(u, other, u->queue[at], (int)i);
                }
            }
        }
    }
    bool can = u->n_queue == (int)graph->n_bodies;
    for (size_t i = 0; i < graph->n_joints; i++) {
        if (u->roles[i] == MUJOCO_NOT_YET) {
            u->roles[i] = MUJOCO_CLOSES;
            can = can && is_turn(&graph->joints[i]);
        }
    }
    for (size_t i = 0; i < graph->n_restraints; i++) {
        const struct dpl_mb_restraint *restraint = &graph->restraints[i];
        double a = 0.0, b = 0.0;
        is_line(&restraint->law, &a, &b);
        can = can && u->roles[restraint->joint] == MUJOCO_IN_TREE;
        if (restraint->type == DPL_MB_SPRING) {
            u->spring[restraint->joint][0] += a;
            u->spring[restraint->joint][1] += b;
        } else {
            u->damping[restraint->joint] += a;
        }
    }
    return can;
}

struct mujoco_graph *mujoco_graph_of(const struct dpl_mb_graph *graph)
{
    struct mujoco_graph *u = calloc(1, sizeof *u);
    if (!u) {
        return NULL;
    }
    u->graph = graph;
    u->parent = calloc(graph->n_bodies, sizeof *u->parent);
    u->joint_to = calloc(graph->n_bodies, sizeof *u->joint_to);
    u->queue = calloc(graph->n_bodies, sizeof *u->queue);
    u->roles = calloc(graph->n_joints + 1, sizeof *u->roles);
    u->spring = calloc(graph->n_joints + 1, sizeof *u->spring);
    u->damping = calloc(graph->n_joints + 1, sizeof *u->damping);
    if (!u->parent || !u->joint_to || !u->queue || !u->roles || !u->spring || !u->damping ||
        !make_tree(u)) {
        mujoco_graph_destroy(u);
        return NULL;
    }
    return u;
}

bool mujoco_graph_can(const struct dpl_mb_graph *graph)
{
    bool can = graph->n_gears == 0;
    for (size_t i = 0; i < graph->n_joints; i++) {
        const struct dpl_mb_joint *joint = &graph->joints[i];
        can = can && joint->type <= DPL_MB_TZ && !joint->limit.is_there &&
              joint->motor.mode == DPL_MB_MOTOR_NONE;
    }
    for (size_t i = 0; i < graph->n_restraints; i++) {
        can = can && can_restrain(&graph->restraints[i]);
    }
    struct mujoco_graph *u = can ? mujoco_graph_of(graph) : NULL;
    mujoco_graph_destroy(u);
    return u;
}

/* ---- the model as a text ---- */

static struct dpl_mb_place compose(const struct dpl_mb_place *a, const struct dpl_mb_place *b)
{
    struct dpl_mb_place c;
    for (int i = 0; i < 3; i++) {
        c.position[i] = a->position[i];
        for (int k = 0; k < 3; k++) {
            c.position[i] += a->rotation[3 * i + k] * b->position[k];
            c.rotation[3 * i + k] = 0.0;
            for (int l = 0; l < 3; l++) {
                c.rotation[3 * i + k] += a->rotation[3 * i + l] * b->rotation[3 * l + k];
            }
        }
    }
    return c;
}

static struct dpl_mb_place inverse(const struct dpl_mb_place *a)
{
    struct dpl_mb_place c;
    for (int i = 0; i < 3; i++) {
        c.position[i] = 0.0;
        for (int k = 0; k < 3; k++) {
            c.rotation[3 * i + k] = a->rotation[3 * k + i];
            c.position[i] -= a->rotation[3 * k + i] * a->position[k];
        }
    }
    return c;
}

static struct dpl_mb_place place_of(const struct mujoco_graph *u, int body)
{
    struct dpl_mb_body_state state = {.place = dpl_mb_place_identity};
    if (body != 0) {
        dpl_mb_body(u->start, body, &state);
    }
    return state.place;
}

void mujoco_end(const struct dpl_mb_graph *graph, const struct dpl_mb_joint *joint, int end,
                double ret_at[3], double ret_axis[3])
{
    const struct dpl_mb_place *place = &graph->frames[joint->frames[end]].in_body;
    for (int i = 0; i < 3; i++) {
        ret_at[i] = place->position[i];
        ret_axis[i] = place->rotation[3 * i + joint->type % 3];
    }
}

static void print_numbers(FILE *out, const char *key, const double *numbers, int n)
{
    fprintf(out, " %s=\"", key);
    for (int i = 0; i < n; i++) {
        fprintf(out, "%s%.17g", i > 0 ? " " : "", numbers[i]);
    }
    fprintf(out, "\"");
}

/* 1 where the joint is met in the order of its pair, else -1. */
static double sign_of(const struct mujoco_graph *u, int body)
{
    return mujoco_body_at(u->graph, &u->graph->joints[u->joint_to[body]], 1) == body ? 1.0 : -1.0;
}

static void print_joint(FILE *out, const struct mujoco_graph *u, int body)
{
    int number = u->joint_to[body];
    const struct dpl_mb_joint *joint = &u->graph->joints[number];
    struct dpl_mb_joint_state state;
    double at[3], axis[3], sign = sign_of(u, body);
    dpl_mb_joint(u->start, number, &state);
    mujoco_end(u->graph, joint, sign > 0.0, at, axis);
    fprintf(out, "<joint name=\"j%d\" type=\"%s\"", number, is_turn(joint) ? "hinge" : "slide");
    for (int i = 0; i < 3; i++) {
        axis[i] *= sign; /* MuJoCo's coordinate is the joint's, from where it is at the start */
    }
    print_numbers(out, "pos", at, 3);
    print_numbers(out, "axis", axis, 3);
    if (u->damping[number] > 0.0) {
        print_numbers(out, "damping", &u->damping[number], 1);
    }
    if (u->spring[number][0] > 0.0) {
        double rest = -u->spring[number][1] / u->spring[number][0] - state.displacement[0];
        print_numbers(out, "stiffness", &u->spring[number][0], 1);
        print_numbers(out, "springref", &rest, 1);
    }
    fprintf(out, "/>\n");
}

static void print_body(FILE *out, const struct mujoco_graph *u, int number)
{
    const struct dpl_mb_body *body = &u->graph->bodies[number];
    struct dpl_mb_place at = place_of(u, number), from = place_of(u, u->parent[number]);
    from = inverse(&from);
    at = compose(&from, &at);
    const double *i = body->inertia, full[6] = {i[0], i[1], i[2], i[3], i[5], i[4]};
    double quaternion[4];
    mju_mat2Quat(quaternion, at.rotation);
    fprintf(out, "<body name=\"b%d\"", number);
    print_numbers(out, "pos", at.position, 3);
    print_numbers(out, "quat", quaternion, 4);
    fprintf(out, "><inertial");
    print_numbers(out, "pos", body->centre, 3);
    print_numbers(out, "mass", &body->mass, 1);
    print_numbers(out, "fullinertia", full, 6);
    fprintf(out, "/>\n");
    print_joint(out, u, number);
    for (size_t child = 1; child < u->graph->n_bodies; child++) {
        if (u->parent[child] == number) {
            print_body(out, u, (int)child);
        }
    }
    fprintf(out, "</body>\n");
}

/* Whether all hinges are parallel, and sliders at right angles to them. */
static bool is_planar(const struct mujoco_graph *u)
{
    double normal[3] = {0, 0, 0};
    for (int turns = 1; turns >= 0; turns--) {
        for (size_t i = 0; i < u->graph->n_joints; i++) {
            const struct dpl_mb_joint *joint = &u->graph->joints[i];
            struct dpl_mb_place place = place_of(u, mujoco_body_at(u->graph, joint, 0));
            double at[3], own[3], axis[3];
            mujoco_end(u->graph, joint, 0, at, own);
            mju_mulMatVec(axis, place.rotation, own, 3, 3);
            if (is_turn(joint) && turns == 1 && mju_norm3(normal) == 0.0) {
                mju_copy3(normal, axis);
            }
            double along = fabs(mju_dot3(axis, normal));
            if (is_turn(joint) == (turns == 1) &&
                fabs(along - (is_turn(joint) ? 1.0 : 0.0)) > 1e-12) {
                return false;
            }
        }
    }
    return true;
}

static void print_loops(FILE *out, const struct mujoco_graph *u)
{
    bool planar = is_planar(u);
    fprintf(out, "<equality>\n");
    for (size_t i = 0; i < u->graph->n_joints; i++) {
        const struct dpl_mb_joint *joint = &u->graph->joints[i];
        int first = mujoco_body_at(u->graph, joint, 0) == 0; /* an end that moves */
        int other = mujoco_body_at(u->graph, joint, 1 - first);
        double at[3], axis[3];
        mujoco_end(u->graph, joint, first, at, axis);
        for (int point = 0; u->roles[i] == MUJOCO_CLOSES && point < (planar ? 1 : 2); point++) {
            double anchor[3] = {at[0] + point * axis[0], at[1] + point * axis[1],
                                at[2] + point * axis[2]};
            fprintf(out, "<connect body1=\"b%d\"", mujoco_body_at(u->graph, joint, first));
            if (other != 0) {
                fprintf(out, " body2=\"b%d\"", other);
            }
            print_numbers(out, "anchor", anchor, 3);
            fprintf(out, "/>\n");
        }
    }
    fprintf(out, "</equality>\n");
}

void mujoco_print(FILE *out, const struct mujoco_graph *u, bool is_rk4, enum mujoco_loops loops,
                  double step)
{
    fprintf(out,
            "<mujoco><compiler angle=\"radian\" coordinate=\"local\"/>\n<option integrator=\"%s\"",
            is_rk4 ? "RK4" : "Euler");
    print_numbers(out, "timestep", &step, 1);
    print_numbers(out, "gravity", u->graph->gravity, 3);
    fprintf(out, "><flag contact=\"disable\"/></option>\n");
    if (loops == MUJOCO_HARD) {
        fprintf(out,
                "<default><equality solref=\"%.17g 1\" solimp=\"0.9999 0.9999 0.001\"/>"
                "</default>\n",
                2.0 * step);
    }
    fprintf(out, "<worldbody>\n");
    for (size_t i = 1; i < u->graph->n_bodies; i++) {
        if (u->parent[i] == 0) {
            print_body(out, u, (int)i);
        }
    }
    fprintf(out, "</worldbody>\n");
    print_loops(out, u);
    fprintf(out, "</mujoco>\n");
}
