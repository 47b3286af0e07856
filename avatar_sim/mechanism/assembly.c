/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of a mechanism: see assembly.h. */
#include "assembly.h"

#include <doppel/math/vector3.h>

#include "arena.h"
#include "disjoint_sets.h"

static const struct dpl_pose3 identity = {.orientation = {.w = 1.0}};
static const double least_length = 1e-3; /* m */

/* ---- sets of bodies ---- */

static void unite(const struct dpl_sim_mechanism *mechanism, int *sets, int a, int b)
{
    if (!dpl__stands_still(mechanism, a) && !dpl__stands_still(mechanism, b)) {
        dpl__sets_unite(sets, a, b);
    }
}

static void find_sets(struct dpl__assembly *assembly)
{
    const struct dpl_sim_mechanism *mechanism = assembly->mechanism;
    int *sets = assembly->set_of;
    dpl__sets_start(sets, mechanism->n_bodies);
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        const struct dpl_sim_joint *joint = &mechanism->joints[i];
        if (dpl_sim_joint_constrains(joint->type) || joint->type == DPL_JOINT_GEAR) {
            unite(mechanism, sets, joint->parent, joint->child);
        }
    }
    for (size_t i = 0; i < mechanism->n_mimics; i++) {
        const struct dpl_sim_joint *leader = &mechanism->joints[mechanism->mimics[i].leader];
        const struct dpl_sim_joint *follower = &mechanism->joints[mechanism->mimics[i].follower];
        int a = dpl__stands_still(mechanism, leader->child) ? leader->parent : leader->child;
        int b = dpl__stands_still(mechanism, follower->child) ? follower->parent : follower->child;
        unite(mechanism, sets, a, b);
    }
    for (size_t i = 0; i < mechanism->n_bodies; i++) {
        sets[i] = dpl__set_of(sets, (int)i);
    }
}

/* ---- which joints are in the tree ---- */

enum { MIMICS, FIRST, LAST, PASSES };

static int pass_of(const struct dpl_sim_mechanism *mechanism, size_t number)
{
    const struct dpl_sim_joint *joint = &mechanism->joints[number];
    for (size_t i = 0; i < mechanism->n_mimics; i++) {
        const struct dpl_sim_mimic *mimic = &mechanism->mimics[i];
        if (mimic->leader == (int)number || mimic->follower == (int)number) {
            return MIMICS;
        }
    }
    bool breaks = joint->break_force > 0.0 || joint->break_torque > 0.0;
    return joint->cuts_loop || breaks ? LAST : FIRST;
}

/* Which joints connect what is not connected yet. */
static void choose(const struct dpl_sim_mechanism *mechanism, int *sets, bool *ret_in_tree)
{
    dpl__sets_start(sets, mechanism->n_bodies + 1);
    for (int pass = 0; pass < PASSES; pass++) {
        for (size_t i = 0; i < mechanism->n_joints; i++) {
            const struct dpl_sim_joint *joint = &mechanism->joints[i];
            if (!dpl_sim_joint_constrains(joint->type) || pass_of(mechanism, i) != pass) {
                continue;
            }
            ret_in_tree[i] = dpl__sets_unite(sets, dpl__node_of(mechanism, joint->parent),
                                             dpl__node_of(mechanism, joint->child));
        }
    }
}

/* ---- what a joint lets move ---- */

static struct dpl_quaternion about(struct dpl_vector3 turn)
{
    double angle = dpl_vector3_length(turn);
    double share = angle > 1e-9 ? sin(angle / 2.0) / angle : 0.5;
    return dpl_quaternion_normalise(
        (struct dpl_quaternion){cos(angle / 2.0), share * turn.x, share * turn.y, share * turn.z});
}

static struct dpl_quaternion about_z(double angle)
{
    return about((struct dpl_vector3){.z = angle});
}

