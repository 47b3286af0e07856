/* SPDX-License-Identifier: Apache-2.0 */
/* C++: what the files of the solver share. Objects are the heap's: nobody deletes them. */
#ifndef DOPPEL_SIM_SOLVER_WORLD_H
#define DOPPEL_SIM_SOLVER_WORLD_H

#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <BulletDynamics/Featherstone/btMultiBodyMLCPConstraintSolver.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <btBulletDynamicsCommon.h>

#include <utility>
#include <vector>

#include "bullet_memory.h"
#include "solver_rows.h"

namespace dpl_solver_parts
{

enum collision_group { GROUP_NONE = 0, GROUP_GROUND = 1, GROUP_STATIC = 2, GROUP_MOVING = 4 };

/* Solves islands of joints directly (Dantzig), and others by sequential impulses. Bullet's direct
 * solver takes rows of rigid bodies and rows of trees one after the other, and contacts within one
 * tree wrongly; so islands that have these go by sequential impulses too. */
class island_solver : public btMultiBodyMLCPConstraintSolver
{
  public:
    explicit island_solver(btMLCPSolverInterface *direct) : btMultiBodyMLCPConstraintSolver(direct)
    {
    }

  protected:
    btScalar solveGroupCacheFriendlySetup(btCollisionObject **bodies, int n_bodies,
                                          btPersistentManifold **manifolds, int n_manifolds,
                                          btTypedConstraint **constraints, int n_constraints,
                                          const btContactSolverInfo &info,
                                          btIDebugDraw *drawer) override;
    btScalar solveGroupCacheFriendlyIterations(btCollisionObject **bodies, int n_bodies,
                                               btPersistentManifold **manifolds, int n_manifolds,
                                               btTypedConstraint **constraints, int n_constraints,
                                               const btContactSolverInfo &info,
                                               btIDebugDraw *drawer) override;

    void createMLCPFast(const btContactSolverInfo &info) override;
    void convertContacts(btPersistentManifold **manifolds, int n,
                         const btContactSolverInfo &info) override;

  private:
    bool may_be_direct() const;
    bool is_direct = false;
};

/* Bullet keeps the islands of a step in an object of its own, which its constructor takes from the
 * process: this one takes it from the heap, as all that a snapshot must have. */
class heap_world : public btMultiBodyDynamicsWorld
{
  public:
    heap_world(btDispatcher *dispatcher, btBroadphaseInterface *broadphase,
               btMultiBodyConstraintSolver *solver, btCollisionConfiguration *configuration);
};

/* Pairs of bodies that a joint connects, in order. */
struct pair_filter : btOverlapFilterCallback {
    std::vector<std::pair<int, int>, dpl_bullet_memory::heap_allocator<std::pair<int, int>>> apart;
    bool needBroadphaseCollision(btBroadphaseProxy *a, btBroadphaseProxy *b) const override;
};

struct body {
    dpl_solver_body_kind kind = DPL_SOLVER_STATIC;
    /* of mass, with the principal axes, in the body */
    btTransform centre = btTransform::getIdentity();
    btRigidBody *rigid = nullptr;          /* STATIC, FREE */
    dpl_solver_rows::tree *tree = nullptr; /* JOINTED */
    int link = -1;
    btMultiBodyLinkCollider *collider = nullptr; /* JOINTED */
    double mass = 0;
    btVector3 moments{0, 0, 0};
    btCollisionShape *shape = nullptr;
    bool off_ground = false, is_ground = false;
    btTransform start = btTransform::getIdentity();
    btVector3 start_velocity{0, 0, 0}, start_angular{0, 0, 0}; /* of the body's frame */
    btVector3 momentum{0, 0, 0};                               /* FREE: of rotation, in the world */
    btVector3 angular_before{0, 0, 0};
    btMatrix3x3 inertia_before = btMatrix3x3::getIdentity(); /* in the world */
};

/* A spring between points of two bodies (-1: the world). */
struct rope {
    int a, b;
    btVector3 in_a, in_b; /* in the body's frame */
    double stiffness, damping, length;
    bool tension_only;
};

template <typename T> using list = std::vector<T, dpl_bullet_memory::heap_allocator<T>>;

/* Of Bullet's frame, which is at the centre of mass. */
btTransform transform_of(const dpl_solver_pose &pose);
btCollisionShape *make_shapes(const dpl_solver_body &body, const btTransform &centre);

void pull_rope(list<body> &bodies, const rope &pulled);
void carry_before(body &free, double dt);
void carry_after(body &free);

} // namespace dpl_solver_parts

struct dpl_solver {
    BT_DECLARE_ALIGNED_ALLOCATOR();
    dpl_solver(dpl_heap *at, const btDefaultCollisionConstructionInfo &pools)
        : heap(at), configuration(pools)
    {
    }
    dpl_heap *heap;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btDantzigSolver direct;
    dpl_solver_parts::island_solver islands{&direct};
    dpl_solver_parts::heap_world world{&dispatcher, &broadphase, &islands, &configuration};
    dpl_solver_parts::pair_filter filter;
    dpl_solver_parts::list<dpl_solver_parts::body> bodies;
    dpl_solver_parts::list<dpl_solver_rows::tree *> trees;
    dpl_solver_parts::list<dpl_solver_rows::loop *> loops;
    dpl_solver_parts::list<dpl_solver_rows::gear *> gears;
    dpl_solver_parts::list<dpl_solver_parts::rope> ropes;
    dpl_solver_parts::list<dpl_solver_rows::freedom *> freedoms;
    dpl_solver_parts::list<dpl_solver_rows::mimic *> mimics;
};

#endif
