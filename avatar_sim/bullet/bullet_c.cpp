/* SPDX-License-Identifier: Apache-2.0 */
/* Bases on wheels in Bullet: see bullet_c.h. Settings follow from measurement: double precision,
 * rigid bodies with hinges, sphere wheels, one solver step a call, and every container in order of
 * insertion, so that runs are bit-identical. */
#include "bullet_c.h"

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <vector>

#include "bullet_memory.h"

using namespace dpl_bullet_memory;

namespace
{

enum collision_group { GROUP_GROUND = 1, GROUP_STATIC = 2, GROUP_CHASSIS = 4, GROUP_WHEEL = 8 };

/* A thin margin keeps the corners of boxes and the rims of cylinders where the model has them. */
constexpr double margin_m = 0.002;
constexpr double gravity_m_s2 = 9.81;

constexpr size_t pairs_a_chassis = 16;

/* Bodies, shapes and hinges are the heap's: nobody deletes them. */
struct body {
    btRigidBody *rigid;
    btVector3 centre_of_mass;
};

struct wheel {
    dpl_bullet_wheel spec;
    int chassis;
    btRigidBody *rigid;
    btHingeConstraint *hinge;
    double angle, last_hinge_angle;
};

/* Memory for what Bullet keeps of each pair of near bodies. What these pools cannot give comes from
 * the heap all the same, so they are small: an empty world's snapshot is as large as they are. */
btDefaultCollisionConstructionInfo pools_for(size_t chassis)
{
    btDefaultCollisionConstructionInfo info;
    int pairs = static_cast<int>(pairs_a_chassis * (chassis + 1));
    info.m_defaultMaxPersistentManifoldPoolSize = pairs;
    info.m_defaultMaxCollisionAlgorithmPoolSize = pairs;
    return info;
}

} // namespace

struct dpl_bullet {
    BT_DECLARE_ALIGNED_ALLOCATOR();
    explicit dpl_bullet(dpl_heap *at, size_t chassis) : heap(at), configuration(pools_for(chassis))
    {
    }
    dpl_heap *heap;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<body, heap_allocator<body>> bodies;
    std::vector<wheel, heap_allocator<wheel>> wheels;
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

btCollisionShape *make_shape(const dpl_bullet_shape &shape)
{
    btCollisionShape *made = nullptr;
    switch (shape.kind) {
    case DPL_BULLET_BOX: made = new btBoxShape(vector_from(shape.size) / 2); break;
    case DPL_BULLET_SPHERE: made = new btSphereShape(shape.size[0]); break;
    case DPL_BULLET_CYLINDER:
        made = new btCylinderShapeZ(btVector3(shape.size[0], shape.size[0], shape.size[2] / 2));
        break;
    case DPL_BULLET_CAPSULE: made = new btCapsuleShapeZ(shape.size[0], shape.size[2]); break;
    }
    if (shape.kind == DPL_BULLET_BOX || shape.kind == DPL_BULLET_CYLINDER) {
        made->setMargin(margin_m);
    }
    made->setUserIndex(shape.slippery ? DPL_TAG_SLIPPERY : DPL_TAG_PLAIN);
    return made;
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
    return w.bodies[static_cast<size_t>(number)].rigid;
}

int store_body(dpl_bullet &w, btRigidBody *rigid, const btVector3 &centre_of_mass, int group,
               int mask)
{
    int number = static_cast<int>(w.bodies.size());
    rigid->setUserIndex(number);
    add_to_world(w, *rigid, group, mask);
    w.bodies.push_back({rigid, centre_of_mass});
    return number;
}

int store_static(dpl_bullet &w, btCollisionShape *shape, const btTransform &transform,
                 double friction, int group)
{
    btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, shape);
    info.m_startWorldTransform = transform;
    info.m_friction = friction;
    int mask = group == GROUP_GROUND ? GROUP_CHASSIS | GROUP_WHEEL : GROUP_CHASSIS;
    return store_body(w, new btRigidBody(info), btVector3(0, 0, 0), group, mask);
}

