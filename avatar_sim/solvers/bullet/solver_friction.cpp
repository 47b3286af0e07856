/* SPDX-License-Identifier: Apache-2.0 */
/* C++: what friction between bodies needs beside Bullet: its direction, and its end. */
#include "solver_world.h"

#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>

#include <algorithm>

namespace dpl_solver_parts
{

/* ---- direction ---- */

namespace
{

bool rolls(const btCollisionObject &object)
{
    return object.getBroadphaseHandle()->m_collisionFilterGroup & (GROUP_CHASSIS | GROUP_WHEEL);
}

/* Before what contacts give in this step, but for what `push` has added. */
btVector3 velocity_of(const side &of)
{
    if (!of.body) {
        return btVector3(0, 0, 0);
    }
    btSolverBody &body = *of.body;
    return body.m_linearVelocity + body.m_externalForceImpulse + body.internalGetPushVelocity() +
           (body.m_angularVelocity + body.m_externalTorqueImpulse + body.internalGetTurnVelocity())
               .cross(of.arm);
}

double inverse_mass_of(const side &of)
{
    return of.body ? of.body->m_originalBody->getInvMass() : 0;
}

void push(const side &of, const btVector3 &impulse)
{
    if (of.body) {
        of.body->internalGetPushVelocity() += impulse * of.body->internalGetInvMass();
        of.body->internalGetTurnVelocity() +=
            of.body->m_originalBody->getInvInertiaTensorWorld() * of.arm.cross(impulse);
    }
}

bool acts(const btManifoldPoint &point, const btPersistentManifold &of)
{
    return point.getDistance() <= of.getContactProcessingThreshold();
}

/* Where a point would slip without friction, m/s. */
btVector3 slip_at(const btManifoldPoint &point, const side &a, const side &b)
{
    btVector3 slip = velocity_of(a) - velocity_of(b);
    return slip - point.m_normalWorldOnB * point.m_normalWorldOnB.dot(slip);
}

/* The impulse of the step before keeps its direction, with which this one begins. */
void aim(btManifoldPoint &point, const btVector3 &slip, bool has_both)
{
    constexpr double least = 1e-30; /* (m/s)^2 */
    btVector3 before = point.m_appliedImpulseLateral1 * point.m_lateralFrictionDir1 +
                       point.m_appliedImpulseLateral2 * point.m_lateralFrictionDir2;
    btVector3 &along = point.m_lateralFrictionDir1, &across = point.m_lateralFrictionDir2;
    if (slip.length2() > least) {
        along = slip.normalized();
        across = along.cross(point.m_normalWorldOnB);
    } else {
        btPlaneSpace1(point.m_normalWorldOnB, along, across);
    }
    point.m_appliedImpulseLateral1 = before.dot(along);
    point.m_appliedImpulseLateral2 = has_both ? before.dot(across) : 0;
    point.m_contactPointFlags |= BT_CONTACT_FLAG_LATERAL_FRICTION_INITIALIZED;
}

} // namespace

bool is_pointed(const btPersistentManifold &manifold)
{
    for (const btCollisionObject *one : {manifold.getBody0(), manifold.getBody1()}) {
        if (btMultiBodyLinkCollider::upcast(one) || rolls(*one)) {
            return false;
        }
    }
    return true;
}

side island_solver::side_of(const btCollisionObject &object, const btVector3 &point)
{
    btSolverBody *body =
        object.getCompanionId() >= 0 ? &m_tmpSolverBodyPool[object.getCompanionId()] : nullptr;
    return {body && body->m_originalBody ? body : nullptr,
            point - object.getWorldTransform().getOrigin()};
}

/* The velocities that push bodies apart, which are 0 until the first iteration, keep the sums. */
void island_solver::add_loads(btPersistentManifold **manifolds, int n)
{
    for (int i = 0; i < n; i++) {
        const btPersistentManifold &one = *manifolds[i];
        for (int k = 0; k < one.getNumContacts() && is_pointed(one); k++) {
            const btManifoldPoint &point = one.getContactPoint(k);
            if (acts(point, one)) {
                btVector3 impulse = point.m_appliedImpulse * point.m_normalWorldOnB;
                push(side_of(*one.getBody0(), point.getPositionWorldOnA()), impulse);
                push(side_of(*one.getBody1(), point.getPositionWorldOnB()), -impulse);
            }
        }
    }
}

void island_solver::clear_loads()
{
    for (int i = 0; i < m_tmpSolverBodyPool.size(); i++) {
        m_tmpSolverBodyPool[i].internalGetPushVelocity().setZero();
        m_tmpSolverBodyPool[i].internalGetTurnVelocity().setZero();
    }
}

bool island_solver::aim_friction(btPersistentManifold &manifold)
{
    constexpr double at_rest = 1e-8; /* m/s */
    btVector3 slips[MANIFOLD_CACHE_SIZE];
    double load = 0, fastest = 0, inverse_mass = 0;
    int n = manifold.getNumContacts();
    for (int k = 0; k < n; k++) {
        const btManifoldPoint &point = manifold.getContactPoint(k);
        side a = side_of(*manifold.getBody0(), point.getPositionWorldOnA());
        side b = side_of(*manifold.getBody1(), point.getPositionWorldOnB());
        slips[k] = slip_at(point, a, b);
        if (acts(point, manifold)) {
            fastest = std::max(fastest, slips[k].length());
            load += point.m_combinedFriction * point.m_appliedImpulse;
            inverse_mass = inverse_mass_of(a) + inverse_mass_of(b);
        }
    }
    bool may_stand = fastest > at_rest && fastest < 2 * load * inverse_mass;
    for (int k = 0; k < n; k++) {
        aim(manifold.getContactPoint(k), slips[k], may_stand);
    }
    return may_stand;
}

/* ---- end ---- */

/* The row of a rigid contact gives back its impulse. */
void island_solver::give_back(btSolverConstraint &row)
{
    btSolverBody &a = m_tmpSolverBodyPool[row.m_solverBodyIdA];
    btSolverBody &b = m_tmpSolverBodyPool[row.m_solverBodyIdB];
    double impulse = -row.m_appliedImpulse;
    a.internalApplyImpulse(row.m_contactNormal1 * a.internalGetInvMass(), row.m_angularComponentA,
                           impulse);
    b.internalApplyImpulse(row.m_contactNormal2 * b.internalGetInvMass(), row.m_angularComponentB,
                           impulse);
    row.m_appliedImpulse = 0;
}

/* The same of a contact of a tree: a row whose bounds and target leave nothing else. */
void island_solver::give_back(btMultiBodySolverConstraint &row)
{
    row.m_lowerLimit = row.m_upperLimit = 0;
    resolveSingleConstraintRowGeneric(row);
}

/* Bullet passes over the friction of a contact that bears nothing: what it gave before, in the step
 * before or in an earlier iteration, would stay, and drag at a body that the contact does not
 * touch. */
void island_solver::release_unloaded()
{
    auto release = [this](auto &rows, int from, int end) {
        for (int i = from; i < end; i++) {
            if (rows[i].m_appliedImpulse != 0) {
                give_back(rows[i]);
            }
        }
    };
    int n = m_tmpSolverContactConstraintPool.size();
    for (int i = 0; i < n; i++) {
        if (!(m_tmpSolverContactConstraintPool[i].m_appliedImpulse > 0)) {
            int end = end_of_friction(i);
            release(m_tmpSolverContactFrictionConstraintPool,
                    m_tmpSolverContactConstraintPool[i].m_frictionIndex, end);
        }
    }
    auto release_of = [&](auto &rows, const auto &loads) {
        for (int i = 0; i < rows.size(); i++) {
            if (!(loads[rows[i].m_frictionIndex].m_appliedImpulse > 0)) {
                release(rows, i, i + 1);
            }
        }
    };
    release_of(m_tmpSolverContactRollingFrictionConstraintPool, m_tmpSolverContactConstraintPool);
    release_of(m_multiBodyFrictionContactConstraints, m_multiBodyNormalContactConstraints);
    release_of(m_multiBodyTorsionalFrictionContactConstraints, m_multiBodyNormalContactConstraints);
}

/* The first row of friction that is not of a contact. */
int island_solver::end_of_friction(int contact) const
{
    return contact + 1 < m_tmpSolverContactConstraintPool.size()
               ? m_tmpSolverContactConstraintPool[contact + 1].m_frictionIndex
               : m_tmpSolverContactFrictionConstraintPool.size();
}

} // namespace dpl_solver_parts
