/* SPDX-License-Identifier: Apache-2.0 */
/* How a mechanism becomes trees and loops. */
#include <errno.h>
#include <stdlib.h>

#include "bullet_state.h"
#include "disjoint_sets.h"

bool dpl__bullet_constrains(const struct dpl_sim_joint *joint)
{
    return dpl_sim_joint_constrains(joint->type);
}

/* ---- which joints close loops ---- */

/* A body that a ball alone holds to the world, such as a top. As a tree it would have its attitude
 * in joint coordinates, which Bullet integrates badly when it spins; rows hold it better. */
static bool is_top(const struct dpl_sim_mechanism *mechanism, const struct dpl_sim_joint *ball)
{
    bool at_parent = dpl__stands_still(mechanism, ball->parent);
    int body = at_parent ? ball->child : ball->parent, n = 0;
    if (ball->type != DPL_JOINT_BALL ||
        (!at_parent && !dpl__stands_still(mechanism, ball->child))) {
        return false;
    }
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        const struct dpl_sim_joint *joint = &mechanism->joints[i];
        n += dpl__bullet_constrains(joint) && (joint->parent == body || joint->child == body);
    }
    return n == 1;
}

static bool may_be_in_tree(const struct dpl_sim_mechanism *mechanism,
                           const struct dpl_sim_joint *joint)
{
    bool breaks = joint->break_force > 0.0 || joint->break_torque > 0.0;
    return dpl__bullet_constrains(joint) && !joint->cuts_loop && !breaks &&
           !is_top(mechanism, joint);
}

static void choose(struct dpl_bullet_plan *plan, int *sets)
{
    const struct dpl_sim_mechanism *mechanism = plan->mechanism;
    dpl__sets_start(sets, mechanism->n_bodies + 1);
    for (size_t i = 0; i < mechanism->n_bodies; i++) {
        plan->jointed[i] = mechanism->bodies[i].takes_load;
    }
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        const struct dpl_sim_joint *joint = &mechanism->joints[i];
        bool constrains = dpl__bullet_constrains(joint);
        int nodes[] = {dpl__node_of(mechanism, joint->parent),
                       dpl__node_of(mechanism, joint->child)};
        plan->in_tree[i] =
            may_be_in_tree(mechanism, joint) && dpl__sets_unite(sets, nodes[0], nodes[1]);
        bool is_coupled = joint->type == DPL_JOINT_GEAR || joint->type == DPL_JOINT_BELT;
        for (int k = 0; k < 2 && (constrains || is_coupled); k++) {
            if (nodes[k] < (int)mechanism->n_bodies) {
                plan->jointed[nodes[k]] = true;
            }
        }
    }
    for (size_t i = 0; i < mechanism->n_bodies; i++) {
        plan->on_world[i] =
            dpl__set_of(sets, (int)i) == dpl__set_of(sets, (int)mechanism->n_bodies);
    }
}

int dpl__bullet_plan_make(const struct dpl_sim_mechanism *mechanism,
                          struct dpl_bullet_plan *ret_plan)
{
    struct dpl_bullet_plan plan = {
        .mechanism = mechanism,
        .in_tree = calloc(mechanism->n_joints + 1, sizeof *plan.in_tree),
        .on_world = calloc(mechanism->n_bodies + 1, sizeof *plan.on_world),
        .jointed = calloc(mechanism->n_bodies + 1, sizeof *plan.jointed),
    };
    int *sets = calloc(mechanism->n_bodies + 1, sizeof *sets);
    if (!plan.in_tree || !plan.jointed || !plan.on_world || !sets) {
        dpl__bullet_plan_finish(&plan);
        free(sets);
        return -ENOMEM;
    }
    choose(&plan, sets);
    free(sets);
    *ret_plan = plan;
    return 0;
}

void dpl__bullet_plan_finish(struct dpl_bullet_plan *plan)
{
    free(plan->in_tree);
    free(plan->jointed);
    free(plan->on_world);
}

/* ---- joints as chains ---- */

static const struct dpl_pose3 identity = {.orientation = {.w = 1.0}};
static const double half_root = 0.70710678118654752440;

