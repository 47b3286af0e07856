/* SPDX-License-Identifier: Apache-2.0 */
/* A mechanism is added to the solver: bodies, trees, loops, freedoms. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/math/vector3.h>

#include "disjoint_sets.h"
#include "mechanism_site.h"

/* ---- trees ---- */

/* Adds the links of one joint, whose end `from` is in the tree already (link `parent`). */
static void add_links(struct dpl__site *site, int number, int from, int to, int parent)
{
    const struct dpl_sim_mechanism *mechanism = dpl__site_mechanism(site);
    const struct dpl_sim_joint *joint = &mechanism->joints[number];
    struct dpl_pose3 a = dpl_mechanism_place(mechanism, joint->parent, joint->in_parent);
    struct dpl_pose3 b = dpl_mechanism_place(mechanism, joint->child, joint->in_child);
    struct dpl_pose3 placed = dpl_pose3_relative(a, b);
    struct dpl_bullet_element elements[DPL_BULLET_ELEMENTS];
    int n = dpl__bullet_elements(joint, &placed, elements);
    if (joint->child == from) {
        dpl__bullet_elements_reverse(elements, n);
    }
    bool from_world = dpl__stands_still(mechanism, from);
    struct dpl_pose3 body = mechanism->bodies[to].pose;
    struct dpl_pose3 at_start = from_world ? dpl_pose3_compose(site->origin, body)
                                           : dpl_pose3_relative(mechanism->bodies[from].pose, body);
    if (from_world) {
        elements[0].in_parent = dpl__site_fixed_frame(site, from, elements[0].in_parent);
    }
    for (int i = 0; i < n; i++) {
        int link = site->n_links++;
        site->links[link] = (struct dpl_solver_link){
            .kind = elements[i].kind,
            .parent = i == 0 ? parent : link - 1,
            .body = i == n - 1 ? site->first_body + to : -1,
            .in_parent = dpl__site_pose(elements[i].in_parent),
            .in_own = dpl__site_pose(elements[i].in_child),
            .value = elements[i].value,
            .at_start = dpl__site_pose(at_start),
        };
        if (elements[i].freedom >= 0) {
            site->joint_at[number][elements[i].freedom] = link;
        }
    }
    site->link_of[to] = site->n_links - 1;
    site->joint_beyond[number] = to;
    site->joint_tree[number] = (int)site->world->n_trees;
}

/* The end of a joint that is not `body`. */
static int other_end(const struct dpl_sim_joint *joint, int body)
{
    return joint->parent == body ? joint->child : joint->parent;
}

/* Adds all bodies that hang on `body`, which is in the tree, nearest first. */
static void grow(struct dpl__site *site, int *queue, int n_queued)
{
    const struct dpl_sim_mechanism *mechanism = dpl__site_mechanism(site);
    for (int next = 0; next < n_queued; next++) {
        int body = queue[next];
        for (size_t i = 0; i < mechanism->n_joints; i++) {
            const struct dpl_sim_joint *joint = &mechanism->joints[i];
            if (!site->plan.in_tree[i] || (joint->parent != body && joint->child != body)) {
                continue;
            }
            int other = other_end(joint, body);
            if (!dpl__stands_still(mechanism, other) && site->link_of[other] == -2) {
                add_links(site, (int)i, body, other, site->link_of[body]);
                queue[n_queued++] = other;
            }
        }
    }
}

static int finish_tree(struct dpl__site *site, int base)
{
    int made = dpl__solver_add_tree(site->world->solver, base, site->links, (size_t)site->n_links);
    site->world->n_trees++;
    site->n_links = 0;
    return made < 0 ? made : 0;
}

/* First what hangs on the world, a tree for each joint there; then what floats. */
static int add_trees(struct dpl__site *site, int *queue)
{
    const struct dpl_sim_mechanism *mechanism = dpl__site_mechanism(site);
    int rc = 0;
    for (size_t i = 0; i < mechanism->n_joints && rc == 0; i++) {
        const struct dpl_sim_joint *joint = &mechanism->joints[i];
        bool at_parent = dpl__stands_still(mechanism, joint->parent);
        if (site->plan.in_tree[i] && (at_parent || dpl__stands_still(mechanism, joint->child))) {
            int from = at_parent ? joint->parent : joint->child;
            int to = at_parent ? joint->child : joint->parent;
            add_links(site, (int)i, from, to, -1);
            queue[0] = to;
            grow(site, queue, 1);
            rc = finish_tree(site, -1);
        }
    }
    for (size_t i = 0; i < mechanism->n_bodies && rc == 0; i++) {
        if (site->plan.jointed[i] && site->link_of[i] == -2) {
            site->link_of[i] = -1;
            queue[0] = (int)i;
            grow(site, queue, 1);
            rc = finish_tree(site, site->first_body + (int)i);
        }
    }
    return rc;
}

