/* SPDX-License-Identifier: Apache-2.0 */
/* The only C++ file and the only user of Bullet: see bullet_c.h. Settings follow from measurement:
 * double precision, rigid bodies with hinges, sphere wheels, one solver step a call, and every
 * container in order of insertion, so that runs are bit-identical. */
#include "bullet_c.h"

#include <btBulletDynamicsCommon.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

namespace
{

enum collision_group { GROUP_GROUND = 1, GROUP_STATIC = 2, GROUP_CHASSIS = 4, GROUP_WHEEL = 8 };

enum { TAG_PLAIN = 0, TAG_SLIPPERY = 1 };

/* A thin margin keeps the corners of boxes and the rims of cylinders where the model has them. */
constexpr double margin_m = 0.002;
constexpr double gravity_m_s2 = 9.81;

struct body {
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::unique_ptr<btCollisionObject> object;
    btVector3 centre_of_mass = btVector3(0, 0, 0);
};

struct wheel {
    dpl_bullet_wheel spec;
    int chassis;
    std::unique_ptr<btSphereShape> shape;
    std::unique_ptr<btRigidBody> rigid;
    std::unique_ptr<btHingeConstraint> hinge;
    double angle = 0.0, last_hinge_angle = 0.0;
};

} // namespace

struct dpl_bullet {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    size_t max_bodies = 0;
    std::vector<body> bodies;
    std::vector<wheel> wheels;
};

namespace
{

btVector3 vector_from(const double v[3])
{
    return btVector3(v[0], v[1], v[2]);
}

btTransform planar_transform(double x, double y, double theta)
{
    return btTransform(btQuaternion(btVector3(0, 0, 1), theta), btVector3(x, y, 0));
}

btTransform shape_transform(const dpl_bullet_shape &shape)
{
    btQuaternion turn(btVector3(0, 0, 1), shape.yaw);
    if (shape.lying) {
        turn = turn * btQuaternion(btVector3(0, 1, 0), SIMD_HALF_PI);
    }
    return btTransform(turn, vector_from(shape.position));
}

std::unique_ptr<btCollisionShape> make_shape(const dpl_bullet_shape &shape)
{
    std::unique_ptr<btCollisionShape> made;
    switch (shape.kind) {
    case DPL_BULLET_BOX: made.reset(new btBoxShape(vector_from(shape.size) / 2)); break;
    case DPL_BULLET_SPHERE: made.reset(new btSphereShape(shape.size[0])); break;
    case DPL_BULLET_CYLINDER:
        made.reset(
            new btCylinderShapeZ(btVector3(shape.size[0], shape.size[0], shape.size[2] / 2)));
        break;
    case DPL_BULLET_CAPSULE: made.reset(new btCapsuleShapeZ(shape.size[0], shape.size[2])); break;
    }
    if (shape.kind == DPL_BULLET_BOX || shape.kind == DPL_BULLET_CYLINDER) {
        made->setMargin(margin_m);
    }
    made->setUserIndex(shape.slippery ? TAG_SLIPPERY : TAG_PLAIN);
    return made;
}

/* Bullet knows one friction a body; a caster must slide although its chassis does not. */
bool set_point_friction(btManifoldPoint &point, const btCollisionObjectWrapper *a, int, int,
                        const btCollisionObjectWrapper *b, int, int)
{
    if (a->getCollisionShape()->getUserIndex() == TAG_SLIPPERY ||
        b->getCollisionShape()->getUserIndex() == TAG_SLIPPERY) {
        point.m_combinedFriction = 0;
    }
    return true;
}

/* Bullet has one such callback a process: set once, whichever thread makes the first world. */
void install_point_friction()
{
    static const bool installed = [] {
        gContactAddedCallback = set_point_friction;
        return true;
    }();
    (void)installed;
}

void add_to_world(dpl_bullet &w, btRigidBody &rigid, int group, int mask)
{
    rigid.setDamping(0, 0);
    rigid.setRestitution(0);
    rigid.setFlags(0); /* no gyroscopic torque: wheels are balanced, the chassis turns slowly */
    if (!rigid.isStaticObject()) {
        rigid.setActivationState(DISABLE_DEACTIVATION);
    }
    w.world.addRigidBody(&rigid, group, mask);
}

btRigidBody *chassis_of(const dpl_bullet &w, int number)
{
    return static_cast<btRigidBody *>(w.bodies[static_cast<size_t>(number)].object.get());
}

int store_static(dpl_bullet &w, std::unique_ptr<btCollisionShape> shape,
                 const btTransform &transform, double friction, int group)
{
    if (w.bodies.size() >= w.max_bodies) {
        return -ENOSPC;
    }
    btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, shape.get());
    info.m_startWorldTransform = transform;
    info.m_friction = friction;
    body made;
    auto rigid = std::make_unique<btRigidBody>(info);
    int number = static_cast<int>(w.bodies.size());
    rigid->setUserIndex(number);
    int mask = group == GROUP_GROUND ? GROUP_CHASSIS | GROUP_WHEEL : GROUP_CHASSIS;
    add_to_world(w, *rigid, group, mask);
    made.shapes.push_back(std::move(shape));
    made.object = std::move(rigid);
    w.bodies.push_back(std::move(made));
    return number;
}

