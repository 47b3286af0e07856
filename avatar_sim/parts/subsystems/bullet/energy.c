/* SPDX-License-Identifier: Apache-2.0 */
/* Energy and momentum of a mechanism's bodies and springs, computed from the state when asked for.
 */
#include <doppel/math/gravity.h>
#include <doppel/math/vector3.h>

#include "bullet_state.h"

static struct dpl_vector3 vector(const double v[3])
{
    return (struct dpl_vector3){v[0], v[1], v[2]};
}

static struct dpl_vector3 to_world(double (*rotation)[3], struct dpl_vector3 v)
{
    return (struct dpl_vector3){
        rotation[0][0] * v.x + rotation[0][1] * v.y + rotation[0][2] * v.z,
        rotation[1][0] * v.x + rotation[1][1] * v.y + rotation[1][2] * v.z,
        rotation[2][0] * v.x + rotation[2][1] * v.y + rotation[2][2] * v.z,
    };
}

static struct dpl_vector3 to_body(double (*rotation)[3], struct dpl_vector3 v)
{
    return (struct dpl_vector3){
        rotation[0][0] * v.x + rotation[1][0] * v.y + rotation[2][0] * v.z,
        rotation[0][1] * v.x + rotation[1][1] * v.y + rotation[2][1] * v.z,
        rotation[0][2] * v.x + rotation[1][2] * v.y + rotation[2][2] * v.z,
    };
}

static struct dpl_vector3 spin_of(const double inertia[6], struct dpl_vector3 w)
{
    return (struct dpl_vector3){
        inertia[0] * w.x + inertia[3] * w.y + inertia[4] * w.z,
        inertia[3] * w.x + inertia[1] * w.y + inertia[5] * w.z,
        inertia[4] * w.x + inertia[5] * w.y + inertia[2] * w.z,
    };
}

/* A point of a body. */
struct point {
    struct dpl_vector3 at, velocity;
};

static struct point point_of(const struct dpl_sim_bodies *bodies, int body,
                             struct dpl_vector3 in_body)
{
    struct dpl_vector3 arm = to_world(bodies->rotation[body], in_body);
    return (struct point){
        dpl_vector3_add(vector(bodies->position[body]), arm),
        dpl_vector3_add(vector(bodies->velocity[body]),
                        dpl_vector3_cross(vector(bodies->angular[body]), arm)),
    };
}

static void add_point(struct dpl_bullet_motion *inout, double mass, const struct point *point)
{
    struct dpl_vector3 momentum = dpl_vector3_times(point->velocity, mass);
    inout->mass += mass;
    inout->kinetic += 0.5 * dpl_vector3_dot(momentum, point->velocity);
    inout->potential += mass * DPL_STANDARD_GRAVITY_M_S2 * point->at.z;
    inout->first = dpl_vector3_add(inout->first, dpl_vector3_times(point->at, mass));
    inout->momentum = dpl_vector3_add(inout->momentum, momentum);
    inout->angular = dpl_vector3_add(inout->angular, dpl_vector3_cross(point->at, momentum));
}

void dpl__bullet_motion(const struct dpl_bullet_world *world, int body,
                        struct dpl_bullet_motion *ret_motion)
{
    const struct dpl_sim_bodies *bodies = &world->state->bodies;
    const struct dpl_sim_body *of = world->of[body];
    *ret_motion = (struct dpl_bullet_motion){0};
    if (!of || of->is_static) {
        return;
    }
    struct point centre = point_of(bodies, body, of->mass.centre);
    add_point(ret_motion, of->mass.mass, &centre);
    struct dpl_vector3 w = to_body(bodies->rotation[body], vector(bodies->angular[body]));
    struct dpl_vector3 spin = spin_of(of->mass.inertia, w);
    ret_motion->kinetic += 0.5 * dpl_vector3_dot(w, spin);
    ret_motion->angular =
        dpl_vector3_add(ret_motion->angular, to_world(bodies->rotation[body], spin));
    if (of->takes_load) {
        struct point load = point_of(bodies, body, of->load_at);
        add_point(ret_motion, bodies->load[body], &load);
    }
}

double dpl__bullet_load_energy(const struct dpl_bullet_world *world, int body)
{
    struct point load = point_of(&world->state->bodies, body, world->of[body]->load_at);
    return 0.5 * dpl_vector3_dot(load.velocity, load.velocity) +
           DPL_STANDARD_GRAVITY_M_S2 * load.at.z;
}

/* ---- of a mechanism ---- */

static double spring_energy(const struct dpl_bullet_slot *slot, double position)
{
    const struct dpl_sim_spring *spring = &slot->of->springs[slot->number];
    const struct dpl_sim_limit *limit = &slot->of->limits[slot->number];
    double sum = 0.0;
    if (spring->is_there) {
        double stretch = position - spring->rest;
        sum += 0.5 * spring->stiffness * stretch * stretch;
    }
    if (limit->is_there && limit->stiffness > 0.0) {
        double beyond = fmax(fmax(position - limit->upper, limit->lower - position), 0.0);
        sum += 0.5 * limit->stiffness * beyond * beyond;
    }
    return sum;
}

static void add_motion(struct dpl_bullet_motion *inout, const struct dpl_bullet_motion *motion)
{
    inout->kinetic += motion->kinetic;
    inout->potential += motion->potential;
    inout->mass += motion->mass;
    inout->first = dpl_vector3_add(inout->first, motion->first);
    inout->momentum = dpl_vector3_add(inout->momentum, motion->momentum);
    inout->angular = dpl_vector3_add(inout->angular, motion->angular);
}

static void add_joints(const struct dpl_bullet_world *world, const struct dpl_sim_span *span,
                       struct dpl_audit_energy *inout)
{
    const struct dpl_sim_joints *joints = &world->state->joints;
    for (size_t i = 0; i < world->n_slots; i++) {
        const struct dpl_bullet_slot *slot = &world->slots[i];
        if (!dpl__bullet_has_joint(span, slot->joint)) {
            continue;
        }
        double speed = joints->velocity[slot->joint];
        inout->springs += spring_energy(slot, joints->position[slot->joint]);
        if (slot->number == 0) { /* of a rotor behind a gear */
            inout->kinetic += 0.5 * slot->of->armature * speed * speed;
        }
    }
}

static void add_ropes(const struct dpl_bullet_world *world, const struct dpl_sim_span *span,
                      struct dpl_audit_energy *inout)
{
    for (size_t i = 0; i < world->n_ropes; i++) {
        if (world->ropes[i].span == span) {
            inout->ropes += dpl__solver_rope_energy(world->solver, world->ropes[i].number);
        }
    }
    for (size_t i = 0; i < world->n_belts; i++) {
        if (world->belts[i].span == span) {
            inout->ropes += dpl__solver_belt_energy(world->solver, world->belts[i].number);
        }
    }
}

void dpl__bullet_sum(const struct dpl_bullet_world *world, const struct dpl_sim_span *span,
                     struct dpl_bullet_sums *ret_sums)
{
    *ret_sums = (struct dpl_bullet_sums){0};
    for (unsigned i = 0; i < span->n_bodies; i++) {
        struct dpl_bullet_motion motion;
        dpl__bullet_motion(world, span->first_body + (int)i, &motion);
        add_motion(&ret_sums->motion, &motion);
    }
    ret_sums->energy.kinetic = ret_sums->motion.kinetic;
    ret_sums->energy.potential = ret_sums->motion.potential;
    add_joints(world, span, &ret_sums->energy);
    add_ropes(world, span, &ret_sums->energy);
}