/* The nearest that the joint allows. */
static void meet(const struct dpl_sim_joint *joint, struct dpl__tree_link *link)
{
    struct dpl_pose3 *at = &link->between;
    struct dpl_vector3 x = dpl__axis(at, 0), y = dpl__axis(at, 1), z = dpl__axis(at, 2);
    struct dpl_vector3 position = at->position;
    double turn = atan2(x.y, x.x);
    at->position = (struct dpl_vector3){0};
    link->value = turn;
    switch (joint->type) {
    case DPL_JOINT_HINGE: at->orientation = about_z(turn); return;
    case DPL_JOINT_SLIDER:
        *at = identity;
        link->value = at->position.z = position.z;
        return;
    case DPL_JOINT_BALL: return;
    case DPL_JOINT_UNIVERSAL:
        at->orientation = dpl_quaternion_multiply(
            about_z(turn), about((struct dpl_vector3){.x = atan2(y.z, z.z)}));
        return;
    case DPL_JOINT_CYLINDRICAL:
        at->orientation = about_z(turn);
        at->position.z = position.z;
        return;
    case DPL_JOINT_PLANAR:
        at->orientation = about_z(turn);
        at->position = (struct dpl_vector3){.x = position.x, .y = position.y};
        return;
    default: *at = identity; return;
    }
}

int dpl__link_unknowns(const struct dpl__assembly *assembly, const struct dpl__tree_link *link)
{
    if (link->joint < 0) {
        return DPL_LINK_UNKNOWNS;
    }
    switch (assembly->mechanism->joints[link->joint].type) {
    case DPL_JOINT_HINGE:
    case DPL_JOINT_SLIDER: return 1;
    case DPL_JOINT_UNIVERSAL:
    case DPL_JOINT_CYLINDRICAL: return 2;
    case DPL_JOINT_BALL:
    case DPL_JOINT_PLANAR: return 3;
    default: return 0;
    }
}

static struct dpl__motion turning(struct dpl_vector3 axis, struct dpl_vector3 through)
{
    return (struct dpl__motion){axis, dpl_vector3_cross(through, axis)};
}

static struct dpl__motion travelling(const struct dpl__assembly *assembly, struct dpl_vector3 along)
{
    return (struct dpl__motion){.travel = dpl_vector3_times(along, assembly->length)};
}

struct dpl_pose3 dpl__assembly_frame(const struct dpl__assembly *assembly, int body,
                                     const struct dpl_pose3 *frame)
{
    return body < 0 ? *frame : dpl_pose3_compose(assembly->poses[body], *frame);
}

/* Of the child against the parent. */
static struct dpl__motion joint_motion(const struct dpl__assembly *assembly,
                                       const struct dpl_sim_joint *joint, int unknown)
{
    struct dpl_pose3 a = dpl__assembly_frame(assembly, joint->parent, &joint->in_parent);
    struct dpl_pose3 b = dpl__assembly_frame(assembly, joint->child, &joint->in_child);
    struct dpl_vector3 z = dpl__axis(&a, 2);
    switch (joint->type) {
    case DPL_JOINT_SLIDER: return travelling(assembly, z);
    case DPL_JOINT_BALL: return turning(dpl__axis(&b, unknown), b.position);
    case DPL_JOINT_UNIVERSAL: return turning(unknown == 0 ? z : dpl__axis(&b, 0), b.position);
    case DPL_JOINT_CYLINDRICAL:
        return unknown == 0 ? travelling(assembly, z) : turning(z, b.position);
    case DPL_JOINT_PLANAR:
        return unknown < 2 ? travelling(assembly, dpl__axis(&a, unknown)) : turning(z, b.position);
    default: return turning(z, b.position);
    }
}

struct dpl__motion dpl__link_motion(const struct dpl__assembly *assembly,
                                    const struct dpl__tree_link *link, int unknown)
{
    if (link->joint < 0) {
        struct dpl_vector3 axis = dpl__axis(&identity, unknown % 3);
        return unknown < 3 ? travelling(assembly, axis) : turning(axis, link->between.position);
    }
    struct dpl__motion motion =
        joint_motion(assembly, &assembly->mechanism->joints[link->joint], unknown);
    if (link->is_turned) {
        motion.turn = dpl_vector3_times(motion.turn, -1.0);
        motion.travel = dpl_vector3_times(motion.travel, -1.0);
    }
    return motion;
}