int store_chassis(dpl_bullet &w, const dpl_bullet_chassis &chassis)
{
    if (w.bodies.size() >= w.max_bodies) {
        return -ENOSPC;
    }
    body made;
    made.centre_of_mass = vector_from(chassis.centre_of_mass);
    auto compound = std::make_unique<btCompoundShape>(true, static_cast<int>(chassis.n_shapes));
    for (size_t i = 0; i < chassis.n_shapes; i++) {
        btTransform local = shape_transform(chassis.shapes[i]);
        local.getOrigin() -= made.centre_of_mass;
        made.shapes.push_back(make_shape(chassis.shapes[i]));
        compound->addChildShape(local, made.shapes.back().get());
    }
    btVector3 inertia(0, 0, 0);
    compound->calculateLocalInertia(chassis.mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(chassis.mass, nullptr, compound.get(), inertia);
    info.m_startWorldTransform = planar_transform(chassis.x, chassis.y, chassis.theta);
    info.m_startWorldTransform.getOrigin() = info.m_startWorldTransform * made.centre_of_mass;
    info.m_friction = chassis.friction;
    auto rigid = std::make_unique<btRigidBody>(info);
    int number = static_cast<int>(w.bodies.size());
    rigid->setUserIndex(number);
    rigid->setCollisionFlags(rigid->getCollisionFlags() |
                             btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
    add_to_world(w, *rigid, GROUP_CHASSIS, GROUP_GROUND | GROUP_STATIC | GROUP_CHASSIS);
    made.shapes.push_back(std::move(compound));
    made.object = std::move(rigid);
    w.bodies.push_back(std::move(made));
    return number;
}

/* The frame on the ground under a chassis, as it stands now. */
btTransform frame_of(const dpl_bullet &w, int chassis)
{
    btTransform t = chassis_of(w, chassis)->getWorldTransform();
    t.getOrigin() = t * -w.bodies[static_cast<size_t>(chassis)].centre_of_mass;
    return t;
}

int store_wheel(dpl_bullet &w, int chassis, const dpl_bullet_wheel &spec)
{
    if (w.wheels.size() >= w.max_bodies) {
        return -ENOSPC;
    }
    wheel made;
    made.spec = spec;
    made.chassis = chassis;
    made.shape = std::make_unique<btSphereShape>(spec.radius);
    /* The inertia of the disc that the sphere stands for, the same about every axis. */
    double inertia = 0.5 * spec.mass * spec.radius * spec.radius;
    btRigidBody::btRigidBodyConstructionInfo info(spec.mass, nullptr, made.shape.get(),
                                                  btVector3(inertia, inertia, inertia));
    btVector3 centre(spec.x, spec.y, spec.radius);
    info.m_startWorldTransform = frame_of(w, chassis);
    info.m_startWorldTransform.getOrigin() = info.m_startWorldTransform * centre;
    info.m_friction = spec.friction;
    made.rigid = std::make_unique<btRigidBody>(info);
    made.rigid->setUserIndex(-1);
    add_to_world(w, *made.rigid, GROUP_WHEEL, GROUP_GROUND);
    btVector3 axis(0, 1, 0);
    btVector3 pivot = centre - w.bodies[static_cast<size_t>(chassis)].centre_of_mass;
    made.hinge = std::make_unique<btHingeConstraint>(*chassis_of(w, chassis), *made.rigid, pivot,
                                                     btVector3(0, 0, 0), axis, axis, true);
    made.hinge->enableAngularMotor(true, 0, 0);
    w.world.addConstraint(made.hinge.get(), true);
    made.last_hinge_angle = made.hinge->getHingeAngle();
    w.wheels.push_back(std::move(made));
    return static_cast<int>(w.wheels.size() - 1);
}

/* Nothing thrown may reach C; what the standard library throws here is want of memory. */
template <typename F> int guarded(F store)
{
    try {
        return store();
    } catch (...) {
        return -ENOMEM;
    }
}

void forget_contacts(dpl_bullet &w, btRigidBody &rigid)
{
    w.broadphase.getOverlappingPairCache()->cleanProxyFromPairs(rigid.getBroadphaseHandle(),
                                                                &w.dispatcher);
}

void move_body(dpl_bullet &w, btRigidBody &rigid, const btTransform &transform)
{
    rigid.setWorldTransform(transform);
    rigid.setInterpolationWorldTransform(transform);
    rigid.updateInertiaTensor();
    rigid.clearForces();
    forget_contacts(w, rigid);
    w.world.updateSingleAabb(&rigid);
}

/* How a chassis moves over the ground: of its centre of mass. */
struct motion {
    btVector3 linear, angular;
};

/* The motion of a chassis once it is turned to a new heading. */
motion planar_motion(const btRigidBody &rigid, double heading)
{
    btVector3 axis_x = rigid.getWorldTransform().getBasis().getColumn(0);
    double turn = heading - std::atan2(axis_x.y(), axis_x.x());
    btVector3 linear = rigid.getLinearVelocity().rotate(btVector3(0, 0, 1), turn);
    linear.setZ(0);
    return {linear, btVector3(0, 0, rigid.getAngularVelocity().z())};
}

double wheel_speed(const dpl_bullet &w, const wheel &turning)
{
    const btRigidBody *chassis = chassis_of(w, turning.chassis);
    btVector3 axis = chassis->getWorldTransform().getBasis().getColumn(1);
    return axis.dot(turning.rigid->getAngularVelocity() - chassis->getAngularVelocity());
}

/* Before its chassis moves, because its speed is relative to that. */
void move_wheel(dpl_bullet &w, wheel &moved, const btTransform &frame, const motion &kept)
{
    const btVector3 &com = w.bodies[static_cast<size_t>(moved.chassis)].centre_of_mass;
    double spin = wheel_speed(w, moved);
    btVector3 centre(moved.spec.x, moved.spec.y, moved.spec.radius);
    btTransform t = frame;
    t.getOrigin() = frame * centre;
    move_body(w, *moved.rigid, t);
    btVector3 arm = frame.getBasis() * (centre - com);
    moved.rigid->setLinearVelocity(kept.linear + kept.angular.cross(arm));
    moved.rigid->setAngularVelocity(kept.angular + frame.getBasis().getColumn(1) * spin);
}

/* Ends at the first contact that is deep enough. */
struct overlap : btCollisionWorld::ContactResultCallback {
    const btCollisionObject *self, *probe;
    double depth;
    int found = 0; /* the number of the body; the ground, which is 0, is not looked at */

    overlap(const btCollisionObject *object, const btCollisionObject *shape, double depth_m)
        : self(object), probe(shape), depth(depth_m)
    {
        m_collisionFilterGroup = GROUP_CHASSIS;
        m_collisionFilterMask = GROUP_STATIC | GROUP_CHASSIS;
    }

    bool needsCollision(btBroadphaseProxy *proxy) const override
    {
        return found == 0 && proxy->m_clientObject != self &&
               ContactResultCallback::needsCollision(proxy);
    }

    btScalar addSingleResult(btManifoldPoint &point, const btCollisionObjectWrapper *a, int, int,
                             const btCollisionObjectWrapper *b, int, int) override
    {
        if (found == 0 && point.getDistance() < -depth) {
            const btCollisionObject *first = a->getCollisionObject();
            found = (first == probe ? b->getCollisionObject() : first)->getUserIndex();
        }
        return 0;
    }
};

/* Bullet does not look whether it got memory. */
void *allocate(size_t size)
{
    void *memory = std::malloc(size);
    return memory ? memory : throw std::bad_alloc();
}

} // namespace

struct dpl_bullet *dpl__bullet_create(size_t max_bodies, int iterations)
{
    btAlignedAllocSetCustom(allocate, std::free);
    try {
        auto w = std::make_unique<dpl_bullet>();
        w->max_bodies = max_bodies;
        w->bodies.reserve(max_bodies);
        w->wheels.reserve(max_bodies);
        w->world.setGravity(btVector3(0, 0, -gravity_m_s2));
        w->world.setForceUpdateAllAabbs(false);
        btContactSolverInfo &info = w->world.getSolverInfo();
        info.m_numIterations = iterations;
        /* Two friction directions take the odometry error of an arc from 0.8 to 0.001 mm at steps
         * of 1 ms; full warm starting takes the creep at rest from 0.16 to 0.015 mm/s. */
        info.m_solverMode = SOLVER_USE_WARMSTARTING | SOLVER_USE_2_FRICTION_DIRECTIONS;
        info.m_warmstartingFactor = 1;
        install_point_friction();
        return w.release();
    } catch (...) {
        return nullptr;
    }
}

void dpl__bullet_destroy(struct dpl_bullet *world)
{
    if (!world) {
        return;
    }
    for (wheel &made : world->wheels) {
        world->world.removeConstraint(made.hinge.get());
        world->world.removeRigidBody(made.rigid.get());
    }
    for (body &made : world->bodies) {
        world->world.removeRigidBody(static_cast<btRigidBody *>(made.object.get()));
    }
    delete world;
}

int dpl__bullet_add_ground(struct dpl_bullet *world, double friction)
{
    return guarded([&] {
        auto plane = std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), 0);
        return store_static(*world, std::move(plane), btTransform::getIdentity(), friction,
                            GROUP_GROUND);
    });
}

