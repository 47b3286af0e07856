/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of mechanisms that this subsystem does not simulate: better refused than ignored. */
#include <stdio.h>

#include <doppel/math/vector3.h>

#include "bullet_state.h"
#include "disjoint_sets.h"

/* NULL: it is simulated. */
static const char *why_no_joint(const struct dpl_sim_joint *joint)
{
    bool breaks = joint->break_force > 0.0 || joint->break_torque > 0.0;
    if (breaks && !dpl__bullet_constrains(joint)) {
        return "joints of this type do not break";
    }
    if (joint->friction > 0.0 && dpl_sim_joint_freedoms(joint->type) == 0) {
        return "friction is simulated in joints that have a value only";
    }
    return NULL;
}

/* Also of a belt that this step needs no help for: another step may. */
static const char *why_no_belt(const struct dpl_bullet_plan *plan,
                               const struct dpl_sim_joint *joint)
{
    if (joint->type != DPL_JOINT_BELT || joint->belt.condense == DPL_CONDENSE_NEVER) {
        return NULL;
    }
    const int ends[] = {joint->parent, joint->child};
    for (int i = 0; i < 2; i++) {
        if (!dpl__stands_still(plan->mechanism, ends[i]) && plan->on_world[ends[i]]) {
            return NULL;
        }
    }
    return "one end must be on joints that lead to what stands still, or condense='never'";
}

static const char *why_no_rotor(const struct dpl_sim_joint *joint)
{
    return joint->armature > 0.0 && dpl_sim_joint_freedoms(joint->type) == 0
               ? "the inertia of a rotor is not simulated in joints without a value"
               : NULL;
}

/* Whether a body that starts with a velocity may have it: nothing prevents it. */
static bool may_move(const struct dpl_sim_mechanism *mechanism, int number)
{
    const struct dpl_sim_body *body = &mechanism->bodies[number];
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        const struct dpl_sim_joint *joint = &mechanism->joints[i];
        if ((joint->parent != number && joint->child != number) || !dpl__bullet_constrains(joint)) {
            continue;
        }
        int other = joint->parent == number ? joint->child : joint->parent;
        if (joint->type != DPL_JOINT_BALL || !dpl__stands_still(mechanism, other) ||
            dpl_vector3_length(body->velocity) > 0.0) {
            return false;
        }
    }
    return true;
}

static const char *why_no_body(const struct dpl_sim_mechanism *mechanism, int number)
{
    const struct dpl_sim_body *body = &mechanism->bodies[number];
    bool moves = dpl_vector3_length(body->velocity) + dpl_vector3_length(body->angular) > 0.0;
    if (moves && (body->is_static || !may_move(mechanism, number))) {
        return "a velocity at the start is simulated of bodies without joints, and a turn of "
               "bodies "
               "that only a ball holds to the world";
    }
    for (size_t i = 0; i < body->n_solids; i++) {
        if (body->solids[i].kind == DPL_SOLID_MESH && !body->is_static) {
            return "a mesh is no shape that moves: give it hulls, or make the body static";
        }
    }
    return NULL;
}

void dpl__bullet_check_parts(const struct dpl_sim_mechanism *mechanism, enum dpl_severity severity,
                             void (*report)(void *user,
                                            const struct dpl_mechanism_finding *finding),
                             void *user)
{
    char text[256];
    struct dpl_bullet_plan plan = {0};
    if (mechanism->n_bodies == 0) {
        return; /* then there are no joints either */
    }
    if (dpl__bullet_plan_make(mechanism, &plan)) {
        report(user, &(struct dpl_mechanism_finding){DPL_SEVERITY_ERROR, 0, -1, "out of memory"});
        return;
    }
    for (size_t i = 0; i < mechanism->n_bodies; i++) {
        const char *why = why_no_body(mechanism, (int)i);
        if (why) {
            snprintf(text, sizeof text, "body '%s': %s", mechanism->bodies[i].name, why);
            report(user, &(struct dpl_mechanism_finding){severity, (int)i, -1, text});
        }
    }
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        const struct dpl_sim_joint *joint = &mechanism->joints[i];
        const char *why = why_no_joint(joint);
        why = why ? why : why_no_belt(&plan, joint);
        why = why ? why : why_no_rotor(joint);
        if (why) {
            snprintf(text, sizeof text, "joint '%s' (%s): %s", joint->name,
                     dpl_sim_joint_words[joint->type], why);
            report(user, &(struct dpl_mechanism_finding){severity, -1, (int)i, text});
        } else if (dpl_mechanism_find_body(mechanism, joint->name) >= 0) {
            snprintf(text, sizeof text,
                     "a body and a joint are both called '%s': their channels would be too",
                     joint->name);
            report(user, &(struct dpl_mechanism_finding){severity, -1, (int)i, text});
        }
    }
    dpl__bullet_plan_finish(&plan);
}
