/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies of a mechanism are added to the solver. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/math/vector3.h>

#include "disjoint_sets.h"
#include "mechanism_site.h"

static struct dpl_solver_shape solver_shape(const struct dpl_sim_mechanism *mechanism,
                                            const struct dpl_sim_solid *solid)
{
    static const enum dpl_solver_shape_kind kinds[] = {
        [DPL_SOLID_BOX] = DPL_SOLVER_BOX,         [DPL_SOLID_SPHERE] = DPL_SOLVER_SPHERE,
        [DPL_SOLID_CAPSULE] = DPL_SOLVER_CAPSULE, [DPL_SOLID_CYLINDER] = DPL_SOLVER_CYLINDER,
        [DPL_SOLID_PLANE] = DPL_SOLVER_PLANE,     [DPL_SOLID_HULL] = DPL_SOLVER_HULL,
        [DPL_SOLID_MESH] = DPL_SOLVER_MESH,       [DPL_SOLID_FIELD] = DPL_SOLVER_FIELD,
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
        .heights = solid->field.heights,
        .columns = solid->field.columns,
        .rows = solid->field.rows,
        .friction = material->friction,
        .restitution = material->restitution,
        .rolling = material->rolling_friction,
    };
    if (solid->kind == DPL_SOLID_BOX) {
        memcpy(shape.size, solid->size, sizeof shape.size);
    }
    if (solid->kind == DPL_SOLID_FIELD) {
        shape.size[0] = solid->field.cell;
    }
    return shape;
}

/* Gives the shapes of a body that are hulls their faces (a flat one none), which are in the memory
 * that is returned for the caller to free. NULL: out of memory. */
static unsigned (*face_hulls(const struct dpl_sim_body *body,
                             struct dpl_solver_shape *inout_shapes))[3]
{
    size_t room = 1, used = 0;
    for (size_t i = 0; i < body->n_solids; i++) {
        room += body->solids[i].kind == DPL_SOLID_HULL ? 2 * body->solids[i].n_points : 0;
    }
    unsigned(*faces)[3] = calloc(room, sizeof *faces);
    for (size_t i = 0; i < body->n_solids && faces; i++) {
        const struct dpl_sim_solid *hull = &body->solids[i];
        if (hull->kind == DPL_SOLID_HULL) {
            int n = dpl_hull_faces(hull->points, hull->n_points, &faces[used]);
            inout_shapes[i].faces = (const unsigned(*)[3]) & faces[used];
            inout_shapes[i].n_faces = n > 0 ? (size_t)n : 0;
            used += inout_shapes[i].n_faces;
        }
    }
    return faces;
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

bool dpl__site_is_armature_of_body(const struct dpl__site *site, size_t number)
{
    const struct dpl_sim_mechanism *mechanism = dpl__site_mechanism(site);
    const struct dpl_sim_joint *joint = &mechanism->joints[number];
    return joint->type == DPL_JOINT_HINGE && !joint->has_lossy_gear &&
           (dpl__stands_still(mechanism, joint->parent) ||
            dpl__stands_still(mechanism, joint->child));
}

static void add_armature(const struct dpl__site *site, int number, double inout[6])
{
    const struct dpl_sim_mechanism *mechanism = dpl__site_mechanism(site);
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        const struct dpl_sim_joint *joint = &mechanism->joints[i];
        bool at_parent = dpl__stands_still(mechanism, joint->child);
        if ((at_parent ? joint->parent : joint->child) != number || !(joint->armature > 0.0) ||
            !dpl__site_is_armature_of_body(site, i)) {
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
    unsigned(*faces)[3] = face_hulls(from, shapes);
    if (!faces) {
        free(shapes);
        return -ENOMEM;
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
    int made = dpl__rigid_world_add(site->world->rigid, &body, site->span->first_body + number);
    free(faces);
    free(shapes);
    return made;
}

int dpl__site_add_bodies(struct dpl__site *site)
{
    struct dpl_bullet_world *world = site->world;
    site->first_body = (int)world->rigid->n_bodies;
    for (size_t i = 0; i < dpl__site_mechanism(site)->n_bodies; i++) {
        int made = add_body(site, (int)i);
        if (made < 0) {
            return made;
        }
        if (dpl__site_mechanism(site)->bodies[i].takes_load) {
            world->loaded[world->n_loaded++] = made;
        }
        world->number_of[site->span->first_body + (int)i] = made;
        world->of[site->span->first_body + (int)i] = &dpl__site_mechanism(site)->bodies[i];
    }
    return 0;
}
