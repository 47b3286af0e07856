/* SPDX-License-Identifier: Apache-2.0 */
/* C++: the shared parts of the solver's files. The heap owns all objects; they are not deleted one
 * by one. */
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

/* GROUP_FLOOR: a fixed body with which wheels have contact. */
enum collision_group {
    GROUP_NONE = 0,
    GROUP_GROUND = 1,
    GROUP_STATIC = 2,
    GROUP_MOVING = 4,
    GROUP_CHASSIS = 8,
    GROUP_WHEEL = 16,
    GROUP_FLOOR = 32,
};

/* In place of the number of a body. */
enum { WHEEL_INDEX = -1 };

/* One side of a contact of rigid bodies. */
struct side {
    btSolverBody *body; /* nullptr: it stands still */
    btVector3 arm;      /* from its centre of mass to the point */
};

/* Whether the solver chooses the directions of friction: neither body is of a tree or of a base on
 * wheels. */
bool is_pointed(const btPersistentManifold &manifold);

/* Solves islands of joints without contacts directly (Dantzig), and others by sequential impulses:
 * Bullet's direct solver takes rows of rigid bodies and rows of trees one after the other, contacts
 * within one tree wrongly, and gives energy to a mechanism that is hit at a stop. A contact has one
 * direction of friction, that of the slip; with a tree or a base on wheels it has two. */
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

    btScalar solveSingleIteration(int iteration, btCollisionObject **bodies, int n_bodies,
                                  btPersistentManifold **manifolds, int n_manifolds,
                                  btTypedConstraint **constraints, int n_constraints,
                                  const btContactSolverInfo &info, btIDebugDraw *drawer) override;
    btScalar solveGroupCacheFriendlyFinish(btCollisionObject **bodies, int n_bodies,
                                           const btContactSolverInfo &info) override;

    void createMLCPFast(const btContactSolverInfo &info) override;
    void convertContacts(btPersistentManifold **manifolds, int n,
                         const btContactSolverInfo &info) override;

  private:
    bool may_be_direct() const;
    side side_of(const btCollisionObject &object, const btVector3 &point);
    /* What contacts bore in the step before, as changes of velocity, until clear_loads. */
    void add_loads(btPersistentManifold **manifolds, int n);
    void clear_loads();
    /* Sets the directions of friction; true: the bodies may stand, and it needs both. */
    bool aim_friction(btPersistentManifold &manifold);
    void keep_second_friction();
    void release_unloaded();
    int end_of_friction(int contact) const;
    void give_back(btSolverConstraint &row);
    void give_back(btMultiBodySolverConstraint &row);
    bool is_direct = false;
};

/* Bullet keeps the islands of a step in an object of its own, which its constructor takes from the
 * process: this one takes it from the heap, as all that a snapshot must have. */
class heap_world : public btMultiBodyDynamicsWorld
{
  public:
    heap_world(btDispatcher *dispatcher, btBroadphaseInterface *broadphase,
               btMultiBodyConstraintSolver *solver, btCollisionConfiguration *configuration);

  protected:
    void solveExternalForces(btContactSolverInfo &info) override;
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
    btRigidBody *rigid = nullptr;          /* STATIC, FREE, CHASSIS */
    dpl_solver_rows::tree *tree = nullptr; /* JOINTED */
    int link = -1;
    btMultiBodyLinkCollider *collider = nullptr; /* JOINTED */
    double mass = 0, load = 0;
    bool takes_load = false;
    btVector3 load_at{0, 0, 0};
    int n_belts = 0;         /* that it holds and that were not added yet */
    int first_belt_link = 0; /* their links in its tree */
    int load_link = -1;      /* in its tree, of no size; its mass is the load */
    btVector3 moments{0, 0, 0};
    btVector3 pushed{0, 0, 0}, turned{0, 0, 0}; /* from outside, about its centre of mass */
    bool is_pushed = false;
    btCollisionShape *shape = nullptr;
    bool off_ground = false, is_ground = false, no_wheels = false;
    btTransform start = btTransform::getIdentity();
    btVector3 start_velocity{0, 0, 0}, start_angular{0, 0, 0}; /* of the body's frame */
    btVector3 momentum{0, 0, 0};                               /* FREE: of rotation, in the world */
    btVector3 angular_before{0, 0, 0};
    btMatrix3x3 inertia_before = btMatrix3x3::getIdentity(); /* in the world */
};

/* Of a base: see solver_bases.h. */
struct wheel {
    btVector3 centre; /* in the chassis' frame */
    int chassis;
    btRigidBody *rigid;
    btHingeConstraint *hinge;
    double angle, last_hinge_angle;
};

