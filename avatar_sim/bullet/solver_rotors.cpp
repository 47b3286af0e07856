/* SPDX-License-Identifier: Apache-2.0 */
/* Inertia along coordinates: see solver_rows.h. */
#include "solver_world.h"

namespace dpl_solver_rows
{

namespace
{

end only_link_of(tree *own_tree)
{
    end made;
    made.tree = own_tree;
    made.link = 0;
    return made;
}

} // namespace

rotor::rotor(const end &of, tree *own_tree) : rows(only_link_of(own_tree), of, 1)
{
}

void rotor::createConstraintRows(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                                 const btContactSolverInfo &info)
{
    n_rows_now = 0;
    btMultiBodySolverConstraint &row = begin(all, data);
    for (int i = 0; i < m_jacSizeA; i++) {
        own[i] = 0;
    }
    own[6 + m_bodyA->getLink(second.link).m_dofOffset] = -1;
    part.resize(m_jacSizeBoth - m_jacSizeA);
    for (int i = 0; i < part.size(); i++) {
        part[i] = 0;
    }
    part[6] = 1;
    btVector3 none(0, 0, 0);
    double apart = m_bodyB->getJointPos(0) - m_bodyA->getJointPos(second.link);
    fillMultiBodyConstraint(row, data, &own[0], &part[0], none, none, none, none, apart, info,
                            -SIMD_INFINITY, SIMD_INFINITY);
}

} // namespace dpl_solver_rows

namespace dpl_solver_parts
{

int store_rotor(dpl_solver &w, int number, double inertia)
{
    dpl_solver_rows::freedom &of = *w.freedoms[at(number)];
    dpl_solver_link link = level_link();
    link.value = of.value.position;
    dpl_solver_rows::tree *own = w.trees[at(store_tree(w, -1, &link, 1))];
    own->body->getLink(0).m_mass = inertia;
    w.rotors.push_back(new dpl_solver_rows::rotor(of.of_link(), own));
    return static_cast<int>(w.rotors.size() - 1);
}

} // namespace dpl_solver_parts
