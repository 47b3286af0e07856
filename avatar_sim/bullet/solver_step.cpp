/* SPDX-License-Identifier: Apache-2.0 */
/* What the solver does in a step beside Bullet: islands, pairs, and free bodies that turn. */
#include "solver_world.h"

#include <BulletDynamics/Featherstone/btMultiBodyInplaceSolverIslandCallback.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>

#include <algorithm>
#include <new>

namespace dpl_solver_parts
{

/* ---- islands ---- */

heap_world::heap_world(btDispatcher *dispatcher, btBroadphaseInterface *broadphase,
                       btMultiBodyConstraintSolver *solver, btCollisionConfiguration *configuration)
    : btMultiBodyDynamicsWorld(dispatcher, broadphase, solver, configuration)
{
    using islands = MultiBodyInplaceSolverIslandCallback;
    delete m_solverMultiBodyIslandCallback;
    m_solverMultiBodyIslandCallback =
        new (btAlignedAlloc(sizeof(islands), alignof(islands))) islands(solver, dispatcher);
}

/* The time of a direct solution grows with the cube of its rows. */
static const int most_direct_rows = 400;

/* Contacts are left to sequential impulses: Dantzig's method with two directions of friction a
 * contact gives energy to a mechanism that stands on a hard stop and is hit. */
bool island_solver::may_be_direct() const
{
    int joints = m_multiBodyNonContactConstraints.size();
    return joints > 0 && joints <= most_direct_rows &&
           m_multiBodyNormalContactConstraints.size() == 0 &&
           m_tmpSolverContactConstraintPool.size() == 0 &&
           m_tmpSolverNonContactConstraintPool.size() == 0;
}

btScalar
island_solver::solveGroupCacheFriendlySetup(btCollisionObject **bodies, int n_bodies,
                                            btPersistentManifold **manifolds, int n_manifolds,
                                            btTypedConstraint **constraints, int n_constraints,
                                            const btContactSolverInfo &info, btIDebugDraw *drawer)
{
    is_direct = true;
    btMultiBodyMLCPConstraintSolver::solveGroupCacheFriendlySetup(
        bodies, n_bodies, manifolds, n_manifolds, constraints, n_constraints, info, drawer);
    return 0;
}

/* Constraint force mixing. Rows that only repeat others, as those of a loop in a plane do, make the
 * matrix singular, and where rounding leaves it regular, impulses have no bound. So each row gives
 * way by this share of what it would if its ends were free (decision 0061). */
static const double cfm_share = 1e-7;

/* The matrices are made by the set-up: not for islands that do not need them. */
void island_solver::createMLCPFast(const btContactSolverInfo &info)
{
    is_direct = may_be_direct();
    if (!is_direct) {
        return;
    }
    btMultiBodyMLCPConstraintSolver::createMLCPFast(info);
    for (int i = 0; i < m_multiBodyA.rows(); i++) {
        const btMultiBodySolverConstraint &row = *m_multiBodyAllConstraintPtrArray[i];
        auto *of = static_cast<const dpl_solver_rows::rows *>(row.m_orgConstraint);
        double cfm = cfm_share * of->free_inverse_mass(row.m_orgDofIndex);
        m_multiBodyA.setElem(i, i, m_multiBodyA(i, i) + cfm);
    }
}

static bool rolls(const btCollisionObject *object)
{
    return object->getBroadphaseHandle()->m_collisionFilterGroup & (GROUP_CHASSIS | GROUP_WHEEL);
}

/* Trees are pushed out of what they are in by a velocity, which they keep: the share of a step for
 * what is so deep that it would be faster than this. */
static double push_share(const btPersistentManifold &manifold, const btContactSolverInfo &info)
{
    constexpr double fastest_m_s = 0.5;
    double depth = 0;
    for (int i = 0; i < manifold.getNumContacts(); i++) {
        depth = std::max(depth, -manifold.getContactPoint(i).getDistance());
    }
    double most = depth > 0 ? fastest_m_s * info.m_timeStep / depth : info.m_erp2;
    return std::min(info.m_erp2, most);
}

/* Between rigid bodies the one direction of friction is that of the slip; of trees Bullet takes a
 * direction that is fixed in the world, across which nothing would grip: they get both. Bases roll
 * with both, too: their odometry is better by far. */
void island_solver::convertContacts(btPersistentManifold **manifolds, int n,
                                    const btContactSolverInfo &info)
{
    btContactSolverInfo both = info;
    both.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    for (int i = 0; i < n; i++) {
        if (btMultiBodyLinkCollider::upcast(manifolds[i]->getBody0()) ||
            btMultiBodyLinkCollider::upcast(manifolds[i]->getBody1())) {
            both.m_erp2 = push_share(*manifolds[i], info);
            convertMultiBodyContact(manifolds[i], both);
        } else {
            bool is_base = rolls(manifolds[i]->getBody0()) || rolls(manifolds[i]->getBody1());
            convertContact(manifolds[i], is_base ? both : info);
        }
    }
    btMultiBodyMLCPConstraintSolver::convertContacts(nullptr, 0, info); /* rows of joints */
}

btScalar island_solver::solveGroupCacheFriendlyIterations(
    btCollisionObject **bodies, int n_bodies, btPersistentManifold **manifolds, int n_manifolds,
    btTypedConstraint **constraints, int n_constraints, const btContactSolverInfo &info,
    btIDebugDraw *drawer)
{
    if (is_direct) {
        return btMultiBodyMLCPConstraintSolver::solveGroupCacheFriendlyIterations(
            bodies, n_bodies, manifolds, n_manifolds, constraints, n_constraints, info, drawer);
    }
    return btMultiBodyConstraintSolver::solveGroupCacheFriendlyIterations(
        bodies, n_bodies, manifolds, n_manifolds, constraints, n_constraints, info, drawer);
}

/* Bullet writes the impulse of the second direction of friction, with which the next step begins,
 * only if all contacts have one. */
void island_solver::keep_second_friction()
{
    int n = m_tmpSolverContactConstraintPool.size();
    for (int i = 0; i < n; i++) {
        const btSolverConstraint &row = m_tmpSolverContactConstraintPool[i];
        int end = i + 1 < n ? m_tmpSolverContactConstraintPool[i + 1].m_frictionIndex
                            : m_tmpSolverContactFrictionConstraintPool.size();
        if (end - row.m_frictionIndex == 2) {
            auto *point = static_cast<btManifoldPoint *>(row.m_originalContactPoint);
            point->m_appliedImpulseLateral2 =
                m_tmpSolverContactFrictionConstraintPool[row.m_frictionIndex + 1].m_appliedImpulse;
        }
    }
}

/* Bullet writes 0 for the second direction of trees. */
btScalar island_solver::solveGroupCacheFriendlyFinish(btCollisionObject **bodies, int n_bodies,
                                                      const btContactSolverInfo &info)
{
    keep_second_friction();
    btScalar left =
        btMultiBodyMLCPConstraintSolver::solveGroupCacheFriendlyFinish(bodies, n_bodies, info);
    for (int i = 0; i < m_multiBodyNormalContactConstraints.size(); i++) {
        const btMultiBodySolverConstraint &row = m_multiBodyNormalContactConstraints[i];
        auto *point = static_cast<btManifoldPoint *>(row.m_originalContactPoint);
        point->m_appliedImpulseLateral2 =
            m_multiBodyFrictionContactConstraints[row.m_frictionIndex + 1].m_appliedImpulse;
    }
    return left;
}

/* ---- pairs ---- */

bool pair_filter::needBroadphaseCollision(btBroadphaseProxy *a, btBroadphaseProxy *b) const
{
    if (!(a->m_collisionFilterGroup & b->m_collisionFilterMask) ||
        !(b->m_collisionFilterGroup & a->m_collisionFilterMask)) {
        return false;
    }
    int x = static_cast<btCollisionObject *>(a->m_clientObject)->getUserIndex();
    int y = static_cast<btCollisionObject *>(b->m_clientObject)->getUserIndex();
    return !std::binary_search(apart.begin(), apart.end(),
                               std::make_pair(std::min(x, y), std::max(x, y)));
}

/* ---- free bodies ---- */

namespace
{

btMatrix3x3 inertia_at(const body &free, const btMatrix3x3 &turn, bool is_inverse)
{
    btVector3 moments =
        is_inverse ? btVector3(1 / free.moments.x(), 1 / free.moments.y(), 1 / free.moments.z())
                   : free.moments;
    return turn.scaled(moments) * turn.transpose();
}

btMatrix3x3 turned(const btMatrix3x3 &from, const btVector3 &angular, double dt)
{
    double angle = angular.length() * dt;
    if (angle < 1e-14) {
        return from;
    }
    return btMatrix3x3(btQuaternion(angular, angle)) * from;
}

} // namespace

/* Bullet keeps the angular velocity of a body, which changes while a free body tumbles; what stays
 * is its momentum. So the momentum is the state: the velocity of a step is that at its middle,
 * where the attitude is found in three rounds. */
void carry_before(body &free, double dt)
{
    const btMatrix3x3 &turn = free.rigid->getWorldTransform().getBasis();
    btVector3 angular = free.rigid->getAngularVelocity();
    for (int round = 0; round < 3; round++) {
        angular = inertia_at(free, turned(turn, angular, dt / 2), true) * free.momentum;
    }
    free.inertia_before = inertia_at(free, turn, false);
    free.angular_before = angular;
    free.rigid->setAngularVelocity(angular);
}

/* What contacts changed is an impulse at the attitude that the solver saw. */
void carry_after(body &free)
{
    btVector3 change = free.rigid->getAngularVelocity() - free.angular_before;
    free.momentum += free.inertia_before * change;
    const btMatrix3x3 &turn = free.rigid->getWorldTransform().getBasis();
    free.rigid->setAngularVelocity(inertia_at(free, turn, true) * free.momentum);
}

} // namespace dpl_solver_parts