static struct dpl_quaternion then(struct dpl_quaternion outer, struct dpl_quaternion inner)
{
    return dpl_quaternion_normalise(dpl_quaternion_multiply(outer, inner));
}

static void move_link(const struct dpl__assembly *assembly, struct dpl__tree_link *link,
                      const double *by)
{
    struct dpl_pose3 *at = &link->between;
    struct dpl_quaternion *turn = &at->orientation;
    double length = assembly->length;
    if (link->joint < 0) {
        struct dpl_vector3 travel = {length * by[0], length * by[1], length * by[2]};
        at->position = dpl_vector3_add(at->position, travel);
        *turn = then(about((struct dpl_vector3){by[3], by[4], by[5]}), *turn);
        return;
    }
    switch (assembly->mechanism->joints[link->joint].type) {
    case DPL_JOINT_HINGE:
        *turn = then(about_z(by[0]), *turn);
        link->value += by[0];
        return;
    case DPL_JOINT_SLIDER:
        at->position.z += length * by[0];
        link->value = at->position.z;
        return;
    case DPL_JOINT_BALL:
        *turn = then(*turn, about((struct dpl_vector3){by[0], by[1], by[2]}));
        return;
    case DPL_JOINT_UNIVERSAL:
        *turn = then(then(about_z(by[0]), *turn), about((struct dpl_vector3){.x = by[1]}));
        return;
    case DPL_JOINT_CYLINDRICAL:
        at->position.z += length * by[0];
        *turn = then(about_z(by[1]), *turn);
        return;
    case DPL_JOINT_PLANAR:
        at->position.x += length * by[0];
        at->position.y += length * by[1];
        *turn = then(about_z(by[2]), *turn);
        return;
    default: return;
    }
}

void dpl__assembly_move(struct dpl__assembly *assembly, const double *changes)
{
    for (int i = 0; i < assembly->n_links; i++) {
        if (assembly->links[i].first >= 0) {
            move_link(assembly, &assembly->links[i], changes + assembly->links[i].first);
        }
    }
}

/* ---- poses ---- */

static struct dpl_pose3 inverse(struct dpl_pose3 pose)
{
    return dpl_pose3_relative(pose, identity);
}

void dpl__assembly_place(struct dpl__assembly *assembly)
{
    for (int i = 0; i < assembly->n_links; i++) {
        const struct dpl__tree_link *link = &assembly->links[i];
        struct dpl_pose3 between = link->between;
        if (link->joint < 0) {
            assembly->poses[link->to] = between;
            continue;
        }
        const struct dpl_sim_joint *joint = &assembly->mechanism->joints[link->joint];
        const struct dpl_pose3 *near = link->is_turned ? &joint->in_child : &joint->in_parent;
        const struct dpl_pose3 *far = link->is_turned ? &joint->in_parent : &joint->in_child;
        struct dpl_pose3 at = dpl__assembly_frame(assembly, link->from, near);
        at = dpl_pose3_compose(at, link->is_turned ? inverse(between) : between);
        assembly->poses[link->to] = dpl_pose3_compose(at, inverse(*far));
    }
}

/* ---- the tree ---- */

static void add_link(struct dpl__assembly *assembly, int number, int from, int to)
{
    struct dpl__tree_link *link = &assembly->links[assembly->n_links];
    *link = (struct dpl__tree_link){.joint = number, .from = from, .to = to, .first = -1};
    link->up = from >= 0 ? assembly->link_of[from] : -1;
    if (number < 0) {
        link->between = assembly->mechanism->bodies[to].pose;
    } else {
        const struct dpl_sim_joint *joint = &assembly->mechanism->joints[number];
        link->is_turned = joint->parent == to;
        link->between = dpl_pose3_relative(
            dpl_mechanism_place(assembly->mechanism, joint->parent, joint->in_parent),
            dpl_mechanism_place(assembly->mechanism, joint->child, joint->in_child));
        meet(joint, link);
        assembly->link_by[number] = assembly->n_links;
    }
    assembly->link_of[to] = assembly->n_links++;
}

