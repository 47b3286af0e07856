/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies that are put elsewhere between steps. */
#include "solver_world.h"

using namespace dpl_bullet_memory;
using namespace dpl_solver_parts;
using dpl_solver_rows::tree;

namespace
{

/* Ends at the first contact that is deep enough. */
struct overlap : btCollisionWorld::ContactResultCallback {
    const btCollisionObject *probe;
    body_range own;
    double depth;
    int found = -1; /* the number of the body */

    overlap(const btCollisionObject *shape, int mask, body_range left_out, double depth_m)
        : probe(shape), own(left_out), depth(depth_m)
    {
        m_collisionFilterGroup = GROUP_CHASSIS;
        m_collisionFilterMask = mask;
    }

    bool needsCollision(btBroadphaseProxy *proxy) const override
    {
        int number = static_cast<btCollisionObject *>(proxy->m_clientObject)->getUserIndex();
        bool is_own = number >= own.first && number < own.first + own.n;
        return found < 0 && !is_own && ContactResultCallback::needsCollision(proxy);
    }

    btScalar addSingleResult(btManifoldPoint &point, const btCollisionObjectWrapper *a, int, int,
                             const btCollisionObjectWrapper *b, int, int) override
    {
        if (found < 0 && point.getDistance() < -depth) {
            const btCollisionObject *first = a->getCollisionObject();
            found = (first == probe ? b->getCollisionObject() : first)->getUserIndex();
        }
        return 0;
    }
};

void forget_contacts(dpl_solver &w, btCollisionObject &object)
{
    w.broadphase.getOverlappingPairCache()->cleanProxyFromPairs(object.getBroadphaseHandle(),
                                                                &w.dispatcher);
    w.world.updateSingleAabb(&object);
}

/* With its velocity and its momentum. */
void move_free(dpl_solver &w, body &moved, const btTransform &by)
{
    btRigidBody &rigid = *moved.rigid;
    btVector3 linear = rigid.getLinearVelocity(), angular = rigid.getAngularVelocity();
    move_rigid(w, rigid, by * rigid.getWorldTransform());
    rigid.setLinearVelocity(by.getBasis() * linear);
    rigid.setAngularVelocity(by.getBasis() * angular);
    moved.momentum = by.getBasis() * moved.momentum;
}

/* All of its links, by its base. */
void move_tree(dpl_solver &w, tree &moved, const btTransform &by)
{
    btMultiBody &body = *moved.body;
    body.setBaseWorldTransform(by * body.getBaseWorldTransform());
    body.setBaseVel(by.getBasis() * body.getBaseVel());
    body.setBaseOmega(by.getBasis() * body.getBaseOmega());
    moved.is_struck = true;
    moved.update();
    auto put = [&](btMultiBodyLinkCollider *collider, int link) {
        if (collider) {
            collider->setWorldTransform(moved.world[link + 1]);
            collider->setInterpolationWorldTransform(moved.world[link + 1]);
            forget_contacts(w, *collider);
        }
    };
    put(body.getBaseCollider(), -1);
    for (int i = 0; i < body.getNumLinks(); i++) {
        body.getLink(i).m_cachedWorldTransform = moved.world[i + 1];
        put(body.getLink(i).m_collider, i);
    }
}

const btCollisionObject &object_of(const body &of)
{
    if (of.rigid) {
        return *of.rigid;
    }
    return *of.collider;
}

} // namespace

void dpl_solver_parts::move_rigid(dpl_solver &w, btRigidBody &rigid, const btTransform &transform)
{
    rigid.setWorldTransform(transform);
    rigid.setInterpolationWorldTransform(transform);
    rigid.updateInertiaTensor();
    rigid.clearForces();
    forget_contacts(w, rigid);
}

int dpl_solver_parts::find_overlap(dpl_solver &w, const btCollisionObject &object,
                                   const btTransform &there, int mask, body_range own, double depth)
{
    btCollisionObject probe;
    probe.setCollisionShape(const_cast<btCollisionShape *>(object.getCollisionShape()));
    probe.setWorldTransform(there);
    overlap callback(&probe, mask, own, depth);
    w.world.contactTest(&probe, callback);
    return callback.found;
}

int dpl__solver_moved_taken_by(struct dpl_solver *solver, int first, int n,
                               const struct dpl_solver_pose *by, double depth)
{
    return advance(solver->heap, [&] {
        btTransform motion = transform_of(*by);
        int found = -1;
        for (int i = first; i < first + n && found < 0; i++) {
            const body &moved = solver->bodies[at(i)];
            const btCollisionObject &object = object_of(moved);
            int mask = all_bodies | (moved.off_ground ? 0 : GROUP_GROUND);
            if (object.getCollisionShape()->getShapeType() != EMPTY_SHAPE_PROXYTYPE) {
                found = find_overlap(*solver, object, motion * object.getWorldTransform(), mask,
                                     {first, n}, depth);
            }
        }
        return found;
    });
}

void dpl__solver_move(struct dpl_solver *solver, int first, int n, const struct dpl_solver_pose *by)
{
    advance(solver->heap, [&] {
        btTransform motion = transform_of(*by);
        for (int i = first; i < first + n; i++) {
            body &moved = solver->bodies[at(i)];
            if (moved.kind == DPL_SOLVER_FREE) {
                move_free(*solver, moved, motion);
            } else if (moved.tree && moved.link < 0) {
                move_tree(*solver, *moved.tree, motion);
            }
        }
        return 0;
    });
}