int dpl__bullet_add_static(struct dpl_bullet *world, const struct dpl_bullet_shape *shape,
                           double friction)
{
    return guarded([&] {
        return store_static(*world, make_shape(*shape), shape_transform(*shape), friction,
                            GROUP_STATIC);
    });
}

int dpl__bullet_add_chassis(struct dpl_bullet *world, const struct dpl_bullet_chassis *chassis)
{
    return guarded([&] { return store_chassis(*world, *chassis); });
}

int dpl__bullet_add_wheel(struct dpl_bullet *world, int chassis,
                          const struct dpl_bullet_wheel *wheel)
{
    return guarded([&] { return store_wheel(*world, chassis, *wheel); });
}

void dpl__bullet_step(struct dpl_bullet *world, double dt)
{
    world->world.stepSimulation(dt, 0);
    for (wheel &turned : world->wheels) {
        double now = turned.hinge->getHingeAngle();
        turned.angle += std::remainder(now - turned.last_hinge_angle, SIMD_2_PI);
        turned.last_hinge_angle = now;
    }
}

void dpl__bullet_set_motor(struct dpl_bullet *world, int wheel, double speed, double impulse)
{
    world->wheels[static_cast<size_t>(wheel)].hinge->enableAngularMotor(true, speed, impulse);
}