/* Adds all that hangs on what is there. */
static void grow(struct dpl__assembly *assembly, const bool *in_tree)
{
    const struct dpl_sim_mechanism *mechanism = assembly->mechanism;
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < mechanism->n_joints; i++) {
            const struct dpl_sim_joint *joint = &mechanism->joints[i];
            int a = joint->parent, b = joint->child;
            if (!in_tree[i] || assembly->link_by[i] >= 0) {
                continue;
            }
            bool has_a = dpl__stands_still(mechanism, a) || assembly->link_of[a] >= 0;
            bool has_b = dpl__stands_still(mechanism, b) || assembly->link_of[b] >= 0;
            if (has_a || has_b) {
                add_link(assembly, (int)i, has_a ? a : b, has_a ? b : a);
                changed = true;
            }
        }
    }
}

/* Of the places of all joints. */
static double length_of(const struct dpl_sim_mechanism *mechanism)
{
    double least[3] = {(double)INFINITY, (double)INFINITY, (double)INFINITY};
    double most[3] = {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY}, sum = 0.0;
    for (size_t i = 0; i < 2 * mechanism->n_joints; i++) {
        const struct dpl_sim_joint *joint = &mechanism->joints[i / 2];
        struct dpl_vector3 at =
            i % 2 == 0 ? dpl_mechanism_place(mechanism, joint->parent, joint->in_parent).position
                       : dpl_mechanism_place(mechanism, joint->child, joint->in_child).position;
        const double xyz[3] = {at.x, at.y, at.z};
        for (int k = 0; k < 3; k++) {
            least[k] = fmin(least[k], xyz[k]);
            most[k] = fmax(most[k], xyz[k]);
        }
    }
    for (int k = 0; k < 3; k++) {
        sum += (most[k] - least[k]) * (most[k] - least[k]);
    }
    return fmax(sqrt(sum), least_length);
}

void dpl__assembly_make(struct dpl_arena *arena, const struct dpl_sim_mechanism *mechanism,
                        struct dpl__assembly *ret_assembly)
{
    size_t n = mechanism->n_bodies + 1, m = mechanism->n_joints + 1;
    struct dpl__assembly *assembly = ret_assembly;
    *assembly = (struct dpl__assembly){
        .mechanism = mechanism,
        .poses = dpl_arena_alloc(arena, n * sizeof *assembly->poses),
        .links = dpl_arena_alloc(arena, n * sizeof *assembly->links),
        .link_of = dpl_arena_alloc(arena, n * sizeof *assembly->link_of),
        .link_by = dpl_arena_alloc(arena, m * sizeof *assembly->link_by),
        .set_of = dpl_arena_alloc(arena, n * sizeof *assembly->set_of),
        .length = length_of(mechanism),
    };
    bool *in_tree = dpl_arena_alloc(arena, m * sizeof *in_tree);
    choose(mechanism, assembly->set_of, in_tree);
    find_sets(assembly);
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        assembly->link_by[i] = -1;
    }
    for (size_t i = 0; i < mechanism->n_bodies; i++) {
        assembly->poses[i] = mechanism->bodies[i].pose;
        assembly->link_of[i] = -1;
    }
    grow(assembly, in_tree);
    for (size_t i = 0; i < mechanism->n_bodies; i++) {
        if (!mechanism->bodies[i].is_static && assembly->link_of[i] < 0) {
            add_link(assembly, -1, -1, (int)i);
            grow(assembly, in_tree);
        }
    }
    dpl__assembly_place(assembly);
}
