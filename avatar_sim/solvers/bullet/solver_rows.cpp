/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of joints: see solver_rows.h. */
#include "solver_rows.h"

#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>

#include <cmath>

namespace dpl_solver_rows
{

/* ---- rows ---- */

namespace
{

bool in_one_tree(const end &a, const end &b)
{
    return a.tree && a.tree == b.tree;
}

/* The end that is Bullet's body A, which must be of a tree. */
const end &bullet_a(const end &a, const end &b)
{
    return b.tree ? b : a;
}

/* The other one, unless it is the world or in the same tree. */
btMultiBody *bullet_b(const end &a, const end &b)
{
    return b.tree && !in_one_tree(a, b) ? a.body() : nullptr;
}

} // namespace

rows::rows(const end &a, const end &b, int most)
    : btMultiBodyConstraint(bullet_a(a, b).body(), bullet_b(a, b), bullet_a(a, b).link, a.link,
                            most, false, MAX_MULTIBODY_CONSTRAINT_TYPE),
      first(a), second(b)
{
    finalizeMultiDof();
    own.resize(m_jacSizeA);
    part.resize(m_jacSizeA);
    shares.resize(most);
}

void rows::finalizeMultiDof()
{
    updateJacobianSizes();
    allocateJacobiansMultiDof();
    m_numDofsFinalized = m_jacSizeBoth;
}

int rows::getIslandIdA() const
{
    return island_of(m_bodyA);
}

int rows::getIslandIdB() const
{
    return island_of(m_bodyB);
}

void rows::add_loads(double dt)
{
    for (int i = 0; i < n_rows_now; i++) {
        double effort = getAppliedImpulse(i) / dt;
        const share &a = shares[i].a, &b = shares[i].b;
        if (first.tree) {
            first.tree->add_load(first.link, effort * a.force, effort * a.torque, a.point);
        }
        if (second.tree) {
            second.tree->add_load(second.link, effort * b.force, effort * b.torque, b.point);
        }
    }
}

void rows::sum(double dt, const btVector3 &about, btVector3 *inout_force, btVector3 *inout_torque)
{
    for (int i = 0; i < n_rows_now; i++) {
        double effort = getAppliedImpulse(i) / dt;
        const share &b = shares[i].b;
        *inout_force += effort * b.force;
        *inout_torque += effort * (b.torque + (b.point - about).cross(b.force));
    }
}

double rows::share::inverse_mass_of(const end &of) const
{
    if (!of.tree || of.tree->mass_of(of.link) <= 0) {
        return 0;
    }
    const btTransform &centre = of.tree->world[of.link + 1];
    btVector3 about_centre = torque;
    if (!force.isZero()) {
        about_centre += (point - centre.getOrigin()).cross(force);
    }
    btVector3 turning = centre.getBasis().transpose() * about_centre;
    btVector3 moments = of.tree->moments_of(of.link);
    double sum = force.length2() / of.tree->mass_of(of.link);
    for (int i = 0; i < 3; i++) {
        sum += moments[i] > 0 ? turning[i] * turning[i] / moments[i] : 0;
    }
    return sum;
}

double rows::free_inverse_mass(int row) const
{
    const share_of_both &of = shares[row];
    return of.a.inverse_mass_of(first) + of.b.inverse_mass_of(second) + of.along;
}

double rows::inverse_mass_along(const end &link)
{
    double inertia = link.tree->mass_of(link.link);
    if (link.body()->getLink(link.link).m_jointType != btMultibodyLink::ePrismatic) {
        btVector3 moments = link.tree->moments_of(link.link);
        inertia = moments[moments.minAxis()];
    }
    return inertia > 0 ? 1 / inertia : 0;
}

/* The direct solver takes the softness of the row, sequential impulses what is in the row. */
void rows::soften(btMultiBodySolverConstraint &row, double softness)
{
    double stiff = row.m_jacDiagABInv, soft = stiff / (1 + softness * stiff);
    if (softness > 0 && stiff > 0) {
        row.m_rhs *= soft / stiff;
        row.m_cfm = softness * soft;
        row.m_jacDiagABInv = soft;
        shares[row.m_orgDofIndex].softness = softness;
    }
}

btMultiBodySolverConstraint &rows::begin(btMultiBodyConstraintArray &all,
                                         const btMultiBodyJacobianData &data)
{
    btMultiBodySolverConstraint &row = all.expandNonInitializing();
    row.m_relpos1CrossNormal.setZero();
    row.m_contactNormal1.setZero();
    row.m_relpos2CrossNormal.setZero();
    row.m_contactNormal2.setZero();
    row.m_angularComponentA.setZero();
    row.m_angularComponentB.setZero();
    row.m_solverBodyIdA = data.m_fixedBodyId;
    row.m_solverBodyIdB = data.m_fixedBodyId;
    row.m_orgConstraint = this;
    row.m_orgDofIndex = n_rows_now++;
    shares[row.m_orgDofIndex] = {};
    return row;
}

void rows::add(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
               const btContactSolverInfo &info, const target &wanted)
{
    btMultiBodySolverConstraint &row = begin(all, data);
    bool is_b = second.tree != nullptr;
    btScalar *jacobian = nullptr;
    double sign = is_b ? 1 : -1;
    if (in_one_tree(first, second)) {
        jacobian = &own[0];
        m_bodyA->fillConstraintJacobianMultiDof(second.link, wanted.at_b, wanted.angular,
                                                wanted.linear, jacobian, data.scratch_r,
                                                data.scratch_v, data.scratch_m);
        m_bodyA->fillConstraintJacobianMultiDof(first.link, wanted.at_a, wanted.angular,
                                                wanted.linear, &part[0], data.scratch_r,
                                                data.scratch_v, data.scratch_m);
        for (int i = 0; i < m_jacSizeA; i++) {
            jacobian[i] -= part[i];
        }
    }
    shares[row.m_orgDofIndex].a = {-wanted.linear, -wanted.angular, wanted.at_a};
    shares[row.m_orgDofIndex].b = {wanted.linear, wanted.angular, wanted.at_b};
    bool is_turn = wanted.linear.isZero();
    fillMultiBodyConstraint(row, data, jacobian, nullptr, sign * wanted.angular,
                            sign * wanted.linear, is_b ? wanted.at_b : wanted.at_a,
                            is_b ? wanted.at_a : wanted.at_b, wanted.error, info, wanted.least,
                            wanted.most, is_turn, 1, false, wanted.speed);
    soften(row, wanted.softness);
}

void rows::add_coordinate(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                          const btContactSolverInfo &info, int coordinate, const target &wanted)
{
    btMultiBodySolverConstraint &row = begin(all, data);
    for (int i = 0; i < m_jacSizeA; i++) {
        own[i] = 0;
    }
    own[6 + coordinate] = 1;
    /* A brake, whose impulse is bounded, must not creep. */
    if (wanted.least <= -SIMD_INFINITY || wanted.most >= SIMD_INFINITY) {
        shares[row.m_orgDofIndex].along = inverse_mass_along(bullet_a(first, second));
    }
    btVector3 none(0, 0, 0);
    fillMultiBodyConstraint(row, data, &own[0], nullptr, none, none, none, none, wanted.error, info,
                            wanted.least, wanted.most, false, 1, false, wanted.speed);
    soften(row, wanted.softness);
}

void rows::add_turns_of_both(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                             const btContactSolverInfo &info, const btVector3 &of_first,
                             const btVector3 &of_second, double error)
{
    btMultiBodySolverConstraint &row = begin(all, data);
    btVector3 none(0, 0, 0);
    shares[row.m_orgDofIndex].a.torque = of_first;
    shares[row.m_orgDofIndex].b.torque = of_second;
    bool is_b = second.tree != nullptr;
    const end &a = is_b ? second : first;
    m_bodyA->fillConstraintJacobianMultiDof(a.link, none, is_b ? of_second : of_first, none,
                                            &own[0], data.scratch_r, data.scratch_v,
                                            data.scratch_m);
    if (in_one_tree(first, second)) {
        m_bodyA->fillConstraintJacobianMultiDof(first.link, none, of_first, none, &part[0],
                                                data.scratch_r, data.scratch_v, data.scratch_m);
        for (int i = 0; i < m_jacSizeA; i++) {
            own[i] += part[i];
        }
    } else if (m_bodyB) {
        part.resize(m_jacSizeBoth - m_jacSizeA);
        m_bodyB->fillConstraintJacobianMultiDof(first.link, none, of_first, none, &part[0],
                                                data.scratch_r, data.scratch_v, data.scratch_m);
    }
    fillMultiBodyConstraint(row, data, &own[0], m_bodyB ? &part[0] : nullptr, none, none, none,
                            none, error, info, -SIMD_INFINITY, SIMD_INFINITY);
}

void rows::add_coordinates_of_both(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                                   const btContactSolverInfo &info, double ratio, double error)
{
    btMultiBodySolverConstraint &row = begin(all, data);
    bool is_one = in_one_tree(first, second);
    btMultiBody *other = is_one ? nullptr : m_bodyB;
    for (int i = 0; i < m_jacSizeA; i++) {
        own[i] = 0;
    }
    own[6 + second.body()->getLink(second.link).m_dofOffset] = 1;
    shares[row.m_orgDofIndex].along =
        inverse_mass_along(second) + ratio * ratio * inverse_mass_along(first);
    int of_first = 6 + first.body()->getLink(first.link).m_dofOffset;
    if (is_one) {
        own[of_first] -= ratio;
    } else {
        part.resize(m_jacSizeBoth - m_jacSizeA);
        for (int i = 0; i < part.size(); i++) {
            part[i] = 0;
        }
        part[of_first] = -ratio;
    }
    btVector3 none(0, 0, 0);
    fillMultiBodyConstraint(row, data, &own[0], other ? &part[0] : nullptr, none, none, none, none,
                            error, info, -SIMD_INFINITY, SIMD_INFINITY);
}

/* ---- loops ---- */

loop::loop(const end &a, const end &b, const dpl_solver_loop &what)
    : rows(a, b, 6), travel{what.travel[0], what.travel[1], what.travel[2]}, turns(what.turns),
      break_force(what.break_force), break_torque(what.break_torque)
{
}

void loop::measure(double dt)
{
    double of[2] = {0, 0}; /* squares of force and torque */
    for (int i = 0; i < n_rows_now; i++) {
        double effort = getAppliedImpulse(i) / dt;
        of[i < n_travels ? 0 : 1] += effort * effort;
    }
    is_broken |= (break_force > 0 && of[0] > break_force * break_force) ||
                 (break_torque > 0 && of[1] > break_torque * break_torque);
}

void loop::add_travels(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                       const btContactSolverInfo &info, const btTransform &a, const btTransform &b)
{
    bool is_point = travel[0] && travel[1] && travel[2];
    for (int i = 0; i < 3; i++) {
        target wanted;
        if (!travel[i]) {
            continue;
        }
        wanted.linear = a.getBasis().getColumn(i);
        wanted.at_b = b.getOrigin();
        /* A guide carries along the point of a that is where b is. */
        wanted.at_a = is_point ? a.getOrigin() : b.getOrigin();
        wanted.error = wanted.linear.dot(b.getOrigin() - a.getOrigin());
        add(all, data, info, wanted);
    }
}

void loop::add_turns(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                     const btContactSolverInfo &info, const btTransform &a, const btTransform &b)
{
    target wanted;
    wanted.at_a = a.getOrigin();
    wanted.at_b = b.getOrigin();
    btVector3 za = a.getBasis().getColumn(2);
    if (turns == DPL_SOLVER_TURNS_UNIVERSAL) {
        btVector3 xb = b.getBasis().getColumn(0);
        wanted.angular = xb.cross(za);
        wanted.error = za.dot(xb);
        add(all, data, info, wanted);
        return;
    }
    /* The small turn that takes a to b, as a vector. */
    btVector3 turn = za.cross(b.getBasis().getColumn(2));
    if (turns == DPL_SOLVER_TURNS_LOCKED) {
        btQuaternion q;
        (b.getBasis() * a.getBasis().transpose()).getRotation(q);
        turn = 2 * (q.w() < 0 ? -1 : 1) * btVector3(q.x(), q.y(), q.z());
    }
    for (int i = 0; i < (turns == DPL_SOLVER_TURNS_LOCKED ? 3 : 2); i++) {
        wanted.angular = a.getBasis().getColumn(i);
        wanted.error = wanted.angular.dot(turn);
        add(all, data, info, wanted);
    }
}

void loop::createConstraintRows(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                                const btContactSolverInfo &info)
{
    btTransform a = first.now(), b = second.now();
    n_rows_now = 0;
    if (is_broken) {
        return;
    }
    add_travels(all, data, info, a, b);
    n_travels = n_rows_now;
    if (turns != DPL_SOLVER_TURNS_FREE) {
        add_turns(all, data, info, a, b);
    }
}

/* ---- gears ---- */

gear::gear(const end &a, const end &b, double of_b) : rows(a, b, 1), ratio(of_b)
{
}

void gear::createConstraintRows(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                                const btContactSolverInfo &info)
{
    n_rows_now = 0;
    add_turns_of_both(all, data, info, first.now().getBasis().getColumn(2),
                      ratio * second.now().getBasis().getColumn(2), drift);
}

void gear::measure(double dt)
{
    drift += dt * (first.now().getBasis().getColumn(2).dot(first.angular()) +
                   ratio * second.now().getBasis().getColumn(2).dot(second.angular()));
}

/* ---- mimics ---- */

mimic::mimic(const end &leader, const end &follower, double ratio_of, double offset_of)
    : rows(leader, follower, 1), ratio(ratio_of), offset(offset_of)
{
}

void mimic::createConstraintRows(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                                 const btContactSolverInfo &info)
{
    double leader = first.body()->getJointPos(first.link);
    double follower = second.body()->getJointPos(second.link);
    n_rows_now = 0;
    add_coordinates_of_both(all, data, info, ratio, follower - ratio * leader - offset);
}

} // namespace dpl_solver_rows
