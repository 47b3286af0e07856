/* SPDX-License-Identifier: Apache-2.0 */
/* Belts: see solver_rows.h. */
#include "solver_world.h"

namespace dpl_solver_rows
{

belt::belt(const end &a, const end &b, const dpl_solver_belt &what, tree *holder, int soft)
    : rows(a, b, 1), stiffness(what.stiffness), damping(what.damping), ratio(what.ratio),
      soft_tree(holder), soft_link(soft), start_a(a.now().getOrigin()), start_b(b.now().getOrigin())
{
}

double belt::stretch() const
{
    btTransform a = first.now(), b = second.now();
    return ratio * a.getBasis().getColumn(2).dot(a.getOrigin() - start_a) -
           b.getBasis().getColumn(2).dot(b.getOrigin() - start_b);
}

double belt::rate() const
{
    btTransform a = first.now(), b = second.now();
    return ratio * a.getBasis().getColumn(2).dot(first.velocity(a.getOrigin())) -
           b.getBasis().getColumn(2).dot(second.velocity(b.getOrigin()));
}

void belt::prepare(double dt)
{
    n_rows_now = 0;
    if (soft_link >= 0) {
        soft_tree->body->getLink(soft_link).m_mass = dt * (dt * stiffness + damping);
        soft_tree->body->setJointPos(soft_link, 0);
        soft_tree->body->setJointVel(soft_link, 0);
        return;
    }
    btTransform a = first.now(), b = second.now();
    tension = stiffness * stretch() + damping * rate();
    btVector3 none(0, 0, 0);
    first.push(-ratio * tension * a.getBasis().getColumn(2), none, a.getOrigin());
    second.push(tension * b.getBasis().getColumn(2), none, b.getOrigin());
}

void belt::fill(btMultiBodyJacobianData &data, const end &of, const btVector3 &along,
                btScalar *jacobian)
{
    btVector3 none(0, 0, 0);
    of.body()->fillConstraintJacobianMultiDof(of.link, of.now().getOrigin(), none, along, jacobian,
                                              data.scratch_r, data.scratch_v, data.scratch_m);
}

void belt::createConstraintRows(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                                const btContactSolverInfo &info)
{
    double dt = info.m_timeStep;
    btTransform a = first.now(), b = second.now();
    btVector3 along_a = ratio * a.getBasis().getColumn(2), along_b = -b.getBasis().getColumn(2);
    n_rows_now = 0;
    btMultiBodySolverConstraint &row = begin(all, data);
    shares[0].a = {along_a, btVector3(0, 0, 0), a.getOrigin()};
    shares[0].b = {along_b, btVector3(0, 0, 0), b.getOrigin()};
    bool is_b = second.tree != nullptr, in_one = is_b && second.tree == first.tree;
    fill(data, is_b ? second : first, is_b ? along_b : along_a, &own[0]);
    if (in_one) {
        fill(data, first, along_a, &part[0]);
        for (int i = 0; i < m_jacSizeA; i++) {
            own[i] += part[i];
        }
    } else if (m_bodyB) {
        part.resize(m_jacSizeBoth - m_jacSizeA);
        fill(data, first, along_a, &part[0]);
    }
    btScalar *soft = soft_tree->body == m_bodyA ? &own[0] : &part[0];
    soft[6 + soft_tree->body->getLink(soft_link).m_dofOffset] = 1;
    btVector3 none(0, 0, 0);
    fillMultiBodyConstraint(row, data, &own[0], m_bodyB ? &part[0] : nullptr, none, none, none,
                            none, 0, info, -SIMD_INFINITY, SIMD_INFINITY, false, 1, false,
                            -stiffness * stretch() / (stiffness * dt + damping));
}

double belt::energy() const
{
    double now = stretch();
    return 0.5 * stiffness * now * now;
}

void belt::measure(double dt)
{
    if (soft_link >= 0) {
        tension = -getAppliedImpulse(0) / dt;
    }
}

} // namespace dpl_solver_rows

namespace dpl_solver_parts
{

int store_belt(dpl_solver &w, const dpl_solver_belt &from)
{
    dpl_solver_rows::tree *tree = nullptr;
    int soft = -1;
    if (from.holder >= 0) {
        body &holder = w.bodies[at(from.holder)];
        tree = holder.tree;
        soft = holder.first_belt_link + --holder.n_belts;
    }
    w.belts.push_back(new dpl_solver_rows::belt(end_of(w, from.a, from.in_a),
                                                end_of(w, from.b, from.in_b), from, tree, soft));
    return static_cast<int>(w.belts.size() - 1);
}

} // namespace dpl_solver_parts

double dpl__solver_belt_tension(const struct dpl_solver *solver, int number)
{
    return solver->belts[dpl_solver_parts::at(number)]->tension;
}

double dpl__solver_belt_energy(const struct dpl_solver *solver, int number)
{
    return solver->belts[dpl_solver_parts::at(number)]->energy();
}