int store_chassis(dpl_bullet &w, const dpl_bullet_chassis &chassis)
{
    btVector3 centre_of_mass = vector_from(chassis.centre_of_mass);
    auto *compound = new btCompoundShape(true, static_cast<int>(chassis.n_shapes));
    for (size_t i = 0; i < chassis.n_shapes; i++) {
        btTransform local = shape_transform(chassis.shapes[i]);
        local.getOrigin() -= centre_of_mass;
        compound->addChildShape(local, make_shape(chassis.shapes[i]));
    }
    btVector3 inertia(0, 0, 0);
    compound->calculateLocalInertia(chassis.mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(chassis.mass, nullptr, compound, inertia);
    info.m_startWorldTransform = planar_transform(chassis.x, chassis.y, chassis.theta);
    info.m_startWorldTransform.getOrigin() = info.m_startWorldTransform * centre_of_mass;
    info.m_friction = chassis.friction;
    auto *rigid = new btRigidBody(info);
    rigid->setCollisionFlags(rigid->getCollisionFlags() |
                             btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
    return store_body(w, rigid, centre_of_mass, GROUP_CHASSIS,
                      GROUP_GROUND | GROUP_STATIC | GROUP_CHASSIS);
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
    /* The inertia of the disc that the sphere stands for, the same about every axis. */
    double inertia = 0.5 * spec.mass * spec.radius * spec.radius;
    btRigidBody::btRigidBodyConstructionInfo info(
        spec.mass, nullptr, new btSphereShape(spec.radius), btVector3(inertia, inertia, inertia));
    btVector3 centre(spec.x, spec.y, spec.radius);
    info.m_startWorldTransform = frame_of(w, chassis);
    info.m_startWorldTransform.getOrigin() = info.m_startWorldTransform * centre;
    info.m_friction = spec.friction;
    auto *rigid = new btRigidBody(info);
    rigid->setUserIndex(-1);
    add_to_world(w, *rigid, GROUP_WHEEL, GROUP_GROUND);
    btVector3 axis(0, 1, 0);
    btVector3 pivot = centre - w.bodies[static_cast<size_t>(chassis)].centre_of_mass;
    auto *hinge = new btHingeConstraint(*chassis_of(w, chassis), *rigid, pivot, btVector3(0, 0, 0),
                                        axis, axis, true);
    hinge->enableAngularMotor(true, 0, 0);
    w.world.addConstraint(hinge, true);
    w.wheels.push_back({spec, chassis, rigid, hinge, 0.0, hinge->getHingeAngle()});
    return static_cast<int>(w.wheels.size() - 1);
}

template <typename F> int build(dpl_bullet &w, F store)
{
    return dpl_bullet_memory::build(w.heap, store);
}

template <typename F> int advance(dpl_bullet &w, F change)
{
    return dpl_bullet_memory::advance(w.heap, change);
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

void place(dpl_bullet &w, int chassis, const double pose[3])
{
    btRigidBody *rigid = chassis_of(w, chassis);
    const btVector3 &com = w.bodies[static_cast<size_t>(chassis)].centre_of_mass;
    motion kept = planar_motion(*rigid, pose[2]);
    btTransform frame = planar_transform(pose[0], pose[1], pose[2]);
    for (wheel &moved : w.wheels) {
        if (moved.chassis == chassis) {
            move_wheel(w, moved, frame, kept);
        }
    }
    frame.getOrigin() = frame * com;
    move_body(w, *rigid, frame);
    rigid->setLinearVelocity(kept.linear);
    rigid->setAngularVelocity(kept.angular);
    for (wheel &moved : w.wheels) {
        if (moved.chassis == chassis) {
            moved.last_hinge_angle = moved.hinge->getHingeAngle();
        }
    }
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

/* As it was created, but for its settings. */
dpl_bullet *make_world(dpl_heap *heap, const dpl_bullet_size &size)
{
    auto *w = new dpl_bullet(heap, size.chassis);
    w->bodies.reserve(size.bodies);
    w->wheels.reserve(size.wheels);
    return w;
}

} // namespace

struct dpl_bullet *dpl__bullet_create(struct dpl_heap *heap, const struct dpl_bullet_size *size,
                                      int iterations)
{
    install_callbacks();
    at_work here(heap);
    try {
        dpl_bullet *w = make_world(heap, *size);
        w->world.setGravity(btVector3(0, 0, -gravity_m_s2));
        w->world.setForceUpdateAllAabbs(false);
        btContactSolverInfo &info = w->world.getSolverInfo();
        info.m_numIterations = iterations;
        /* Two friction directions take the odometry error of an arc from 0.8 to 0.001 mm at steps
         * of 1 ms; full warm starting takes the creep at rest from 0.16 to 0.015 mm/s. */
        info.m_solverMode = SOLVER_USE_WARMSTARTING | SOLVER_USE_2_FRICTION_DIRECTIONS;
        info.m_warmstartingFactor = 1;
        return w;
    } catch (...) {
        return nullptr;
    }
}

int dpl__bullet_add_ground(struct dpl_bullet *world, double friction)
{
    return build(*world, [&] {
        auto *plane = new btStaticPlaneShape(btVector3(0, 0, 1), 0);
        return store_static(*world, plane, btTransform::getIdentity(), friction, GROUP_GROUND);
    });
}

int dpl__bullet_add_static(struct dpl_bullet *world, const struct dpl_bullet_shape *shape,
                           double friction)
{
    return build(*world, [&] {
        return store_static(*world, make_shape(*shape), shape_transform(*shape), friction,
                            GROUP_STATIC);
    });
}

int dpl__bullet_add_chassis(struct dpl_bullet *world, const struct dpl_bullet_chassis *chassis)
{
    return build(*world, [&] { return store_chassis(*world, *chassis); });
}

int dpl__bullet_add_wheel(struct dpl_bullet *world, int chassis,
                          const struct dpl_bullet_wheel *wheel)
{
    return build(*world, [&] { return store_wheel(*world, chassis, *wheel); });
}

void dpl__bullet_step(struct dpl_bullet *world, double dt)
{
    advance(*world, [&] { return world->world.stepSimulation(dt, 0); });
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
        for (int k = 0; k < 3; k++) {
            ret_point->rotation[i][k] = t.getBasis()[i][k];
        }
        ret_point->velocity[i] = velocity[i];
        ret_point->angular[i] = rigid->getAngularVelocity()[i];
    }
}

int dpl__bullet_taken_by(struct dpl_bullet *world, int chassis, const double pose[3], double depth)
{
    btRigidBody *rigid = chassis_of(*world, chassis);
    btTransform frame = planar_transform(pose[0], pose[1], pose[2]);
    frame.getOrigin() = frame * world->bodies[static_cast<size_t>(chassis)].centre_of_mass;
    return advance(*world, [&] {
        btCollisionObject probe;
        probe.setCollisionShape(rigid->getCollisionShape());
        probe.setWorldTransform(frame);
        overlap callback(rigid, &probe, depth);
        world->world.contactTest(&probe, callback);
        return callback.found;
    });
}

void dpl__bullet_place(struct dpl_bullet *world, int chassis, const double pose[3])
{
    advance(*world, [&] {
        place(*world, chassis, pose);
        return 0;
    });
}

void dpl__bullet_contacts(const struct dpl_bullet *world, double gap,
                          void (*take)(void *user, const struct dpl_bullet_contact *contact),
                          void *user)
{
    for (int i = 0; i < world->dispatcher.getNumManifolds(); i++) {
        const btPersistentManifold *manifold = world->dispatcher.getManifoldByIndexInternal(i);
        const btBroadphaseProxy *a = manifold->getBody0()->getBroadphaseHandle();
        const btBroadphaseProxy *b = manifold->getBody1()->getBroadphaseHandle();
        if ((a->m_collisionFilterGroup | b->m_collisionFilterGroup) & GROUP_GROUND) {
            continue;
        }
        int x = manifold->getBody0()->getUserIndex();
        int y = manifold->getBody1()->getUserIndex();
        for (int k = 0; k < manifold->getNumContacts(); k++) {
            const btManifoldPoint &point = manifold->getContactPoint(k);
            if (point.getDistance() <= gap) {
                const btVector3 &at = point.getPositionWorldOnA();
                dpl_bullet_contact contact{x < y ? x : y, x < y ? y : x, {at.x(), at.y(), at.z()}};
                take(user, &contact);
            }
        }
    }
}
