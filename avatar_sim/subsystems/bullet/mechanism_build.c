/* SPDX-License-Identifier: Apache-2.0 */
/* A mechanism is added to the solver: bodies, trees, loops, freedoms. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/math/vector3.h>

#include "mechanism_site.h"

/* ---- bodies ---- */

static struct dpl_solver_shape solver_shape(const struct dpl_sim_mechanism *mechanism,
                                            const struct dpl_sim_solid *solid)
{
    static const enum dpl_solver_shape_kind kinds[] = {
        [DPL_SOLID_BOX] = DPL_SOLVER_BOX,         [DPL_SOLID_SPHERE] = DPL_SOLVER_SPHERE,
        [DPL_SOLID_CAPSULE] = DPL_SOLVER_CAPSULE, [DPL_SOLID_CYLINDER] = DPL_SOLVER_CYLINDER,
        [DPL_SOLID_PLANE] = DPL_SOLVER_PLANE,     [DPL_SOLID_HULL] = DPL_SOLVER_HULL,
        [DPL_SOLID_MESH] = DPL_SOLVER_MESH,
    };
    const struct dpl_sim_material *material = &mechanism->materials[solid->material];
    struct dpl_solver_shape shape = {
        .kind = kinds[solid->kind],
        .pose = dpl__site_pose(solid->pose),
        .size = {solid->radius, 0.0, solid->height},
        .points = (const double *)solid->points,
        .n_points = solid->n_points,
        .faces = solid->faces,
        .n_faces = solid->n_faces,
        .friction = material->friction,
        .restitution = material->restitution,
        .rolling = material->rolling_friction,
    };
    if (solid->kind == DPL_SOLID_BOX) {
        memcpy(shape.size, solid->size, sizeof shape.size);
    }
    return shape;
}

static bool touches_ground(const struct dpl__site *site, int body)
{
    const struct dpl_sim_mechanism *mechanism = dpl__site_mechanism(site);
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        const struct dpl_sim_joint *joint = &mechanism->joints[i];
        bool is_here = joint->parent == body || joint->child == body;
        if (is_here && dpl__bullet_constrains(joint) && (joint->parent < 0 || joint->child < 0)) {
            return false;
        }
    }
    return true;
}

/* A rotor behind a gear resists turning the child against the parent. Where one of them stands
 * still, it is added to the other's inertia about the axis. So it is, as the nearest that there is,
 * at a joint that closes a loop; other joints have a coordinate that takes inertia of its own. */
static bool is_armature_of_body(const struct dpl__site *site, size_t number)
{
    const struct dpl_sim_mechanism *mechanism = dpl__site_mechanism(site);
    const struct dpl_sim_joint *joint = &mechanism->joints[number];
    return joint->type == DPL_JOINT_HINGE &&
           (!site->plan.in_tree[number] || dpl__bullet_is_fixed(mechanism, joint->parent) ||
            dpl__bullet_is_fixed(mechanism, joint->child));
}

static void add_armature(const struct dpl__site *site, int number, double inout[6])
{
    const struct dpl_sim_mechanism *mechanism = dpl__site_mechanism(site);
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        const struct dpl_sim_joint *joint = &mechanism->joints[i];
        bool at_parent = dpl__bullet_is_fixed(mechanism, joint->child);
        if ((at_parent ? joint->parent : joint->child) != number || !(joint->armature > 0.0) ||
            !is_armature_of_body(site, i)) {
            continue;
        }
        struct dpl_quaternion turn =
            at_parent ? joint->in_parent.orientation : joint->in_child.orientation;
        struct dpl_vector3 a = dpl_quaternion_turn(turn, (struct dpl_vector3){.z = 1.0});
        const double squares[6] = {a.x * a.x, a.y * a.y, a.z * a.z,
                                   a.x * a.y, a.x * a.z, a.y * a.z};
        for (int k = 0; k < 6; k++) {
            inout[k] += joint->armature * squares[k];
        }
    }
}

/* From the ball that holds a body to the world to the body's origin; 0: no ball holds it. A body
 * that starts with a turn turns about its ball. */
static struct dpl_vector3 lever_of(const struct dpl__site *site, int number)
{
    const struct dpl_sim_mechanism *mechanism = dpl__site_mechanism(site);
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        const struct dpl_sim_joint *joint = &mechanism->joints[i];
        bool is_child = joint->child == number;
        if (joint->type == DPL_JOINT_BALL && (is_child || joint->parent == number)) {
            struct dpl_pose3 frame = is_child ? joint->in_child : joint->in_parent;
            return dpl_vector3_minus(mechanism->bodies[number].pose.position,
                                     dpl_mechanism_place(mechanism, number, frame).position);
        }
    }
    return (struct dpl_vector3){0};
}