/* ---- loops ---- */

static void lock(const struct dpl_sim_joint *joint, struct dpl_solver_loop *inout)
{
    bool slides = joint->type == DPL_JOINT_SLIDER || joint->type == DPL_JOINT_CYLINDRICAL;
    bool is_planar = joint->type == DPL_JOINT_PLANAR;
    inout->travel[0] = inout->travel[1] = !is_planar;
    inout->travel[2] = !slides;
    switch (joint->type) {
    case DPL_JOINT_BALL: inout->turns = DPL_SOLVER_TURNS_FREE; break;
    case DPL_JOINT_HINGE:
    case DPL_JOINT_CYLINDRICAL:
    case DPL_JOINT_PLANAR: inout->turns = DPL_SOLVER_TURNS_ABOUT_Z; break;
    case DPL_JOINT_UNIVERSAL: inout->turns = DPL_SOLVER_TURNS_UNIVERSAL; break;
    default: inout->turns = DPL_SOLVER_TURNS_LOCKED; break;
    }
}

static int add_loop(struct dpl__site *site, size_t number)
{
    const struct dpl_sim_mechanism *mechanism = dpl__site_mechanism(site);
    const struct dpl_sim_joint *joint = &mechanism->joints[number];
    struct dpl_solver_loop loop = {
        .a = dpl__site_end(site, joint->parent),
        .b = dpl__site_end(site, joint->child),
        .in_a = dpl__site_pose(dpl__site_end_frame(site, joint->parent, joint->in_parent)),
        .in_b = dpl__site_pose(dpl__site_end_frame(site, joint->child, joint->in_child)),
        .break_force = joint->break_force,
        .break_torque = joint->break_torque,
    };
    lock(joint, &loop);
    int made = dpl__solver_add_loop(site->world->solver, &loop);
    site->joint_loop[number] = made;
    for (int i = 0; i < dpl_sim_joint_freedoms(joint->type) && made >= 0; i++) {
        bool is_second = joint->type == DPL_JOINT_UNIVERSAL && i == 1;
        int freedom = dpl__solver_add_loop_freedom(site->world->solver, made,
                                                   dpl_sim_joint_turns(joint->type, i), is_second);
        site->joint_at[number][i] = freedom;
        made = freedom < 0 ? freedom : made;
    }
    return made < 0 ? made : 0;
}

/* ---- slots ---- */

static int add_slots(struct dpl__site *site, size_t number)
{
    const struct dpl_sim_mechanism *mechanism = dpl__site_mechanism(site);
    const struct dpl_sim_joint *joint = &mechanism->joints[number];
    struct dpl_bullet_world *world = site->world;
    for (int i = 0; i < dpl_sim_joint_freedoms(joint->type); i++) {
        int freedom = site->joint_at[number][i];
        if (site->plan.in_tree[number]) {
            freedom = dpl__solver_add_freedom(world->solver, site->joint_tree[number], freedom);
        }
        if (freedom < 0) {
            return freedom;
        }
        const struct dpl_sim_limit *limit = &joint->limits[i];
        if (limit->is_there && !(limit->stiffness > 0.0)) {
            dpl__solver_limit(world->solver, freedom, limit->lower, limit->upper);
        }
        world->slots[world->n_slots++] = (struct dpl_bullet_slot){
            .joint = site->span->first_joint + dpl_mechanism_slot(mechanism, number) + i,
            .freedom = freedom,
            .of = joint,
            .number = i,
            .armature =
                i == 0 && !dpl__site_is_armature_of_body(site, number) ? joint->armature : 0.0,
        };
    }
    return 0;
}

