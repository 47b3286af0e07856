/* SPDX-License-Identifier: Apache-2.0 */
/* What the solver does in a step beside Bullet: islands, pairs, and free bodies that turn. */
#include "solver_world.h"

#include <BulletDynamics/Featherstone/btMultiBodyInplaceSolverIslandCallback.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>

#include <algorithm>
#include <cmath>
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

static dpl_solver_rows::tree &tree_of(const btMultiBody *body)
{
    return *static_cast<dpl_solver_rows::tree *>(body->getUserPointer());
}

/* Accelerations of trees; islands are solved right after them. */
void heap_world::solveExternalForces(btContactSolverInfo &info)
{
    btMultiBodyDynamicsWorld::solveExternalForces(info);
    for (int i = 0; i < m_multiBodies.size(); i++) {
        tree_of(m_multiBodies[i]).lean_back();
    }
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
 * way by this share of what it would if its ends were free (docs/design/rigid-bodies.md); a damper,
 * which gives way by itself, by less.
 */
static const double cfm_share = 1e-7, damper_cfm_share = 1e-10;

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
        double softness = of->softness(row.m_orgDofIndex);
        double cfm = softness > 0 ? softness + damper_cfm_share * m_multiBodyA(i, i)
                                  : cfm_share * of->free_inverse_mass(row.m_orgDofIndex);
        m_multiBodyA.setElem(i, i, m_multiBodyA(i, i) + cfm);
    }
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

/* A contact changes velocities at once. */
static void strike(const btPersistentManifold &manifold)
{
    for (const btCollisionObject *one : {manifold.getBody0(), manifold.getBody1()}) {
        const btMultiBodyLinkCollider *link = btMultiBodyLinkCollider::upcast(one);
        if (link && manifold.getNumContacts() > 0) {
            tree_of(link->m_multiBody).is_struck = true;
        }
    }
}

/* Friction of rigid bodies that slide has one direction, against the slip: with two, a block on a
 * slope loses 1 % of its way. Bullet's own choice is where outer forces alone would move the
 * points; most of these is taken up by the contacts themselves, and across that direction nothing
 * would grip. So what contacts bore in the step before counts, too, and bodies that friction may
 * hold have both directions. Trees have both as well, because Bullet's directions for them are
 * fixed in the world, and bases: their odometry is better by far. */
void island_solver::convertContacts(btPersistentManifold **manifolds, int n,
                                    const btContactSolverInfo &info)
{
    btContactSolverInfo both = info, aimed = info;
    both.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    add_loads(manifolds, n);
    for (int i = 0; i < n; i++) {
        if (btMultiBodyLinkCollider::upcast(manifolds[i]->getBody0()) ||
            btMultiBodyLinkCollider::upcast(manifolds[i]->getBody1())) {
            both.m_erp2 = push_share(*manifolds[i], info);
            strike(*manifolds[i]);
            convertMultiBodyContact(manifolds[i], both);
        } else if (is_pointed(*manifolds[i])) {
            bool may_stand = aim_friction(*manifolds[i]);
            aimed.m_solverMode =
                (may_stand ? both : info).m_solverMode | SOLVER_ENABLE_FRICTION_DIRECTION_CACHING;
            convertContact(manifolds[i], aimed);
        } else {
            both.m_erp2 = info.m_erp2;
            convertContact(manifolds[i], both);
        }
    }
    clear_loads();
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

btScalar island_solver::solveSingleIteration(int iteration, btCollisionObject **bodies,
                                             int n_bodies, btPersistentManifold **manifolds,
                                             int n_manifolds, btTypedConstraint **constraints,
                                             int n_constraints, const btContactSolverInfo &info,
                                             btIDebugDraw *drawer)
{
    btScalar left = btMultiBodyMLCPConstraintSolver::solveSingleIteration(
        iteration, bodies, n_bodies, manifolds, n_manifolds, constraints, n_constraints, info,
        drawer);
    release_unloaded();
    return left;
}

/* Bullet writes the impulse of the second direction of friction, with which the next step begins,
 * only if all contacts have one. */
void island_solver::keep_second_friction()
{
    int n = m_tmpSolverContactConstraintPool.size();
    for (int i = 0; i < n; i++) {
        const btSolverConstraint &row = m_tmpSolverContactConstraintPool[i];
        if (end_of_friction(i) - row.m_frictionIndex == 2) {
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

/* By how much Bullet turns a body less than by this angle in a step. Beyond 45 degrees it has the
 * sine and the cosine of that angle, and the sine times the angle by which it is too large. */
double missed_turn(double angle)
{
    constexpr double most = SIMD_HALF_PI / 2;
    double half = std::atan2(std::sin(most / 2) * angle / most, std::cos(most / 2));
    return angle > most ? angle - 2 * half : 0;
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
 * where the attitude is found in three rounds. Torques are part of it from the beginning of the
 * step, because Bullet's rows of friction see outer forces, but no outer torques: the body would
 * turn by torque * dt^2 / inertia in each step, however firmly it stands. */
void carry_before(body &free, double dt)
{
    btVector3 torque = free.rigid->getTotalTorque();
    free.momentum += dt * torque;
    free.rigid->applyTorque(-torque);
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
void carry_after(body &free, double dt)
{
    btVector3 angular = free.rigid->getAngularVelocity();
    free.momentum += free.inertia_before * (angular - free.angular_before);
    double rest = missed_turn(angular.length() * dt);
    if (rest != 0) {
        btTransform place = free.rigid->getWorldTransform();
        place.setBasis(btMatrix3x3(btQuaternion(angular, rest)) * place.getBasis());
        free.rigid->setCenterOfMassTransform(place);
    }
    const btMatrix3x3 &turn = free.rigid->getWorldTransform().getBasis();
    free.rigid->setAngularVelocity(inertia_at(free, turn, true) * free.momentum);
}

} // namespace dpl_solver_parts
