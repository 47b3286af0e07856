/* SPDX-License-Identifier: Apache-2.0 */
/* Gears and ropes of a mechanism are added to the solver. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/math/vector3.h>

#include "disjoint_sets.h"
#include "mechanism_site.h"

static int add_gear(struct dpl__site *site, const struct dpl_sim_joint *joint)
{
    struct dpl_solver_gear gear = {
        .a = dpl__site_end(site, joint->parent),
        .b = dpl__site_end(site, joint->child),
        .in_a = dpl__site_pose(dpl__site_end_frame(site, joint->parent, joint->in_parent)),
        .in_b = dpl__site_pose(dpl__site_end_frame(site, joint->child, joint->in_child)),
        .ratio = joint->gear_ratio,
    };
    return dpl__solver_add_gear(site->world->solver, &gear);
}

/* ---- ropes ---- */

static struct dpl_solver_sheave sheave_of(const struct dpl__site *site,
                                          const struct dpl_sim_rope *rope)
{
    const struct dpl_sim_mechanism *mechanism = dpl__site_mechanism(site);
    const struct dpl_sim_joint *hinge = &mechanism->joints[rope->sheave];
    bool is_child = !dpl__stands_still(mechanism, hinge->child);
    int body = is_child ? hinge->child : hinge->parent;
    const struct dpl_pose3 *frame = is_child ? &hinge->in_child : &hinge->in_parent;
    struct dpl_vector3 axis =
        dpl_quaternion_turn(frame->orientation, (struct dpl_vector3){.z = 1.0});
    double moment =
        hinge->armature + dpl_mass_about(&mechanism->bodies[body].mass, frame->position, axis);
    struct dpl_solver_sheave sheave = {
        .body = site->first_body + body,
        .radius = rope->radius,
        .mass = moment / (rope->radius * rope->radius),
        .grip = rope->slip > 0.0 ? exp(rope->slip * rope->wrap) : 0.0,
        .length_b = rope->free_length_child,
    };
    memcpy(sheave.centre, &frame->position, sizeof sheave.centre);
    axis = dpl_vector3_times(axis, is_child ? 1.0 : -1.0);
    memcpy(sheave.axis, &axis, sizeof sheave.axis);
    int slot = site->span->first_joint + dpl_mechanism_slot(mechanism, rope->sheave);
    for (size_t i = 0; i < site->world->n_slots; i++) {
        if (site->world->slots[i].joint == slot) {
            sheave.freedom = site->world->slots[i].freedom;
        }
    }
    return sheave;
}

static int add_rope(struct dpl__site *site, const struct dpl_sim_joint *joint)
{
    struct dpl_solver_sheave sheave;
    struct dpl_solver_rope rope = {
        .a = dpl__site_end(site, joint->parent),
        .b = dpl__site_end(site, joint->child),
        .ea = joint->rope.ea,
        .damping = joint->rope.damping,
        .length = joint->rope.free_length,
        .tension_only = joint->rope.tension_only,
    };
    struct dpl_solver_pose a =
        dpl__site_pose(dpl__site_end_frame(site, joint->parent, joint->in_parent));
    struct dpl_solver_pose b =
        dpl__site_pose(dpl__site_end_frame(site, joint->child, joint->in_child));
    memcpy(rope.in_a, a.position, sizeof rope.in_a);
    memcpy(rope.in_b, b.position, sizeof rope.in_b);
    if (joint->rope.radius != 0.0) {
        sheave = sheave_of(site, &joint->rope);
        rope.sheave = &sheave;
    }
    int made = dpl__solver_add_rope(site->world->solver, &rope);
    if (made >= 0) {
        site->world->ropes[site->world->n_ropes++] =
            (struct dpl_bullet_rope){made, joint, site->span};
    }
    return made;
}

/* ---- belts ---- */

/* The end that holds a belt which is solved with the step; -1: it is none. */
static int holder_of(const struct dpl__site *site, size_t number)
{
    const struct dpl_sim_mechanism *mechanism = dpl__site_mechanism(site);
    const struct dpl_sim_joint *joint = &mechanism->joints[number];
    if (!dpl_mechanism_is_condensed(mechanism, number, site->world->dt)) {
        return -1;
    }
    bool at_child =
        !dpl__stands_still(mechanism, joint->child) && site->plan.on_world[joint->child];
    return at_child ? joint->child : joint->parent;
}

int dpl__site_belts_of(const struct dpl__site *site, int body)
{
    const struct dpl_sim_mechanism *mechanism = dpl__site_mechanism(site);
    int n = 0;
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        n += mechanism->joints[i].type == DPL_JOINT_BELT && holder_of(site, i) == body;
    }
    return n;
}

static int add_belt(struct dpl__site *site, const struct dpl_sim_joint *joint)
{
    int holder = holder_of(site, (size_t)(joint - dpl__site_mechanism(site)->joints));
    struct dpl_solver_belt belt = {
        .a = dpl__site_end(site, joint->parent),
        .b = dpl__site_end(site, joint->child),
        .in_a = dpl__site_pose(dpl__site_end_frame(site, joint->parent, joint->in_parent)),
        .in_b = dpl__site_pose(dpl__site_end_frame(site, joint->child, joint->in_child)),
        .stiffness = joint->belt.stiffness,
        .damping = joint->belt.damping,
        .ratio = joint->belt.ratio,
        .holder = holder < 0 ? -1 : site->first_body + holder,
    };
    int made = dpl__solver_add_belt(site->world->solver, &belt);
    if (made >= 0) {
        site->world->belts[site->world->n_belts++] =
            (struct dpl_bullet_belt){made, joint, site->span};
    }
    return made;
}

int dpl__site_add_coupling(struct dpl__site *site, const struct dpl_sim_joint *joint)
{
    int made = 0;
    if (joint->type == DPL_JOINT_GEAR) {
        made = add_gear(site, joint);
    } else if (joint->type == DPL_JOINT_BELT) {
        made = add_belt(site, joint);
    } else if (joint->type == DPL_JOINT_ROPE) {
        made = add_rope(site, joint);
    }
    return made < 0 ? made : 0;
}

/* ---- mimics ---- */

/* The freedom of the solver that is the first value of a joint; it is among those just added. */
static int freedom_of(const struct dpl__site *site, int joint)
{
    const struct dpl_bullet_world *world = site->world;
    int slot =
        site->span->first_joint + dpl_mechanism_slot(dpl__site_mechanism(site), (size_t)joint);
    size_t i = world->n_slots - 1;
    while (world->slots[i].joint != slot) {
        i--;
    }
    return world->slots[i].freedom;
}

int dpl__site_add_mimics(const struct dpl__site *site)
{
    const struct dpl_sim_mechanism *mechanism = dpl__site_mechanism(site);
    int made = 0;
    for (size_t i = 0; i < mechanism->n_mimics && made >= 0; i++) {
        const struct dpl_sim_mimic *from = &mechanism->mimics[i];
        const struct dpl_solver_mimic mimic = {
            .leader = freedom_of(site, from->leader),
            .follower = freedom_of(site, from->follower),
            .ratio = from->ratio,
            .offset = from->offset,
        };
        made = dpl__solver_add_mimic(site->world->solver, &mimic);
    }
    return made < 0 ? made : 0;
}
