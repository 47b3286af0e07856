/* SPDX-License-Identifier: Apache-2.0 */
/* Bases on wheels: see solver_bases.h. Settings follow from measurement
 * (docs/design/rigid-bodies.md). */
#include "solver_bases.h"

#include <cmath>

#include "solver_world.h"

using namespace dpl_bullet_memory;
using namespace dpl_solver_parts;

namespace
{

/* Of the error of a hinge, that a step takes away. */
constexpr double hinge_share = 0.2;

btTransform planar_transform(const double pose[3])
{
    return btTransform(btQuaternion(btVector3(0, 0, 1), pose[2]), btVector3(pose[0], pose[1], 0));
}

btRigidBody *chassis_of(const dpl_solver &w, int number)
{
    return w.bodies[at(number)].rigid;
}

/* The frame on the ground under a chassis, as it stands now. */
btTransform frame_of(const dpl_solver &w, int chassis)
{
    const body &of = w.bodies[at(chassis)];
    return of.rigid->getWorldTransform() * of.centre.inverse();
}

int store_wheel(dpl_solver &w, int chassis, const dpl_solver_wheel &spec)
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
    rigid->setUserIndex(WHEEL_INDEX);
    rigid->setDamping(0, 0);
    rigid->setFlags(0); /* no gyroscopic torque: it is balanced */
    rigid->setActivationState(DISABLE_DEACTIVATION);
    btVector3 axis(0, 1, 0);
    btVector3 pivot = centre - w.bodies[at(chassis)].centre.getOrigin();
    auto *hinge = new btHingeConstraint(*chassis_of(w, chassis), *rigid, pivot, btVector3(0, 0, 0),
                                        axis, axis, true);
    hinge->setParam(BT_CONSTRAINT_ERP, hinge_share, 5);
    hinge->enableAngularMotor(true, 0, 0);
    w.wheels.push_back({centre, chassis, rigid, hinge, 0.0, hinge->getHingeAngle()});
    return static_cast<int>(w.wheels.size() - 1);
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

double wheel_speed(const dpl_solver &w, const wheel &turning)
{
    const btRigidBody *chassis = chassis_of(w, turning.chassis);
    btVector3 axis = chassis->getWorldTransform().getBasis().getColumn(1);
    return axis.dot(turning.rigid->getAngularVelocity() - chassis->getAngularVelocity());
}

/* Before its chassis moves, because its speed is relative to that. */
void move_wheel(dpl_solver &w, wheel &moved, const btTransform &frame, const motion &kept)
{
    btVector3 com = w.bodies[at(moved.chassis)].centre.getOrigin();
    double spin = wheel_speed(w, moved);
    btTransform t = frame;
    t.getOrigin() = frame * moved.centre;
    move_rigid(w, *moved.rigid, t);
    btVector3 arm = frame.getBasis() * (moved.centre - com);
    moved.rigid->setLinearVelocity(kept.linear + kept.angular.cross(arm));
    moved.rigid->setAngularVelocity(kept.angular + frame.getBasis().getColumn(1) * spin);
}

void place(dpl_solver &w, int chassis, const double pose[3])
{
    btRigidBody *rigid = chassis_of(w, chassis);
    motion kept = planar_motion(*rigid, pose[2]);
    btTransform frame = planar_transform(pose);
    for (wheel &moved : w.wheels) {
        if (moved.chassis == chassis) {
            move_wheel(w, moved, frame, kept);
        }
    }
    move_rigid(w, *rigid, frame * w.bodies[at(chassis)].centre);
    rigid->setLinearVelocity(kept.linear);
    rigid->setAngularVelocity(kept.angular);
    for (wheel &moved : w.wheels) {
        if (moved.chassis == chassis) {
            moved.last_hinge_angle = moved.hinge->getHingeAngle();
        }
    }
}

} // namespace

void dpl_solver_parts::turn_wheels(dpl_solver &w)
{
    for (wheel &turned : w.wheels) {
        double now = turned.hinge->getHingeAngle();
        turned.angle += std::remainder(now - turned.last_hinge_angle, SIMD_2_PI);
        turned.last_hinge_angle = now;
    }
}

int dpl__solver_add_wheel(struct dpl_solver *solver, int chassis,
                          const struct dpl_solver_wheel *wheel)
{
    return build(solver->heap, [&] { return store_wheel(*solver, chassis, *wheel); });
}

void dpl__solver_set_motor(struct dpl_solver *solver, int wheel, double speed, double impulse)
{
    solver->wheels[at(wheel)].hinge->enableAngularMotor(true, speed, impulse);
}

double dpl__solver_wheel_angle(const struct dpl_solver *solver, int wheel)
{
    return solver->wheels[at(wheel)].angle;
}

double dpl__solver_wheel_speed(const struct dpl_solver *solver, int wheel)
{
    return wheel_speed(*solver, solver->wheels[at(wheel)]);
}

void dpl__solver_point_of(const struct dpl_solver *solver, int chassis, const double local[3],
                          struct dpl_solver_point *ret_point)
{
    const btRigidBody *rigid = chassis_of(*solver, chassis);
    const btTransform &t = rigid->getWorldTransform();
    btVector3 from_centre = vector_from(local) - solver->bodies[at(chassis)].centre.getOrigin();
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

int dpl__solver_taken_by(struct dpl_solver *solver, int chassis, const double pose[3], double depth)
{
    const body &asked = solver->bodies[at(chassis)];
    return advance(solver->heap, [&] {
        btTransform there = planar_transform(pose) * asked.centre;
        return find_overlap(*solver, *asked.rigid, there, all_bodies, {chassis, 1}, depth);
    });
}

void dpl__solver_place_chassis(struct dpl_solver *solver, int chassis, const double pose[3])
{
    advance(solver->heap, [&] {
        place(*solver, chassis, pose);
        return 0;
    });
}