double dpl__bullet_wheel_angle(const struct dpl_bullet *world, int wheel)
{
    return world->wheels[static_cast<size_t>(wheel)].angle;
}

double dpl__bullet_wheel_speed(const struct dpl_bullet *world, int wheel)
{
    return wheel_speed(*world, world->wheels[static_cast<size_t>(wheel)]);
}

void dpl__bullet_get_point(const struct dpl_bullet *world, int chassis, const double local[3],
                           struct dpl_bullet_point *ret_point)
{
    const btRigidBody *rigid = chassis_of(*world, chassis);
    const btTransform &t = rigid->getWorldTransform();
    btVector3 from_centre =
        vector_from(local) - world->bodies[static_cast<size_t>(chassis)].centre_of_mass;
    btVector3 position = t * from_centre;
    btVector3 velocity = rigid->getVelocityInLocalPoint(t.getBasis() * from_centre);
    for (int i = 0; i < 3; i++) {
        ret_point->position[i] = position[i];
        ret_point->axis_x[i] = t.getBasis()[i][0];
        ret_point->velocity[i] = velocity[i];
        ret_point->angular[i] = rigid->getAngularVelocity()[i];
    }
}

int dpl__bullet_taken_by(struct dpl_bullet *world, int chassis, const double pose[3], double depth)
{
    btRigidBody *rigid = chassis_of(*world, chassis);
    btCollisionObject probe;
    probe.setCollisionShape(rigid->getCollisionShape());
    btTransform frame = planar_transform(pose[0], pose[1], pose[2]);
    frame.getOrigin() = frame * world->bodies[static_cast<size_t>(chassis)].centre_of_mass;
    probe.setWorldTransform(frame);
    overlap callback(rigid, &probe, depth);
    world->world.contactTest(&probe, callback);
    return callback.found;
}