/* The body's own axes, where they are principal axes. */
static void set_moments(const double inertia[6], struct dpl_solver_body *inout,
                        struct dpl_quaternion *inout_axes)
{
    double sides = fabs(inertia[3]) + fabs(inertia[4]) + fabs(inertia[5]);
    if (sides <= 1e-12 * (inertia[0] + inertia[1] + inertia[2])) {
        memcpy(inout->moments, inertia, sizeof inout->moments);
    } else {
        dpl_inertia_principal(inertia, inout->moments, inout_axes);
    }
}

static int add_body(struct dpl__site *site, int number)
{
    const struct dpl_sim_mechanism *mechanism = dpl__site_mechanism(site);
    const struct dpl_sim_body *from = &mechanism->bodies[number];
    struct dpl_solver_shape *shapes = calloc(from->n_solids + 1, sizeof *shapes);
    if (!shapes) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < from->n_solids; i++) {
        shapes[i] = solver_shape(mechanism, &from->solids[i]);
    }
    struct dpl_pose3 centre = {.orientation.w = 1.0};
    struct dpl_solver_body body = {
        .kind = from->is_static              ? DPL_SOLVER_STATIC
                : site->plan.jointed[number] ? DPL_SOLVER_JOINTED
                                             : DPL_SOLVER_FREE,
        .pose = dpl__site_pose(dpl_pose3_compose(site->origin, from->pose)),
        .mass = from->mass.mass,
        .shapes = shapes,
        .n_shapes = from->n_solids,
        .off_ground = !touches_ground(site, number),
    };
    body.belts = dpl__site_belts_of(site, number);
    const double load_at[3] = {from->load_at.x, from->load_at.y, from->load_at.z};
    body.load_at = from->takes_load ? load_at : NULL;
    if (!from->is_static) {
        centre.position = from->mass.centre;
        double inertia[6];
        memcpy(inertia, from->mass.inertia, sizeof inertia);
        add_armature(site, number, inertia);
        set_moments(inertia, &body, &centre.orientation);
    }
    body.centre = dpl__site_pose(centre);
    struct dpl_quaternion turn = site->origin.orientation;
    struct dpl_vector3 velocity = dpl_quaternion_turn(turn, from->velocity);
    struct dpl_vector3 angular = dpl_quaternion_turn(turn, from->angular);
    velocity = dpl_vector3_add(
        velocity, dpl_vector3_cross(angular, dpl_quaternion_turn(turn, lever_of(site, number))));
    memcpy(body.velocity, &velocity, sizeof body.velocity);
    memcpy(body.angular, &angular, sizeof body.angular);
    int made = dpl__solver_add_body(site->world->solver, &body);
    free(shapes);
    return made;
}

static int add_bodies(struct dpl__site *site)
{
    struct dpl_bullet_world *world = site->world;
    site->first_body = (int)world->n_bodies;
    for (size_t i = 0; i < dpl__site_mechanism(site)->n_bodies; i++) {
        int made = add_body(site, (int)i);
        if (made < 0) {
            return made;
        }
        if (dpl__site_mechanism(site)->bodies[i].takes_load) {
            world->loaded[world->n_loaded++] = made;
        }
        world->of[site->span->first_body + (int)i] = &dpl__site_mechanism(site)->bodies[i];
        world->bodies[world->n_bodies++] = site->span->first_body + (int)i;
    }
    return 0;
}

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
    bool from_world = dpl__bullet_is_fixed(mechanism, from);
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
            if (!dpl__bullet_is_fixed(mechanism, other) && site->link_of[other] == -2) {
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
        bool at_parent = dpl__bullet_is_fixed(mechanism, joint->parent);
        if (site->plan.in_tree[i] && (at_parent || dpl__bullet_is_fixed(mechanism, joint->child))) {
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
        if (i == 0 && joint->armature > 0.0 && !is_armature_of_body(site, number)) {
            int rc = dpl__solver_add_inertia(world->solver, freedom, joint->armature);
            site->world->n_trees++; /* it is one */
            if (rc < 0) {
                return rc;
            }
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
        rc = add_bodies(site);
        rc = rc ? rc : add_trees(site, queue);
        rc = rc ? rc : add_joints(site);
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
