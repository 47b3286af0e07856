/* SPDX-License-Identifier: Apache-2.0 */
/* Trees, and what is known of their links: see solver_rows.h. */
#include "solver_rows.h"

#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>

namespace dpl_solver_rows
{

void tree::update()
{
    int n = body->getNumLinks();
    body->compTreeLinkVelocities(&angular[0], &linear[0]);
    world[0] = body->getBaseWorldTransform();
    for (int i = 0; i < n; i++) {
        const btTransform &parent = world[body->getParent(i) + 1];
        btMatrix3x3 turn =
            parent.getBasis() * btMatrix3x3(body->getParentToLocalRot(i)).transpose();
        world[i + 1] = btTransform(turn, parent.getOrigin() + turn * body->getRVector(i));
    }
    for (int i = 0; i <= n; i++) {
        angular[i] = world[i].getBasis() * angular[i];
        linear[i] = world[i].getBasis() * linear[i];
    }
}

/* Forces that depend on velocities (gyroscopic, centrifugal) are those at the middle of the step's
 * change, else a top sinks: Bullet takes the velocities before it. How they change is known from
 * the step before, constraints included. A tree of one freedom on the world has no such forces. */
void tree::lean_forward()
{
    int n = 6 + body->getNumDofs();
    if (n == 7 && body->hasFixedBase()) {
        return;
    }
    const btScalar *now = body->getVelocityVector();
    for (int i = 0; i < n; i++) {
        lean[i] = is_struck ? 0 : 0.5 * (now[i] - before[i]);
        before[i] = now[i];
    }
    is_struck = false;
    body->applyDeltaVeeMultiDof2(&lean[0], 1);
    body->processDeltaVeeMultiDof2();
}

void tree::lean_back()
{
    if (body->getNumDofs() == 1 && body->hasFixedBase()) {
        return;
    }
    body->applyDeltaVeeMultiDof2(&lean[0], -1);
    body->processDeltaVeeMultiDof2();
}

bool tree::is_overturned(int link, double dt) const
{
    constexpr double most = SIMD_HALF_PI / 2; /* rad */
    if (link < 0) {
        return !body->hasFixedBase() && !(body->getBaseOmega().length() * dt <= most);
    }
    if (body->getLink(link).m_jointType != btMultibodyLink::eSpherical) {
        return false;
    }
    const btScalar *v = body->getJointVelMultiDof(link);
    return !(btVector3(v[0], v[1], v[2]).length() * dt <= most);
}

void tree::begin_measuring()
{
    int n = body->getNumLinks() + 1;
    btVector3 none(0, 0, 0);
    for (auto *one : {&momentum, &spin, &force, &torque}) {
        one->resize(n, none);
    }
    was.resize(n, btTransform::getIdentity());
    for (int i = 0; i < n; i++) {
        was[i] = world[i];
        momentum[i] = momentum_of(i - 1);
        spin[i] = spin_of(i - 1);
        force[i] = torque[i] = none;
    }
}

double tree::mass_of(int link) const
{
    return link < 0 ? body->getBaseMass() : body->getLinkMass(link);
}

btVector3 tree::momentum_of(int link) const
{
    return mass_of(link) * linear[link + 1];
}

btVector3 tree::spin_of(int link) const
{
    const btMatrix3x3 &turn = world[link + 1].getBasis();
    return turn * (moments_of(link) * (turn.transpose() * angular[link + 1]));
}

btVector3 tree::moments_of(int link) const
{
    return link < 0 ? body->getBaseInertia() : body->getLinkInertia(link);
}

void tree::add_load(int link, const btVector3 &at_force, const btVector3 &at_torque,
                    const btVector3 &point)
{
    if (is_measured) {
        force[link + 1] += at_force;
        torque[link + 1] += at_torque + (point - was[link + 1].getOrigin()).cross(at_force);
    }
}

void tree::push(int link, const btVector3 &at_force, const btVector3 &at_torque)
{
    if (is_measured) {
        force[link + 1] += at_force;
        torque[link + 1] += at_torque;
    }
    if (link < 0) {
        body->addBaseForce(at_force);
        body->addBaseTorque(at_torque);
    } else {
        body->addLinkForce(link, at_force);
        body->addLinkTorque(link, at_torque);
    }
}

btTransform end::now() const
{
    return tree ? tree->world[link + 1] * frame : frame;
}

btVector3 end::velocity(const btVector3 &at) const
{
    if (!tree) {
        return btVector3(0, 0, 0);
    }
    btVector3 arm = at - tree->world[link + 1].getOrigin();
    return tree->linear[link + 1] + tree->angular[link + 1].cross(arm);
}

void end::push(const btVector3 &force, const btVector3 &torque, const btVector3 &point) const
{
    if (tree) {
        btVector3 arm = point - tree->world[link + 1].getOrigin();
        tree->push(link, force, torque + arm.cross(force));
    }
}

btVector3 end::angular() const
{
    return tree ? tree->angular[link + 1] : btVector3(0, 0, 0);
}

int island_of(const btMultiBody *tree)
{
    if (!tree) {
        return -1;
    }
    if (tree->getBaseCollider()) {
        return tree->getBaseCollider()->getIslandTag();
    }
    for (int i = 0; i < tree->getNumLinks(); i++) {
        if (tree->getLink(i).m_collider) {
            return tree->getLink(i).m_collider->getIslandTag();
        }
    }
    return -1;
}

} // namespace dpl_solver_rows
