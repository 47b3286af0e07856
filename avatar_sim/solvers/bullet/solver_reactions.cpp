/* SPDX-License-Identifier: Apache-2.0 */
/* What joints give: reactions. In a tree that of a joint is what all beyond it needed in the step:
 * the change of its momentum, less gravity and what else acted on it. In a loop it is what its rows
 * gave. */
#include <algorithm>

#include "solver_world.h"

using dpl_solver_rows::end;
using dpl_solver_rows::freedom;
using dpl_solver_rows::loop;
using dpl_solver_rows::tree;

namespace dpl_solver_parts
{

namespace
{

/* ---- what acts on trees ---- */

/* Wheels have no number, and are of no tree. */
void add_contact(const dpl_solver &w, const btCollisionObject &object, const btVector3 &force,
                 const btVector3 &point)
{
    int number = object.getUserIndex();
    if (number == WHEEL_INDEX) {
        return;
    }
    const body &of = w.bodies[at(number)];
    if (of.tree) {
        of.tree->add_load(of.link, force, btVector3(0, 0, 0), point);
    }
}

/* Points that the solver has passed over keep an impulse of old. */
void add_contacts(dpl_solver &w, double dt)
{
    for (int i = 0; i < w.dispatcher.getNumManifolds(); i++) {
        const btPersistentManifold *manifold = w.dispatcher.getManifoldByIndexInternal(i);
        for (int k = 0; k < manifold->getNumContacts(); k++) {
            const btManifoldPoint &point = manifold->getContactPoint(k);
            if (point.getDistance() > manifold->getContactProcessingThreshold()) {
                continue;
            }
            btVector3 force = (point.m_normalWorldOnB * point.m_appliedImpulse +
                               point.m_lateralFrictionDir1 * point.m_appliedImpulseLateral1 +
                               point.m_lateralFrictionDir2 * point.m_appliedImpulseLateral2) /
                              dt;
            add_contact(w, *manifold->getBody0(), force, point.getPositionWorldOnA());
            add_contact(w, *manifold->getBody1(), -force, point.getPositionWorldOnB());
        }
    }
}

bool is_measuring(const dpl_solver &w)
{
    return std::any_of(w.reactions.begin(), w.reactions.end(),
                       [](const reaction &one) { return one.is_wanted; });
}

/* ---- one joint ---- */

bool is_beyond(const btMultiBody &of, int link, int from)
{
    while (link > from) { /* parents have lower numbers */
        link = of.getParent(link);
    }
    return link == from;
}

/* Of the tree on what is beyond link `from`, about a point. */
void sum_beyond(const tree &of, int from, const btVector3 &about, const btVector3 &gravity,
                double dt, btVector3 *ret_force, btVector3 *ret_torque)
{
    *ret_force = *ret_torque = btVector3(0, 0, 0);
    for (int i = from; i < of.body->getNumLinks(); i++) {
        if (!is_beyond(*of.body, i, from)) {
            continue;
        }
        btVector3 force = (of.momentum_of(i) - of.momentum[i + 1]) / dt - of.mass_of(i) * gravity -
                          of.force[i + 1];
        *ret_force += force;
        btVector3 place = (of.was[i + 1].getOrigin() + of.world[i + 1].getOrigin()) / 2;
        *ret_torque +=
            (of.spin_of(i) - of.spin[i + 1]) / dt - of.torque[i + 1] + (place - about).cross(force);
    }
}

/* Seen from the child. A tree's bodies change their speed on the way to where they are after the
 * step: half of it is seen from where the child was, half from where it is. */
void publish(const reaction &of, const btVector3 &force, const btVector3 &torque, double ret[6])
{
    btTransform before = of.was, after = of.of ? before : of.child.now();
    btVector3 f = (force * before.getBasis() + force * after.getBasis()) / 2;
    btVector3 t = (torque * before.getBasis() + torque * after.getBasis()) / 2;
    for (int i = 0; i < 3; i++) {
        ret[i] = f[i];
        ret[3 + i] = t[i];
    }
}

void measure(const dpl_solver &w, reaction &one, double dt)
{
    btVector3 force(0, 0, 0), torque(0, 0, 0), about = one.was.getOrigin();
    if (one.of) {
        one.of->sum(dt, about, &force, &torque);
        for (freedom *part : w.freedoms) {
            if (part->of_loop() == one.of) {
                part->sum(dt, about, &force, &torque);
                part->sum_pushed(about, &force, &torque);
            }
        }
    } else {
        about = (about + one.child.now().getOrigin()) / 2;
        sum_beyond(*one.beyond.tree, one.beyond.link, about, w.world.getGravity(), dt, &force,
                   &torque);
        if (one.is_turned) {
            force = -force;
            torque = -torque;
        }
    }
    publish(one, force, torque, one.wrench);
}

} // namespace

void begin_reactions(dpl_solver &w)
{
    for (reaction &one : w.reactions) {
        if (one.is_wanted) {
            one.was = one.child.now();
        }
    }
    for (tree *one : w.trees) {
        if (one->is_measured) {
            one->begin_measuring();
        }
    }
}

void finish_reactions(dpl_solver &w, double dt)
{
    if (!is_measuring(w)) {
        return;
    }
    add_contacts(w, dt);
    for (loop *one : w.loops) {
        one->add_loads(dt);
    }
    for (dpl_solver_rows::gear *one : w.gears) {
        one->add_loads(dt);
    }
    for (dpl_solver_rows::belt *one : w.belts) {
        one->add_loads(dt);
    }
    for (freedom *one : w.freedoms) {
        one->add_loads(dt);
    }
    for (reaction &one : w.reactions) {
        if (one.is_wanted) {
            measure(w, one, dt);
        }
    }
}

} // namespace dpl_solver_parts

using namespace dpl_solver_parts;

int dpl__solver_add_reaction(struct dpl_solver *solver, const struct dpl_solver_reaction *what)
{
    return dpl_bullet_memory::build(solver->heap, [&] {
        reaction made;
        made.child = end_of(*solver, what->child, what->in_child);
        made.is_turned = what->is_turned;
        if (what->loop >= 0) {
            made.of = solver->loops[at(what->loop)];
        } else {
            const body &beyond = solver->bodies[at(what->beyond)];
            made.beyond.tree = beyond.tree;
            made.beyond.link = beyond.link;
        }
        solver->reactions.push_back(made);
        return static_cast<int>(solver->reactions.size() - 1);
    });
}

void dpl__solver_measure(struct dpl_solver *solver, int number)
{
    reaction &one = solver->reactions[at(number)];
    if (one.is_wanted) {
        return;
    }
    one.is_wanted = true;
    if (one.beyond.tree) {
        one.beyond.tree->is_measured = true;
    }
}

void dpl__solver_reaction(const struct dpl_solver *solver, int number, double ret_wrench[6])
{
    const reaction &one = solver->reactions[at(number)];
    std::copy(one.wrench, one.wrench + 6, ret_wrench);
}