/* Frames whose z is the x, the y and the opposite of the z of the frame around them. */
static struct dpl_pose3 along_x(void)
{
    return (struct dpl_pose3){.orientation = {.w = half_root, .y = half_root}};
}

static struct dpl_pose3 along_y(void)
{
    return (struct dpl_pose3){.orientation = {.w = half_root, .x = -half_root}};
}

static struct dpl_pose3 opposite(void)
{
    return (struct dpl_pose3){.orientation = {.x = 1.0}};
}

static double turn_about_z(const struct dpl_pose3 *placed)
{
    struct dpl_vector3 x = dpl_quaternion_turn(placed->orientation, (struct dpl_vector3){.x = 1.0});
    return atan2(x.y, x.x);
}

static double turn_about_x(const struct dpl_pose3 *placed)
{
    struct dpl_vector3 y = dpl_quaternion_turn(placed->orientation, (struct dpl_vector3){.y = 1.0});
    struct dpl_vector3 z = dpl_quaternion_turn(placed->orientation, (struct dpl_vector3){.z = 1.0});
    return atan2(y.z, z.z);
}

static struct dpl_bullet_element element(enum dpl_solver_link_kind kind, double value, int freedom)
{
    return (struct dpl_bullet_element){kind, identity, identity, value, freedom};
}

/* Turns both frames of an element, which stay equal at 0. */
static void aim(struct dpl_bullet_element *at, struct dpl_pose3 turn)
{
    at->in_parent = dpl_pose3_compose(at->in_parent, turn);
    at->in_child = dpl_pose3_compose(at->in_child, turn);
}

int dpl__bullet_elements(const struct dpl_sim_joint *joint, const struct dpl_pose3 *placed,
                         struct dpl_bullet_element ret[DPL_BULLET_ELEMENTS])
{
    double turn = turn_about_z(placed);
    const struct dpl_vector3 *at = &placed->position;
    int n = 0;
    switch (joint->type) {
    case DPL_JOINT_HINGE: ret[n++] = element(DPL_SOLVER_TURN, turn, 0); break;
    case DPL_JOINT_SLIDER: ret[n++] = element(DPL_SOLVER_TRAVEL, at->z, 0); break;
    case DPL_JOINT_BALL: ret[n++] = element(DPL_SOLVER_BALL, 0.0, -1); break;
    case DPL_JOINT_UNIVERSAL:
        ret[n++] = element(DPL_SOLVER_TURN, turn, 0);
        ret[n++] = element(DPL_SOLVER_TURN, turn_about_x(placed), 1);
        break;
    case DPL_JOINT_CYLINDRICAL:
        ret[n++] = element(DPL_SOLVER_TRAVEL, at->z, 0);
        ret[n++] = element(DPL_SOLVER_TURN, turn, 1);
        break;
    case DPL_JOINT_PLANAR:
        ret[n++] = element(DPL_SOLVER_TRAVEL, at->x, -1);
        ret[n++] = element(DPL_SOLVER_TRAVEL, at->y, -1);
        ret[n++] = element(DPL_SOLVER_TURN, turn, -1);
        break;
    default: ret[n++] = element(DPL_SOLVER_FIXED, 0.0, -1); break;
    }
    ret[0].in_parent = joint->in_parent;
    ret[n - 1].in_child = joint->in_child;
    if (joint->type == DPL_JOINT_UNIVERSAL) {
        aim(&ret[1], along_x());
    } else if (joint->type == DPL_JOINT_PLANAR) {
        aim(&ret[0], along_x());
        aim(&ret[1], along_y());
    }
    return n;
}

void dpl__bullet_elements_reverse(struct dpl_bullet_element *elements, int n)
{
    for (int i = 0; i < n / 2; i++) {
        struct dpl_bullet_element kept = elements[i];
        elements[i] = elements[n - 1 - i];
        elements[n - 1 - i] = kept;
    }
    for (int i = 0; i < n; i++) {
        struct dpl_pose3 kept = elements[i].in_parent;
        elements[i].in_parent = elements[i].in_child;
        elements[i].in_child = kept;
        aim(&elements[i], opposite());
    }
}