void dpl__bullet_place(struct dpl_bullet *world, int chassis, const double pose[3])
{
    btRigidBody *rigid = chassis_of(*world, chassis);
    const btVector3 &com = world->bodies[static_cast<size_t>(chassis)].centre_of_mass;
    motion kept = planar_motion(*rigid, pose[2]);
    btTransform frame = planar_transform(pose[0], pose[1], pose[2]);
    for (wheel &moved : world->wheels) {
        if (moved.chassis == chassis) {
            move_wheel(*world, moved, frame, kept);
        }
    }
    frame.getOrigin() = frame * com;
    move_body(*world, *rigid, frame);
    rigid->setLinearVelocity(kept.linear);
    rigid->setAngularVelocity(kept.angular);
    for (wheel &moved : world->wheels) {
        if (moved.chassis == chassis) {
            moved.last_hinge_angle = moved.hinge->getHingeAngle();
        }
    }
}

size_t dpl__bullet_contacts(const struct dpl_bullet *world, double gap,
                            struct dpl_bullet_contact *contacts, size_t max)
{
    size_t n = 0;
    for (int i = 0; i < world->dispatcher.getNumManifolds() && n < max; i++) {
        const btPersistentManifold *manifold = world->dispatcher.getManifoldByIndexInternal(i);
        const btBroadphaseProxy *a = manifold->getBody0()->getBroadphaseHandle();
        const btBroadphaseProxy *b = manifold->getBody1()->getBroadphaseHandle();
        if ((a->m_collisionFilterGroup | b->m_collisionFilterGroup) & GROUP_GROUND) {
            continue;
        }
        int x = manifold->getBody0()->getUserIndex();
        int y = manifold->getBody1()->getUserIndex();
        for (int k = 0; k < manifold->getNumContacts() && n < max; k++) {
            const btManifoldPoint &point = manifold->getContactPoint(k);
            if (point.getDistance() <= gap) {
                const btVector3 &at = point.getPositionWorldOnA();
                contacts[n++] = dpl_bullet_contact{x < y ? x : y, x < y ? y : x, at.x(), at.y()};
            }
        }
    }
    return n;
}