static int add_reaction(struct dpl__site *site, size_t number)
{
    const struct dpl_sim_joint *joint = &dpl__site_mechanism(site)->joints[number];
    struct dpl_bullet_world *world = site->world;
    bool in_tree = site->plan.in_tree[number];
    struct dpl_solver_reaction reaction = {
        .loop = in_tree ? -1 : site->joint_loop[number],
        .beyond = in_tree ? site->first_body + site->joint_beyond[number] : -1,
        .is_turned = in_tree && site->joint_beyond[number] != joint->child,
        .child = dpl__site_end(site, joint->child),
        .in_child = dpl__site_pose(dpl__site_end_frame(site, joint->child, joint->in_child)),
    };
    int made = dpl__solver_add_reaction(world->solver, &reaction);
    if (made >= 0) {
        world->reactions[world->n_reactions++] =
            (struct dpl_bullet_reaction){site->span->first_reaction + (int)number, made};
    }
    return made < 0 ? made : 0;
}

static int add_joints(struct dpl__site *site)
{
    const struct dpl_sim_mechanism *mechanism = dpl__site_mechanism(site);
    int rc = 0;
    for (size_t i = 0; i < mechanism->n_joints && rc == 0; i++) {
        const struct dpl_sim_joint *joint = &mechanism->joints[i];
        if (!dpl__bullet_constrains(joint)) {
            rc = dpl__site_add_coupling(site, joint);
            continue;
        }
        if (joint->parent >= 0 && joint->child >= 0) {
            rc = dpl__solver_keep_apart(site->world->solver, site->first_body + joint->parent,
                                        site->first_body + joint->child);
        }
        rc = rc || site->plan.in_tree[i] ? rc : add_loop(site, i);
        rc = rc ? rc : add_slots(site, i);
        rc = rc ? rc : add_reaction(site, i);
    }
    return rc;
}

/* ---- groups ---- */

/* Bodies of one group do not touch each other. */
static int keep_groups_apart(struct dpl__site *site)
{
    const struct dpl_sim_mechanism *mechanism = dpl__site_mechanism(site);
    int rc = 0;
    for (size_t i = 0; i < mechanism->n_bodies; i++) {
        for (size_t k = 0; k < i && rc == 0 && mechanism->bodies[i].group != 0; k++) {
            if (mechanism->bodies[k].group == mechanism->bodies[i].group) {
                rc = dpl__solver_keep_apart(site->world->solver, site->first_body + (int)k,
                                            site->first_body + (int)i);
            }
        }
    }
    return rc;
}

/* ---- all ---- */

static int add_all(struct dpl__site *site)
{
    const struct dpl_sim_mechanism *mechanism = dpl__site_mechanism(site);
    int *queue = calloc(mechanism->n_bodies + 1, sizeof *queue);
    site->links = calloc(DPL_BULLET_ELEMENTS * mechanism->n_bodies + 1, sizeof *site->links);
    site->link_of = calloc(mechanism->n_bodies + 1, sizeof *site->link_of);
    site->joint_tree = calloc(mechanism->n_joints + 1, sizeof *site->joint_tree);
    site->joint_beyond = calloc(mechanism->n_joints + 1, sizeof *site->joint_beyond);
    site->joint_loop = calloc(mechanism->n_joints + 1, sizeof *site->joint_loop);
    site->joint_at = calloc(mechanism->n_joints + 1, sizeof *site->joint_at);
    int rc = -ENOMEM;
    if (queue && site->links && site->link_of && site->joint_tree && site->joint_at &&
        site->joint_beyond && site->joint_loop) {
        for (size_t i = 0; i < mechanism->n_bodies; i++) {
            site->link_of[i] = -2;
        }
        rc = dpl__site_add_bodies(site);
        rc = rc ? rc : add_trees(site, queue);
        rc = rc ? rc : keep_groups_apart(site);
        rc = rc ? rc : add_joints(site);
        rc = rc ? rc : dpl__site_add_mimics(site);
    }
    free(queue);
    free(site->links);
    free(site->link_of);
    free(site->joint_tree);
    free(site->joint_at);
    free(site->joint_beyond);
    free(site->joint_loop);
    return rc;
}

int dpl__bullet_add_mechanism(struct dpl_bullet_world *world, const struct dpl_sim_mechanism *from,
                              struct dpl_pose2 start, const struct dpl_sim_span *span)
{
    struct dpl__site site = {.world = world, .origin = dpl_pose3_from_planar(start), .span = span};
    int rc = dpl__bullet_plan_make(from, &site.plan);
    if (rc == 0) {
        rc = add_all(&site);
        dpl__bullet_plan_finish(&site.plan);
    }
    return rc;
}
