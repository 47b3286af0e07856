/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies and joints that move: what is commanded, a step, and what is told of it. See solver.h. */
#include "solver.h"

#include <algorithm>

#include "solver_world.h"

using namespace dpl_bullet_memory;
using namespace dpl_solver_parts;
using dpl_solver_rows::belt;
using dpl_solver_rows::freedom;
using dpl_solver_rows::gear;
using dpl_solver_rows::loop;
using dpl_solver_rows::tree;

namespace
{

void step(dpl_solver &w, double dt)
{
    begin_reactions(w);
    for (freedom *one : w.freedoms) {
        one->begin();
        one->push(one->command.effort);
    }
    for (body &one : w.bodies) {
        if (one.is_pushed) {
            push_body(one);
        }
    }
    for (belt *one : w.belts) {
        one->prepare(dt);
    }
    for (rope &one : w.ropes) {
        pull_rope(w, one, dt);
    }
    for (body &one : w.bodies) {
        if (one.kind == DPL_SOLVER_FREE) {
            carry_before(one, dt);
        }
    }
    for (tree *one : w.trees) {
        one->lean_forward();
    }
    w.newest_dt = dt;
    w.world.stepSimulation(dt, 0);
    for (body &one : w.bodies) {
        if (one.kind == DPL_SOLVER_FREE) {
            carry_after(one, dt);
        }
    }
    turn_wheels(w);
    for (tree *one : w.trees) {
        one->update();
    }
    finish_reactions(w, dt);
    for (loop *one : w.loops) {
        one->measure(dt);
    }
    for (gear *one : w.gears) {
        one->measure(dt);
    }
    for (belt *one : w.belts) {
        one->measure(dt);
    }
    for (freedom *one : w.freedoms) {
        one->measure();
        one->command = {};
    }
}

} // namespace

void dpl__solver_load(struct dpl_solver *solver, int number, double mass)
{
    body &carrier = solver->bodies[at(number)];
    carrier.load = mass;
    carrier.tree->body->getLink(carrier.load_link).m_mass = mass;
}

void dpl__solver_push(struct dpl_solver *solver, int number, const double force[3],
                      const double torque[3], const double point[3])
{
    keep_push(*solver, number, vector_from(force), vector_from(torque), vector_from(point));
}

void dpl__solver_command(struct dpl_solver *solver, int number,
                         const struct dpl_solver_command *command)
{
    solver->freedoms[at(number)]->command = *command;
}

void dpl__solver_step(struct dpl_solver *solver, double dt)
{
    advance(solver->heap, [&] {
        step(*solver, dt);
        return 0;
    });
}

int dpl__solver_overturned(const struct dpl_solver *solver)
{
    for (size_t i = 0; i < solver->bodies.size(); i++) {
        const body &one = solver->bodies[i];
        if (one.tree && one.tree->is_overturned(one.link, solver->newest_dt)) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

void dpl__solver_value(const struct dpl_solver *solver, int number,
                       struct dpl_solver_value *ret_value)
{
    *ret_value = solver->freedoms[at(number)]->value;
}

void dpl__solver_state(const struct dpl_solver *solver, int number,
                       struct dpl_solver_state *ret_state)
{
    const body &one = solver->bodies[at(number)];
    btTransform centre = one.tree ? one.tree->world[one.link + 1] : one.rigid->getWorldTransform();
    btVector3 linear = one.tree ? one.tree->linear[one.link + 1] : one.rigid->getLinearVelocity();
    btVector3 angular =
        one.tree ? one.tree->angular[one.link + 1] : one.rigid->getAngularVelocity();
    btTransform frame = centre * one.centre.inverse();
    btVector3 velocity = linear + angular.cross(frame.getOrigin() - centre.getOrigin());
    for (int i = 0; i < 3; i++) {
        ret_state->position[i] = frame.getOrigin()[i];
        ret_state->velocity[i] = velocity[i];
        ret_state->angular[i] = angular[i];
        for (int k = 0; k < 3; k++) {
            ret_state->rotation[i][k] = frame.getBasis()[i][k];
        }
    }
}

void dpl__solver_contacts(const struct dpl_solver *solver, double gap,
                          void (*visit)(void *user, const struct dpl_solver_contact *contact),
                          void *user)
{
    for (int i = 0; i < solver->dispatcher.getNumManifolds(); i++) {
        const btPersistentManifold *manifold = solver->dispatcher.getManifoldByIndexInternal(i);
        int x = manifold->getBody0()->getUserIndex();
        int y = manifold->getBody1()->getUserIndex();
        for (int k = 0; k < manifold->getNumContacts(); k++) {
            const btManifoldPoint &point = manifold->getContactPoint(k);
            if (point.getDistance() <= gap) {
                const btVector3 &where = point.getPositionWorldOnA();
                dpl_solver_contact contact{
                    std::min(x, y), std::max(x, y), {where.x(), where.y(), where.z()}};
                visit(user, &contact);
            }
        }
    }
}