/* A spring between points of two bodies (-1: the world), straight or over a sheave. */
struct rope {
    int a = -1, b = -1;
    btVector3 in_a{0, 0, 0}, in_b{0, 0, 0}; /* in the body's frame */
    double ea = 0, damping = 0;
    bool tension_only = true, is_cut = false;
    double free[2] = {0, 0}, tension[2] = {0, 0}; /* of each leg; straight: the first */
    /* Over a sheave: */
    int sheave = -1, sheave_body = -1; /* freedom; -1: straight */
    btVector3 top[2] = {{0, 0, 0}, {0, 0, 0}}, centre{0, 0, 0}, axle{0, 0, 1};
    double radius = 0, sheave_mass = 0, grip = 1;
    double turned = 0, slipped = 0; /* rad, m */
    double dt = 0;                  /* s, of the newest step */
};

/* What a joint gives its child. */
struct reaction {
    dpl_solver_rows::loop *of = nullptr;          /* nullptr: a joint of a tree */
    dpl_solver_rows::end beyond;                  /* the body that hangs by it */
    bool is_turned = false;                       /* that body is the parent */
    dpl_solver_rows::end child;                   /* the joint's frame there */
    btTransform was = btTransform::getIdentity(); /* that frame before the step */
    bool is_wanted = false;
    double wrench[6] = {0, 0, 0, 0, 0, 0};
};

template <typename T> using list = std::vector<T, dpl_bullet_memory::heap_allocator<T>>;

/* A point of a shape, with a sphere round it. */
struct round_point {
    btVector3 at;
    double radius;
};

/* A solid of a fixed body: see solver_touch.h. */
struct still {
    const btCollisionShape *shape;
    btTransform place;
    btVector3 low, high; /* around it */
    int body;
    double friction;
    list<round_point> points; /* corners */
};

inline btVector3 vector_from(const double v[3])
{
    return btVector3(v[0], v[1], v[2]);
}

inline size_t at(int number)
{
    return static_cast<size_t>(number);
}

/* Of Bullet's frame, which is at the centre of mass. */
btTransform transform_of(const dpl_solver_pose &pose);
/* One shape, without its pose. */
btCollisionShape *make_solid(const dpl_solver_shape &shape);
btCollisionShape *make_shapes(const dpl_solver_body &body, const btTransform &centre);

inline double mass_of(const body &of)
{
    return of.mass + of.load;
}

void pull_rope(dpl_solver &w, rope &pulled, double dt);
/* For push_body, in the step. */
void keep_push(dpl_solver &w, int number, const btVector3 &force, const btVector3 &torque,
               const btVector3 &in_body);
void push_body(body &of);
/* Called before and after a step of Bullet, for the requested reactions. */
void begin_reactions(dpl_solver &w);
void finish_reactions(dpl_solver &w, double dt);
void carry_before(body &free, double dt);
void carry_after(body &free, double dt);
void turn_wheels(dpl_solver &w);
/* Elsewhere, as if it had always been there: contacts are forgotten. */
void move_rigid(dpl_solver &w, btRigidBody &rigid, const btTransform &transform);
struct body_range {
    int first, n;
};
/* A body of the groups of `mask` into which one would reach deeper than `depth` m if it were there,
 * but for those of `own`: its number; -1: none. */
int find_overlap(dpl_solver &w, const btCollisionObject &object, const btTransform &there, int mask,
                 body_range own, double depth);
/* All that has bodies but for the ground. */
constexpr int all_bodies = GROUP_STATIC | GROUP_FLOOR | GROUP_MOVING | GROUP_CHASSIS;

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
    dpl_solver_parts::list<dpl_solver_parts::wheel> wheels;
    dpl_solver_parts::list<dpl_solver_rows::tree *> trees;
    dpl_solver_parts::list<dpl_solver_rows::loop *> loops;
    dpl_solver_parts::list<dpl_solver_rows::gear *> gears;
    dpl_solver_parts::list<dpl_solver_rows::belt *> belts;
    dpl_solver_parts::list<dpl_solver_parts::rope> ropes;
    dpl_solver_parts::list<dpl_solver_rows::freedom *> freedoms;
    dpl_solver_parts::list<dpl_solver_parts::reaction> reactions;
    dpl_solver_parts::list<dpl_solver_rows::mimic *> mimics;
    dpl_solver_parts::list<dpl_solver_parts::still> scene;
    double newest_dt = 0; /* s, of the newest step */
    /* How many of each Bullet's world has. */
    struct {
        size_t bodies = 0, wheels = 0, trees = 0, loops = 0, gears = 0, belts = 0, freedoms = 0,
               mimics = 0;
    } added;
};

namespace dpl_solver_parts
{

/* Return the number; they throw when the heap is full. */
int store_body(dpl_solver &w, const dpl_solver_body &from);
dpl_solver_rows::end end_of(const dpl_solver &w, int number, const dpl_solver_pose &frame);
int store_belt(dpl_solver &w, const dpl_solver_belt &from);
int store_rope(dpl_solver &w, const dpl_solver_rope &from);
int store_tree(dpl_solver &w, int base, const dpl_solver_link *links, size_t count);

} // namespace dpl_solver_parts

#endif
